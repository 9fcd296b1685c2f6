import type { Message } from './message.ts';

/** The user's own files as a source: what an answer from them rests on, and what of them gave no document. */
export const filesMessages = {
  'files.alone': [
    'Dos seus arquivos, lidos em {at}: {documents} {documents:documento|documentos}. Por eles não se pode saber se o período está completo.',
    'From your files, read {at}: {documents} {documents:document|documents}. Whether the period is complete cannot be known from them.',
  ],
  'files.beside': [
    'Com o que só está nos seus arquivos, lidos em {at}.',
    'Together with what only your files have, read {at}.',
  ],
  'files.chosen': [
    'Empresa {company}: é a que mais aparece nos arquivos.',
    'Company {company}: the one that appears most in the files.',
  ],
  'files.reading': [
    'Os arquivos ainda estão sendo lidos ({read} até agora): a resposta tem só o que já foi lido. Continue com next_cursor ou pergunte de novo.',
    'The files are still being read ({read} so far): this answer has only what has been read. Continue with next_cursor or ask again.',
  ],
  'files.reading_progress': [
    '{read} {read:arquivo lido|arquivos lidos}, {documents} {documents:documento|documentos}',
    '{read} {read:file|files} read, {documents} {documents:document|documents}',
  ],
  'files.unseen': [
    '"{path}" não pôde ser lido ({code}); se já tinha sido lido, vale o que se sabia',
    '"{path}" could not be read ({code}); if it was read before, what was known of it counts',
  ],
  'files.empty_folder': [
    '"{path}" está vazia: nada foi lido dela; se deveria ter documentos, veja se o disco ou a pasta de rede está montado',
    '"{path}" is empty: nothing was read from it; if it should hold documents, see whether the disk or network folder is mounted',
  ],
  'files.not_there': [
    'Nenhum dos seus arquivos tem este documento. Para buscá-lo no serviço, defina DFE_URL, DFE_USER e DFE_PASSWORD.',
    'None of your files has this document. To fetch it from the service, set DFE_URL, DFE_USER and DFE_PASSWORD.',
  ],
  'files.not_read_yet': [
    'Os arquivos ainda estão sendo lidos e nenhum dos já lidos tem este documento. Pergunte de novo.',
    'The files are still being read and none of those read so far has this document. Ask again.',
  ],
  'files.company_unclear': [
    'Nos arquivos há mais de uma empresa com o mesmo número de documentos: informe cnpj. As que mais aparecem: {companies}.',
    'Several companies have the same number of documents in the files: give cnpj. The most frequent: {companies}.',
  ],
  'files.no_company': [
    'Não há documento fiscal de empresa nos arquivos; docfiscal-mcp doctor diz o que há neles.',
    'The files hold no fiscal document of a company; docfiscal-mcp doctor says what is in them.',
  ],
  'files.odd': ['Sem documento: {count} × {reason} ({names})', 'No document: {count} × {reason} ({names})'],
  'files.imported': [
    '{read} {read:arquivo lido|arquivos lidos}: {documents} {documents:documento novo|documentos novos} e {events} {events:evento novo|eventos novos} no arquivo de documentos.',
    '{read} {read:file|files} read: {documents} new {documents:document|documents} and {events} new {events:event|events} in the archive.',
  ],
  'files.import_stopped': [
    'Interrompido: o que já foi guardado fica; repita para continuar.',
    'Interrupted: what is already kept stays; run it again to continue.',
  ],
  'holdings.none': ['Nenhum documento guardado até agora.', 'No documents are kept so far.'],
  'holdings.some': [
    'O que há, por empresa e tipo, com a primeira e a última emissão:',
    'What there is, by company and kind, with the first and the last day of issue:',
  ],
  'holdings.basis': [
    'Só o que já foi buscado ou lido; o serviço pode ter mais.',
    'Only what was fetched or read so far; the service may have more.',
  ],
  'holdings.files': [
    '{count} {count:arquivo lido|arquivos lidos}; {odd} {odd:parte|partes} sem documento fiscal (docfiscal-mcp doctor diz quais).',
    '{count} {count:file|files} read; {odd} {odd:part|parts} without a fiscal document (docfiscal-mcp doctor says which).',
  ],
  'files.left_out.empty': ['vazio', 'empty'],
  'files.left_out.not_xml': ['não é XML', 'not XML'],
  'files.left_out.malformed': ['XML malformado', 'malformed XML'],
  'files.left_out.truncated': ['cortado no meio', 'cut off in the middle'],
  'files.left_out.encoding': ['codificação inválida', 'invalid encoding'],
  'files.left_out.doctype': ['DOCTYPE recusado', 'DOCTYPE refused'],
  'files.left_out.no_document': ['XML sem documento fiscal', 'XML without a fiscal document'],
  'files.left_out.no_identity': ['sem chave nem número', 'neither key nor number'],
  'files.left_out.other_model': [
    'documento fiscal de um tipo que não é lido',
    'fiscal document of a kind that is not read',
  ],
  'files.left_out.not_issued': [
    'pedido ou rascunho, sem resposta da autoridade',
    'request or draft without an answer from the authority',
  ],
  'files.left_out.too_large': ['grande demais', 'too large'],
  'files.left_out.encrypted': ['cifrado', 'encrypted'],
  'files.left_out.zip_damaged': ['ZIP danificado', 'damaged ZIP'],
  'files.left_out.zip_too_large': ['ZIP que se expande além do limite', 'ZIP that unpacks beyond the limit'],
  'files.left_out.zip_nested': ['ZIP dentro de ZIP dentro de ZIP', 'ZIP in a ZIP in a ZIP'],
  'files.left_out.unreadable': ['não pôde ser aberto', 'could not be opened'],
  'files.left_out.link': ['atalho, não seguido', 'link, not followed'],
  'files.left_out.special': ['não é um arquivo comum', 'not a regular file'],
  'files.left_out.too_deep': ['pasta aninhada demais', 'folder nested too deeply'],
} as const satisfies Record<`${'files' | 'holdings'}.${string}`, Message>;
