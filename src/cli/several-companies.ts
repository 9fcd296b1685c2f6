import { allowsCompany, type CompanyOptions } from '../company/company.ts';
import { createSeveral, type SeveralTenants } from '../company/company-resolver.ts';
import type { CommandLine } from '../config/command-line.ts';
import type { Configuration } from '../config/configure.ts';
import type { Settings } from '../config/settings.ts';
import type { TenantDefinition } from '../config/tenants-file.ts';
import { version } from '../config/version.ts';
import { createTranslator, type Translator } from '../messages/index.ts';
import { companyOfTenant, readTenants } from '../server/tenants.ts';
import { tools } from '../tools/index.ts';
import { withCompany } from '../tools/shared/definition.ts';
import { examine, secretFileWarnings } from './doctor/examine.ts';
import { checkLines, type Examination, parts, verdictLine } from './doctor/report.ts';
import { MISCONFIGURED, plainHttpWarnings, problemLines, refuseToStart } from './problems.ts';

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
  const definitions = await readTenants({ settings, flags: line.flags, env }).catch((error: unknown) => {
    const lines = problemLines(error, translator);
    if (lines === undefined) throw error;
    refuseToStart(lines, translator);
  });
  if (!definitions) return;
  if (line.command === 'doctor') return examineTenants(definitions, configuration, line.json);
  const warnings = definitions.flatMap((one) => plainHttpWarnings(one.settings, translator));
  for (const warning of new Set(warnings)) console.error(warning);
  const several = severalOf(definitions, settings, {});
  const { runStdio } = await import('../server/stdio.ts');
  runStdio(several, () => several.close(), toolsOfSeveral);
}

const AT_ONCE = 4;

async function examineAll(definitions: readonly TenantDefinition[], { sources }: Configuration) {
  const examined: { readonly definition: TenantDefinition; readonly examination: Examination }[] = [];
  const waiting = definitions.entries();
  const work = async (): Promise<void> => {
    for (const [index, definition] of waiting) {
      const company = companyOfTenant(definition, {});
      const examination = examine({ settings: company.settings, sources }, company);
      examined[index] = { definition, examination: await examination.finally(() => company.close()) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return examined;
}

/** Companies of several tenants, which stdio calls can't tell apart. */
function overlaps(definitions: readonly TenantDefinition[], { say }: Translator): string[] {
  const companies = new Set(definitions.flatMap((one) => one.companies));
  return [...companies].flatMap((company) => {
    const tenants = definitions.filter(
      (one) => allowsCompany(one.companies, company.replace('*', '')) || one.companies.includes(company),
    );
    const named = tenants.map(({ id }) => id).join(', ');
    return tenants.length > 1 ? [say('tenants.company_of_several', { company, tenants: named })] : [];
  });
}

/** Examines every tenant and prints the report as text or JSON. */
async function examineTenants(
  definitions: readonly TenantDefinition[],
  configuration: Configuration,
  asJson: boolean,
): Promise<void> {
  const { settings } = configuration;
  const translator = createTranslator(settings.language, settings.timeZone);
  const examined = await examineAll(definitions, configuration);
  const warnings = [
    ...overlaps(definitions, translator),
    ...(await secretFileWarnings(
      { DFE_TENANTS: settings.tenants, DFE_SIGNING_KEY_FILE: settings.signingKeyFile },
      translator,
    )),
  ];
  const verdicts = examined.map(({ examination }) => examination.report.verdict);
  const isSound = warnings.length === 0 && verdicts.every((one) => one === 'ok');
  const working = isSound ? 'ok' : 'degraded';
  const verdict = verdicts.includes('failed') ? 'failed' : working;
  const tenants = examined.map(({ definition: { id, companies }, examination: { report } }) => ({
    id,
    companies,
    verdict: report.verdict,
    ...Object.fromEntries(parts.map((part) => [part, report[part]])),
    warnings: report.warnings,
  }));
  const report = { verdict, version, node: process.versions.node, tenants, warnings };
  const lines = [
    translator.say('doctor.tenants', { count: definitions.length }),
    `docfiscal-mcp ${version}, Node ${report.node}`,
    ...warnings.map((warning) => `⚠ ${warning}`),
    ...examined.flatMap(({ definition: { id, companies }, examination }) => [
      '',
      `${id} (${companies.join(', ')})`,
      verdictLine(examination, translator),
      ...checkLines(examination, translator),
      ...examination.report.warnings.map((warning) => `⚠ ${warning}`),
    ]),
  ];
  process.stdout.write(asJson ? `${JSON.stringify(report, null, 2)}\n` : `${lines.join('\n')}\n`);
  if (verdict === 'failed') process.exitCode = 1;
}
