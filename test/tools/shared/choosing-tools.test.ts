import { describe, expect, it } from 'vitest';
import { catalogue, type MessageKey } from '../../../src/messages/index.ts';
import { portableSchema } from '../../../src/server/tool-calls.ts';
import { tools } from '../../../src/tools/index.ts';
import { rankByWords } from '../../support/bm25.ts';

/** All that tells a tool from another: its name, its titles, its description and what it takes. */
const texts = new Map(
  tools.map((tool) => {
    const title = catalogue[`tool.${tool.name}` as MessageKey];
    const schema = JSON.stringify(portableSchema(tool.input(), 'input'));
    const name = tool.name.replaceAll('_', ' ');
    return [tool.name, [name, ...title, tool.description, schema].join(' ')];
  }),
);

/** Questions as people put them, and the tool that answers. */
const questions: readonly (readonly [question: string, tool: string])[] = [
  ['A conexão com o serviço está funcionando?', 'check_connection'],
  ['Does the service answer and accept our credentials?', 'check_connection'],
  ['Me dá só as chaves das notas de ontem', 'list_document_keys'],
  ['List the access keys of October', 'list_document_keys'],
  ['Quais chaves estão na fila de integração do ERP?', 'list_integration_keys'],
  ['Which keys are queued for ERP integration of establishment 3?', 'list_integration_keys'],
  ['Listar os documentos da semana com número, emitente e total', 'list_documents'],
  ['List the documents of the period with date and status', 'list_documents'],
  ['What is there, without dates?', 'list_documents'],
  ['Resumos de NF-e página por página', 'list_nfe_summaries'],
  ["Show the service's own NF-e summaries", 'list_nfe_summaries'],
  ['Ver as capas das NF-e do mês', 'list_nfe_covers'],
  ['Covers of one NF-e', 'list_nfe_covers'],
  ['Classificações dos produtos desta NF-e', 'get_nfe_classifications'],
  ['Product classifications of the note', 'get_nfe_classifications'],
  ['Quero obter o documento desta chave em PDF', 'get_document'],
  ['Get the XML of one document with parties, taxes and items', 'get_document'],
  ['O link SAS expirou, renovar a URL', 'renew_sas_url'],
  ['Renew an expired shared-access URL', 'renew_sas_url'],
  ['O evento de ciência está registrado nesta NF-e?', 'get_nfe_event_status'],
  ['Look up whether the event was registered; the outcome is unknown', 'get_nfe_event_status'],
  ['Manifestar esta NF-e com confirmação da operação', 'manifest_nfe'],
  ["Register the recipient's manifestation on one note", 'manifest_nfe'],
  ['Manifestar várias NF-e de uma vez', 'manifest_nfe_batch'],
  ['Register the same event for several NF-e', 'manifest_nfe_batch'],
  ['Mudar uma configuração da empresa', 'update_company_setting'],
  ['Replace a company setting as a whole', 'update_company_setting'],
  ['Substituir a assinatura da conta', 'update_subscription'],
  ['Replace the account subscription', 'update_subscription'],
  ['Consultar o total de ICMS por CFOP no trimestre', 'query_documents'],
  ['Sum the total by issuer and month', 'query_documents'],
  ['How much freight by group of state?', 'query_documents'],
  ['Quais manifestações estão pendentes?', 'list_pending_manifestations'],
  ['Inbound notes without manifestation, most urgent first', 'list_pending_manifestations'],
  ['Conferir o que está errado nos documentos', 'check_documents'],
  ['Find duplicates, gaps and wrong totals', 'check_documents'],
  ['Conferir a apuração da CBS e os livros com os documentos', 'reconcile'],
  ['Compare my SPED file or ERP list with the documents', 'reconcile'],
  ['Exportar os documentos para uma planilha xlsx', 'export_documents'],
  ['Save the documents of the month as csv', 'export_documents'],
  ['Verificar se este documento é autêntico', 'verify_document'],
  ['Is this document genuine, unchanged since it was signed?', 'verify_document'],
];

describe('a question', () => {
  it('is asked of every tool, in both languages', () => {
    expect(questions).toHaveLength(42);
    expect(new Set(questions.map(([, tool]) => tool))).toEqual(new Set(texts.keys()));
  });

  it.each(questions)('%s → %s', (question, tool) => {
    expect(rankByWords(texts, question).slice(0, 3)).toContain(tool);
  });

  it.each([
    ['Register the manifestation on one NF-e', 'manifest_nfe', 'manifest_nfe_batch'],
    ['Manifestar várias notas', 'manifest_nfe_batch', 'manifest_nfe'],
    ['Listar chaves', 'list_document_keys', 'list_documents'],
    ['Listar documentos', 'list_documents', 'list_document_keys'],
    ['Verificar documento', 'verify_document', 'check_documents'],
    ['Conferir documentos', 'check_documents', 'verify_document'],
    ['Manifestações pendentes', 'list_pending_manifestations', 'manifest_nfe'],
    ['company setting', 'update_company_setting', 'update_subscription'],
    ['subscription', 'update_subscription', 'update_company_setting'],
    ['summaries', 'list_nfe_summaries', 'list_nfe_covers'],
  ])('%s means %s before %s', (question, meant, other) => {
    const ranked = rankByWords(texts, question);
    expect(ranked.indexOf(meant)).toBeLessThan(ranked.indexOf(other));
  });
});
