import { allowsCompany } from '../../config/access.ts';
import type { Configuration } from '../../config/configure.ts';
import type { TenantDefinition } from '../../config/tenants-file.ts';
import { version } from '../../config/version.ts';
import { createTranslator, type Translator } from '../../messages/index.ts';
import { companyOfTenant } from '../../server/tenants/definitions.ts';
import { examine } from './examine.ts';
import { secretFileWarnings } from './folders.ts';
import { checkLines, type Examination, parts, type Report, verdictLine } from './report.ts';

/** Tenants examined concurrently. */
const AT_ONCE = 4;

interface Examined {
  readonly definition: TenantDefinition;
  readonly examination: Examination;
}

async function examineOne(definition: TenantDefinition, { sources }: Configuration): Promise<Examined> {
  const company = companyOfTenant(definition, {});
  try {
    return { definition, examination: await examine({ settings: company.settings, sources }, company) };
  } finally {
    await company.close();
  }
}

async function examineAll(
  definitions: readonly TenantDefinition[],
  configuration: Configuration,
): Promise<Examined[]> {
  const examined: Examined[] = [];
  const waiting = [...definitions.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, definition] = next;
      examined[index] = await examineOne(definition, configuration);
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

function worst(verdicts: readonly Report['verdict'][]): Report['verdict'] {
  if (verdicts.includes('failed')) return 'failed';
  return verdicts.includes('degraded') ? 'degraded' : 'ok';
}

/** Examines every tenant and prints the report as text or JSON. */
export async function examineTenants(
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
  const verdict = worst([
    ...examined.map(({ examination }) => examination.report.verdict),
    ...(warnings.length > 0 ? (['degraded'] as const) : []),
  ]);
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
