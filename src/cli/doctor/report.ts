import type { Source } from '../../config/configure.ts';
import type { OfficialTable, TableName } from '../../documents/tables/sources.ts';
import type { Translator } from '../../messages/index.ts';

/** Result of a check. `unclear`: answered, but the answer can't be judged. */
export interface Check {
  readonly status: 'ok' | 'failed' | 'not_configured' | 'unclear';
  readonly message: string;
}

/** A check of a part; with `isToBeLookedInto` even a failed one only degrades the verdict. */
export interface PartCheck extends Check {
  readonly isToBeLookedInto?: boolean;
}

export const parts = [
  'documents',
  'account',
  'writes',
  'archive',
  'files',
  'downloads',
  'views',
  'event_template',
] as const;

export type Part = (typeof parts)[number];

export interface TableAge extends OfficialTable {
  readonly name: TableName;
  readonly age_days: number;
}

/** What `doctor --json` prints. Secrets show as `***`. */
export interface Report extends Readonly<Record<Part, Check>> {
  /**
   * `failed`: something needed is missing or broken. `degraded`: it works, but something needs attention.
   */
  readonly verdict: 'ok' | 'degraded' | 'failed';
  readonly version: string;
  readonly node: string;
  readonly settings: readonly { variable: string; source: Source; value: string | null }[];
  readonly tables: readonly TableAge[];
  /** When the calendar of the law was last looked up (docs/fiscal/calendar.md). */
  readonly law: { readonly looked_up_on: string; readonly age_days: number };
  readonly warnings: readonly string[];
}

/** A report with its single checks, for the text. */
export interface Examination {
  readonly report: Report;
  readonly checks: Readonly<Record<Part, readonly PartCheck[]>>;
  /** Needed parts that are missing or failed. */
  readonly faults: readonly Part[];
}

const worstFirst: readonly Check['status'][] = ['failed', 'unclear', 'not_configured', 'ok'];

/** Merges the checks of a part, with the worst status. */
export function findingOf(checks: readonly Check[]): Check {
  const status = worstFirst.find((one) => checks.some((check) => check.status === one)) ?? 'ok';
  return { status, message: checks.map(({ message }) => message).join(' ') };
}

const checkMarks: Readonly<Record<Check['status'], string>> = {
  ok: '✓',
  failed: '✗',
  not_configured: '–',
  unclear: '?',
};
const verdictMarks: Readonly<Record<Report['verdict'], string>> = { ok: '✓', degraded: '⚠', failed: '✗' };

export function verdictLine({ report, checks, faults }: Examination, { say }: Translator): string {
  const { verdict } = report;
  const what = faults.map((part) => say(`doctor.${part}`)).join(', ');
  const isSomeUnclear = Object.values(checks).some((some) => some.some(({ status }) => status === 'unclear'));
  return [
    `${verdictMarks[verdict]} ${verdict === 'failed' ? say('doctor.verdict_failed', { what }) : say(`doctor.verdict_${verdict}`)}`,
    ...(isSomeUnclear ? [say('doctor.some_unclear')] : []),
  ].join(' ');
}

function tablesLine({ tables }: Report, { say, day }: Translator): string {
  const named = tables.map(({ name, published_on, age_days }) =>
    say('doctor.table_of', { name: say(`doctor.table_${name}`), day: day(published_on), days: age_days }),
  );
  return `${checkMarks.ok} ${say('doctor.tables')}: ${named.join('; ')}.`;
}

/** Days after which the calendar of the law is likely to have changed. */
const LAW_HOLDS_DAYS = 60;

function lawLine({ law }: Report, { say, day }: Translator): string {
  const values = { day: day(law.looked_up_on), days: law.age_days };
  return law.age_days > LAW_HOLDS_DAYS
    ? `⚠ ${say('doctor.law_outdated', values)}`
    : `${checkMarks.ok} ${say('doctor.law', values)}`;
}

export function checkLines({ checks, faults }: Examination, { say }: Translator): string[] {
  return parts.flatMap((part) => {
    const name = say(`doctor.${part}`);
    return checks[part].map(({ status, message, isToBeLookedInto = false }) => {
      const isMissed = status === 'not_configured' && faults.includes(part);
      // Some messages begin with the part's name.
      const opening = message.startsWith(`${name}:`) ? '' : `${name}: `;
      const mark = isToBeLookedInto && status === 'ok' ? '⚠' : checkMarks[isMissed ? 'failed' : status];
      return `${mark} ${opening}${message}`;
    });
  });
}

/** Formats the report for a person: verdict, findings, and settings with their sources. */
export function asText(examination: Examination, translator: Translator): string {
  const { say } = translator;
  const { report } = examination;
  const width = Math.max(...report.settings.map(({ variable }) => variable.length));
  const sources = report.settings.map(({ source }) => say(`doctor.source_${source}`));
  const sourceWidth = Math.max(...sources.map((source) => source.length)) + 2;
  return [
    verdictLine(examination, translator),
    `docfiscal-mcp ${report.version}, Node ${report.node}`,
    '',
    ...checkLines(examination, translator),
    tablesLine(report, translator),
    lawLine(report, translator),
    ...report.warnings.map((warning) => `⚠ ${warning}`),
    '',
    ...report.settings.map(({ variable, value }, i) =>
      `${variable.padEnd(width)}  ${(sources[i] ?? '').padEnd(sourceWidth)}${value ?? ''}`.trimEnd(),
    ),
    '',
  ].join('\n');
}
