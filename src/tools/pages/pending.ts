import type { CallContext } from '../../company/call-context.ts';
import { addDays } from '../../documents/days.ts';
import { addDecimals } from '../../documents/decimals.ts';
import type { Figure, Group, Page, Row, Table, Tone } from '../../page/page.ts';
import { isWaiting, type PendingNote } from '../manifestation/waiting.ts';
import { type About, type Answered, pageOfAnswer, surroundings, withoutDays } from './asked.ts';
import { column, counted, periodName, present, type Voice } from './voice.ts';

/** An answer of `list_pending_manifestations`, with all its notes and not just those of a page. */
interface AnsweredPending extends Answered {
  readonly notes: readonly PendingNote[];
}

/** Days left from which a conclusive deadline is near, and very near. */
const SOON_DAYS = 30;
const NEAR_DAYS = 7;
/** Notes in a view; with more, the person narrows the period. */
const MOST_NOTES = 500;

type Act = 'near' | 'ciencia' | 'soon' | 'later' | 'unknown' | 'over' | 'tacit';

/** The act and the deadline that come next, in the order in which they are shown; `shown`: how many notes at once. */
const acts: readonly { act: Act; shown: number; tone?: Tone; isHeadToned?: boolean }[] = [
  { act: 'near', shown: 20, tone: 'bad', isHeadToned: true },
  { act: 'ciencia', shown: 3, tone: 'soon', isHeadToned: true },
  { act: 'soon', shown: 6 },
  { act: 'later', shown: 0 },
  { act: 'unknown', shown: 6, tone: 'soon' },
  { act: 'over', shown: 3, tone: 'soon' },
  { act: 'tacit', shown: 0 },
];

function actOf(note: PendingNote): Act {
  const { acknowledged, days_left_ciencia: ciencia, days_left_conclusive: days } = note;
  if (!isWaiting(note)) return 'tacit';
  if (days === undefined) return 'unknown';
  if (days < 0) return 'over';
  if (days <= NEAR_DAYS) return 'near';
  if (!acknowledged && ciencia !== undefined && ciencia >= 0) return 'ciencia';
  return days <= SOON_DAYS ? 'soon' : 'later';
}

const totalOf = (notes: readonly PendingNote[]) => addDecimals(notes.map(({ total }) => total)) ?? '0.00';

/** Days left for an act, and its last day; undefined where the authorisation is not known. */
function deadlineOf(note: PendingNote, act: Act, today: string) {
  const { days_left_ciencia: ciencia, days_left_conclusive: days, conclusive_until: lastDay } = note;
  if (act === 'ciencia' && ciencia !== undefined)
    return { daysLeft: ciencia, lastDay: addDays(today, ciencia) };
  return days === undefined || lastDay === undefined ? undefined : { daysLeft: days, lastDay };
}

function rowOf(note: PendingNote, act: Act, tone: Tone | undefined, today: string, voice: Voice): Row {
  const { key, number = '?', issuer, issuer_name: name = issuer, total, acknowledged, rests_on } = note;
  const deadline = deadlineOf(note, act, today);
  const authorized = Date.parse(note.authorized_at ?? '');
  return {
    cells: {
      deadline: deadline && voice.inDays(deadline.daysLeft),
      note: number,
      standing: voice.page(acknowledged ? 'state.acknowledged' : 'state.open'),
      authorized: Number.isNaN(authorized) ? undefined : voice.shortDay(voice.dayOf(authorized)),
      total,
      key,
    },
    details: {
      ...(deadline && { deadline: voice.shortDay(deadline.lastDay) }),
      ...(name !== undefined && { note: name }),
    },
    opens: { tool: 'get_document', args: { document: 'nfe', key } },
    tone,
    mark: rests_on === 'unclear' ? '1' : undefined,
  };
}

/** Remark on the notes of an act. */
function noteOf(act: Act, notes: readonly PendingNote[], { page, month, shortDay }: Voice) {
  const days = notes.flatMap(({ conclusive_until: day }) => day ?? []).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (act === 'ciencia' && last) return page('act_note.ciencia', { month: month(last.slice(0, 7)) });
  if (act === 'later' && first) return page('act_note.later', { day: shortDay(first) });
  return act === 'over' || act === 'tacit' || act === 'unknown' ? page(`act_note.${act}`) : undefined;
}

const notesOf = (act: Act, notes: readonly PendingNote[]) => notes.filter((note) => actOf(note) === act);

/** Notes that wait for a manifestation, by the act and the deadline that come next; undefined for none. */
export function pendingTable(notes: readonly PendingNote[], today: string, voice: Voice): Table | undefined {
  if (notes.length === 0) return undefined;
  const open = notes.filter(isWaiting);
  const listed = notes.slice(0, MOST_NOTES);
  const { page } = voice;
  return {
    layout: 'pending',
    caption: page('waiting.caption'),
    columns: [
      column('deadline', page('waiting.deadline'), 'code', 'name'),
      column('note', page('waiting.note'), 'text', 'below'),
      column('standing', page('waiting.standing'), 'code', 'below'),
      column('authorized', page('document.authorized'), 'code', 'wide'),
      column('total', page('column.reais', { name: voice.name('column', 'total') }), 'money', 'value'),
      column('key', voice.name('column', 'key'), 'key', 'below'),
    ],
    groups: acts.flatMap(({ act, shown, tone, isHeadToned }): Group | [] => {
      const own = notesOf(act, notes);
      if (own.length === 0) return [];
      return {
        heading: page(`act.${act}`),
        note: noteOf(act, own, voice),
        tone: isHeadToned ? tone : undefined,
        sum: totalOf(own),
        total: own.length,
        count: counted('nfe', own.length, voice),
        rows: notesOf(act, listed).map((note) => rowOf(note, act, tone, today, voice)),
        shown,
      };
    }),
    rows: [],
    total: {
      cells: {
        deadline: page('row.total_of', { counted: counted('nfe', open.length, voice) }),
        total: totalOf(open),
      },
    },
  };
}

/** Remarks on uncertain notes, and on those beyond the table's limit. */
export function pendingNotes(notes: readonly PendingNote[], { page }: Voice): string[] {
  return present(
    notes.some(({ rests_on }) => rests_on === 'unclear') && page('waiting.unclear'),
    notes.length > MOST_NOTES && page('waiting.cut', { shown: MOST_NOTES, total: notes.length }),
  );
}

/** Heading and figures: what is due first, and how much is pending. */
function topOf({ notes, complete }: AnsweredPending, today: string, voice: Voice) {
  const { page, money } = voice;
  const open = notes.filter(isWaiting);
  const [near, inTen] = [notesOf('near', notes), notesOf('ciencia', notes)];
  const [[first], [firstInTen]] = [near, inTen];
  if (open.length === 0)
    return { heading: page(complete ? 'waiting.none' : 'waiting.none_read'), figures: [] };
  const count = (list: readonly PendingNote[]) => counted('nfe', list.length, voice);
  const day = (note: PendingNote, act: Act) => {
    const { daysLeft, lastDay } = deadlineOf(note, act, today) ?? { daysLeft: 0, lastDay: today };
    return `${voice.inDays(daysLeft)}, ${voice.shortDay(lastDay)}`;
  };
  const due = first && { before: page('figure.first_due'), strong: day(first, 'near'), tone: 'bad' as const };
  const figures = present<Figure>(
    { value: money(totalOf(first ? near : open)), note: first ? '' : count(open), ...due, leads: true },
    firstInTen && {
      value: count(inTen),
      note: page('figure.ciencia', { day: day(firstInTen, 'ciencia') }),
    },
    first && { value: count(open), note: page('figure.pending', { total: money(totalOf(open)) }) },
  );
  if (near.length > 0) return { heading: page('waiting.near', { count: near.length }), figures };
  const heading =
    inTen.length > 0
      ? page('waiting.ciencia', { count: inTen.length })
      : page('waiting.open', { count: open.length });
  return { heading, figures };
}

/** The page of notes that wait for a manifestation: by the act and the deadline that come next. */
export function pendingPage(answer: AnsweredPending, about: About, context: CallContext): Promise<Page> {
  const { notes, documents, complete } = answer;
  return pageOfAnswer(answer, about, context, (asked) => {
    const { subject, voice } = asked;
    const top = topOf(answer, subject.today, voice);
    const heading = top.heading + withoutDays(answer, voice);
    const looked = {
      count: documents,
      period: periodName(subject, voice),
      day: voice.shortDay(addDays(subject.today, NEAR_DAYS)),
    };
    const none = voice.page(complete ? 'waiting.none_more' : 'waiting.none_incomplete', looked);
    return {
      ...surroundings(answer, asked),
      heading,
      answer: present(heading, top.figures[0]?.value).join(' · '),
      figures: top.figures,
      ...(!notes.some(isWaiting) && { reasons: [none] }),
      tables: present(pendingTable(notes, subject.today, voice)),
      notes: pendingNotes(notes, voice),
    };
  });
}
