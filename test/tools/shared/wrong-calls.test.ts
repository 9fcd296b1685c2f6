import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../support/clients.ts';
import { connectInProcess } from '../../support/in-process.ts';

/** Calls as models get them wrong, and the correction that the answer has to name. */
const wrong: readonly (readonly [tool: string, args: object, correction: RegExp])[] = [
  ['list_documents', { document: 'nota', from: 'today' }, /document.*nfe/],
  ['list_documents', { document: 'nfe', from: '31/13/2026', to: '31/10/2026' }, /from.*YYYY-MM-DD/],
  ['list_documents', { document: 'nfe', from: '2026-10-01' }, /"to" is missing/],
  ['list_documents', { document: 'nfe', from: '2026-10-31', to: '2026-10-01' }, /2026-10-31.*2026-10-01/],
  ['list_documents', { document: 'nfe', from: 'mes passado' }, /last_month/],
  ['list_documents', { document: 'nfe', start: '2026-10-01', end: '2026-10-31' }, /"from"/],
  ['list_documents', { document: 'nfe', from: 'today', direction: 'devolucao' }, /direction.*inbound/],
  ['list_documents', { document: 'nfe', from: 'today', cnpj: '48152036000118' }, /cnpj.*(?:digit|\d{2})/],
  ['list_documents', { document: 'nfe', from: 'today', limit: 0 }, /limit.*1/],
  ['list_document_keys', { document: 'cte', from: 'today' }, /direction/],
  ['list_document_keys', { document: 'nfse', from: 'today', direction: 'received' }, /inbound/],
  ['list_document_keys', { doc: 'nfe', from: 'today' }, /"document"/],
  ['get_document', { document: 'nfe' }, /key/],
  ['get_document', { document: 'nfe', key: '123' }, /key.*44/],
  ['get_document', { document: 'nfe', chave: '1' }, /"key"/],
  ['get_document', { document: 'nfse', number: '1' }, /issue_date|issuer_cnpj/],
  ['get_document', { document: 'nfe', key: '1', format: 'danfe' }, /format.*pdf/],
  ['query_documents', { document: 'nfe', from: 'today', group_by: ['buyer'] }, /group_by.*issuer/],
  ['query_documents', { document: 'nfe', from: 'today', measures: ['valor'] }, /measures.*total/],
  [
    'query_documents',
    { document: 'nfe', from: 'today', measures: ['icms'], order_by: 'name' },
    /order_by.*icms/,
  ],
  ['query_documents', { document: 'nfe', from: 'today', status: ['canceled'] }, /status.*cancelled/],
  ['query_documents', { document: 'nfe', from: 'today', state: ['São Paulo'] }, /state.*SP/],
  ['query_documents', { document: 'nfe', from: 'today', min_total: '1.000,00' }, /min_total/],
  [
    'export_documents',
    { document: 'nfe', from: 'today', format: 'csv', supplier: 'x' },
    /"supplier" does not exist here; did you mean "issuer"/,
  ],
  [
    'query_documents',
    { document: 'nfe', from: 'today', fornecedor: 'x', cliente: 'y' },
    /"fornecedor" does not exist here; did you mean "counterparty"/,
  ],
  ['check_documents', { document: 'nfe', from: 'today', rule: ['everything'] }, /rule.*duplicate/],
  ['export_documents', { document: 'nfe', from: 'today', format: 'excel' }, /format.*xlsx/],
  ['export_documents', { document: 'nfe', from: 'today' }, /format/],
  ['get_nfe_event_status', { key: '1', event: 'aceite' }, /event.*ciencia/],
  ['manifest_nfe', { key: '1', event: 'confirmar' }, /event.*confirmacao/],
  ['manifest_nfe', { event: 'ciencia' }, /key/],
  ['manifest_nfe_batch', { keys: [], event: 'ciencia' }, /no key/],
  ['update_company_setting', { company_id: 'x', id: 1, set: 's', name: 'n' }, /company_id/],
  ['update_subscription', { id: 1 }, /account_id/],
  ['renew_sas_url', { url: 'https://documents.example' }, /"old_url"/],
  ['verify_document', {}, /"document" is missing/],
  ['list_pending_manifestations', { days: 30 }, /"days" does not exist/],
];

let server: Connection;
beforeAll(async () => {
  server = await connectInProcess('v1', {
    env: {
      DFE_LANGUAGE: 'en',
      DFE_CNPJ: '48152036000117',
      DFE_URL: 'http://127.0.0.1:9',
      DFE_USER: 'u',
      DFE_PASSWORD: 'p',
      DFE_DOWNLOAD_DIR: 'never-made',
    },
  });
});
afterAll(() => server.close());

describe('a wrong call', () => {
  it.each(wrong)('%s %j is answered with the correction', async (tool, args, correction) => {
    const { isError, text, structured } = await server.call(tool, { ...args });
    expect({ isError, structured }, text).toEqual({ isError: true, structured: undefined });
    expect(text).toMatch(correction);
    expect(text).toMatch(/Nothing was (?:asked or sent|changed at the service)/);
    expect(text.length).toBeLessThan(2_000);
  });
});
