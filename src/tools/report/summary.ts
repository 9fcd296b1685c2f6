import { addDays } from '../../archive/days.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Row } from '../../page/page.ts';
import type { Block, Report, Section } from '../../report/model.ts';
import type { PendingNote } from '../manifestation/waiting.ts';
import { isWaiting } from '../manifestation/waiting.ts';
import { comparedName } from '../pages/headings.ts';
import { present } from '../pages/voice.ts';
import { errorsIn, titleIn } from './findings.ts';
import type { Answered, Asked, Books, Checks, Sums, Totals, WaitingNotes } from './questions.ts';
import { sumOf } from './questions.ts';
import type { ReportVoice } from './words.ts';

/** All that a report says, as it was answered. */
export interface Answers {
  readonly asked: Asked;
  readonly totals: Totals;
  readonly pending: Answered<WaitingNotes> | undefined;
  readonly checks: Answered<Checks>;
  readonly books: Answered<Books> | undefined;
  readonly isFilesAlone: boolean;
}

const figures = [
  ['purchases', 'nfe', 'total'],
  ['sales', 'nfe', 'total'],
  ['services', 'nfse', 'services'],
  ['freight', 'cte', 'total'],
] as const;

/** The change in words; nothing where one of both periods is incomplete or under way, or there was nothing. */
function changeWords(sums: Sums, measure: string, voice: ReportVoice): string | undefined {
  const change = sums.sums[0]?.change?.[measure] ?? undefined;
  const { compared_with: before } = sums;
  if (change === undefined || before === undefined) return undefined;
  const written = `${change.startsWith('-') ? '' : '+'}${voice.percent(change)}`;
  return voice.report('change', { change: written, before: comparedName(before, voice) });
}

/** The leading figures, each of one kind of document. */
export function figuresOf({ totals }: Answers, voice: ReportVoice): Report['figures'] {
  const { report } = voice;
  return figures.flatMap(([name, area, measure]) => {
    const sums = totals[name];
    if (sums === undefined) return [];
    const value = sumOf(sums)[measure];
    const amount = value === undefined ? '–' : voice.amount(value);
    const counted = report('count', { count: sums.documents, kind: kindName(area) });
    return {
      label: report(`figure.${name}`),
      value: sums.complete || sums.documents === 0 ? amount : report('at_least', { amount }),
      remark: present(counted, changeWords(sums, measure, voice)).join(', '),
    };
  });
}

/** Days within which a deadline is urgent. */
const URGENT_DAYS = 7;

/** Notes whose conclusive deadline is near, the nearest first. */
function urgentNotes(pending: Answered<WaitingNotes> | undefined): readonly PendingNote[] {
  const daysOf = ({ days_left_conclusive: days = -1 }: PendingNote) => days;
  return (pending?.data.pending ?? [])
    .filter((note) => isWaiting(note) && daysOf(note) >= 0 && daysOf(note) <= URGENT_DAYS)
    .toSorted((one, other) => daysOf(one) - daysOf(other));
}

/** The answer in some sentences. */
export function summaryOf({ totals, pending, checks, books }: Answers, voice: ReportVoice): string {
  const { report, money } = voice;
  const sum = (sums: Sums) => {
    if (sums.documents === 0) return report('summary.none');
    const amount = money(sumOf(sums).total ?? '0');
    return sums.complete ? amount : report('at_least', { amount });
  };
  const { purchases, sales } = totals;
  const isEmpty = Object.values(totals).every((one) => one === undefined || one.documents === 0);
  const trade = purchases && sales && { purchases: sum(purchases), sales: sum(sales) };
  const errors = errorsIn(checks.data).reduce((count, one) => count + one.count, 0);
  return present(
    isEmpty ? report('summary.empty') : trade && report('summary.trade', trade),
    pending &&
      pending.data.total > 0 &&
      report('summary.pending', { count: pending.data.total, urgent: urgentNotes(pending).length }),
    report('summary.findings', { count: checks.data.total, errors }),
    books === undefined
      ? report('summary.not_reconciled')
      : report('summary.reconciled', { count: books.data.total, files: books.data.files.length }),
  ).join(' ');
}

/** Findings of an assessment, which may be adjusted up to a day. */
const ofAssessment: readonly string[] = ['not_extinguished', 'credit_suspended', 'credit_above_document'];

/** A rule whose findings expect something by a day; that of notes is in the pending manifestations. */
const DATED_RULE = 'cte_disagreement_deadline';

interface Task {
  /** The last day for it; without one `otherwise` says when. */
  readonly until?: string | undefined;
  readonly otherwise?: 'tasks.in_books';
  readonly isUrgent?: boolean;
  readonly text: string;
  /** Id of the section that it is about. */
  readonly section: string;
  readonly amount?: string | undefined;
}

/** Documents whose day of a rule is within the next days. */
function datedTask({ checks, asked: { today } }: Answers, { report }: ReportVoice): Task | undefined {
  const last = addDays(today, URGENT_DAYS);
  const due = checks.data.findings
    .filter(({ rule, expected }) => rule === DATED_RULE && expected >= today && expected <= last)
    .toSorted((one, other) => (one.expected < other.expected ? -1 : 1));
  const [first] = due;
  if (first === undefined) return undefined;
  const text = report('tasks.dated', { title: titleIn(checks.data, first.rule), count: due.length });
  return { until: first.expected, text, section: 'findings' };
}

function tasksOf(answers: Answers, voice: ReportVoice): Task[] {
  const { pending, checks, books, totals } = answers;
  const { report } = voice;
  const urgent = urgentNotes(pending);
  const isMissing = Object.values(totals).some((one) => (one?.missing?.length ?? 0) > 0);
  const certain = books?.data.by_finding.filter(({ certainty }) => certainty === 'certain') ?? [];
  const adjust = books?.data.deadlines?.adjust_until;
  return present<Task>(
    urgent.length > 0 && {
      until: urgent[0]?.conclusive_until,
      isUrgent: true,
      text: report('tasks.manifest', { count: urgent.length }),
      section: 'pending',
      amount: addDecimals(urgent.map(({ total }) => total)),
    },
    datedTask(answers, voice),
    isMissing && { text: report('tasks.missing'), section: 'incomplete' },
    ...errorsIn(checks.data).map(
      (error): Task => ({ text: report('tasks.finding', error), section: 'findings' }),
    ),
    ...certain.map(
      ({ finding, count, amount }): Task => ({
        until: ofAssessment.includes(finding) ? adjust : undefined,
        otherwise: 'tasks.in_books',
        text: report('tasks.books', { count, title: report(`finding.${finding}`) }),
        section: 'reconciliation',
        amount,
      }),
    ),
  );
}

/** What to do, by deadline: what has a day first. */
export function tasksSection(answers: Answers, sections: readonly Section[], voice: ReportVoice): Section {
  const { report, day } = voice;
  const tasks = tasksOf(answers, voice);
  const byDay = tasks
    .filter(({ until }) => until !== undefined)
    .toSorted((one, other) => ((one.until ?? '') < (other.until ?? '') ? -1 : 1));
  const undated = tasks.filter(({ until }) => until === undefined);
  const rows = [...byDay, ...undated].map(({ until, otherwise, isUrgent, text, section, amount }): Row => {
    const { number = 0 } = sections.find(({ id }) => id === section) ?? {};
    return {
      cells: {
        when:
          until === undefined
            ? report(otherwise ?? 'tasks.before_closing')
            : report('tasks.until', { day: day(until) }),
        text,
        section: report('section.reference', { number }),
        amount: amount ?? '',
      },
      section,
      tone: isUrgent ? 'bad' : undefined,
    };
  });
  const title = report('section.tasks');
  const block: Block = {
    layout: 'rows',
    caption: title,
    columns: [
      { name: 'when', heading: '', kind: 'code', place: 'name' },
      { name: 'text', heading: '', kind: 'text', place: 'below' },
      { name: 'section', heading: '', kind: 'code', place: 'wide' },
      { name: 'amount', heading: '', kind: 'money', place: 'value' },
    ],
    rows,
  };
  return { id: 'tasks', title, blocks: [rows.length === 0 ? report('tasks.none') : block] };
}
