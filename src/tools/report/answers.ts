import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { addDays, type Period } from '../../documents/days.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { reportMessages } from '../../messages/apart/report.ts';
import type { Words } from '../../messages/message.ts';
import type { Column, Row, Table } from '../../page/page.ts';
import type { Block, Report, Section } from '../../report/model.ts';
import { type CheckOutput, checkDocuments } from '../check/check.ts';
import { isWaiting, type PendingNote } from '../manifestation/waiting.ts';
import type { Question } from '../pages/asked.ts';
import { column, comparedName, present, type Voice } from '../pages/voice.ts';
import { listPendingManifestations } from '../pending.ts';
import { queryDocuments } from '../query/query.ts';
import type { QueryOutput } from '../query/rows.ts';
import type { ReconcileOutput } from '../reconcile/answer.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { ReadTool } from '../shared/definition.ts';
import { askAllPages } from '../shared/paging.ts';

/** The voice of pages, with the report's own words. */
export interface ReportVoice extends Voice {
  readonly report: Words<typeof reportMessages>;
}

/** Answer of `query_documents` about one kind, with its question. */
export type Sums = QueryOutput & { readonly question: Omit<Question, 'voice'> };

/** Sum over all groups; empty if no document counts. */
export const sumOf = ({ sums: [sum] }: Sums): Readonly<Record<string, string>> => sum?.measures ?? {};

/** All pages of an answer together. */
interface Collected {
  /** Its warnings, without their mark. */
  readonly remarks: readonly string[];
  /** False if the call's time ran out before the last page. */
  readonly isWhole: boolean;
}

interface PendingOutput extends Pick<QueryOutput, 'from' | 'to' | 'not_fetched_yet'> {
  readonly total: number;
  readonly tacitly_confirmed: number;
  readonly pending: readonly PendingNote[];
}

export type WaitingNotes = Collected & PendingOutput;

type Checks = Collected & CheckOutput;

/** The sentence of a warning, without its mark. */
export const withoutMark = (line: string): string => line.replace(/^⚠\s*/, '');

/** Shown on documents, in the order of the report. */
export const taxes =
  'icms icms_credit icms_st icms_mono fcp fcp_st difal ipi import_duty pis cofins iss cbs ibs is'.split(' ');

/** Measures summed for every kind and direction. */
const measures = ['count', 'total', 'services', 'iss_withheld', ...taxes];

export interface Sides {
  readonly inbound: Sums;
  readonly outbound: Sums;
}

type Kinds = { [Area in DocumentArea]?: Sides };

interface Asked extends Period {
  readonly company: string;
  readonly areas: readonly DocumentArea[];
  /** `YYYY-MM-DD`, where the company is. */
  readonly today: string;
  readonly files: readonly string[] | undefined;
  readonly isFilesAlone: boolean;
}

/**
 * Asks the tools about the company and period of a report, for what its conclusions are drawn from; undefined while days
 * remain to be fetched.
 */
export async function askTools({ files, isFilesAlone, ...asked }: Asked, context: CallContext) {
  const { company, areas, today, from, to } = asked;
  const days = { from, to };
  /** Today counts as under way: its documents are still coming. */
  const isUnderWay = to >= today;
  async function allPages<Answer>(
    tool: ReadTool,
    args: Readonly<Record<string, unknown>>,
    list: keyof Answer & string,
  ): Promise<Answer & Collected> {
    const { answer, warnings, isWaiting } = await askAllPages<Answer>(tool, args, list, context);
    return { ...answer, remarks: warnings.map(withoutMark), isWhole: !isWaiting };
  }
  /** Sums of documents of one kind and direction; of inbound freight only that paid by the company, unless `isAll`. */
  async function sums(
    area: DocumentArea,
    direction: 'inbound' | 'outbound',
    more: object,
    isAll = false,
  ): Promise<Sums> {
    const isPaid = area === 'cte' && direction === 'inbound' && !isAll;
    const asking = { document: [area], cnpj: [company], ...days, direction, ...more };
    const args = isPaid ? { ...asking, payer: [company] } : asking;
    const input = queryDocuments.input().parse(args);
    const { structured } = await queryDocuments.run(input, { ...context, hasViews: false });
    const subject = { areas: [area], direction, ...days, today };
    const question = { call: { tool: 'query_documents', args }, subject } as const;
    return { ...(structured as unknown as QueryOutput), question };
  }
  // Beside the sums of the period before, unless the period is under way.
  const compared = { measures, compare: isUnderWay ? undefined : 'previous_period' };
  const sides: Kinds = {};
  for (const area of areas) {
    const inbound = await sums(area, 'inbound', compared);
    sides[area] = { inbound, outbound: await sums(area, 'outbound', compared) };
  }
  // Notes of any period that wait today.
  const pending = areas.includes('nfe')
    ? await allPages<PendingOutput>(listPendingManifestations, { cnpj: company }, 'pending')
    : undefined;
  const checking = { document: areas, cnpj: [company], ...days };
  const checks = await allPages<CheckOutput>(checkDocuments, checking, 'findings');
  const books =
    files &&
    (await allPages<ReconcileOutput>(reconcile, { file: files, cnpj: company, ...days }, 'findings'));
  const leading = leadingSums(sides);
  const parts = [...leading, ...leading.map((one) => one.compared_with), pending, checks, books];
  const isLacking = parts.some((one) => [one?.not_fetched_yet ?? []].flat().length > 0);
  return isLacking ? undefined : { ...asked, isUnderWay, isFilesAlone, sums, sides, pending, checks, books };
}

export type Answers = NonNullable<Awaited<ReturnType<typeof askTools>>>;

type NameOf<Key> = Key extends `section.${infer Name}` ? Exclude<Name, 'reference'> : never;

/** A section of the report with the blocks that it has. */
export function sectionOf(
  id: NameOf<keyof typeof reportMessages>,
  { report }: ReportVoice,
  blocks: readonly (Block | false | undefined)[],
  intro?: string,
): Section {
  return { id, title: report(`section.${id}`), intro, blocks: present<Block>(...blocks) };
}

/** A table of the report; a sentence for one without rows. */
export function rowsOr(none: string, caption: string, columns: readonly Column[], rows: readonly Row[]) {
  const table: Table = { layout: 'rows', caption, columns, rows };
  return rows.length === 0 ? none : table;
}

/** Title of a rule in the answer. */
export function titleIn({ by_rule }: Checks, rule: string): string {
  return by_rule.find((one) => one.rule === rule)?.title ?? rule;
}

const figures = [
  ['purchases', 'nfe', 'inbound', 'total'],
  ['sales', 'nfe', 'outbound', 'total'],
  ['services', 'nfse', 'inbound', 'services'],
  ['freight', 'cte', 'inbound', 'total'],
] as const;

/** The sums that the leading figures show. */
export const leadingSums = (sides: Kinds): Sums[] =>
  figures.flatMap(([, area, direction]) => sides[area]?.[direction] ?? []);

/** The change in words; undefined if a period is incomplete or under way, or the earlier sum is zero. */
function changeWords({ sums: [sum], compared_with: before }: Sums, measure: string, voice: ReportVoice) {
  const change = sum?.change?.[measure] ?? undefined;
  if (change === undefined || before === undefined) return undefined;
  return voice.report('change', { change: voice.percent(change, true), before: comparedName(before, voice) });
}

/** The leading figures, each of one kind of document. */
export function figuresOf({ sides }: Answers, voice: ReportVoice): Report['figures'] {
  const { report } = voice;
  return figures.flatMap(([name, area, direction, measure]) => {
    const sums = sides[area]?.[direction];
    if (sums === undefined) return [];
    const value = sumOf(sums)[measure];
    const amount = value === undefined ? '–' : voice.amount(value);
    const counted = voice.page('count.other', { count: sums.documents, kind: kindName(area) });
    return {
      label: report(`figure.${name}`),
      value: sums.complete || sums.documents === 0 ? amount : report('at_least', { amount }),
      remark: present(counted, changeWords(sums, measure, voice)).join(', '),
    };
  });
}

/** Errors by rule, with how often each was found. */
function errorsIn(checks: Checks) {
  return checks.by_rule
    .filter(({ severity, count }) => severity === 'error' && count > 0)
    .map(({ rule, count }) => ({ title: titleIn(checks, rule), count }));
}

/** Days within which a deadline is urgent. */
const URGENT_DAYS = 7;

/** Notes whose conclusive deadline is near, the nearest first. */
function urgentNotes(pending: WaitingNotes | undefined): readonly PendingNote[] {
  const daysOf = ({ days_left_conclusive: days = -1 }: PendingNote) => days;
  return (pending?.pending ?? [])
    .filter((note) => isWaiting(note) && daysOf(note) >= 0 && daysOf(note) <= URGENT_DAYS)
    .toSorted((one, other) => daysOf(one) - daysOf(other));
}

/** The summary, in a few sentences. */
export function summaryOf(answers: Answers, voice: ReportVoice): string {
  const { sides, pending, checks, books } = answers;
  const { report, money } = voice;
  const sum = (sums: Sums) => {
    if (sums.documents === 0) return report('summary.none');
    const amount = money(sumOf(sums).total ?? '0');
    return sums.complete ? amount : report('at_least', { amount });
  };
  const isEmpty = leadingSums(sides).every(({ documents }) => documents === 0);
  const trade = sides.nfe && { purchases: sum(sides.nfe.inbound), sales: sum(sides.nfe.outbound) };
  const errors = errorsIn(checks).reduce((count, one) => count + one.count, 0);
  return present(
    isEmpty ? report('summary.empty') : trade && report('summary.trade', trade),
    pending &&
      pending.total > 0 &&
      report('summary.pending', { count: pending.total, urgent: urgentNotes(pending).length }),
    report('summary.findings', { count: checks.total, errors }),
    books === undefined
      ? report('reconciliation.not_done')
      : report('summary.reconciled', { count: books.total, files: books.files.length }),
  ).join(' ');
}

/** Findings of an assessment, which may be adjusted up to a day. */
const ofAssessment: readonly string[] = ['not_extinguished', 'credit_suspended', 'credit_above_document'];

/** A rule whose findings expect something by a day; that of notes is in the pending manifestations. */
const DATED_RULE = 'cte_disagreement_deadline';

interface Task {
  /** The last day for it; without one, `otherwise` says when. */
  readonly until?: string | undefined;
  readonly otherwise?: string;
  readonly isUrgent?: boolean;
  readonly text: string;
  /** Id of the section that it is about. */
  readonly section: string;
  readonly amount?: string | undefined;
}

/** After every day. */
const UNDATED = '9999-12-31';

/** Tasks by deadline; those without one come last. */
function tasksOf(answers: Answers, { report }: ReportVoice): Task[] {
  const { today, sides, pending, checks, books } = answers;
  const urgent = urgentNotes(pending);
  const last = addDays(today, URGENT_DAYS);
  const due = checks.findings
    .filter(({ rule, expected }) => rule === DATED_RULE && expected >= today && expected <= last)
    .toSorted((one, other) => (one.expected < other.expected ? -1 : 1));
  const certain = books?.by_finding.filter(({ certainty }) => certainty === 'certain') ?? [];
  const tasks = present<Task>(
    urgent.length > 0 && {
      until: urgent[0]?.conclusive_until,
      isUrgent: true,
      text: report('tasks.manifest', { count: urgent.length }),
      section: 'pending',
      amount: addDecimals(urgent.map(({ total }) => total)),
    },
    due[0] && {
      until: due[0].expected,
      text: report('tasks.dated', { title: titleIn(checks, due[0].rule), count: due.length }),
      section: 'findings',
    },
    leadingSums(sides).some(({ missing = [] }) => missing.length > 0) && {
      text: report('tasks.missing'),
      section: 'incomplete',
    },
    ...errorsIn(checks).map((error) => ({ text: report('tasks.finding', error), section: 'findings' })),
    ...certain.map(
      ({ finding, count, amount }): Task => ({
        until: ofAssessment.includes(finding) ? books?.deadlines?.adjust_until : undefined,
        otherwise: report('tasks.in_books'),
        text: report('tasks.books', { count, title: report(`finding.${finding}`) }),
        section: 'reconciliation',
        amount,
      }),
    ),
  );
  return tasks.toSorted((one, other) => (one.until ?? UNDATED).localeCompare(other.until ?? UNDATED));
}

/** Tasks, by deadline. */
export function tasksSection(answers: Answers, sections: readonly Section[], voice: ReportVoice): Section {
  const { report, day } = voice;
  const closing = report('tasks.before_closing');
  const rows = tasksOf(answers, voice).map(
    ({ until, otherwise = closing, isUrgent, text, section, amount = '' }): Row => {
      const { number = 0 } = sections.find(({ id }) => id === section) ?? {};
      const when = until === undefined ? otherwise : report('tasks.until', { day: day(until) });
      const cells = { when, text, section: report('section.reference', { number }), amount };
      return { cells, section, tone: isUrgent ? 'bad' : undefined };
    },
  );
  const columns = [
    column('when', '', 'code', 'name'),
    column('text', '', 'text', 'below'),
    column('section', '', 'code', 'wide'),
    column('amount', '', 'money', 'value'),
  ];
  return sectionOf('tasks', voice, [rowsOr(report('tasks.none'), report('section.tasks'), columns, rows)]);
}
