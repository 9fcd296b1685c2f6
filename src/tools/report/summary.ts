import { addDays } from '../../archive/days.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Report, Section, Task } from '../../report/model.ts';
import { errorsIn, titleIn } from './findings.ts';
import { monthName, type ReportPeriod } from './period.ts';
import type { Answered, Books, Checks, Pending, Sums, Totals } from './questions.ts';
import { totalOf, URGENT_DAYS, urgentNotes } from './waiting.ts';
import { type Pen, sumOf } from './words.ts';

/** All that a report says, as it was answered. */
export interface Answers {
  readonly period: ReportPeriod;
  readonly totals: Totals;
  readonly pending: Answered<Pending> | undefined;
  readonly checks: Answered<Checks>;
  readonly books: Answered<Books> | undefined;
}

const figures = [
  ['purchases', 'nfe', 'total'],
  ['sales', 'nfe', 'total'],
  ['services', 'nfse', 'services'],
  ['freight', 'cte', 'total'],
] as const;

/** The change in words; none where one of both periods is incomplete or under way, or there was nothing. */
function changeWords({ sums: [sum], compared_with: before }: Sums, measure: string, pen: Pen): string[] {
  const change = sum?.change?.[measure] ?? undefined;
  if (change === undefined || before === undefined) return [];
  const { say, percent, translator } = pen;
  const sign = change.startsWith('-') ? '' : '+';
  const name = monthName(before, translator, false) ?? translator.period(before);
  return [say('change', { change: `${sign}${percent(change)}`, before: name })];
}

/** The leading figures, each of one kind of document. */
export function figuresOf(answers: Answers, pen: Pen): Report['figures'] {
  const { say, amount } = pen;
  return figures.flatMap(([name, area, measure]) => {
    const sums = answers.totals[name];
    if (sums === undefined) return [];
    const value = amount(sumOf(sums)[measure]);
    const counted = say('count', { count: sums.documents, kind: kindName(area) });
    return {
      label: say(`figure.${name}`),
      value: sums.complete || sums.documents === 0 ? value : say('at_least', { amount: value }),
      remark: [counted, ...changeWords(sums, measure, pen)].join(', '),
    };
  });
}

/** The answer in some sentences. */
export function summaryOf({ totals, pending, checks, books }: Answers, pen: Pen): string {
  const { say, money } = pen;
  const sum = (sums: Sums) => {
    if (sums.documents === 0) return say('summary.none');
    const total = money(sumOf(sums).total);
    return sums.complete ? total : say('at_least', { amount: total });
  };
  const { purchases, sales } = totals;
  const isEmpty = Object.values(totals).every((one) => one === undefined || one.documents === 0);
  const errors = errorsIn(checks.data).reduce((count, one) => count + one.count, 0);
  return [
    ...(isEmpty
      ? [say('summary.empty')]
      : purchases === undefined || sales === undefined
        ? []
        : [say('summary.trade', { purchases: sum(purchases), sales: sum(sales) })]),
    ...(pending === undefined || pending.data.total === 0
      ? []
      : [say('summary.pending', { count: pending.data.total, urgent: urgentNotes(pending.data).length })]),
    say('summary.findings', { count: checks.data.total, errors }),
    books === undefined
      ? say('summary.not_reconciled')
      : say('summary.reconciled', { count: books.data.total, files: books.data.files.length }),
  ].join(' ');
}

/** Findings of an assessment, which may be adjusted up to a day. */
const ofAssessment: readonly string[] = ['not_extinguished', 'credit_suspended', 'credit_above_document'];

/** A rule whose findings expect something by a day; that of notes is in the pending manifestations. */
const DATED_RULE = 'cte_disagreement_deadline';

/** A task with its last day, where it has one. */
interface Dated extends Omit<Task, 'when' | 'isUrgent'> {
  readonly until?: string | undefined;
  readonly isUrgent?: boolean;
  /** In place of a day. */
  readonly otherwise: 'tasks.before_closing' | 'tasks.in_books';
}

/** Documents whose day of a rule is within the next days. */
function datedTasks({ checks, period: { today } }: Answers, section: Task['section'], { say }: Pen): Dated[] {
  const last = addDays(today, URGENT_DAYS);
  const due = checks.data.findings
    .filter(({ rule, expected }) => rule === DATED_RULE && expected >= today && expected <= last)
    .sort((one, other) => (one.expected < other.expected ? -1 : 1));
  const [first] = due;
  if (first === undefined) return [];
  const text = say('tasks.dated', { title: titleIn(checks.data, first.rule), count: due.length });
  return [{ until: first.expected, otherwise: 'tasks.before_closing', text, section }];
}

/** What to do, by deadline: what has a day first. */
export function tasksOf(answers: Answers, sections: readonly Section[], pen: Pen): Task[] {
  const { pending, checks, books, totals } = answers;
  const { say, day, amount } = pen;
  const section = (id: string) => {
    const { number = 0 } = sections.find((one) => one.id === id) ?? {};
    return { id, name: say('section.reference', { number }) };
  };
  const urgent = pending === undefined ? [] : urgentNotes(pending.data);
  const [first] = urgent;
  const isMissing = Object.values(totals).some((one) => (one?.missing?.length ?? 0) > 0);
  const certain = books?.data.by_finding.filter(({ certainty }) => certainty === 'certain') ?? [];
  const adjust = books?.data.deadlines?.adjust_until;
  const all: Dated[] = [
    ...(first === undefined
      ? []
      : [
          {
            until: first.conclusive_until,
            isUrgent: true,
            otherwise: 'tasks.before_closing' as const,
            text: say('tasks.manifest', { count: urgent.length }),
            section: section('pending'),
            amount: amount(totalOf(urgent)),
          },
        ]),
    ...datedTasks(answers, section('findings'), pen),
    ...(isMissing
      ? [
          {
            otherwise: 'tasks.before_closing' as const,
            text: say('tasks.missing'),
            section: section('incomplete'),
          },
        ]
      : []),
    ...errorsIn(checks.data).map(({ title, count }) => ({
      otherwise: 'tasks.before_closing' as const,
      text: say('tasks.finding', { count, title }),
      section: section('findings'),
    })),
    ...certain.map(({ finding, count, amount: stake }) => ({
      until: ofAssessment.includes(finding) ? adjust : undefined,
      otherwise: 'tasks.in_books' as const,
      text: say('tasks.books', { count, title: say(`finding.${finding}`) }),
      section: section('reconciliation'),
      amount: amount(stake),
    })),
  ];
  const dated = all.filter(({ until }) => until !== undefined);
  dated.sort((one, other) => ((one.until ?? '') < (other.until ?? '') ? -1 : 1));
  return [...dated, ...all.filter(({ until }) => until === undefined)].map(
    ({ until, otherwise, isUrgent = false, ...task }) => {
      return {
        ...task,
        isUrgent,
        when: until === undefined ? say(otherwise) : say('tasks.until', { day: day(until) }),
      };
    },
  );
}
