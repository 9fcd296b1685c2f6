import type { LeftOutReason } from '../archive/store/ask/question.ts';
import type { Message } from './message.ts';

const leftOutMessages = {
  'left_out.cancelled': { 'pt-BR': '{count} {count:cancelado|cancelados}', en: '{count} cancelled' },
  'left_out.denied': { 'pt-BR': '{count} {count:denegado|denegados}', en: '{count} denied' },
  'left_out.test': { 'pt-BR': '{count} de homologação', en: '{count} from the test environment' },
  'left_out.inexact': {
    'pt-BR': '{count} com valor que não pode ser guardado com exatidão',
    en: '{count} with an amount that cannot be kept exactly',
  },
  'left_out.outdated': {
    'pt-BR':
      '{count} {count:guardado|guardados} por uma versão anterior, que ainda {count:não foi lido|não foram lidos} de novo',
    en: '{count} kept by an earlier version and not read again yet',
  },
  'left_out.undated': {
    'pt-BR': '{count} com data de entrada incerta',
    en: '{count} with an uncertain date of entry',
  },
  'left_out.not_to_manifest': {
    'pt-BR': '{count} que não {count:cabe|cabem} à empresa manifestar',
    en: '{count} not for the company to manifest',
  },
  'left_out.no_items': { 'pt-BR': '{count} sem itens', en: '{count} without items' },
} as const satisfies Record<`left_out.${LeftOutReason}`, Message>;

/** Words around answers that rest on many documents. */
export const analysisMessages = {
  ...leftOutMessages,
  'tool.query_documents': { 'pt-BR': 'Consultar documentos', en: 'Query documents' },
  'tool.list_pending_manifestations': { 'pt-BR': 'Manifestações pendentes', en: 'Pending manifestations' },
  'tool.check_documents': { 'pt-BR': 'Conferir documentos', en: 'Check documents' },
  'tool.export_documents': { 'pt-BR': 'Exportar documentos', en: 'Export documents' },
  'resolved.as': {
    'pt-BR': '{argument} "{given}": {found}.',
    en: '{argument} "{given}": {found}.',
  },
  'resolved.nobody': {
    'pt-BR': '{argument}: nenhum nome com "{given}" nos documentos lidos até aqui.',
    en: '{argument}: no name with "{given}" in the documents read so far.',
  },
  'analysis.progress': {
    'pt-BR': '{done} de {days} {days:dia|dias}, {documents} {documents:documento|documentos}',
    en: '{done} of {days} {days:day|days}, {documents} {documents:document|documents}',
  },
  'analysis.checking': {
    'pt-BR': '{done} de {total} {total:documento conferido|documentos conferidos}',
    en: '{done} of {total} {total:document|documents} checked',
  },
  'analysis.rests_on': {
    'pt-BR': 'Base: {documents} {documents:documento|documentos}.',
    en: 'Basis: {documents} {documents:document|documents}.',
  },
  'analysis.left_out': { 'pt-BR': 'De fora: {words}.', en: 'Left out: {words}.' },
  'analysis.missing': {
    'pt-BR': 'INCOMPLETO: não foi possível obter {days} ({reason})',
    en: 'INCOMPLETE: could not get {days} ({reason})',
  },
  'analysis.dated_elsewhere': {
    'pt-BR':
      'nestes dias o serviço listou {count} {count:documento com outra data de emissão, que conta|documentos com outra data de emissão, que contam} na própria data: o relógio do serviço não é o dos documentos; peça um dia a mais de cada lado para ter todos os das bordas',
    en: 'in these days the service listed {count} {count:document of another date of issue, which counts|documents of another date of issue, which count} there: its clock is not that of the documents; ask for one more day on each side to have all at the edges',
  },
  'analysis.partial': {
    'pt-BR': 'PARCIAL: falta ler {days}; chame de novo com o cursor para continuar',
    en: 'PARTIAL: still to be read: {days}; call again with the cursor to continue',
  },
  'analysis.groups': {
    'pt-BR': '{total} {total:grupo|grupos}, {shown} {shown:mostrado|mostrados}',
    en: '{total} {total:group|groups}, {shown} shown',
  },
  'analysis.total_row': { 'pt-BR': 'TOTAL', en: 'TOTAL' },
  'analysis.list_total': {
    'pt-BR': 'TOTAL {kind}: {count} {count:documento|documentos}, {total}',
    en: 'TOTAL {kind}: {count} {count:document|documents}, {total}',
  },
  'analysis.by_entry': {
    'pt-BR': 'Cada documento conta no dia de entrada em que o serviço o listou.',
    en: 'Each document counts on the day of entry on which the service listed it.',
  },
  'analysis.items_basis': {
    'pt-BR': '{unavailable} só existe por documento e fica em branco',
    en: '{unavailable} exists per document only and is left blank',
  },
  'analysis.by_item': {
    'pt-BR': 'soma por item: total é a parte do item no total da nota, products é o valor bruto',
    en: 'summed by item: total is the item’s share of the note’s total, products its gross value',
  },
  'analysis.all_statuses': {
    'pt-BR': 'o total soma todas as situações, também documentos sem efeito (cancelados, denegados)',
    en: 'the total adds up all statuses, also documents without effect (cancelled, denied)',
  },
  'analysis.no_items_part': {
    'pt-BR': 'a linha sem código tem o que não é de nenhum item ou vem de item sem o código',
    en: 'the row without a code holds what belongs to no item, or to items without the code',
  },
  'analysis.beside_credit': {
    'pt-BR': 'icms não inclui {amount} de crédito do Simples (icms_credit)',
    en: 'icms leaves out {amount} of Simples credit (icms_credit)',
  },
  'analysis.beside_contributions': {
    'pt-BR':
      'mais {amount} de PIS, COFINS e CSLL retidos vêm somados nas notas, sem dizer quanto é de cada um, e não entram em nenhum dos três',
    en: 'another {amount} of withheld PIS, COFINS and CSLL comes as one sum in the notes, which do not say how much is of each, and is in none of the three',
  },
  'analysis.turn_of_year': {
    'pt-BR':
      'desde 01/01/2027 o preço dos produtos contém IBS, CBS e IS (menos na importação), antes não: para comparar, use products_net',
    en: 'from 1 January 2027 the price of goods includes IBS, CBS and IS (except on imports), before that it does not: to compare, use products_net',
  },
  'analysis.signatures': {
    'pt-BR':
      'Assinaturas: {judged} {judged:documento conferido|documentos conferidos}, {others} sem conferir',
    en: 'Signatures: {judged} {judged:document|documents} verified, {others} not',
  },
  'analysis.not_judged': { 'pt-BR': '{count} sem conferir: {reason}', en: '{count} not judged: {reason}' },
  'analysis.findings': {
    'pt-BR':
      '{total} {total:achado|achados} em {documents} {documents:documento|documentos}, {rules} {rules:regra conferida|regras conferidas}; {shown} {shown:mostrado|mostrados}',
    en: '{total} {total:finding|findings} in {documents} {documents:document|documents}, {rules} {rules:rule|rules} checked; {shown} shown',
  },
  'analysis.examined_so_far': {
    'pt-BR':
      'PARCIAL: conferidos até aqui {documents} {documents:documento|documentos}; chame de novo com o cursor para continuar',
    en: 'PARTIAL: {documents} {documents:document|documents} checked so far; call again with the cursor to continue',
  },
  'analysis.findings_kept': {
    'pt-BR':
      'as páginas mostram só {kept} {kept:achado|achados}; peça menos dias ou uma regra (rule) para ver os outros',
    en: 'the pages show only {kept} {kept:finding|findings}; ask for fewer days or one rule to see the others',
  },
  'analysis.rules_of_others': {
    'pt-BR': '{rules}: não se {count:aplica|aplicam} a {kinds}, e nada foi conferido por {count:ela|elas}',
    en: '{rules} {count:does|do} not apply to {kinds}, and nothing was checked by {count:it|them}',
  },
  'analysis.clean_rules': {
    'pt-BR': '{count} {count:regra|regras} sem achados',
    en: '{count} {count:rule|rules} without findings',
  },
  'severity.error': { 'pt-BR': 'erro', en: 'error' },
  'severity.warning': { 'pt-BR': 'alerta', en: 'warning' },
  'severity.info': { 'pt-BR': 'informação', en: 'info' },
  'analysis.pending': {
    'pt-BR':
      '{total} NF-e sem evento conclusivo conhecido; {shown} {shown:mostrada|mostradas}; {settled} já {settled:concluída|concluídas} segundo o serviço',
    en: '{total} NF-e without a known conclusive event; {shown} shown; {settled} settled according to the service',
  },
  'analysis.tacitly_confirmed': {
    'pt-BR':
      'Mais {count} {count:confirmada|confirmadas} tacitamente, no fim da lista: os 90 dias terminaram sem evento conclusivo, e um evento agora deve ser recusado (596)',
    en: '{count} more {count:is|are} tacitly confirmed, at the end of the list: the 90 days ended without a conclusive event, and an event should be rejected now (596)',
  },
  'analysis.perhaps_confirmed': {
    'pt-BR':
      'as que têm prazo negativo e não constam como tacitamente confirmadas foram autorizadas antes de 01/06/2026, quando o prazo era maior: os textos não dizem qual vale para elas',
    en: 'those with negative days that are not tacitly confirmed were authorised before 1 June 2026, when the term was longer: the texts do not say which one holds for them',
  },
  'analysis.pending_basis': {
    'pt-BR':
      'a coluna rests_on mostra a origem da informação: documents (eventos que vieram com os documentos), journal (o diário), service (o serviço) ou unclear (não dá para afirmar)',
    en: 'the column rests_on shows where the information is from: documents (events that came with them), journal, service, or unclear (cannot be said for certain)',
  },
  'analysis.asking_status': {
    'pt-BR': '{asked} {asked:situação consultada|situações consultadas}',
    en: '{asked} {asked:status|statuses} looked up',
  },
  'analysis.exporting': {
    'pt-BR': '{rows} {rows:linha gravada|linhas gravadas}',
    en: '{rows} {rows:row|rows} written',
  },
  'analysis.exported': {
    'pt-BR': 'Salvo em {path}: {documents} {documents:documento|documentos}, {bytes} bytes.',
    en: 'Saved as {path}: {documents} {documents:document|documents}, {bytes} bytes.',
  },
  'analysis.exported_items': {
    'pt-BR':
      'Salvo em {path}: {documents} {documents:documento|documentos} em {rows} {rows:linha|linhas} de itens, {bytes} bytes.',
    en: 'Saved as {path}: {documents} {documents:document|documents} in {rows} {rows:line|lines} of items, {bytes} bytes.',
  },
  'analysis.export_waits': {
    'pt-BR': 'Nada gravado ainda: chame de novo com o cursor.',
    en: 'Nothing written yet: call again with the cursor.',
  },
  'analysis.export_part': {
    'pt-BR': 'PARCIAL: até o documento {reached} de {total}; o cursor continua em outro arquivo.',
    en: 'PARTIAL: up to document {reached} of {total}; the cursor continues in another file.',
  },
  'analysis.rendered': {
    'pt-BR': '{count} {count:folha desenhada|folhas desenhadas} a partir do XML (origin: rendered).',
    en: '{count} {count:sheet|sheets} drawn from the XML (origin: rendered).',
  },
  'analysis.zip_part': {
    'pt-BR': 'Com DFE_ARCHIVE_XML o XML fica guardado e não precisa ser buscado um a um.',
    en: 'With DFE_ARCHIVE_XML the XML is kept and need not be fetched one by one.',
  },
  'analysis.zip_stopped': {
    'pt-BR': 'O serviço parou de responder no meio.',
    en: 'The service stopped responding midway.',
  },
  'analysis.without_xml': {
    'pt-BR': '{count} {count:documento|documentos} sem XML, com o motivo em manifest.csv',
    en: '{count} {count:document|documents} without XML, with the reason in manifest.csv',
  },
  'analysis.not_alone': {
    'pt-BR': 'o serviço não entrega este documento sozinho: falta chave válida, ou número, data e emitente',
    en: 'cannot be looked up at the service: no valid key, or no number, date and issuer',
  },
  'analysis.links_incomplete': {
    'pt-BR':
      'o outro lado da ligação entre CT-e e NF-e não está completo: nada se diz do que depende desses dias',
    en: 'the other side of the link between CT-e and NF-e is not complete: nothing is said of what depends on those days',
  },
} as const satisfies Record<string, Message>;
