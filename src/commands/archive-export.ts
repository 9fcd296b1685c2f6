import { documentTable, writeCsv } from '../archive/export/index.ts';
import type { Archive } from '../archive/store/index.ts';
import type { Translator } from '../messages/index.ts';

const everyStatus = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'] as const;

/** Writes what the archive holds as one CSV per company and kind of document. */
export async function exportArchive(
  archive: Archive,
  folder: string,
  translator: Translator,
): Promise<string[]> {
  const { held } = await archive.info();
  const lines: string[] = [];
  for (const { company, area, first, last } of held) {
    if (first === undefined || last === undefined) continue;
    const selection = {
      company,
      area,
      by: 'issue',
      from: first,
      to: last,
      filters: { status: everyStatus },
    } as const;
    const rows = (async function* () {
      for await (const { summary, status } of archive.read(selection)) yield { ...summary, status };
    })();
    const name = [area, company, first, last].join('-');
    const { path, rows: count } = await writeCsv(rows, documentTable, {
      folder,
      name,
      language: translator.language,
    });
    lines.push(translator.say('archive.exported', { count, path }));
  }
  return lines;
}
