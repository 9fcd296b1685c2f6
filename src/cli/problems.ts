import type { Problem } from '../config/problem.ts';
import type { Settings } from '../config/settings.ts';
import { TenantsFileWrong } from '../config/tenants-file.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { isPlainHttp } from '../server/http/addresses.ts';
import { TenantsUnreadable } from '../server/tenants/definitions.ts';

/** Exit status for settings or a command line that cannot be used. */
export const MISCONFIGURED = 2;

/** One mistake in the configuration, in words, with the nearest known name or what the value should be. */
export function describeProblem({ key, values, expected, nearest }: Problem, translator: Translator): string {
  const words = translator.tell(key, values);
  if (expected !== undefined) {
    const form = translator.tell(`config.expected.${expected.kind}` as MessageKey, expected.values);
    return `${words}: ${form}`;
  }
  return nearest === undefined ? words : `${words}; ${translator.say('config.nearest', { name: nearest })}`;
}

/** Says on standard error why the program stops, and exits with the status for unusable settings. */
export function refuseToStart(lines: readonly string[], { say }: Translator, command?: string): void {
  const help = command === undefined ? [] : [say('cli.see_help', { command })];
  console.error([say('cli.stopped'), ...lines, ...help].join('\n'));
  process.exitCode = MISCONFIGURED;
}

/** What is wrong with the tenants file, line by line in words; undefined for any other error. */
export function tenantsProblems(error: unknown, translator: Translator): string[] | undefined {
  if (error instanceof TenantsUnreadable) {
    return [`- ${translator.say('tenants.unreadable', { code: error.code })}`];
  }
  if (!(error instanceof TenantsFileWrong)) return undefined;
  return error.problems.map(({ line, problem }) => {
    const words = describeProblem(problem, translator);
    return `- ${translator.say('tenants.line', { line, problem: words })}`;
  });
}

/** Addresses that send credentials unencrypted to another machine; allowed, because the service is described so. */
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
