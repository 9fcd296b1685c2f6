import type { Archive, HeldDocuments } from '../archive/archive.ts';
import { earlier, later, type Period } from '../archive/days.ts';
import { documentTable, writeCsv } from '../archive/export/index.ts';
import type { PurgeSelection } from '../archive/write/purge.ts';
import type { Translator } from '../messages/index.ts';
import { progressLine } from './progress-line.ts';

/** Milliseconds between progress lines outside a terminal, and rows between two checks of the clock. */
const PACE = 2_000;
const STRIDE = 100;

const everyStatus = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'] as const;

/** Days of the selection that are held; undefined for none. */
function wantedDays(held: HeldDocuments, { company, area, from, to }: PurgeSelection): Period | undefined {
  const { first, last } = held;
  if (first === undefined || last === undefined) return undefined;
  if ((company ?? held.company) !== held.company || (area ?? held.area) !== held.area) return undefined;
  const days = { from: later(first, from ?? first), to: earlier(last, to ?? last) };
  return days.from <= days.to ? days : undefined;
}

/** Exports the archive, or the selected part of it: one CSV per company and kind. */
export async function exportArchive(
  archive: Archive,
  folder: string,
  wanted: PurgeSelection,
  translator: Translator,
): Promise<string[]> {
  const { held } = await archive.info();
  const lines: string[] = [];
  for (const one of held) {
    const days = wantedDays(one, wanted);
    if (days === undefined) continue;
    const { company, area } = one;
    const selection = { company, area, by: 'issue', ...days, filters: { status: everyStatus } } as const;
    const line = progressLine(PACE);
    const rows = (async function* () {
      let taken = 0;
      for await (const { summary, status } of archive.read(selection)) {
        taken += 1;
        if (taken % STRIDE === 0) {
          line.tell(translator.say('analysis.exporting', { rows: taken }), taken, one.documents);
        }
        yield { ...summary, status };
      }
    })();
    const name = [area, company, days.from, days.to].join('-');
    const { path, rows: count } = await writeCsv(rows, documentTable(), {
      folder,
      name,
      language: translator.language,
    }).finally(line.end);
    lines.push(translator.say('archive.exported', { count, path }));
  }
  return lines.length > 0 ? lines : [translator.say('archive.nothing_exported')];
}
