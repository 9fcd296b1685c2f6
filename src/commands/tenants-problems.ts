import { type TenantsFileProblem, TenantsFileWrong } from '../config/tenants-file.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { TenantsUnreadable } from '../server/tenants/definitions.ts';
import { describeProblem } from './problems.ts';

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
