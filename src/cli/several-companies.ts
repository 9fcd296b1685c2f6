import { allowsCompany, type CompanyOptions } from '../company/company.ts';
import { createSeveral, type SeveralTenants } from '../company/company-resolver.ts';
import type { CommandLine } from '../config/command-line.ts';
import type { Configuration } from '../config/configure.ts';
import type { Settings } from '../config/settings.ts';
import type { TenantDefinition } from '../config/tenants-file.ts';
import { createTranslator } from '../messages/index.ts';
import { companyOfTenant, readTenants } from '../server/tenants.ts';
import { tools } from '../tools/index.ts';
import { withCompany } from '../tools/shared/definition.ts';
import { misconfigured, plainHttpWarnings } from './standard-error.ts';

/** Tools with a `cnpj` argument, for several companies. */
export const toolsOfSeveral = tools.map(withCompany);

/** The companies of the tenants; the process's own company is the default of the tenant that has it. */
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
    make(definition) {
      const isItsOwn = company !== undefined && allowsCompany(definition.companies, company);
      const cnpj = definition.settings.cnpj ?? (isItsOwn ? company : undefined);
      return companyOfTenant({ ...definition, settings: { ...definition.settings, cnpj } }, surroundings);
    },
  });
}

/** Runs a command for every company of the tenants file, each with its own credentials. @throws Misconfigured */
export async function runSeveral(
  { command, action, flags, options }: CommandLine,
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { settings } = configuration;
  const translator = createTranslator(settings.language, settings.timeZone);
  if (action !== undefined) return void misconfigured(translator.say('archive.of_tenants'));
  const definitions = (await readTenants({ settings, flags, env })) ?? [];
  if (command === 'doctor') {
    const { examineTenants } = await import('./doctor/report.ts');
    return examineTenants(definitions, configuration, options.has('json'));
  }
  const warnings = definitions.flatMap((one) => plainHttpWarnings(one.settings, translator));
  for (const warning of new Set(warnings)) console.error(warning);
  const several = severalOf(definitions, settings, {});
  const { runStdio } = await import('../server/stdio.ts');
  runStdio(several, () => several.close(), toolsOfSeveral);
}
