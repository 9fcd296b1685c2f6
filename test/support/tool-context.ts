import type { CallContext } from '../../src/company/call-context.ts';
import { type CompanyOptions, createCompany } from '../../src/company/company.ts';
import { startDeadline } from '../../src/company/deadline.ts';
import { temporaryFolder } from './built-program.ts';
import { configurationOf } from './configuration.ts';
import { endsBehindTests } from './ending.ts';

/** The context of a tool call, made from settings, with a data folder of its own. */
export type PreparedContext = ReturnType<typeof prepareContext>;

/** A context in English, whose services are real and reach nothing until they are asked to. */
export function prepareContext(
  env: Readonly<Record<string, string>> = {},
  surroundings: Partial<CompanyOptions> = {},
) {
  const folder = temporaryFolder();
  const { settings } = configurationOf({ DFE_LANGUAGE: 'en', DFE_DATA_DIR: folder.path, ...env });
  const company = createCompany(settings, { isFair: false, ...surroundings });
  const deadline = startDeadline();
  const { signal } = new AbortController();
  const context: CallContext = {
    company,
    translator: company.translator,
    signal,
    caller: signal,
    deadline,
    principal: 'local',
    hasViews: false,
    isDue: () => true,
    progress: async () => undefined,
  };
  return {
    context,
    close: endsBehindTests(async () => {
      deadline.end();
      await company.close();
    }),
  };
}
