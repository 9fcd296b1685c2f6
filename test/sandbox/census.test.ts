import { expect, it } from 'vitest';
import { createChecker, judge, ownRules } from '../../src/documents/rules/index.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { list, period } from './calls.ts';

/** What some document of the sandbox has to show, so that a question about it has an answer. */
const shown = {
  layouts: ['nfe 4.00', 'cte 4.00', 'nfse national 1.01', 'nfse abrasf 2.04'],
  statuses: ['nfe', 'cte', 'nfse'].flatMap((kind) => [`${kind} authorized`, `${kind} cancelled`]),
  directions: ['nfe', 'cte', 'nfse'].flatMap((kind) => [`${kind} inbound`, `${kind} outbound`]),
  events: ['cte 110111', 'nfe 110110', 'nfe 110111', 'nfe 210200', 'nfe 210210', 'nfe 210240'],
  totals: [
    'nfe: total products discount freight other icms_base icms icms_st icms_mono icms_relieved difal ipi',
    'nfe: import_duty pis cofins ibs_cbs_base ibs cbs total_with_ibs_cbs',
    'cte: total receivable cargo icms_base icms ibs_cbs_base ibs cbs total_with_ibs_cbs',
    'nfse: services total iss pis cofins irrf csll withheld ibs_cbs_base ibs cbs',
  ],
  taxes: [
    'icms icms_base icms_credit icms_st icms_mono icms_relieved difal ipi pis cofins import_duty ibs cbs',
  ],
  codes: [
    'cst: 00 02 10 15 20 40 41 53 60 61 101 102 500 900',
    'cfop: 1102 1403 3101 3102 5101 5102 5201 5401 5405 5653 5656',
    'cfop: 6101 6102 6107 6108 6110 6201 6202 6401 6404 6411 6653 6656',
    'pis_cst: 01 02 04 06 49 50 98',
    'ipi_cst: 00 50 51',
    'class_trib: 000001 200022 200034',
    'icms_rate: 7.0000 12.0000 18.0000 19.5000',
  ],
  fields: ['item: cest discount freight fuel order other reference share'],
};

const named = (lines: readonly string[]) =>
  lines.flatMap((line) => {
    const [group = '', names = line] = line.split(': ');
    return names.split(' ').map((name) => (line.includes(': ') ? `${group} ${name}` : name));
  });

function shownBy(documents: readonly DocumentSummary[], ours: readonly string[]): Set<string> {
  const all = new Set<string>();
  const isSome = (value: unknown) => value !== undefined && !/^0*\.?0*$/.test(String(value));
  for (const document of documents) {
    const { kind, layout, status, issuer, events = [], totals, items = [] } = document;
    all.add(layout ?? '').add(`${kind} ${status}`);
    all.add(`${kind} ${ours.includes(issuer?.id ?? '') ? 'outbound' : 'inbound'}`);
    for (const { code } of events) all.add(`${kind} ${code}`);
    for (const [name, value] of Object.entries(totals)) if (isSome(value)) all.add(`${kind} ${name}`);
    for (const { cst, cfop, taxes, ...item } of items) {
      all.add(`cst ${cst}`).add(`cfop ${cfop}`);
      for (const [name, value] of Object.entries(taxes)) {
        all.add(`${name} ${value}`);
        if (isSome(value)) all.add(name);
      }
      for (const [name, value] of Object.entries(item)) if (isSome(value)) all.add(`item ${name}`);
    }
  }
  return all;
}

it('has a document for every layout, status, event, measure and grouping, read without a warning or finding', async () => {
  const sandbox = await startNovemberSandbox();
  const months = period('01/03/2026', '20/11/2026', '');
  const documents: DocumentSummary[] = [];
  for (const room of ['Mercadoria', 'Transporte', 'Servico']) {
    for (const xml of await list(sandbox, `${room}/RetornaListaXmlPelaEmissao`, months))
      documents.push(...readDocuments(xml));
  }
  const { events, layouts, statuses, directions, ...lines } = shown;
  const wanted = [...layouts, ...statuses, ...directions, ...events];
  const measures = [...named(lines.totals), ...named(lines.codes), ...named(lines.fields)];
  const all = shownBy(
    documents,
    sandbox.companies.map(({ id }) => id),
  );
  expect([...wanted, ...measures, ...named(lines.taxes)].filter((name) => !all.has(name))).toEqual([]);
  expect(documents.flatMap(({ warnings }) => warnings)).toEqual([]);
  const checker = createChecker({}, ownRules);
  const found = documents.flatMap((document) => checker.take(judge(document)));
  expect(found.map(({ rule }) => rule.code).filter((code) => !code.includes('simples'))).toEqual([]);
});
