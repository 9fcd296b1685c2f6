// How fast the archive takes documents in and answers questions: `npm run bench -- archive [documents]`. The documents are
// generated, nothing is fetched or parsed.
import { type Archive, openArchive, type Question } from '../src/archive/archive.ts';
import type { DocumentSummary } from '../src/documents/summary/summary.ts';
import { company, generateDocuments } from '../test/archive/generated-documents.ts';
import { cpuTime, inFolder, median, memoryOf, report } from './measure.ts';

const ROUNDS = 7;
const year = { company, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31', limit: 20 } as const;

/** A question over the year; grouping and measures in words. */
const over = (groupBy: string, measures: string, more: Partial<Question> = {}) =>
  ({ ...year, groupBy: groupBy.split(' '), measures: measures.split(' '), ...more }) as Question;
const byTotal = { orderBy: { by: 'total', descending: true } } as const;

const questions: Readonly<Record<string, Question>> = {
  'issuer by month': over('issuer month', 'count total icms'),
  'CFOP by NCM': over('cfop ncm', 'count total icms ipi'),
  'top suppliers': over('issuer', 'count total', { direction: 'inbound', ...byTotal }),
  'CFOP of one month': over('cfop', 'count total icms', { from: '2026-11-01', to: '2026-11-30' }),
  'top products': over('item', 'items total', byTotal),
  'products by text': over('item month', 'items total', { filters: { text: 'aço nº 12' } }),
  'issuer by CFOP': over('issuer cfop', 'count total icms'),
  'goods of one heading': over('ncm month', 'count total ipi', { filters: { ncm: ['7308'] } }),
};

/** The documents of each day, in the order of their days. */
function* byDay(documents: Iterable<DocumentSummary>): Generator<[day: string, DocumentSummary[]]> {
  let [day, ofDay]: [string, DocumentSummary[]] = ['', []];
  for (const summary of documents) {
    const next = summary.issued_at?.slice(0, 10) ?? '';
    if (next !== day && ofDay.length > 0) yield [day, ofDay];
    if (next !== day) [day, ofDay] = [next, []];
    ofDay.push(summary);
  }
  if (ofDay.length > 0) yield [day, ofDay];
}

async function takeIn(archive: Archive, count: number): Promise<void> {
  let [elapsed, cpu] = [0, 0];
  const generated = generateDocuments({ count, items: 10, partners: 1_500, products: 5_000, classes: 300 });
  for (const [day, summaries] of byDay(generated)) {
    const window = { company, area: 'nfe', by: 'issue', from: day, to: day, fetchedAt: new Date() } as const;
    const [began, before] = [performance.now(), cpuTime()];
    await archive.store(
      window,
      summaries.map((summary) => ({ summary })),
    );
    elapsed += performance.now() - began;
    cpu += cpuTime() - before;
  }
  const { documents, bytes } = await archive.info();
  const what = `one of ${documents} documents of ten items into the archive`;
  report({ what, unit: 'µs', ours: (elapsed * 1000) / documents });
  report({ what, unit: 'µs of processor', ours: (cpu * 1000) / documents });
  report({ what: 'the same in the file', unit: 'bytes', ours: bytes / documents });
  report({ what: 'peak of memory meanwhile', unit: 'MB', ours: memoryOf(process.pid, 'VmHWM') });
}

async function ask(archive: Archive): Promise<void> {
  const times: [title: string, ms: number][] = [];
  for (const [title, question] of Object.entries(questions)) {
    const rounds: number[] = [];
    const cpu: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [began, before] = [performance.now(), cpuTime()];
      await archive.ask(question);
      rounds.push(performance.now() - began);
      cpu.push(cpuTime() - before);
    }
    times.push([title, median(rounds)]);
    console.log(`${title}: ${median(rounds).toFixed(0)} ms, ${median(cpu).toFixed(0)} of processor`);
  }
  const [[title, slowest] = ['', Number.NaN]] = times.toSorted(([, one], [, other]) => other - one);
  report({ what: `slowest of ${times.length} questions: ${title}`, unit: 'ms', ours: slowest, most: 100 });
  report({ what: 'median of them', unit: 'ms', ours: median(times.map(([, ms]) => ms)), most: 30 });
}

void inFolder(async (folder) => {
  const archive = await openArchive({ mode: 'file', folder, keepXml: false });
  await takeIn(archive, Number(process.argv[2] ?? 100_000));
  await ask(archive);
  await archive.close();
});
