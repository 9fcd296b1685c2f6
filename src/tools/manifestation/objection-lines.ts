import type { EventName } from '../../documents/events/manifestation.ts';
import { type Objection, objectionsTo } from '../../documents/events/objections.ts';
import type { Translator } from '../../messages/index.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import { numberOf, type Reading, toManifest } from './note-lines.ts';
import type { KnownNote } from './notes.ts';

/** What a preview warns of: the rules' objections, and what only this program knows. */
type Warning = Objection['code'] | 'not_recipient' | 'outcome_unknown' | 'in_flight' | 'unread';

/** The order in which they are told. */
const order: readonly Warning[] = [
  'cancelled',
  'denied',
  'not_recipient',
  'tacitly_confirmed',
  'perhaps_confirmed',
  'past_deadline',
  'correction_over',
  'used_up',
  'already_registered',
  'after_conclusion',
  'replaces',
  'last_time',
  'outcome_unknown',
  'in_flight',
  'unread',
];

/** One warning about one note, with what is particular to it. */
interface Told {
  readonly warning: Warning;
  readonly note: KnownNote;
  readonly detail?: string | undefined;
}

function detailOf(objection: Objection, translator: Translator): string | undefined {
  const on = (at: string | undefined) => (at === undefined ? [] : [translator.moment(at)]);
  switch (objection.code) {
    case 'cancelled':
    case 'already_registered':
      return on(objection.at)[0];
    case 'tacitly_confirmed':
    case 'past_deadline':
    case 'correction_over':
      return translator.say('against.until', { day: translator.day(objection.lastDay) });
    case 'perhaps_confirmed': {
      const { lastDay, laterPerhaps } = objection;
      const days = { day: translator.day(lastDay), later: translator.day(laterPerhaps) };
      return translator.say('against.until_either', days);
    }
    case 'after_conclusion':
      return [translator.say(`event.${objection.event}.title`), ...on(objection.at)].join(', ');
    case 'replaces': {
      const { event, at, until } = objection;
      const title = translator.say(`event.${event}.title`);
      const correctable = until && translator.say('preview.correctable', { until: translator.day(until) });
      return [title, ...on(at), ...(correctable ? [correctable] : [])].join(', ');
    }
    default:
      return undefined;
  }
}

/** The same company's establishments share the first eight positions. Source: docs/fiscal/events.md. */
function isAnothers({ summary }: KnownNote, company: string | undefined): boolean {
  const id = summary?.recipient?.id;
  return id !== undefined && company !== undefined && id.slice(0, 8) !== company.slice(0, 8);
}

/** Most notes that one warning names; a form must stay readable. */
const MOST_NAMED = 40;

function named(told: readonly Told[], translator: Translator): string {
  const words = told.slice(0, MOST_NAMED).map(({ note, detail }) => {
    const name = `NF-e ${numberOf(note)}`;
    return detail === undefined ? name : `${name}, ${detail}`;
  });
  const more = told.length - words.length;
  return [...words, ...(more > 0 ? [translator.say('against.more', { count: more })] : [])].join('; ');
}

function unreadLines(told: readonly Told[], translator: Translator): string[] {
  const problems = [...new Set(told.map(({ note }) => note.problem ?? ''))];
  return problems.map((problem) => {
    const ofProblem = told.filter(({ note }) => (note.problem ?? '') === problem);
    return translator.say('against.unread', { notes: named(ofProblem, translator), problem });
  });
}

/**
 * What speaks against an event on these notes, the gravest first, one line for each thing with the notes it is about.
 * @param history what the journal knows of these keys
 */
export function objectionLines(
  event: { readonly name: EventName; readonly code: string },
  notes: readonly KnownNote[],
  history: readonly JournalEntry[],
  company: string | undefined,
  { now, timeZone, translator }: Reading,
): string[] {
  const told = notes.flatMap((note): Told[] => {
    const states = history
      .filter((entry) => entry.key === note.key && entry.event === event.code)
      .map(({ state }) => state);
    return [
      ...objectionsTo(event.name, toManifest(note), now, timeZone).map((objection) => ({
        warning: objection.code,
        note,
        detail: detailOf(objection, translator),
      })),
      ...(isAnothers(note, company) ? [{ warning: 'not_recipient', note } as const] : []),
      ...(states.includes('unknown') ? [{ warning: 'outcome_unknown', note } as const] : []),
      ...(states.includes('in_flight') ? [{ warning: 'in_flight', note } as const] : []),
      ...(note.problem === undefined ? [] : [{ warning: 'unread', note } as const]),
    ];
  });
  return order.flatMap((warning) => {
    const ofThis = told.filter((one) => one.warning === warning);
    if (ofThis.length === 0) return [];
    if (warning === 'unread') return unreadLines(ofThis, translator);
    return [translator.say(`against.${warning}`, { notes: named(ofThis, translator) })];
  });
}
