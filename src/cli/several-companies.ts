import type { CompanyOptions } from '../company/company.ts';
import { createSeveral, type SeveralTenants } from '../company/several.ts';
import { allowsCompany } from '../config/access.ts';
import type { CommandLine } from '../config/command-line.ts';
import type { Configuration } from '../config/configure.ts';
import type { Settings } from '../config/settings.ts';
import type { TenantDefinition } from '../config/tenants-file.ts';
import { createTranslator, type Translator } from '../messages/index.ts';
import { companyOfTenant, readTenants } from '../server/tenants/definitions.ts';
import { tools } from '../tools/index.ts';
import { withCompany } from '../tools/shared/company-argument.ts';
import { MISCONFIGURED, plainHttpWarnings, problemLines, refuseToStart } from './problems.ts';

async function definitionsOf(
  { settings }: Configuration,
  { flags }: CommandLine,
  env: NodeJS.ProcessEnv,
  translator: Translator,
): Promise<readonly TenantDefinition[] | undefined> {
  try {
    return await readTenants({ settings, flags, env });
  } catch (error) {
    const lines = problemLines(error, translator);
    if (lines === undefined) throw error;
    refuseToStart(lines, translator);
    return undefined;
  }
}

/** Makes the process's company the tenant's default, if it is one of the tenant's. */
function withDefault(definition: TenantDefinition, company: string | undefined): TenantDefinition {
  const { settings, companies } = definition;
  if (settings.cnpj !== undefined || company === undefined || !allowsCompany(companies, company)) {
    return definition;
  }
  return { ...definition, settings: { ...settings, cnpj: company } };
}

/** Tools with a `cnpj` argument, for several companies. */
export const toolsOfSeveral = tools.map(withCompany);

/** Companies of a tenants file, for one person. */
export function severalOf(
  definitions: readonly TenantDefinition[],
  { apps, cnpj: company, language, timeZone }: Settings,
  surroundings: Partial<CompanyOptions>,
): SeveralTenants {
  return createSeveral({
    definitions,
    translator: createTranslator(language, timeZone),
    apps,
    company,
    make: (definition) => companyOfTenant(withDefault(definition, company), surroundings),
  });
}

/** Runs a command for every company of the tenants file, each with its own credentials. */
export async function runSeveral(
  line: CommandLine,
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { settings } = configuration;
  const translator = createTranslator(settings.language, settings.timeZone);
  if (line.archive !== undefined) {
    console.error(translator.say('archive.of_tenants'));
    process.exitCode = MISCONFIGURED;
    return;
  }
  const definitions = await definitionsOf(configuration, line, env, translator);
  if (definitions === undefined) return;
  if (line.command === 'doctor') {
    const { examineTenants } = await import('./doctor/tenants.ts');
    return examineTenants(definitions, configuration, line.json);
  }
  const warnings = definitions.flatMap((one) => plainHttpWarnings(one.settings, translator));
  for (const warning of new Set(warnings)) console.error(warning);
  const several = severalOf(definitions, settings, {});
  const { runStdio } = await import('../server/stdio.ts');
  runStdio(several, () => several.close(), toolsOfSeveral);
}
