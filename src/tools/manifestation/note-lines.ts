import { addDecimals } from '../../documents/decimals.ts';
import type { Deadline } from '../../documents/events/deadlines.ts';
import { type EventName, eventByCode } from '../../documents/events/manifestation.ts';
import { conclusionsAmong, deadlineOn, type NoteToManifest } from '../../documents/events/objections.ts';
import { eventDescription } from '../../documents/events/statuses.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import type { EventSummary } from '../../documents/summary/summary.ts';
import { asWord, longest, quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import type { KnownNote } from './notes.ts';

/** When and where a preview is read. */
export interface Reading {
  readonly now: Date;
  readonly timeZone: string;
  readonly translator: Translator;
}

/** A note as the rules of manifestation see it. */
export function toManifest({ summary, status, events }: KnownNote): NoteToManifest {
  return { status, authorizedAt: summary?.protocol?.at, events };
}

/** Its number, from the document or else from the key. */
export function numberOf({ key, summary }: KnownNote): string {
  const checked = checkAccessKey(key);
  return summary?.number !== undefined ? asWord(summary.number) : checked.ok ? checked.value.number : key;
}

function deadlineSentence(deadline: Deadline, translator: Translator): string {
  const { basis, from, days, lastDay, daysLeft, laterPerhaps } = deadline;
  const last_day = translator.day(lastDay);
  const counted = { days, from: translator.day(from) };
  const until =
    daysLeft < 0
      ? translator.say('deadline.passed', { last_day })
      : daysLeft === 0
        ? translator.say('deadline.today', { last_day })
        : daysLeft === 1
          ? translator.say('deadline.tomorrow', { last_day })
          : translator.say('deadline.days_left', { last_day, days: daysLeft });
  return [
    until,
    translator.say(`deadline.from_${basis}`, counted),
    ...(laterPerhaps === undefined
      ? []
      : [translator.say('deadline.perhaps_later', { last_day: translator.day(laterPerhaps) })]),
  ].join(' ');
}

function eventWords(
  { code = '', name, at }: EventSummary,
  until: string | undefined,
  translator: Translator,
) {
  const known = eventByCode(code);
  const title = known
    ? translator.say(`event.${known.name}.title`)
    : [asWord(code), quoted(name ?? eventDescription(code) ?? '', longest.name)].join(' ');
  const when = [
    ...(at === undefined ? [] : [translator.moment(at)]),
    ...(until === undefined ? [] : [translator.say('preview.correctable', { until: translator.day(until) })]),
  ].join(', ');
  return when === '' ? title : `${title}, ${when}`;
}

/** The events that exist, with the day until which a conclusive one can be corrected. */
function eventsLine(note: KnownNote, { now, timeZone, translator }: Reading): string[] {
  if (note.events.length === 0) return [];
  const [first] = conclusionsAmong(note.events, now, timeZone);
  const words = note.events.map((event) => {
    const isConclusive = eventByCode(event.code ?? '')?.conclusive === true;
    return eventWords(event, isConclusive ? first?.correctableUntil : undefined, translator);
  });
  return [`  ${translator.say('preview.events', { events: words.join('; ') })}`];
}

/**
 * A note as a person knows it: number, issuer, date and total from the document where it could be read, else what its
 * key says; the deadline for an event, where one is asked about; and the events that exist.
 */
export function noteLines(note: KnownNote, event: EventName | undefined, reading: Reading): string[] {
  const { translator, now, timeZone } = reading;
  const { key, summary } = note;
  const checked = checkAccessKey(key);
  const ofKey = checked.ok ? checked.value : undefined;
  const { issuer, totals, issued_at } = summary ?? {};
  const name = issuer?.name ? [quoted(issuer.name, longest.name)] : [];
  const parts = [
    translator.say('preview.note', {
      number: numberOf(note),
      issuer: [...name, asWord(issuer?.id ?? ofKey?.issuer.id ?? '')].join(' '),
      issued: translator.day(issued_at ?? ofKey?.month ?? ''),
    }),
    ...(totals?.total ? [translator.say('preview.total', { total: translator.money(totals.total) })] : []),
    key,
  ];
  const deadline = event && deadlineOn(event, toManifest(note), now, timeZone);
  const sentence = deadline === undefined ? '' : `. ${deadlineSentence(deadline, translator)}`;
  return [`- ${parts.join(', ')}${sentence}`, ...eventsLine(note, reading)];
}

/** The sum of several notes, and of how many of them it is where not all could be read. */
export function sumLine(notes: readonly KnownNote[], translator: Translator): string[] {
  const totals = notes.flatMap(({ summary }) => summary?.totals.total ?? []);
  const sum = addDecimals(totals);
  if (notes.length < 2 || sum === undefined) return [];
  const total = translator.money(sum);
  return [
    totals.length === notes.length
      ? translator.say('preview.sum', { total, count: notes.length })
      : translator.say('preview.sum_of_some', { total, known: totals.length, count: notes.length }),
  ];
}
