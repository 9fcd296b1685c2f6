import type { Filters, LeftOut, StoredDocument } from '../../archive/archive.ts';
import { everyStatus } from '../../archive/scope.ts';
import type { Translator } from '../../messages/index.ts';
import { added, listTotal } from './basis.ts';
import type { Part } from './several-kinds.ts';

/** Documents of one kind, with how many there are. */
export interface Counted extends Part {
  readonly total: number;
}

/** The documents of all kinds one after the other, but for the first so many. */
export async function* readAll(parts: readonly Counted[], offset: number): AsyncGenerator<StoredDocument> {
  let left = offset;
  for (const { selection, basis, total } of parts) {
    if (left < total) yield* basis.archive.read(selection, left);
    left = Math.max(0, left - total);
  }
}

/** The days of entry that are known of all of them, by key. */
export async function entryDaysOf(parts: readonly Counted[]): Promise<ReadonlyMap<string, string>> {
  const days = await Promise.all(parts.map(({ selection, basis }) => basis.archive.entryDays(selection)));
  return new Map(days.flatMap((map) => [...map]));
}

/** What questions leave out and a table keeps, marked. */
const keptInTables: ReadonlySet<LeftOut['reason']> = new Set(['cancelled', 'denied', 'test']);

/**
 * Counts the documents of a file, and what its totals leave out. A table keeps cancelled, denied and test documents
 * (`kept`) and counts them in no total.
 */
export async function countParts(
  fetched: readonly Part[],
  asked: Filters,
  isTable: boolean,
  translator: Translator,
) {
  const parts: Counted[] = [];
  const left_out: LeftOut[] = [];
  const sums: string[] = [];
  for (const { basis, selection: period } of fetched) {
    const filters = { ...asked, status: asked.status ?? everyStatus, withTest: isTable };
    const selection = { ...period, filters };
    const held = await basis.archive.list({ ...selection, limit: 1 });
    parts.push({ basis, selection, total: held.total });
    const counted = isTable ? await basis.archive.list({ ...period, filters: asked, limit: 1 }) : held;
    left_out.push(...counted.left_out);
    if (isTable && counted.total > 0) sums.push(listTotal(period.area, counted, translator));
  }
  const kept = isTable ? left_out.filter(({ reason }) => keptInTables.has(reason)) : [];
  return { parts, left_out, kept, sums };
}

/** Names what a table has beside what its totals count. */
export function keptSentence(kept: readonly LeftOut[], translator: Translator): string {
  const words = added(kept).map(({ reason, count }) => translator.say(`left_out.${reason}`, { count }));
  return translator.say('analysis.kept_in_table', { words: words.join(', ') });
}
