import type { Message } from './message.ts';

/** The user's own files as a source: what an answer from them rests on, and what of them gave no document. */
export const filesMessages = {
  'files.alone': {
    'pt-BR':
      'Dos seus arquivos, lidos em {at}: {documents} {documents:documento|documentos}. Por eles não se pode saber se o período está completo.',
    en: 'From your files, read {at}: {documents} {documents:document|documents}. Whether the period is complete cannot be known from them.',
  },
  'files.beside': {
    'pt-BR': 'Com o que só está nos seus arquivos, lidos em {at}.',
    en: 'Together with what only your files have, read {at}.',
  },
  'files.chosen': {
    'pt-BR': 'Empresa {company}: é a que mais aparece nos arquivos.',
    en: 'Company {company}: the one that appears most in the files.',
  },
  'files.reading': {
    'pt-BR':
      'Os arquivos ainda estão sendo lidos ({read} até agora): a resposta tem só o que já foi lido. Continue com next_cursor ou pergunte de novo.',
    en: 'The files are still being read ({read} so far): this answer has only what has been read. Continue with next_cursor or ask again.',
  },
  'files.reading_progress': {
    'pt-BR': '{read} {read:arquivo lido|arquivos lidos}, {documents} {documents:documento|documentos}',
    en: '{read} {read:file|files} read, {documents} {documents:document|documents}',
  },
  'files.unseen': {
    'pt-BR': '"{path}" não pôde ser lido ({code}); se já tinha sido lido, vale o que se sabia',
    en: '"{path}" could not be read ({code}); if it was read before, what was known of it counts',
  },
  'files.not_there': {
    'pt-BR':
      'Nenhum dos seus arquivos tem este documento. Para buscá-lo no serviço, defina DFE_URL, DFE_USER e DFE_PASSWORD.',
    en: 'None of your files has this document. To fetch it from the service, set DFE_URL, DFE_USER and DFE_PASSWORD.',
  },
  'files.not_read_yet': {
    'pt-BR':
      'Os arquivos ainda estão sendo lidos e nenhum dos já lidos tem este documento. Pergunte de novo.',
    en: 'The files are still being read and none of those read so far has this document. Ask again.',
  },
  'files.company_unclear': {
    'pt-BR':
      'Nos arquivos há mais de uma empresa com o mesmo número de documentos: informe cnpj. As que mais aparecem: {companies}.',
    en: 'Several companies have the same number of documents in the files: give cnpj. The most frequent: {companies}.',
  },
  'files.no_company': {
    'pt-BR': 'Não há documento fiscal de empresa nos arquivos; docfiscal-mcp doctor diz o que há neles.',
    en: 'The files hold no fiscal document of a company; docfiscal-mcp doctor says what is in them.',
  },
  'files.odd': {
    'pt-BR': 'Sem documento: {count} × {reason} ({names})',
    en: 'No document: {count} × {reason} ({names})',
  },
  'files.imported': {
    'pt-BR':
      '{read} {read:arquivo lido|arquivos lidos}: {documents} {documents:documento novo|documentos novos} e {events} {events:evento novo|eventos novos} no arquivo de documentos.',
    en: '{read} {read:file|files} read: {documents} new {documents:document|documents} and {events} new {events:event|events} in the archive.',
  },
  'files.import_stopped': {
    'pt-BR': 'Interrompido: o que já foi guardado fica; repita para continuar.',
    en: 'Interrupted: what is already kept stays; run it again to continue.',
  },
  'holdings.none': {
    'pt-BR': 'Nenhum documento guardado até agora.',
    en: 'No documents are kept so far.',
  },
  'holdings.some': {
    'pt-BR': 'O que há, por empresa e tipo, com a primeira e a última emissão:',
    en: 'What there is, by company and kind, with the first and the last day of issue:',
  },
  'holdings.files': {
    'pt-BR':
      '{count} {count:arquivo lido|arquivos lidos}; {odd} {odd:parte|partes} sem documento fiscal (docfiscal-mcp doctor diz quais).',
    en: '{count} {count:file|files} read; {odd} {odd:part|parts} without a fiscal document (docfiscal-mcp doctor says which).',
  },
  'holdings.others': {
    'pt-BR': 'Também aparecem nos arquivos (informe cnpj): {companies}.',
    en: 'Also in the files (give cnpj): {companies}.',
  },
  'files.left_out.empty': { 'pt-BR': 'vazio', en: 'empty' },
  'files.left_out.not_xml': { 'pt-BR': 'não é XML', en: 'not XML' },
  'files.left_out.malformed': { 'pt-BR': 'XML malformado', en: 'malformed XML' },
  'files.left_out.truncated': { 'pt-BR': 'cortado no meio', en: 'cut off in the middle' },
  'files.left_out.encoding': { 'pt-BR': 'codificação inválida', en: 'invalid encoding' },
  'files.left_out.doctype': { 'pt-BR': 'DOCTYPE recusado', en: 'DOCTYPE refused' },
  'files.left_out.no_document': { 'pt-BR': 'XML sem documento fiscal', en: 'XML without a fiscal document' },
  'files.left_out.no_identity': { 'pt-BR': 'sem chave nem número', en: 'neither key nor number' },
  'files.left_out.other_model': {
    'pt-BR': 'documento fiscal de um tipo que não é lido',
    en: 'fiscal document of a kind that is not read',
  },
  'files.left_out.not_issued': {
    'pt-BR': 'pedido ou rascunho, sem resposta da autoridade',
    en: 'request or draft without an answer from the authority',
  },
  'files.left_out.too_large': { 'pt-BR': 'grande demais', en: 'too large' },
  'files.left_out.encrypted': { 'pt-BR': 'cifrado', en: 'encrypted' },
  'files.left_out.zip_damaged': { 'pt-BR': 'ZIP danificado', en: 'damaged ZIP' },
  'files.left_out.zip_too_large': {
    'pt-BR': 'ZIP que se expande além do limite',
    en: 'ZIP that unpacks beyond the limit',
  },
  'files.left_out.zip_nested': { 'pt-BR': 'ZIP dentro de ZIP dentro de ZIP', en: 'ZIP in a ZIP in a ZIP' },
  'files.left_out.unreadable': { 'pt-BR': 'não pôde ser aberto', en: 'could not be opened' },
  'files.left_out.link': { 'pt-BR': 'atalho, não seguido', en: 'link, not followed' },
  'files.left_out.special': { 'pt-BR': 'não é um arquivo comum', en: 'not a regular file' },
  'files.left_out.too_deep': { 'pt-BR': 'pasta aninhada demais', en: 'folder nested too deeply' },
} as const satisfies Record<`${'files' | 'holdings'}.${string}`, Message>;
