import { Misconfigured, type Problem } from '../config/configure.ts';
import { isPlainHttp } from '../config/setting-kinds.ts';
import type { Settings } from '../config/settings.ts';
import type { MessageKey, Translator } from '../messages/index.ts';

/** Exit status for unusable settings or arguments. */
export const MISCONFIGURED = 2;

/** Describes a configuration mistake, with the nearest known name or the expected form. */
export function describeProblem(
  { key, values, expected, nearest, line }: Problem,
  translator: Translator,
): string {
  const words = translator.tell(key, values);
  const form = expected && translator.tell(`config.expected.${expected.kind}` as MessageKey, expected.values);
  const hint = nearest && translator.say('config.nearest', { name: nearest });
  const problem = form !== undefined ? `${words}: ${form}` : hint ? `${words}; ${hint}` : words;
  return line === undefined ? problem : translator.say('tenants.line', { line, problem });
}

/** Describes mistakes in settings or the tenants file, line by line; undefined for any other error. */
export function problemLines(error: unknown, translator: Translator): string[] | undefined {
  if (!(error instanceof Misconfigured)) return undefined;
  return error.problems.map((problem) => `- ${describeProblem(problem, translator)}`);
}

/** Prints why the program can't start and exits with `MISCONFIGURED`. */
export function refuseToStart(lines: readonly string[], { say }: Translator, command?: string): void {
  const help = command === undefined ? [] : [say('cli.see_help', { command })];
  console.error([say('cli.stopped'), ...lines, ...help].join('\n'));
  process.exitCode = MISCONFIGURED;
}

/** URLs that send credentials unencrypted to another machine; allowed, since the service is documented that way. */
export function plainHttpWarnings(settings: Settings, { say }: Translator): string[] {
  const addresses = {
    DFE_URL: settings.url,
    DFE_ACCOUNT_URL: settings.accountUrl,
    DFE_ACCOUNT_OAUTH_TOKEN_URL: settings.accountOauthTokenUrl,
  };
  return Object.entries(addresses).flatMap(([variable, address]) =>
    address !== undefined && isPlainHttp(address) ? [say('cli.plain_http', { variable })] : [],
  );
}
