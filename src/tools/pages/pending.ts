import { dayInZone } from '../../documents/days.ts';
import { addDecimals } from '../../documents/decimals.ts';
import type { Column, Figure, Group, Page, Row, Text, Tone } from '../../views/page.ts';
import type { Waiting } from '../manifestation/waiting.ts';
import { type Answered, type Asked, companyOf, surroundings, withoutDays } from './answered.ts';
import { counted } from './groups.ts';
import { periodName } from './headings.ts';
import type { Voice } from './voice.ts';

/** An answer of `list_pending_manifestations`, with all its notes and not just those of a page. */
export interface AnsweredPending extends Answered {
  readonly notes: readonly Waiting[];
  readonly total: number;
}

/** Days left from which a conclusive deadline is near, and very near. */
const SOON_DAYS = 30;
const NEAR_DAYS = 7;
/** Notes that a view is given: whoever has more narrows the period. */
const MOST_NOTES = 500;

/** The act and the deadline that come next, in the order in which they are shown. */
const acts = ['near', 'ciencia', 'soon', 'later', 'unknown', 'over', 'tacit'] as const;
type Act = (typeof acts)[number];

/** Notes of an act that are shown at once. */
const shownOf: Readonly<Record<Act, number>> = {
  near: 20,
  ciencia: 3,
  soon: 6,
  later: 0,
  unknown: 6,
  over: 3,
  tacit: 0,
};
const tones: Readonly<Partial<Record<Act, Tone>>> = {
  near: 'bad',
  ciencia: 'soon',
  over: 'soon',
  unknown: 'soon',
};

function actOf({ status, acknowledged, ciencia, conclusion }: Waiting): Act {
  if (status === 'tacitly_confirmed') return 'tacit';
  if (conclusion === undefined) return 'unknown';
  if (conclusion.daysLeft < 0) return 'over';
  if (conclusion.daysLeft <= NEAR_DAYS) return 'near';
  if (!acknowledged && ciencia !== undefined && ciencia.daysLeft >= 0) return 'ciencia';
  return conclusion.daysLeft <= SOON_DAYS ? 'soon' : 'later';
}

/** `hoje`, `amanhã`, `3 dias`, `há 2 dias`. */
function daysText(days: number, { page }: Voice): string {
  if (days === 0) return page('days.today');
  if (days === 1) return page('days.tomorrow');
  return days < 0 ? page('days.over', { days: -days }) : page('days.left', { days });
}

const totalOf = (notes: readonly Waiting[]) =>
  addDecimals(notes.map(({ document }) => document.summary.totals.total)) ?? '0.00';

function deadlineOfAct(note: Waiting, act: Act) {
  return act === 'ciencia' ? note.ciencia : note.conclusion;
}

function rowOf(note: Waiting, act: Act, { speak, context }: Asked): Row {
  const { key, document, acknowledged, rests_on } = note;
  const { number, issuer, totals, protocol } = document.summary;
  const deadline = deadlineOfAct(note, act);
  const at = protocol?.at === undefined ? Number.NaN : Date.parse(protocol.at);
  const authorized = Number.isNaN(at) ? undefined : dayInZone(context.company.settings.timeZone, at);
  const from = issuer?.name ?? issuer?.id;
  return {
    cells: {
      deadline: deadline === undefined ? undefined : speak((voice) => daysText(deadline.daysLeft, voice)),
      note: number ?? '?',
      standing: speak(({ page }) => page(acknowledged ? 'state.acknowledged' : 'state.open')),
      authorized: authorized === undefined ? undefined : speak(({ shortDay }) => shortDay(authorized)),
      total: totals.total,
      key,
    },
    details: {
      ...(deadline && { deadline: speak(({ shortDay }) => shortDay(deadline.lastDay)) }),
      ...(from !== undefined && { note: from }),
    },
    opens: { tool: 'get_document', args: { document: 'nfe', key } },
    tone: tones[act],
    mark: rests_on === 'unclear' ? '1' : undefined,
  };
}

/** What else to know of an act's notes. */
function noteOf(act: Act, notes: readonly Waiting[], { speak }: Asked): Text | undefined {
  const last = notes.flatMap(({ conclusion }) => conclusion?.lastDay ?? []).sort();
  const [first, end] = [last[0], last.at(-1)];
  if (act === 'ciencia' && end !== undefined)
    return speak((voice) => voice.page('act_note.ciencia', { month: voice.month(end.slice(0, 7)) }));
  if (act === 'later' && first !== undefined)
    return speak((voice) => voice.page('act_note.later', { day: voice.shortDay(first) }));
  return act === 'over' || act === 'tacit' || act === 'unknown'
    ? speak(({ page }) => page(`act_note.${act}`))
    : undefined;
}

function columnsOf({ speak }: Asked): Column[] {
  const heading = (name: 'deadline' | 'note' | 'standing' | 'authorized' | 'key') =>
    speak(({ page }) => page(`waiting.${name}`));
  return [
    { name: 'deadline', heading: heading('deadline'), kind: 'text', place: 'name' },
    { name: 'note', heading: heading('note'), kind: 'text', place: 'below' },
    { name: 'standing', heading: heading('standing'), kind: 'text', place: 'below' },
    { name: 'authorized', heading: heading('authorized'), kind: 'text', place: 'wide' },
    {
      name: 'total',
      heading: speak((voice) => voice.page('column.reais', { name: voice.page('waiting.total') })),
      kind: 'money',
      place: 'value',
    },
    { name: 'key', heading: heading('key'), kind: 'key', place: 'below' },
  ];
}

function figuresOf(
  byAct: ReadonlyMap<Act, readonly Waiting[]>,
  open: readonly Waiting[],
  { speak }: Asked,
): Figure[] {
  const [near = [], inTen = []] = [byAct.get('near'), byAct.get('ciencia')];
  const [first] = near;
  const notes = (list: readonly Waiting[]) => speak((voice) => counted('nfe', list.length, voice));
  const day = (note: Waiting, act: Act, voice: Voice) => {
    const deadline = deadlineOfAct(note, act);
    if (deadline === undefined) return '';
    const { daysLeft, lastDay } = deadline;
    const words = daysLeft > 1 ? voice.page('days.in', { days: daysLeft }) : daysText(daysLeft, voice);
    return `${words}, ${voice.shortDay(lastDay)}`;
  };
  const [firstInTen] = inTen;
  const all = {
    value: notes(open),
    note: speak((voice) => voice.page('figure.pending', { total: voice.money(totalOf(open)) })),
  };
  return [
    first === undefined
      ? { value: speak(({ money }) => money(totalOf(open))), note: notes(open), leads: true }
      : {
          value: speak(({ money }) => money(totalOf(near))),
          before: speak(({ page }) => page('figure.first_due')),
          note: '',
          strong: speak((voice) => day(first, 'near', voice)),
          tone: 'bad',
          leads: true,
        },
    ...(firstInTen === undefined
      ? []
      : [
          {
            value: notes(inTen),
            note: speak((voice) => voice.page('figure.ciencia', { day: day(firstInTen, 'ciencia', voice) })),
          },
        ]),
    ...(first === undefined ? [] : [all]),
  ];
}

/** The page of notes that wait for a manifestation: by the act and the deadline that come next. */
export async function pendingPage(answer: AnsweredPending, asked: Asked): Promise<Page> {
  const { speak, subject, archive, context } = asked;
  const { notes } = answer;
  const open = notes.filter(({ status }) => status !== 'tacitly_confirmed');
  const byAct = new Map<Act, Waiting[]>();
  for (const note of notes.slice(0, MOST_NOTES)) {
    const act = actOf(note);
    byAct.set(act, [...(byAct.get(act) ?? []), note]);
  }
  const groups = acts.flatMap((act): Group[] => {
    const own = byAct.get(act);
    if (own === undefined) return [];
    return [
      {
        heading: speak(({ page }) => page(`act.${act}`)),
        note: noteOf(act, own, asked),
        tone: act === 'near' || act === 'ciencia' ? tones[act] : undefined,
        sum: totalOf(own),
        count: speak((voice) => counted('nfe', own.length, voice)),
        rows: own.map((note) => rowOf(note, act, asked)),
        shown: shownOf[act],
      },
    ];
  });
  const [near, inTen] = [byAct.get('near')?.length ?? 0, byAct.get('ciencia')?.length ?? 0];
  const headingIn = (voice: Voice) => {
    const { page } = voice;
    const rest = withoutDays(answer, voice);
    if (open.length === 0) return page('waiting.none') + rest;
    if (near > 0) return page('waiting.near', { count: near }) + rest;
    return inTen > 0
      ? page('waiting.ciencia', { count: inTen }) + rest
      : page('waiting.open', { count: open.length }) + rest;
  };
  const figures = open.length === 0 ? [] : figuresOf(byAct, open, asked);
  const hasUnclear = notes.some(({ rests_on }) => rests_on === 'unclear');
  const lead = near > 0 ? totalOf(byAct.get('near') ?? []) : totalOf(open);
  const next = new Date(context.company.now() + NEAR_DAYS * 86_400_000);
  return {
    company: await companyOf(answer.company, archive),
    heading: speak(headingIn),
    answer: speak((voice) =>
      [headingIn(voice), open.length === 0 ? '' : voice.money(lead)].filter(Boolean).join(' · '),
    ),
    figures,
    ...surroundings(answer, asked),
    ...(open.length === 0 && {
      reasons: [
        speak((voice) =>
          voice.page(answer.complete ? 'waiting.none_more' : 'waiting.none_incomplete', {
            count: answer.documents,
            period: periodName(subject, voice),
            day: voice.shortDay(dayInZone(context.company.settings.timeZone, next)),
          }),
        ),
      ],
    }),
    tables:
      groups.length === 0
        ? []
        : [
            {
              layout: 'pending',
              caption: speak(({ page }) => page('waiting.caption')),
              columns: columnsOf(asked),
              groups,
              rows: [],
              total: {
                cells: {
                  deadline: speak((voice) =>
                    voice.page('row.total_of', { counted: counted('nfe', open.length, voice) }),
                  ),
                  total: totalOf(open),
                },
              },
            },
          ],
    notes: [
      ...(hasUnclear ? [speak(({ page }) => page('waiting.unclear'))] : []),
      ...(notes.length > MOST_NOTES
        ? [speak(({ page }) => page('waiting.cut', { shown: MOST_NOTES, total: notes.length }))]
        : []),
    ],
  };
}
