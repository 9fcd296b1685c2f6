import type { LeftOutReason } from '../archive/store/ask/question.ts';
import type { Message } from './message.ts';

const leftOutMessages = {
  'left_out.cancelled': { 'pt-BR': 'cancelados', en: 'cancelled' },
  'left_out.denied': { 'pt-BR': 'denegados', en: 'denied' },
  'left_out.test': { 'pt-BR': 'de homologação', en: 'from the test environment' },
  'left_out.inexact': {
    'pt-BR': 'com valor que não se guarda exato',
    en: 'with an amount that cannot be kept exactly',
  },
  'left_out.undated': { 'pt-BR': 'com data de entrada incerta', en: 'with an uncertain date of entry' },
  'left_out.not_to_manifest': {
    'pt-BR': 'que não cabe à empresa manifestar',
    en: 'not for the company to manifest',
  },
  'left_out.no_items': { 'pt-BR': 'sem itens', en: 'without items' },
} as const satisfies Record<`left_out.${LeftOutReason}`, Message>;

/** Words around answers that rest on many documents. */
export const analysisMessages = {
  ...leftOutMessages,
  'tool.query_documents': { 'pt-BR': 'Perguntar aos documentos', en: 'Query documents' },
  'tool.list_pending_manifestations': { 'pt-BR': 'Manifestações pendentes', en: 'Pending manifestations' },
  'tool.check_documents': { 'pt-BR': 'Conferir documentos', en: 'Check documents' },
  'tool.export_documents': { 'pt-BR': 'Exportar documentos', en: 'Export documents' },
  'analysis.progress': {
    'pt-BR': '{done} de {days} dias, {documents} documentos',
    en: '{done} of {days} days, {documents} documents',
  },
  'analysis.rests_on': { 'pt-BR': 'Base: {documents} documentos.', en: 'Basis: {documents} documents.' },
  'analysis.left_out': { 'pt-BR': 'Ficaram fora: {words}.', en: 'Left out: {words}.' },
  'analysis.missing': {
    'pt-BR': 'INCOMPLETO: faltam os dias {days}, que o serviço não entregou ({reason})',
    en: 'INCOMPLETE: the days {days} are missing, the service did not deliver them ({reason})',
  },
  'analysis.dated_elsewhere': {
    'pt-BR':
      'o serviço listou nestes dias {count} documento(s) com outra data de emissão, que contam nela: o relógio do serviço não é o dos documentos; peça um dia a mais de cada lado para ter todos os das bordas',
    en: 'in these days the service listed {count} document(s) of another date of issue, which count there: its clock is not that of the documents; ask for a day more on each side to have all at the edges',
  },
  'analysis.partial': {
    'pt-BR': 'PARCIAL: ainda não lidos {days}; chame de novo com o cursor para continuar',
    en: 'PARTIAL: not read yet {days}; call again with the cursor to go on',
  },
  'analysis.groups': { 'pt-BR': '{total} grupos, {shown} mostrados', en: '{total} groups, {shown} shown' },
  'analysis.items_basis': {
    'pt-BR': 'somado por item; {unavailable} só existe por documento e fica em branco',
    en: 'summed by item; {unavailable} exists per document only and stays blank',
  },
  'analysis.by_item': { 'pt-BR': 'somado por item', en: 'summed by item' },
  'analysis.findings': {
    'pt-BR': '{total} achados, {shown} mostrados',
    en: '{total} findings, {shown} shown',
  },
  'analysis.pending': {
    'pt-BR':
      '{total} NF-e sem evento conclusivo conhecido; {shown} mostradas; {settled} o serviço já tem como concluídas',
    en: '{total} NF-e without a known conclusive event; {shown} shown; {settled} are settled according to the service',
  },
  'analysis.pending_basis': {
    'pt-BR':
      'rests_on diz em que cada linha se apoia: eventos que vieram com os documentos, o diário, o serviço, ou "unclear" quando não se pode afirmar',
    en: 'rests_on says what each line rests on: events that came with the documents, the journal, the service, or "unclear" where nothing can be said for certain',
  },
  'analysis.asking_status': {
    'pt-BR': '{asked} consultas de situação feitas',
    en: '{asked} status questions asked',
  },
  'analysis.exporting': { 'pt-BR': '{rows} linhas gravadas', en: '{rows} rows written' },
  'analysis.exported': {
    'pt-BR': 'Salvo em {path}: {rows} linhas, {bytes} bytes.',
    en: 'Saved as {path}: {rows} rows, {bytes} bytes.',
  },
  'analysis.export_waits': {
    'pt-BR': 'Nada gravado ainda: chame de novo com o cursor.',
    en: 'Nothing written yet: call again with the cursor.',
  },
  'analysis.export_part': {
    'pt-BR': 'PARCIAL: até o documento {reached} de {total}; o cursor continua em outro arquivo.',
    en: 'PARTIAL: up to document {reached} of {total}; the cursor goes on in another file.',
  },
  'analysis.zip_part': {
    'pt-BR': 'Com DFE_ARCHIVE_XML o XML fica guardado e não é buscado um a um.',
    en: 'With DFE_ARCHIVE_XML the XML is kept and need not be fetched one by one.',
  },
  'analysis.zip_stopped': {
    'pt-BR': 'O serviço deixou de responder no meio.',
    en: 'The service stopped answering on the way.',
  },
  'analysis.without_xml': {
    'pt-BR': '{count} documentos sem XML, com o motivo no manifesto',
    en: '{count} documents without XML, with the reason in the manifest',
  },
  'analysis.not_alone': {
    'pt-BR':
      'o serviço não entrega este documento sozinho: falta a ele chave válida, ou número, data e emitente',
    en: 'the service cannot be asked for this document alone: it lacks a valid key, or number, date and issuer',
  },
  'analysis.links_incomplete': {
    'pt-BR':
      'o outro lado da ligação entre CT-e e NF-e não está completo: do que depende desses dias nada é dito',
    en: 'the other side of the link between CT-e and NF-e is not complete: nothing is said of what rests on those days',
  },
} as const satisfies Record<string, Message>;
