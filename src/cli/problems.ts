import type { ConfigurationProblem } from '../config/configure.ts';
import type { Settings } from '../config/settings.ts';
import { type TenantsFileProblem, TenantsFileWrong } from '../config/tenants-file.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { TenantsUnreadable } from '../server/tenants/definitions.ts';

/** One mistake in the configuration, in words, with the nearest known name or what the value should be. */
export function describeProblem(problem: ConfigurationProblem, translator: Translator): string {
  const words = translator.tell(problem.key, problem.values);
  if ('expected' in problem) {
    const key = `config.expected.${problem.expected.kind}` as MessageKey;
    return `${words}: ${translator.tell(key, problem.expected.values)}`;
  }
  if ('nearest' in problem && problem.nearest !== undefined) {
    return `${words}; ${translator.say('config.nearest', { name: problem.nearest })}`;
  }
  return words;
}

function inWords({ line, problem }: TenantsFileProblem, translator: Translator): string {
  const known = problem.key.startsWith('tenants.');
  const words = known
    ? translator.tell(problem.key as MessageKey, problem.values)
    : describeProblem(problem as Parameters<typeof describeProblem>[0], translator);
  return translator.say('tenants.line', { line, problem: words });
}

/** What is wrong with the tenants file, line by line in words; undefined for any other error. */
export function tenantsProblems(error: unknown, translator: Translator): string[] | undefined {
  if (error instanceof TenantsUnreadable) {
    return [`- ${translator.say('tenants.unreadable', { code: error.code })}`];
  }
  if (!(error instanceof TenantsFileWrong)) return undefined;
  return error.problems.map((problem) => `- ${inWords(problem, translator)}`);
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Addresses that send credentials unencrypted to another machine; allowed, because the service is described so. */
export function plainHttpWarnings(settings: Settings, translator: Translator): string[] {
  const addresses = {
    DFE_URL: settings.url,
    DFE_ACCOUNT_URL: settings.accountUrl,
    DFE_ACCOUNT_OAUTH_TOKEN_URL: settings.accountOauthTokenUrl,
  };
  return Object.entries(addresses).flatMap(([variable, address]) => {
    if (address === undefined) return [];
    const { protocol, hostname } = new URL(address);
    return protocol === 'http:' && !loopback.test(hostname)
      ? [translator.say('cli.plain_http', { variable })]
      : [];
  });
}
