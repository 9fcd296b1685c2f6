// What one comparison of a SPED file with the archive costs the built program, of eight lines a document:
// `npm run bench -- reconcile [documents] [agree|differ]`, 125,000 documents being a million lines.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openArchive } from '../src/archive/archive.ts';
import { completeAccessKey } from '../src/documents/identity/keys.ts';
import type { DocumentSummary } from '../src/documents/summary/summary.ts';
import { company, generateDocuments } from '../test/archive/generated-documents.ts';
import { inFolder, initialize, memoryOf, processorOf, program, report, speakTo } from './measure.ts';

const customer = '34128745000152';
const DAYS = 31;

interface Answered {
  readonly compared?: { readonly entries: number; readonly agree: number };
  readonly total: number;
  readonly next_cursor?: string;
}

const keyOf = (number: number) =>
  completeAccessKey(`352610${company}55001${String(number).padStart(9, '0')}112345678`);
const dayOf = (number: number) => String(1 + (number % DAYS)).padStart(2, '0');

/** Authorised notes of every thirty-first number, of 300.00 in three items. */
function* notesOf(day: number, documents: number): Generator<{ summary: DocumentSummary }> {
  const [base] = generateDocuments({ count: 1, items: 1 });
  if (base === undefined) throw new Error('nothing generated');
  const totals = { total: '300.00', icms: '54.00', icms_base: '300.00' };
  const item = { cfop: '5102', total: '100.00', share: '100.00', taxes: {} };
  const items = ['1', '2', '3'].map((number) => ({ ...item, number }));
  const own = { issuer: { ...base.issuer, id: company }, recipient: { ...base.recipient, id: customer } };
  const note = { ...base, ...own, status: 'authorized', purpose: '1', events: [], totals, items } as const;
  for (let number = day; number <= documents; number += DAYS) {
    const issued_at = `2026-10-${dayOf(number)}T10:00:00-03:00`;
    yield { summary: { ...note, key: keyOf(number), number: String(number), issued_at } as DocumentSummary };
  }
}

async function fillArchive(folder: string, documents: number): Promise<void> {
  const archive = await openArchive({ mode: 'file', folder, keepXml: false });
  for (let day = 1; day <= DAYS; day++) {
    const date = `2026-10-${dayOf(day)}`;
    const window = { company, area: 'nfe', by: 'issue', from: date, to: date } as const;
    await archive.store({ ...window, fetchedAt: new Date() }, notesOf(day, documents));
  }
  await archive.close();
}

/** The EFD of the month; if nothing agrees, each total and ICMS differs and each day is one later. */
function writeEfd(path: string, documents: number, agrees: boolean): void {
  const parts = [
    `|0000|019|0|01102026|31102026|EMPRESA|${company}||SP|1|3550308|||A|1|\r\n|0150|C|CLIENTE|1058|${customer}||||||||\r\n`,
  ];
  const [total, icms] = agrees ? ['300,00', '54,00'] : ['301,00', '55,00'];
  for (let number = 1; number <= documents; number++) {
    const day = dayOf(agrees ? number : number + 1);
    const lines = [
      `|C100|1|0|C|55|00|1|${number}|${keyOf(number)}|${day}102026|${day}102026|${total}|0|||${total}|9||||300,00|${icms}|||||||||`,
      ...[1, 2, 3, 4, 5, 6].map(
        (place) =>
          `|C170|${place}|P${place}|Peca de aco|1,00000|UN|50,00|0|0|000|5102||50,00|18,00|9,00|0|0|0|0|50||0|0|0|01|50,00|1,65|||0,83|01|50,00|7,60|||3,80|||`,
      ),
      `|C190|000|5102|18,00|300,00|300,00|${icms}|0|0|0|0||`,
    ];
    parts.push(`${lines.join('\r\n')}\r\n`);
  }
  parts.push(`|9999|${8 * documents + 3}|\r\n`);
  writeFileSync(path, '');
  for (let at = 0; at < parts.length; at += 1_000)
    writeFileSync(path, parts.slice(at, at + 1_000).join(''), { flag: 'a' });
}

async function main(documents: number, agrees: boolean, folder: string): Promise<void> {
  const lists = join(folder, 'lists');
  const data = join(folder, 'data');
  mkdirSync(lists);
  await fillArchive(data, documents);
  writeEfd(join(lists, 'efd.txt'), documents, agrees);
  const { PATH, HOME } = process.env;
  const kept = { DFE_ARCHIVE: 'file', DFE_DATA_DIR: data, DFE_FILES: lists, DFE_CNPJ: company };
  const spoken = speakTo([program], {
    PATH,
    HOME,
    ...kept,
  });
  await spoken.ask(initialize);
  const before = processorOf(spoken.pid);
  let [calls, cursor]: [number, string | undefined] = [0, undefined];
  let answer: Answered | undefined;
  do {
    const args = { file: ['efd.txt'], limit: 1, ...(cursor !== undefined && { cursor }) };
    const { result } = await spoken.ask({
      method: 'tools/call',
      params: { name: 'reconcile', arguments: args },
    });
    answer = result?.structuredContent as Answered | undefined;
    if (answer === undefined) throw new Error(JSON.stringify(result));
    calls++;
    cursor = answer.next_cursor;
  } while (answer.compared === undefined);
  const { entries, agree } = answer.compared;
  console.log(`${entries} entries, ${agree} agree, ${answer.total} findings, ${calls} calls`);
  const isMillion = documents <= 125_000;
  const [seconds, megabytes] = isMillion ? [4, 400] : [undefined, undefined];
  report({
    what: `${8 * documents} lines compared`,
    unit: 's of processor',
    ours: (processorOf(spoken.pid) - before) / 1000,
    ...(seconds && { most: seconds }),
  });
  report({
    what: 'peak of memory',
    unit: 'MB',
    ours: memoryOf(spoken.pid, 'VmHWM'),
    ...(megabytes && { most: megabytes }),
  });
  await spoken.end();
}

const [first = '125000', way = 'agree'] = process.argv.slice(2);
void inFolder((folder) => main(Number(first), way === 'agree', folder));
