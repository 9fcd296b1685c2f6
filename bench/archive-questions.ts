import type { Question } from '../src/archive/archive.ts';
import type { DocumentSummary } from '../src/documents/summary/summary.ts';
import { company } from '../test/archive/generated-documents.ts';

const year = { company, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31', limit: 20 } as const;
const november = { ...year, from: '2026-11-01', to: '2026-11-30' };
const inDocuments = `from placements p join documents d on d.tenant = p.tenant and d.id = p.document_id
  where p.company = '${company}' and p.area = 'nfe' and p.date_field = 'issue' and d.exclusion = ''
    and d.status not in ('cancelled', 'denied')`;
const inItems = inDocuments.replace(
  'where',
  'join items i on i.tenant = d.tenant and i.document_id = d.id where',
);
const ofYear = "and p.from_day >= '2026-01-01' and p.to_day <= '2026-12-31'";
const ofNovember = "and p.from_day >= '2026-11-01' and p.to_day <= '2026-11-30'";
const partner = '20000000000007';

/** Each question with the SQL that somebody would write for it who knows the tables but not the roll-ups. */
export const questions: readonly { title: string; question: Question; sql: string }[] = [
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
      ${inItems.replace('where', 'join descriptions s on s.tenant = i.tenant and s.id = i.description_id where')} ${ofYear}
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
      and i.ncm like '7308%' group by 1, 2`,
  },
];

const DAY_MS = 86_400_000;

/** A week with more documents than these ends with the day that reaches so many, so that any number fits into memory. */
const FULL = 2_000;

function dayOf({ issued_at = '' }: DocumentSummary): string {
  return issued_at.slice(0, 10);
}

function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

function mondayOf(day: string): string {
  return daysAfter(day, -((new Date(day).getUTCDay() + 6) % 7));
}

type Week = [from: string, to: string, DocumentSummary[]];

/** One week's documents after the other's, in the order of their days; a full week in parts. */
export function* byWeek(documents: Iterable<DocumentSummary>): Generator<Week> {
  let week: DocumentSummary[] = [];
  let [from, last] = ['', ''];
  for (const summary of documents) {
    const day = dayOf(summary);
    const monday = mondayOf(day);
    const isNewWeek = mondayOf(last || day) !== monday;
    if (isNewWeek || (day !== last && week.length >= FULL)) {
      if (week.length > 0) yield [from, isNewWeek ? daysAfter(mondayOf(last), 6) : last, week];
      from = isNewWeek ? monday : daysAfter(last, 1);
      week = [];
    }
    from ||= monday;
    last = day;
    week.push(summary);
  }
  if (week.length > 0) yield [from, daysAfter(mondayOf(last), 6), week];
}
