import { ArchiveError } from '../archive/errors.ts';
import type { UnseenFolder } from '../archive/files/user-files.ts';
import { UpstreamError } from '../clients/errors.ts';
import { explainUpstream } from '../messages/explain-upstream.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { RecordUnusable } from '../writes/data-folder.ts';
import { NotConfigured, SecretFileUnusable } from './credentials.ts';

/** Invalid arguments, with a reason each in the person's language. */
export class BadArguments extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons.join('; '));
    this.name = 'BadArguments';
    this.reasons = reasons;
  }
}

/** A call that can't be done as asked; the reason is a catalogue key. */
export class Unfulfilled extends Error {
  readonly key: MessageKey;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(key: MessageKey, values: Readonly<Record<string, string | number>> = {}) {
    super(key);
    this.name = 'Unfulfilled';
    this.key = key;
    this.values = values;
  }
}

/** Explains an error and its remedy in the person's language; undefined for an unexpected error. */
export function explainFailure(error: unknown, translator: Translator): string | undefined {
  if (error instanceof Unfulfilled) return translator.tell(error.key, error.values);
  if (error instanceof UpstreamError) return explainUpstream(error, translator);
  if (error instanceof NotConfigured) {
    const key = error.hasFiles ? 'failure.service_alone' : 'failure.not_configured';
    return translator.say(key, { variables: translator.variables(error.variables) });
  }
  if (error instanceof SecretFileUnusable) {
    const isPassword = error.variable === 'DFE_PASSWORD_FILE';
    return translator.say(isPassword ? 'failure.password_file' : 'config.signing_key', { code: error.code });
  }
  if (error instanceof RecordUnusable) {
    const { folder, code } = error;
    if (folder === undefined) return translator.say('data_folder.database', { code });
    return translator.say('data_folder.unusable', { folder, code });
  }
  if (error instanceof ArchiveError) return translator.tell(`archive.${error.reason}`, error.values);
  return undefined;
}

/** Names a service that isn't configured, and the variables it lacks. */
export function notConfigured(
  service: 'doctor.documents' | 'doctor.account',
  lacking: Parameters<Translator['variables']>[0],
  { say, variables }: Translator,
): string {
  return say('connection.missing', { service: say(service), variables: variables(lacking) });
}

/** Explains why a folder yielded nothing. Imports only types: failures load at every start. */
export function unseenWords({ path, code }: UnseenFolder, { say }: Translator): string {
  return say(code === 'EMPTY' ? 'files.empty_folder' : 'files.unseen', { path, code });
}

/** Explains any error in the person's language; an unexpected one is reported under a reference. */
export function failureWords(error: unknown, translator: Translator): string {
  const words = explainFailure(error, translator);
  if (words !== undefined) return words;
  const isAbort = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
  return isAbort ? translator.say('upstream.cancelled') : reportUnexpected(error, translator);
}

const MOST_FRAMES = 8;

/**
 * Stack lines of an error, innermost first, without its message, which may quote a service. With `node
 * --enable-source-maps` they name lines of `src`.
 */
export function placeOf(error: Error): string[] {
  const { stack = '', message } = error;
  const start = stack.indexOf(message);
  if (start === -1) return [];
  const lines = stack.slice(start + message.length).split('\n');
  return lines.filter((line) => /^\s+at /.test(line)).slice(0, MOST_FRAMES);
}

/** Writes an unexpected error's name and stack to standard error, never its message. */
export function reportUnexpected(error: unknown, translator: Translator): string {
  const reference = crypto.randomUUID().slice(0, 8);
  const name = error instanceof Error ? error.name : typeof error;
  const place = error instanceof Error ? placeOf(error) : [];
  console.error([translator.say('cli.unexpected', { reference, name }), ...place].join('\n'));
  return translator.say('failure.unexpected', { reference });
}
