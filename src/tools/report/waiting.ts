import { addDecimals } from '../../documents/decimals.ts';
import type { Block, Cell, Section } from '../../report/model.ts';
import type { Answered, Pending, PendingNote } from './questions.ts';
import { cell, type Pen } from './words.ts';

/** Days within which a deadline is urgent. */
export const URGENT_DAYS = 7;
const MOST_NAMED = 30;

const isWaiting = ({ status }: PendingNote): boolean => status !== 'tacitly_confirmed';

/** Notes whose conclusive deadline is near, the nearest first. */
export function urgentNotes({ pending }: Pending): PendingNote[] {
  return pending
    .filter((note) => isWaiting(note) && isWithin(note, 0, URGENT_DAYS))
    .sort((one, other) => (one.days_left_conclusive ?? 0) - (other.days_left_conclusive ?? 0));
}

function isWithin({ days_left_conclusive: days }: PendingNote, from: number, to: number): boolean {
  return days !== undefined && days >= from && days <= to;
}

/** What the notes come to; undefined where one of them has no amount. */
export function totalOf(notes: readonly PendingNote[]): string | undefined {
  return notes.some(({ total }) => total === undefined)
    ? undefined
    : addDecimals(notes.map(({ total }) => total));
}

/** Number and name of a note's issuer. */
export function noteCell(
  {
    number,
    issuer,
    issuer_name,
    key,
  }: Pick<PendingNote, 'number' | 'issuer' | 'issuer_name'> & { key?: string },
  pen: Pen,
): Cell {
  const name = pen.name(issuer_name) ?? pen.id(issuer);
  return { text: [pen.name(number), name].filter((part) => part).join(' '), key };
}

function urgentRow(note: PendingNote, pen: Pen): Cell[] {
  const { say, day, amount } = pen;
  const { days_left_conclusive: days = 0, conclusive_until: until, authorized_at: at, total } = note;
  const left =
    days === 0 ? say('pending.today') : days === 1 ? say('pending.tomorrow') : say('pending.days', { days });
  const text = until === undefined ? left : `${day(until)}, ${left}`;
  return [
    { text, isUrgent: true },
    noteCell(note, pen),
    cell(at === undefined ? '' : day(at.slice(0, 10))),
    cell(amount(total)),
  ];
}

/** The notes that wait for a manifestation today, by deadline. */
export function pendingSection({ data, warnings, isWhole }: Answered<Pending>, pen: Pen): Section {
  const { say, day, amount } = pen;
  const title = say('section.pending');
  const notes = data.pending.filter(isWaiting);
  const urgent = urgentNotes(data);
  const named = urgent.slice(0, MOST_NAMED);
  const groups = [
    [say('pending.more_urgent', { count: urgent.length - named.length }), urgent.slice(MOST_NAMED)],
    [say('pending.to_30'), notes.filter((note) => isWithin(note, URGENT_DAYS + 1, 30))],
    [say('pending.over_30'), notes.filter((note) => isWithin(note, 31, Number.POSITIVE_INFINITY))],
    [say('pending.over'), notes.filter((note) => isWithin(note, Number.NEGATIVE_INFINITY, -1))],
    [say('pending.undated'), notes.filter(({ days_left_conclusive: days }) => days === undefined)],
  ] as const;
  const groupRows = groups
    .filter(([, some]) => some.length > 0)
    .map(([label, some]) => [
      cell(label),
      cell(say('pending.notes', { count: some.length })),
      cell(''),
      cell(amount(totalOf(some))),
    ]);
  const unclear = notes.filter(({ rests_on }) => rests_on === 'unclear').length;
  const days = { from: day(data.from), to: day(data.to) };
  const note = (text: string): Block => ({ kind: 'note', text });
  const table: Block = {
    kind: 'table',
    caption: say('pending.caption', { count: notes.length }),
    remark: say('pending.remark', { day: days.to, from: days.from }),
    columns: [
      { heading: say('heading.deadline'), form: 'id' },
      { heading: say('heading.note'), form: 'text' },
      { heading: say('heading.authorized'), form: 'id', isOptional: true },
      { heading: say('heading.amount'), form: 'number' },
    ],
    rows: [...named.map((one) => urgentRow(one, pen)), ...groupRows],
    total: [
      cell(say('total')),
      cell(say('pending.notes', { count: notes.length })),
      cell(''),
      cell(amount(totalOf(notes))),
    ],
  };
  return {
    id: 'pending',
    title,
    blocks: [
      notes.length === 0 ? note(say('pending.none', days)) : table,
      ...(data.tacitly_confirmed > 0 ? [note(say('pending.tacit', { count: data.tacitly_confirmed }))] : []),
      ...(unclear > 0 ? [note(say('pending.unclear', { count: unclear }))] : []),
      ...warnings.map(note),
      ...(isWhole ? [] : [note(say('pending.not_all', { count: notes.length }))]),
    ],
  };
}
