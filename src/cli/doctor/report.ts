import { allowsCompany, type Company } from '../../company/company.ts';
import type { Configuration } from '../../config/configure.ts';
import type { TenantDefinition } from '../../config/tenants-file.ts';
import { version } from '../../config/version.ts';
import { createTranslator, type Translator } from '../../messages/index.ts';
import { companyOfTenant } from '../../server/tenants.ts';
import { type Check, type Examination, examine, parts, secretFileWarnings } from './examine.ts';

const checkMarks: Readonly<Record<Check['status'], string>> = {
  ok: '✓',
  failed: '✗',
  not_configured: '–',
  unclear: '?',
};
const verdictMarks = { ok: '✓', degraded: '⚠', failed: '✗' } as const;

function verdictLine({ report: { verdict }, checks, faults }: Examination, { say }: Translator): string {
  const what = faults.map((part) => say(`doctor.${part}`)).join(', ');
  const words =
    verdict === 'failed' ? say('doctor.verdict_failed', { what }) : say(`doctor.verdict_${verdict}`);
  const isSomeUnclear = Object.values(checks).some((some) => some.some(({ status }) => status === 'unclear'));
  const unclear = isSomeUnclear ? ` ${say('doctor.some_unclear')}` : '';
  return `${verdictMarks[verdict]} ${words}${unclear}`;
}

function checkLines({ checks, faults }: Examination, { say }: Translator): string[] {
  return parts.flatMap((part) => {
    const name = say(`doctor.${part}`);
    return checks[part].map(({ status, message, needsAttention = false }) => {
      const isMissed = status === 'not_configured' && faults.includes(part);
      // Some messages begin with the part's name.
      const opening = message.startsWith(`${name}:`) ? '' : `${name}: `;
      const mark = needsAttention && status === 'ok' ? '⚠' : checkMarks[isMissed ? 'failed' : status];
      return `${mark} ${opening}${message}`;
    });
  });
}

/** Days after which the calendar of the law is likely to have changed. */
const LAW_HOLDS_DAYS = 60;

function ageLines({ report: { tables, law } }: Examination, { say, day }: Translator): string[] {
  const named = tables.map(({ name, published_on, age_days }) =>
    say('doctor.table_of', { name: say(`doctor.table_${name}`), day: day(published_on), days: age_days }),
  );
  const values = { day: day(law.looked_up_on), days: law.age_days };
  return [
    `✓ ${say('doctor.tables')}: ${named.join('; ')}.`,
    law.age_days > LAW_HOLDS_DAYS
      ? `⚠ ${say('doctor.law_outdated', values)}`
      : `✓ ${say('doctor.law', values)}`,
  ];
}

const warningsOf = (warnings: readonly string[]) => warnings.map((warning) => `⚠ ${warning}`);

/** Formats the report for a person: verdict, findings, and settings with their sources. */
export function asText(examination: Examination, translator: Translator): string {
  const { settings, warnings, node } = examination.report;
  const width = Math.max(...settings.map(({ variable }) => variable.length));
  const sources = settings.map(({ source }) => translator.say(`doctor.source_${source}`));
  const sourceWidth = Math.max(...sources.map((source) => source.length)) + 2;
  return [
    verdictLine(examination, translator),
    `docfiscal-mcp ${version}, Node ${node}`,
    '',
    ...checkLines(examination, translator),
    ...ageLines(examination, translator),
    ...warningsOf(warnings),
    '',
    ...settings.map(({ variable, value }, at) =>
      `${variable.padEnd(width)}  ${(sources[at] ?? '').padEnd(sourceWidth)}${value ?? ''}`.trimEnd(),
    ),
    '',
  ].join('\n');
}

function print(report: { readonly verdict: string }, text: string, asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(report, null, 2)}\n` : text);
  if (report.verdict === 'failed') process.exitCode = 1;
}

/** Examines a company and prints the report as text or JSON. */
export async function examineCompany(
  configuration: Configuration,
  company: Company,
  asJson: boolean,
): Promise<void> {
  const examination = await examine(configuration, company);
  print(examination.report, asText(examination, company.translator), asJson);
}

const CONCURRENCY = 4;

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

/** Examines every tenant and prints one report of all. */
export async function examineTenants(
  definitions: readonly TenantDefinition[],
  { settings, sources }: Configuration,
  asJson: boolean,
): Promise<void> {
  const translator = createTranslator(settings.language, settings.timeZone);
  const examined: (Examination & Pick<TenantDefinition, 'id' | 'companies'>)[] = [];
  const waiting = definitions.entries();
  const work = async (): Promise<void> => {
    for (const [at, definition] of waiting) {
      const { id, companies } = definition;
      const company = companyOfTenant(definition, {});
      const examining = examine({ settings: company.settings, sources }, company);
      examined[at] = { id, companies, ...(await examining.finally(() => company.close())) };
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const secretFiles = { DFE_TENANTS: settings.tenants, DFE_SIGNING_KEY_FILE: settings.signingKeyFile };
  const warnings = [
    ...overlaps(definitions, translator),
    ...(await secretFileWarnings(secretFiles, translator)),
  ];
  const verdicts = examined.map(({ report }) => report.verdict);
  const isSound = warnings.length === 0 && verdicts.every((one) => one === 'ok');
  const verdict = verdicts.includes('failed') ? 'failed' : isSound ? 'ok' : 'degraded';
  const tenants = examined.map(({ id, companies, report }) => ({
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
    ...warningsOf(warnings),
    ...examined.flatMap((one) => [
      '',
      `${one.id} (${one.companies.join(', ')})`,
      verdictLine(one, translator),
      ...checkLines(one, translator),
      ...warningsOf(one.report.warnings),
    ]),
  ];
  print(report, `${lines.join('\n')}\n`, asJson);
}
