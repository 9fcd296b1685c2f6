import { eventByCode } from '../../documents/events/manifestation.ts';
import { meaningOfStatus } from '../../documents/events/status-codes.ts';
import { quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import type { JournalDamage, JournalEntry } from '../../writes/journal.ts';

/** What the service said of an earlier write, or else what became of it. */
function outcomeWords({ statusCode, message, state }: JournalEntry, translator: Translator): string {
  const meaning = statusCode === undefined ? undefined : meaningOfStatus(statusCode);
  const said = meaning === undefined ? message && quoted(message) : translator.say(`event_status.${meaning}`);
  return (
    [statusCode, said || undefined].filter((part) => part !== undefined).join(' ') ||
    translator.say(`result.${state}`)
  );
}

function historyLine(entry: JournalEntry, code: string | undefined, translator: Translator): string {
  const { key = '', event, state } = entry;
  const at = translator.moment(entry.at);
  const outcome = outcomeWords(entry, translator);
  if (event !== undefined && event === code) return translator.tell(`journal.${state}`, { key, at, outcome });
  const known = event === undefined ? undefined : eventByCode(event);
  const name =
    known === undefined ? translator.say('event.raw.title') : translator.say(`event.${known.name}.title`);
  const became = translator.say(`result.${state}`);
  return translator.say('journal.other_event', {
    key,
    event: name,
    at,
    outcome: outcome === became ? became : `${became} (${outcome})`,
  });
}

/** Earlier writes that a preview tells one by one. */
const MOST_WRITES_TOLD = 40;

/** Those whose outcome is open come first: they are what a person must know of before saying yes. */
function mostTelling(history: readonly JournalEntry[]): readonly JournalEntry[] {
  if (history.length <= MOST_WRITES_TOLD) return history;
  const isOpen = ({ state }: JournalEntry) => state === 'unknown' || state === 'in_flight';
  const latestFirst = history.toReversed();
  return [...latestFirst.filter(isOpen), ...latestFirst.filter((entry) => !isOpen(entry))];
}

/** The journal's memory of these keys, and whether part of that memory is lost. */
export function historyLines(
  history: readonly JournalEntry[],
  damage: JournalDamage,
  code: string | undefined,
  translator: Translator,
): string[] {
  const untold = history.length - MOST_WRITES_TOLD;
  return [
    ...mostTelling(history)
      .slice(0, MOST_WRITES_TOLD)
      .map((entry) => historyLine(entry, code, translator)),
    ...(untold > 0 ? [translator.say('journal.more', { count: untold })] : []),
    ...(damage.count > 0 ? [translator.say('journal.damaged', { count: damage.count })] : []),
    ...(damage.tornEnd ? [translator.say('journal.torn_end')] : []),
  ];
}
