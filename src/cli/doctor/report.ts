import { allowsCompany, type Company, companyOfTenant } from '../../company/company.ts';
import type { Configuration } from '../../config/configure.ts';
import type { TenantDefinition } from '../../config/tenants-file.ts';
import { version } from '../../config/version.ts';
import { createTranslator, type Translator } from '../../messages/index.ts';
import { type Examination, examine, openPathWarnings } from './examine.ts';

const checkMarks = { ok: '✓', failed: '✗', not_configured: '–', unclear: '?' } as const;
const verdictMarks = { ok: '✓', degraded: '⚠', failed: '✗' } as const;

/** The verdict, and the single checks by part. */
function findings({ report: { verdict }, parts }: Examination, { say }: Translator) {
  const what = parts.flatMap(({ name, isFault }) => (isFault ? [say(`doctor.${name}`)] : [])).join(', ');
  const words =
    verdict === 'failed' ? say('doctor.verdict_failed', { what }) : say(`doctor.verdict_${verdict}`);
  const isUnclear = parts.some(({ checks }) => checks.some(({ status }) => status === 'unclear'));
  return {
    verdict: `${verdictMarks[verdict]} ${words}${isUnclear ? ` ${say('doctor.some_unclear')}` : ''}`,
    checks: parts.flatMap(({ name, isFault, checks }) =>
      checks.map(({ status, message, needsAttention = false }) => {
        const title = say(`doctor.${name}`);
        // Some messages begin with the part's name.
        const opening = message.startsWith(`${title}:`) ? '' : `${title}: `;
        const isMissed = status === 'not_configured' && isFault;
        const mark = needsAttention && status === 'ok' ? '⚠' : checkMarks[isMissed ? 'failed' : status];
        return `${mark} ${opening}${message}`;
      }),
    ),
  };
}

/** Days after which the calendar of the law is likely to have changed. */
const LAW_HOLDS_DAYS = 60;

function ageLines({ report: { tables, law } }: Examination, { say, day }: Translator): string[] {
  const named = tables.map(({ name, published_on, age_days }) =>
    say('doctor.table_of', { name: say(`doctor.table_${name}`), day: day(published_on), days: age_days }),
  );
  const values = { day: day(law.looked_up_on), days: law.age_days };
  const isOld = law.age_days > LAW_HOLDS_DAYS;
  return [
    `✓ ${say('doctor.tables')}: ${named.join('; ')}.`,
    isOld ? `⚠ ${say('doctor.law_outdated', values)}` : `✓ ${say('doctor.law', values)}`,
  ];
}

const marked = (warnings: readonly string[]) => warnings.map((warning) => `⚠ ${warning}`);
const program = `docfiscal-mcp ${version}, Node ${process.versions.node}`;

/** Formats the report for a person: verdict, findings, and settings with their sources. */
export function asText(examination: Examination, translator: Translator): string {
  const { settings, warnings } = examination.report;
  const { verdict, checks } = findings(examination, translator);
  const width = Math.max(...settings.map(({ variable }) => variable.length));
  const sources = settings.map(({ source }) => translator.say(`doctor.source_${source}`));
  const sourceWidth = Math.max(...sources.map((source) => source.length)) + 2;
  return [
    ...[verdict, program, '', ...checks, ...ageLines(examination, translator), ...marked(warnings), ''],
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

export async function examineCompany(configuration: Configuration, company: Company, asJson: boolean) {
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
  configuration: Configuration,
  asJson: boolean,
): Promise<void> {
  const { settings } = configuration;
  const translator = createTranslator(settings.language, settings.timeZone);
  const examined: (Examination & Pick<TenantDefinition, 'id' | 'companies'>)[] = [];
  const waiting = definitions.entries();
  const work = async (): Promise<void> => {
    for (const [at, definition] of waiting) {
      const { id, companies } = definition;
      const company = companyOfTenant(definition, {});
      const examining = examine({ ...configuration, settings: company.settings }, company);
      examined[at] = { id, companies, ...(await examining.finally(() => company.close())) };
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const secretFiles = { DFE_TENANTS: settings.tenants, DFE_SIGNING_KEY_FILE: settings.signingKeyFile };
  const warnings = [
    ...overlaps(definitions, translator),
    ...(await openPathWarnings(secretFiles, translator)),
  ];
  const verdicts = examined.map(({ report }) => report.verdict);
  const isSound = warnings.length === 0 && verdicts.every((one) => one === 'ok');
  const verdict = verdicts.includes('failed') ? 'failed' : isSound ? 'ok' : 'degraded';
  const tenants = examined.map(({ id, companies, parts, report }) => ({
    ...{ id, companies, verdict: report.verdict },
    ...Object.fromEntries(parts.map(({ name }) => [name, report[name]])),
    warnings: report.warnings,
  }));
  const lines = examined.flatMap((one) => {
    const { verdict: line, checks } = findings(one, translator);
    return ['', `${one.id} (${one.companies.join(', ')})`, line, ...checks, ...marked(one.report.warnings)];
  });
  const heading = translator.say('doctor.tenants', { count: definitions.length });
  const report = { verdict, version, node: process.versions.node, tenants, warnings };
  print(report, [heading, program, ...marked(warnings), ...lines, ''].join('\n'), asJson);
}
