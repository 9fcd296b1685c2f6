// How long `check_documents` looks at documents that are kept: `node bench/run.mjs check [documents]`. Time of our own
// processor; the documents are generated, nothing is fetched or parsed.
import type { Archive } from '../src/archive/store/archive.ts';
import { openArchive } from '../src/archive/store/open.ts';
import { completeAccessKey } from '../src/documents/identity/keys.ts';
import { rules } from '../src/documents/rules/index.ts';
import { readDocuments } from '../src/documents/summary/read-document.ts';
import type { DocumentSummary } from '../src/documents/summary/summary.ts';
import { beginExamination, isAbout } from '../src/questions/examine.ts';
import { company } from '../test/archive/store/generated-documents.ts';
import { generateNotes } from './generated-notes.ts';
import { report } from './report.mjs';
import { toTheEnd } from './to-the-end.mjs';

const year = { from: '2026-01-01', to: '2026-12-31' } as const;
const DAYS = 365;
const DAY_MS = 86_400_000;

/** Different notes; the others repeat them with a number, key and day of their own. */
const DIFFERENT = 500;

function* notesOf(day: number, count: number, models: readonly DocumentSummary[]): Iterable<DocumentSummary> {
  const date = new Date(Date.parse(year.from) + day * DAY_MS).toISOString().slice(0, 10);
  for (let number = day + 1; number <= count; number += DAYS) {
    const model = models[number % models.length];
    if (model === undefined) return;
    const issuer = model.issuer?.id ?? '';
    const month = date.slice(2, 7).replace('-', '');
    const key = completeAccessKey(`35${month}${issuer}55001${String(number).padStart(9, '0')}100000000`);
    const recipient = { ...model.recipient, id: company, id_type: 'cnpj' as const };
    yield { ...model, key, number: String(number), issued_at: `${date}T10:00:00-03:00`, recipient };
  }
}

async function fill(archive: Archive, count: number): Promise<void> {
  const models = generateNotes(DIFFERENT).flatMap((xml) => readDocuments(xml));
  for (let day = 0; day < DAYS; day++) {
    const arrivals = [...notesOf(day, count, models)].map((summary) => ({ summary }));
    const date = arrivals[0]?.summary.issued_at?.slice(0, 10) ?? year.from;
    const window = {
      company,
      area: 'nfe',
      by: 'issue',
      from: date,
      to: date,
      fetchedAt: new Date(),
    } as const;
    await archive.store(window, arrivals);
  }
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function main(documents = '100000'): Promise<void> {
  const archive = await openArchive({ mode: 'memory', keepXml: false });
  await fill(archive, Number(documents));
  const examination = beginExamination({
    archive,
    selection: { ...year, company, area: 'nfe', by: 'issue' },
    rules: rules.filter((rule) => isAbout('nfe', rule)),
    linked: undefined,
    covered: { days: { nfe: [year], cte: [year], nfse: [year] }, openFrom: '2027-01-01' },
    now: new Date('2026-11-22T12:00:00Z'),
    timeZone: 'America/Sao_Paulo',
  });
  const { signal } = new AbortController();
  for (const pass of ['first page', 'next page']) {
    const before = process.cpuUsage();
    await examination.proceed(Number.POSITIVE_INFINITY, signal);
    const ours = secondsSince(before);
    const found = [...examination.byRule].map(([rule, count]) => `${rule} ${count}`).join(', ');
    console.log(`${pass}: ${examination.documents} documents, ${ours.toFixed(1)} s of processor (${found})`);
    const what = `check of ${documents} documents, ${pass}`;
    report({ what, unit: 's of processor', ours, ...(pass === 'first page' ? { most: 5 } : {}) });
  }
  await archive.close();
}

void toTheEnd(() => main(...process.argv.slice(2)));
