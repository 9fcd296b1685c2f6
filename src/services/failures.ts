import {
  ArchiveEngineMissing,
  ArchiveError,
  ArchiveNewer,
  ArchiveUnusable,
  InvalidQuestion,
  NotInFiles,
  ReadingAnew,
  StillFetching,
} from '../archive/errors.ts';
import { UpstreamError } from '../clients/errors.ts';
import { explainUpstream } from '../messages/explain-upstream.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { DataFolderUnusable } from '../writes/data-folder.ts';
import { DatabaseUnusable } from '../writes/in-database/unusable.ts';
import { NotConfigured, PasswordFileUnreadable } from './credentials.ts';
import { placeOf } from './place-of-error.ts';
import { SigningKeyUnusable } from './signing-key.ts';

/** Arguments that cannot be used, each reason in the person's language. */
export class BadArguments extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons.join('; '));
    this.name = 'BadArguments';
    this.reasons = reasons;
  }
}

/** A call that cannot be done as asked, for a reason the catalogue has words for. */
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

/** What happened and what to do next, in the person's language; undefined for an error nobody foresaw. */
export function explainFailure(error: unknown, translator: Translator): string | undefined {
  if (error instanceof Unfulfilled) return translator.tell(error.key, error.values);
  if (error instanceof UpstreamError) return explainUpstream(error, translator);
  if (error instanceof NotConfigured) {
    const key = error.hasFiles ? 'failure.service_alone' : 'failure.not_configured';
    return translator.say(key, { variables: translator.variables(error.variables) });
  }
  if (error instanceof PasswordFileUnreadable) {
    return translator.say('failure.password_file', { code: error.code });
  }
  if (error instanceof SigningKeyUnusable) {
    return translator.say('failure.signing_key', { code: error.code });
  }
  if (error instanceof DataFolderUnusable) {
    return translator.say('data_folder.unusable', { folder: error.folder, code: error.code });
  }
  if (error instanceof DatabaseUnusable) {
    return translator.say('data_folder.database', { code: error.code });
  }
  return error instanceof ArchiveError ? explainArchive(error, translator) : undefined;
}

function explainArchive(error: ArchiveError, translator: Translator): string {
  if (error instanceof ArchiveEngineMissing) {
    return translator.say('archive.engine_missing', { node: error.nodeVersion, engine: error.engine });
  }
  if (error instanceof ArchiveNewer) {
    return translator.say('archive.newer', { found: error.found, known: error.known });
  }
  if (error instanceof ArchiveUnusable) {
    const { code, trouble } = error;
    return translator.say(`archive.${trouble ?? 'unusable'}`, { code });
  }
  if (error instanceof InvalidQuestion) {
    return translator.say('archive.invalid_question', { problem: error.problem, value: error.value });
  }
  if (error instanceof StillFetching) {
    return translator.say('archive.still_fetching', { documents: error.documents });
  }
  if (error instanceof ReadingAnew) {
    return translator.say('archive.reading_anew', { done: error.done, documents: error.documents });
  }
  if (error instanceof NotInFiles) {
    return translator.say(error.isReading ? 'files.not_read_yet' : 'files.not_there');
  }
  return translator.say(error.kind === 'sum_too_large' ? 'archive.sum_too_large' : 'archive.cancelled');
}

/** Says on standard error what only a developer can use: the error's name and where it arose, never its message. */
export function reportUnexpected(error: unknown, translator: Translator): string {
  const reference = crypto.randomUUID().slice(0, 8);
  const name = error instanceof Error ? error.name : typeof error;
  const place = error instanceof Error ? placeOf(error) : [];
  console.error([translator.say('cli.unexpected', { reference, name }), ...place].join('\n'));
  return translator.say('failure.unexpected', { reference });
}
