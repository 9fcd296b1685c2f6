// How long a sheet takes to draw: `node bench/run.mjs sheets [FOLDER]`. With a folder it leaves one sheet of each form
// there, which `node scripts/pictures.mjs` makes the pictures of docs/pictures from.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from '../src/documents/summary/read-document.ts';
import { startSandbox } from '../src/sandbox/index.ts';
import { renderSheet } from '../src/sheets/render.ts';
import { fetchPlainly } from '../test/support/independent-documents.ts';
import { toTheEnd } from './to-the-end.mjs';

const ROUNDS = 20;
const company = '48152036000117';
const days = { from: '2026-10-05', to: '2026-10-30' } as const;

interface Form {
  readonly name: string;
  readonly area: 'nfe' | 'cte' | 'nfse';
  readonly fits: (xml: string) => boolean;
}

const isValid = (xml: string) => !xml.includes('<tpEvento>110111');

const forms: readonly Form[] = [
  { name: 'danfe', area: 'nfe', fits: (xml) => isValid(xml) && xml.includes('<IBSCBSTot') },
  { name: 'dacte', area: 'cte', fits: isValid },
  { name: 'danfse', area: 'nfse', fits: (xml) => xml.includes('<infNFSe') },
  { name: 'espelho-nfse', area: 'nfse', fits: (xml) => xml.includes('<CompNfse') },
];

/** The same note with a thousand items. */
function withItems(xml: string, count: number): string {
  const item = /<det nItem="1">.*?<\/det>/s.exec(xml)?.[0] ?? '';
  const items = Array.from({ length: count }, (_, i) => item.replace('nItem="1"', `nItem="${i + 1}"`));
  return xml.replace(/<det nItem=.*<\/det>/s, items.join(''));
}

async function draw(xml: string): Promise<Uint8Array> {
  const [summary] = readDocuments(xml);
  if (summary === undefined) throw new Error('not a document');
  const sheet = await renderSheet({ xml, summary, status: summary.status, events: summary.events ?? [] });
  if (sheet === undefined) throw new Error('no sheet');
  return sheet.bytes;
}

async function measure(name: string, xml: string, folder: string | undefined): Promise<void> {
  const first = await draw(xml);
  if (folder !== undefined) writeFileSync(join(folder, `${name}.pdf`), first);
  const pages =
    Buffer.from(first)
      .toString('latin1')
      .match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) await draw(xml);
  const { user, system } = process.cpuUsage(before);
  const each = (user + system) / 1000 / ROUNDS;
  console.log(
    `${name}: ${each.toFixed(0)} ms, ${pages} pages, ${(each / pages).toFixed(1)} ms a page, ${first.length} bytes`,
  );
}

async function main(folder?: string): Promise<void> {
  const sandbox = await startSandbox({ now: () => new Date('2026-11-20T12:00:00-03:00') });
  try {
    for (const { name, area, fits } of forms) {
      const documents = await fetchPlainly(sandbox.url, area, { company, ...days });
      const xml = documents.map((one) => one.xml).find(fits);
      if (xml === undefined) throw new Error(`the sandbox has nothing for ${name}`);
      await measure(name, xml, folder);
      if (name === 'danfe') await measure('danfe-1000-items', withItems(xml, 1000), undefined);
    }
  } finally {
    await sandbox.close();
  }
}

void toTheEnd(() => main(...process.argv.slice(2)));
