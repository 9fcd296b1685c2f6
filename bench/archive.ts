// How fast the archive takes documents in and answers, beside the same questions as SQL by hand over the same file:
// `node bench/run.mjs archive [documents] [rounds]`. The rows are generated, nothing is fetched or parsed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Archive, openArchive, type Question } from '../src/archive/store/archive.ts';
import { openSqlite } from '../src/archive/store/engines/sqlite.ts';
import type { DocumentSummary } from '../src/documents/summary/summary.ts';
import { company, generateDocuments } from '../test/archive/store/generated-documents.ts';

const year = { company, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31', limit: 20 } as const;
const november = { ...year, from: '2026-11-01', to: '2026-11-30' };
const inDocuments = `from placements p join documents d on d.id = p.document_id
  where p.company = '${company}' and p.area = 'nfe' and p.date_field = 'issue' and d.exclusion = ''
    and d.status not in ('cancelled', 'denied')`;
const inItems = inDocuments.replace('where', 'join items i on i.document_id = d.id where');
const ofYear = "and p.from_day >= '2026-01-01' and p.to_day <= '2026-12-31'";
const ofNovember = "and p.from_day >= '2026-11-01' and p.to_day <= '2026-11-30'";
const partner = '20000000000007';

/** Each question with the SQL that somebody would write for it who knows the tables but not the roll-ups. */
const questions: readonly { title: string; question: Question; sql: string }[] = [
  {
    title: 'issuer by month, total and ICMS',
    question: { ...year, groupBy: ['issuer', 'month'], measures: ['count', 'total', 'icms'] },
    sql: `select d.issuer, p.month, count(*), sum(d.total), sum(d.icms) ${inDocuments} ${ofYear} group by 1, 2`,
  },
  {
    title: 'CFOP by NCM',
    question: { ...year, groupBy: ['cfop', 'ncm'], measures: ['count', 'total', 'icms', 'ipi'] },
    sql: `select i.cfop, i.ncm, count(distinct d.id), sum(i.total), sum(i.icms), sum(i.ipi) ${inItems} ${ofYear} group by 1, 2`,
  },
  {
    title: 'top suppliers',
    question: {
      ...year,
      direction: 'inbound',
      groupBy: ['issuer'],
      measures: ['count', 'total'],
      orderBy: { by: 'total', descending: true },
    },
    sql: `select d.issuer, count(*), sum(d.total) ${inDocuments} ${ofYear} and p.direction in ('inbound', 'both') group by 1 order by 3 desc`,
  },
  {
    title: 'state by month',
    question: { ...year, groupBy: ['state', 'month'], measures: ['count', 'total', 'icms', 'pis', 'cofins'] },
    sql: `select case when p.direction = 'outbound' then d.recipient_state else d.issuer_state end, p.month, count(*),
      sum(d.total), sum(d.icms), sum(d.pis), sum(d.cofins) ${inDocuments} ${ofYear} group by 1, 2`,
  },
  {
    title: 'CFOP of one month',
    question: { ...november, groupBy: ['cfop'], measures: ['count', 'total', 'icms'] },
    sql: `select i.cfop, count(distinct d.id), sum(i.total), sum(i.icms) ${inItems} ${ofNovember} group by 1`,
  },
  {
    title: 'IBS and CBS by classification',
    question: { ...year, groupBy: ['class_trib', 'month'], measures: ['items', 'ibs', 'cbs'] },
    sql: `select i.class_trib, p.month, sum(case when i.line > 0 then 1 else 0 end), sum(i.ibs), sum(i.cbs) ${inItems} ${ofYear} group by 1, 2`,
  },
  {
    title: 'top products',
    question: {
      ...year,
      groupBy: ['item'],
      measures: ['items', 'total'],
      orderBy: { by: 'total', descending: true },
    },
    sql: `select i.description_id, sum(case when i.line > 0 then 1 else 0 end), sum(i.total) ${inItems} ${ofYear} group by 1 order by 3 desc`,
  },
  {
    title: 'total by day',
    question: { ...year, groupBy: ['day'], measures: ['count', 'total'] },
    sql: `select p.day, count(*), sum(d.total) ${inDocuments} ${ofYear} group by 1`,
  },
  {
    title: 'ICMS of one supplier by CFOP',
    question: { ...year, groupBy: ['cfop'], measures: ['count', 'icms'], filters: { issuer: [partner] } },
    sql: `select i.cfop, count(distinct d.id), sum(i.icms) ${inItems} ${ofYear} and d.issuer = '${partner}' group by 1`,
  },
  {
    title: 'products by text, by month',
    question: {
      ...year,
      groupBy: ['item', 'month'],
      measures: ['items', 'total'],
      filters: { text: 'aço nº 12' },
    },
    sql: `select i.description_id, p.month, sum(case when i.line > 0 then 1 else 0 end), sum(i.total)
      ${inItems.replace('where', 'join descriptions s on s.id = i.description_id where')} ${ofYear}
      and s.search like '%aco nº 12%' group by 1, 2`,
  },
  {
    title: 'issuer by CFOP',
    question: { ...year, groupBy: ['issuer', 'cfop'], measures: ['count', 'total', 'icms'] },
    sql: `select d.issuer, i.cfop, count(distinct d.id), sum(i.total), sum(i.icms) ${inItems} ${ofYear} group by 1, 2`,
  },
  {
    title: 'goods of one heading by month',
    question: {
      ...year,
      groupBy: ['ncm', 'month'],
      measures: ['count', 'total', 'ipi'],
      filters: { ncm: ['7308'] },
    },
    sql: `select i.ncm, p.month, count(distinct d.id), sum(i.total), sum(i.ipi) ${inItems} ${ofYear}
      and i.ncm >= '7308' and i.ncm < '7309' group by 1, 2`,
  },
];

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function mondayOf({ issued_at = '' }: DocumentSummary): string {
  const day = new Date(`${issued_at.slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

/** One week's documents after the other's. */
function* byWeek(documents: Iterable<DocumentSummary>): Generator<[monday: string, DocumentSummary[]]> {
  let week: DocumentSummary[] = [];
  for (const summary of documents) {
    const [first] = week;
    if (first !== undefined && mondayOf(first) !== mondayOf(summary)) {
      yield [mondayOf(first), week];
      week = [];
    }
    week.push(summary);
  }
  const [first] = week;
  if (first !== undefined) yield [mondayOf(first), week];
}

/** The longest time that nothing else could run, in milliseconds. */
function watchBlocks(): () => number {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

async function takeIn(archive: Archive, count: number): Promise<void> {
  const documentsByWeek = byWeek(
    generateDocuments({ count, items: 10, partners: 1_500, products: 5_000, classes: 300 }),
  );
  let milliseconds = 0;
  let longest = 0;
  for (const [from, week] of documentsByWeek) {
    const to = new Date(Date.parse(from) + 6 * 86_400_000).toISOString().slice(0, 10);
    const window = { company, area: 'nfe', by: 'issue', from, to, fetchedAt: new Date() } as const;
    const arrivals = week.map((summary) => ({ summary }));
    const stopWatching = watchBlocks();
    const started = performance.now();
    await archive.store(window, arrivals);
    milliseconds += performance.now() - started;
    longest = Math.max(longest, stopWatching());
  }
  const seconds = milliseconds / 1000;
  const { documents, items, bytes, engine } = await archive.info();
  console.log(
    `${engine}: ${documents} documents, ${items} items in ${seconds.toFixed(1)} s ` +
      `(${((seconds * 1e6) / documents).toFixed(0)} µs each, longest block ${longest.toFixed(0)} ms), ` +
      `${(bytes / 1024 ** 2).toFixed(0)} MB`,
  );
}

function milliseconds(time: number): string {
  return `${time.toFixed(0)} ms`.padStart(7);
}

async function compare(archive: Archive, file: string, rounds: number): Promise<void> {
  const sqlite = await openSqlite(file);
  console.log(`\n${'question'.padEnd(34)} archive  by hand  ratio  source`);
  for (const { title, question, sql } of questions) {
    const times = { archive: [] as number[], hand: [] as number[] };
    let source = '';
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      ({ source } = await archive.ask(question));
      const between = performance.now();
      sqlite.run(sql, []);
      times.archive.push(between - started);
      times.hand.push(performance.now() - between);
    }
    const [own, hand] = [median(times.archive), median(times.hand)];
    const columns = [milliseconds(own), milliseconds(hand), (own / hand).toFixed(2).padStart(5), source];
    console.log(`${title.padEnd(34)} ${columns.join('  ')}`);
  }
  sqlite.close();
}

async function main(documents = '100000', rounds = '7'): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  try {
    const archive = await openArchive({ mode: 'file', folder, keepXml: false });
    await takeIn(archive, Number(documents));
    await compare(archive, join(folder, 'archive.db'), Number(rounds));
    await archive.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main(...process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
