import type { LeftOutReason } from '../archive/ask/question.ts';
import type { Message } from './message.ts';

/** Answers that rest on many documents, and whether a document is genuine. */
export const analysisMessages = {
  'left_out.cancelled': ['{count} {count:cancelado|cancelados}', '{count} cancelled'],
  'left_out.denied': ['{count} {count:denegado|denegados}', '{count} denied'],
  'left_out.test': ['{count} de homologação', '{count} from the test environment'],
  'left_out.inexact': [
    '{count} com valor que não pode ser guardado com exatidão',
    '{count} with an amount that cannot be kept exactly',
  ],
  'left_out.undated': ['{count} com data de entrada incerta', '{count} with an uncertain date of entry'],
  'left_out.not_to_manifest': [
    '{count} que não {count:cabe|cabem} à empresa manifestar',
    '{count} not for the company to manifest',
  ],
  'left_out.no_items': ['{count} sem itens', '{count} without items'],
  'tool.query_documents': ['Consultar documentos', 'Query documents'],
  'tool.list_pending_manifestations': ['Manifestações pendentes', 'Pending manifestations'],
  'tool.check_documents': ['Conferir documentos', 'Check documents'],
  'tool.reconcile': ['Conferir livros e apuração', 'Reconcile books and assessment'],
  'reconcile.no_folder': [
    'Nenhuma pasta de arquivos está configurada: ponha o arquivo (SPED, apuração da CBS, lista CSV ou XLSX) numa pasta e aponte DFE_FILES para ela.',
    'No folder of files is configured: put the file (SPED, CBS assessment, CSV or XLSX list) into a folder and point DFE_FILES at it.',
  ],
  'reconcile.none_readable': [
    'Nenhum arquivo pôde ser lido: {reasons}.',
    'No file could be read: {reasons}.',
  ],
  'reconcile.unknown_column': [
    'columns: "{field}" não é um campo; use {fields}',
    'columns: "{field}" is no field; use {fields}',
  ],
  'tool.export_documents': ['Exportar documentos', 'Export documents'],
  'resolved.as': ['{argument} "{given}": {found}.', '{argument} "{given}": {found}.'],
  'resolved.nobody': [
    '{argument}: nenhum nome com "{given}" entre as partes identificadas (CNPJ, CPF ou id estrangeiro) nos documentos lidos até aqui.',
    '{argument}: no name with "{given}" among the parties identified (CNPJ, CPF or foreign id) in the documents read so far.',
  ],
  'analysis.progress': [
    '{done} de {days} {days:dia|dias}, {documents} {documents:documento|documentos}',
    '{done} of {days} {days:day|days}, {documents} {documents:document|documents}',
  ],
  'analysis.checking': [
    '{done} de {total} {total:documento conferido|documentos conferidos}',
    '{done} of {total} {total:document|documents} checked',
  ],
  'analysis.rests_on': [
    'Base: {documents} {documents:documento|documentos}.',
    'Basis: {documents} {documents:document|documents}.',
  ],
  'analysis.known_from': ['Primeiro documento conhecido aqui: {day}.', 'First document known here: {day}.'],
  'analysis.not_begun': [
    'O período ainda não começou: hoje é {today}.',
    'The period has not begun: today is {today}.',
  ],
  'analysis.days_to_come': [
    'O período vai além de hoje ({today}); dos dias seguintes ainda não há documentos.',
    'The period goes beyond today ({today}); the following days have no documents yet.',
  ],
  'analysis.left_out': ['De fora: {words}.', 'Left out: {words}.'],
  'analysis.kept_in_table': [
    'Na tabela e fora dos totais, marcados na coluna "Fora dos totais": {words}.',
    'In the table and outside its totals, marked in the column "Left out of totals": {words}.',
  ],
  'analysis.missing': [
    'INCOMPLETO: não foi possível obter {days} ({reason})',
    'INCOMPLETE: could not get {days} ({reason})',
  ],
  'analysis.dated_elsewhere': [
    'nestes dias o serviço listou {count} {count:documento com outra data de emissão, que conta|documentos com outra data de emissão, que contam} na própria data: o relógio do serviço não é o dos documentos; peça um dia a mais de cada lado para ter todos os das bordas',
    'in these days the service listed {count} {count:document of another date of issue, which counts|documents of another date of issue, which count} there: its clock is not that of the documents; ask for one more day on each side to have all at the edges',
  ],
  'analysis.partial': [
    'PARCIAL: falta ler {days}; chame de novo com o cursor para continuar',
    'PARTIAL: still to be read: {days}; call again with the cursor to continue',
  ],
  'analysis.groups': [
    '{total} {total:grupo|grupos}, {shown} {shown:mostrado|mostrados}',
    '{total} {total:group|groups}, {shown} shown',
  ],
  'analysis.groups_gone': ['{count} só do período anterior', '{count} of the earlier period only'],
  'analysis.compared': [
    'Comparado com {period}: {documents} {documents:documento|documentos}.',
    'Compared with {period}: {documents} {documents:document|documents}.',
  ],
  'analysis.no_change': [
    'sem variação: um dos períodos está em curso ou incompleto',
    'no change given: one of the periods is under way or incomplete',
  ],
  'analysis.heading_net': ['{name} (líquido)', '{name} (net)'],
  'analysis.heading_gross': ['{name} (bruto)', '{name} (gross)'],
  'analysis.gross_beside': [
    'total é o valor líquido; o bruto (services) é {amount}',
    'total is net; gross (services) is {amount}',
  ],
  'analysis.net_total': ['total é o valor líquido; o bruto é services', 'total is net; gross is services'],
  'analysis.void_listed': [
    'cancelados e denegados aparecem na lista e não entram no total',
    'cancelled and denied documents are listed and in no total',
  ],
  'analysis.void_by_number': [
    'há cancelado ou denegado com esse número, fora da soma; sem group_by nem measures a lista o mostra',
    'a cancelled or denied document has this number and is in no sum; without group_by and measures the list shows it',
  ],
  'analysis.carriage_paid': [
    'CT-e: frete de {own} pago pela empresa e de {others} por outros (payer).',
    'CT-e: freight of {own} paid by the company and of {others} by others (payer).',
  ],
  'analysis.others_row': ['OUTROS', 'OTHERS'],
  'analysis.total_row': ['TOTAL', 'TOTAL'],
  'analysis.list_total': [
    'TOTAL {kind}: {count} {count:documento|documentos}, {total}',
    'TOTAL {kind}: {count} {count:document|documents}, {total}',
  ],
  'analysis.by_entry': [
    'Cada documento conta no dia de entrada em que o serviço o listou.',
    'Each document counts on the day of entry on which the service listed it.',
  ],
  'analysis.by_due': [
    'Por vencimento: só notas com parcelas (duplicatas), e delas as parcelas; linha sem dia são parcelas sem vencimento.',
    'By due day: only notes with instalments (duplicatas), and of these the instalments; the row without a day are those that name none.',
  ],
  'analysis.text_in.names': [
    'nomes, CNPJ, número, chave (também a de um documento que ele cita) e natureza',
    'names, ids, number, key (also of a document it refers to) and subject',
  ],
  'analysis.text_in.items': ['descrições', 'descriptions'],
  'analysis.text_in.codes': ['códigos dos itens', 'item codes'],
  'analysis.text_in.orders': ['pedidos', 'orders'],
  'analysis.text_in.remarks': [
    'observações, pagamento e componentes do frete',
    'remarks, payment and components of freight',
  ],
  'analysis.text_documents': [
    'Texto procurado em: {places}; contam documentos inteiros.',
    'Text looked for in: {places}; whole documents count.',
  ],
  'analysis.text_items': [
    'Texto procurado em: {places}; contam só os itens que o têm.',
    'Text looked for in: {places}; only items with it count.',
  ],
  'analysis.events_known': [
    'Eventos: os que vieram com documentos, listas e respostas do serviço; os que faltam, list_pending_manifestations pergunta.',
    'Events: those that came with documents, lists and replies of the service; list_pending_manifestations asks for what is missing.',
  ],
  'analysis.items_basis': [
    '{unavailable} só existe por documento, não por item nem por parcela',
    '{unavailable} exists per document only, not by item or instalment',
  ],
  'analysis.not_in_kind': ['{kind} não tem {names}.', '{names}: not available for {kind}.'],
  'analysis.filter_not_in_kind': [
    '{kind} não tem {names}: nenhum documento pode atender a esse filtro.',
    '{names}: not available for {kind}, so that no document can meet this filter.',
  ],
  'analysis.by_item': [
    'soma por item: total é a parte do item no total da nota, products é o valor bruto',
    'summed by item: total is the item’s share of the note’s total, products its gross value',
  ],
  'analysis.all_statuses': [
    'o total soma todas as situações, também documentos sem efeito (cancelados, denegados)',
    'the total adds up all statuses, also documents without effect (cancelled, denied)',
  ],
  'analysis.no_items_part': [
    'a linha sem código tem o que não é de nenhum item ou vem de item sem o código',
    'the row without a code holds what belongs to no item, or to items without the code',
  ],
  'analysis.beside_credit': [
    'icms não inclui {amount} de crédito do Simples (icms_credit)',
    'icms leaves out {amount} of Simples credit (icms_credit)',
  ],
  'analysis.beside_contributions': [
    'mais {amount} de PIS, COFINS e CSLL retidos vêm somados nas notas, sem dizer quanto é de cada um, e não entram em nenhum dos três',
    'another {amount} of withheld PIS, COFINS and CSLL comes as one sum in the notes, which do not say how much is of each, and is in none of the three',
  ],
  'analysis.turn_of_year': [
    'desde 01/01/2027 o preço dos produtos contém IBS, CBS e IS (menos na importação), antes não: para comparar, use products_net',
    'from 1 January 2027 the price of goods includes IBS, CBS and IS (except on imports), before that it does not: to compare, use products_net',
  ],
  'analysis.signatures': [
    'Assinaturas: {judged} {judged:documento conferido|documentos conferidos}, {others} sem conferir',
    'Signatures: {judged} {judged:document|documents} verified, {others} not',
  ],
  'analysis.not_judged': ['{count} sem conferir: {reason}', '{count} not judged: {reason}'],
  'analysis.findings': [
    '{total} {total:achado|achados} em {documents} {documents:documento|documentos}, {rules} {rules:regra se aplicou|regras se aplicaram} a algum; {shown} {shown:mostrado|mostrados}',
    '{total} {total:finding|findings} in {documents} {documents:document|documents}, {rules} {rules:rule|rules} applied to any of them; {shown} shown',
  ],
  'analysis.examined_so_far': [
    'PARCIAL: conferidos até aqui {documents} {documents:documento|documentos}; chame de novo com o cursor para continuar',
    'PARTIAL: {documents} {documents:document|documents} checked so far; call again with the cursor to continue',
  ],
  'analysis.findings_kept': [
    'as páginas mostram só {kept} {kept:achado|achados}; peça menos dias ou uma regra (rule) para ver os outros',
    'the pages show only {kept} {kept:finding|findings}; ask for fewer days or one rule to see the others',
  ],
  'analysis.rule_found': [
    '{count}× {rule}, em {applied_to} {applied_to:documento conferido|documentos conferidos}',
    '{count}× {rule}, of {applied_to} {applied_to:document|documents} it applied to',
  ],
  'analysis.clean_rules': [
    'Sem achados, por número de documentos a que cada regra se aplicou',
    'Without findings, by the number of documents each rule applied to',
  ],
  'analysis.rules_not_applied': [
    '{count} {count:regra não se aplicou|regras não se aplicaram} a nenhum documento e nada {count:conferiu|conferiram}',
    '{count} {count:rule|rules} applied to none of the documents and checked nothing',
  ],
  'severity.error': ['erro', 'error'],
  'severity.warning': ['alerta', 'warning'],
  'severity.info': ['informação', 'info'],
  'analysis.pending': [
    '{total} NF-e sem evento conclusivo conhecido; {shown} {shown:mostrada|mostradas}; {settled} já {settled:concluída|concluídas} segundo o serviço',
    '{total} NF-e without a known conclusive event; {shown} shown; {settled} settled according to the service',
  ],
  'analysis.tacitly_confirmed': [
    'Mais {count} {count:confirmada|confirmadas} tacitamente, no fim da lista: os 90 dias terminaram sem evento conclusivo, e um evento agora deve ser recusado (596)',
    '{count} more {count:is|are} tacitly confirmed, at the end of the list: the 90 days ended without a conclusive event, and an event should be rejected now (596)',
  ],
  'analysis.perhaps_confirmed': [
    'as que têm prazo negativo e não constam como tacitamente confirmadas foram autorizadas antes de 01/06/2026, quando o prazo era maior: os textos não dizem qual vale para elas',
    'those with negative days that are not tacitly confirmed were authorised before 1 June 2026, when the term was longer: the texts do not say which one holds for them',
  ],
  'analysis.pending_basis': [
    'a coluna rests_on mostra a origem da informação: documents (eventos que vieram com os documentos), journal (o diário), service (o serviço) ou unclear (não dá para afirmar)',
    'the column rests_on shows where the information is from: documents (events that came with them), journal, service, or unclear (cannot be said for certain)',
  ],
  'analysis.asking_status': [
    '{asked} {asked:situação consultada|situações consultadas}',
    '{asked} {asked:status|statuses} looked up',
  ],
  'analysis.exporting': ['{rows} {rows:linha gravada|linhas gravadas}', '{rows} {rows:row|rows} written'],
  'export.company': ['Empresa', 'Company'],
  'export.documents': ['Documentos', 'Documents'],
  'export.period': ['Período', 'Period'],
  'export.filters': ['Só uma parte do período', 'Only a part of the period'],
  'export.issuer': ['emitente {names}', 'issuer {names}'],
  'export.recipient': ['destinatário {names}', 'recipient {names}'],
  'export.payer': ['tomador {names}', 'payer {names}'],
  'export.status': ['situação {names}', 'status {names}'],
  'export.as_of': ['Dados de', 'Data as of'],
  'export.part': [
    '⚠ Só uma parte: documentos {first} a {last} de {total}. Os totais são desta parte.',
    '⚠ A part only: documents {first} to {last} of {total}. The totals are of this part.',
  ],
  'analysis.export_waits': [
    'Nada gravado ainda, a leitura continua: chame de novo com o cursor.',
    'Nothing written yet, reading goes on: call again with the cursor.',
  ],
  'analysis.export_part': [
    'PARCIAL: até o documento {reached} de {total}; o cursor continua em outro arquivo.',
    'PARTIAL: up to document {reached} of {total}; the cursor continues in another file.',
  ],
  'analysis.rendered': [
    '{count} {count:folha desenhada|folhas desenhadas} a partir do XML (origin: rendered).',
    '{count} {count:sheet|sheets} drawn from the XML (origin: rendered).',
  ],
  'analysis.zip_part': [
    'Com DFE_ARCHIVE_XML o XML fica guardado e não precisa ser buscado um a um.',
    'With DFE_ARCHIVE_XML the XML is kept and need not be fetched one by one.',
  ],
  'analysis.zip_stopped': ['O serviço parou de responder no meio.', 'The service stopped responding midway.'],
  'analysis.without_xml': [
    '{count} {count:documento|documentos} sem XML, com o motivo em manifest.csv',
    '{count} {count:document|documents} without XML, with the reason in manifest.csv',
  ],
  'analysis.not_alone': [
    'o serviço não entrega este documento sozinho: falta chave válida, ou número, data e emitente',
    'cannot be looked up at the service: no valid key, or no number, date and issuer',
  ],
  'analysis.links_incomplete': [
    'o outro lado da ligação entre CT-e e NF-e não está completo: nada se diz do que depende desses dias',
    'the other side of the link between CT-e and NF-e is not complete: nothing is said of what depends on those days',
  ],

  // Whether a document is genuine: three separate results, since each says something else.
  'verify.content': ['Conteúdo', 'Content'],
  'verify.unchanged_as_is': ['inalterado desde a assinatura', 'unchanged since it was signed'],
  'verify.unchanged_own_namespaces': [
    'inalterado desde a assinatura (conferido sem o envelope em que veio)',
    'unchanged since it was signed (checked without the envelope it came in)',
  ],
  'verify.unchanged_without_blanks': [
    'inalterado desde a assinatura, a não ser por espaços entre as tags',
    'unchanged since it was signed, apart from whitespace between its tags',
  ],
  'verify.content_changed': ['⚠ não é o que foi assinado ({reason})', '⚠ not what was signed ({reason})'],
  'verify.content_unknown': [
    'não dá para saber se foi alterado ({reason}); isso não quer dizer que seja falso',
    'whether it was changed cannot be determined ({reason}); that does not make it false',
  ],
  'verify.signer': ['Assinante', 'Signer'],
  'verify.signer_matches': [
    '{who}, o emitente ou outro estabelecimento dele',
    '{who}, the issuer or another of its establishments',
  ],
  'verify.signer_differs': ['⚠ {who}, que não é o emitente', '⚠ {who}, not the issuer'],
  'verify.signer_unknown': [
    '{who}; não dá para saber se é quem devia assinar',
    '{who}; whether this is who should have signed cannot be determined',
  ],
  'verify.signer_national': ['{who}, servidor da NFS-e nacional', '{who}, the national NFS-e server'],
  'verify.signer_nameless': ['o certificado não diz de quem é', 'the certificate does not say whose it is'],
  'verify.signer_not_judged': [
    'só se identifica quando a assinatura confere com o conteúdo',
    'identified only when the signature matches the content',
  ],
  'verify.valid': ['certificado válido na emissão', 'certificate valid at issue'],
  'verify.not_valid': ['⚠ certificado fora da validade na emissão', '⚠ certificate not valid at issue'],
  'verify.chain_trusted': ['cadeia de certificação confiável', 'trusted certificate chain'],
  'verify.chain_untrusted': ['⚠ cadeia de certificação não confiável', '⚠ untrusted certificate chain'],
  'verify.chain_not_checked': ['cadeia de certificação não conferida', 'certificate chain not checked'],
  'verify.authorization': ['Autorização', 'Authorisation'],
  'verify.authorization_confirmed': ['confirmada pelo serviço', 'confirmed by the service'],
  'verify.authorization_contradicted': ['⚠ contradita', '⚠ contradicted'],
  'verify.authorization_unknown': [
    'não confirmada; só o serviço pode confirmá-la, porque o protocolo não é assinado',
    'not confirmed; only the service can confirm it, because the protocol is not signed',
  ],
  'verify.status': ['Situação: {status}, em {at}.', 'Status: {status}, as of {at}.'],
  'verify.status_in_file': ['O próprio arquivo diz: {status}.', 'The file itself says: {status}.'],
  'verify.protocol_matches': ['O protocolo é deste conteúdo.', 'The protocol belongs to this content.'],
  'verify.protocol_differs': [
    '⚠ O protocolo é de outro conteúdo.',
    '⚠ The protocol belongs to other content.',
  ],
  'verify.key_differs': ['⚠ A chave não confere com o documento.', '⚠ The key does not match the document.'],
  'verify.not_asked': [
    'O serviço não pôde ser consultado: {reason}',
    'The service could not be asked: {reason}',
  ],
  'verify.not_one_tick': [
    'São três respostas separadas; nenhuma vale pelas outras. Não se confere se um certificado foi revogado; a cadeia, só com DFE_TRUST_STORE.',
    'These are three separate answers; none stands for the others. Revocation of certificates is not checked; their chain only with DFE_TRUST_STORE.',
  ],
  'verify.no_folders': [
    '"file" só funciona com DFE_FILES, que não está definida.',
    '"file" works only with DFE_FILES, which is not set.',
  ],
  'verify.no_file': [
    'Não há este arquivo dentro das pastas de DFE_FILES.',
    'There is no such file within the folders of DFE_FILES.',
  ],
  'verify.no_document': ['O arquivo não tem esse documento fiscal.', 'The file has no such fiscal document.'],
  'verify.several': [
    'O arquivo tem {count} documentos: informe key. Por exemplo: {keys}.',
    'The file holds {count} documents: give key. For example: {keys}.',
  ],
  'verify.no_text': [
    'O texto do documento não está guardado e não pôde ser buscado.',
    "The document's text is not kept and could not be fetched.",
  ],
  'failure.trust_store': [
    'DFE_TRUST_STORE não pode ser usado ({code}): deve ser um arquivo PEM com certificados.',
    'DFE_TRUST_STORE cannot be used ({code}): it must be a PEM file of certificates.',
  ],
} as const satisfies Record<`left_out.${LeftOutReason}`, Message> & Record<string, Message>;
