import type { Message } from './message.ts';

/** Words for the archive: what goes wrong with it, and its commands. */
export const archiveMessages = {
  'archive.engine_missing': [
    'Esta pergunta precisa do SQLite, que o Node {node} não traz: instale o pacote {engine} ou use Node 22.13 ou mais novo.',
    'This question needs SQLite, which Node {node} does not have: install the package {engine} or use Node 22.13 or newer.',
  ],
  'archive.other_version': [
    'O arquivo de documentos foi gravado por outra versão deste programa (esquema {found}; esta usa {known}). Nada foi tocado: docfiscal-mcp archive import, sem caminho, refaz o arquivo com o que ele guarda.',
    'The archive was written by another version of this program (schema {found}; this one uses {known}). Nothing was touched: docfiscal-mcp archive import, without a path, rebuilds it from what it holds.',
  ],
  'archive.rebuilt': [
    'Arquivo refeito e conferido: {documents} {documents:documento|documentos} e {events} {events:evento|eventos}. O que veio de pastas de arquivos é lido de novo na próxima consulta.',
    'Archive rebuilt and verified: {documents} {documents:document|documents} and {events} {events:event|events}. What came from folders of files is read again by the next question.',
  ],
  'archive.rebuild_file_only': [
    'Só um arquivo de DFE_ARCHIVE=file pode ser refeito assim. Para um banco de outra versão: aponte DFE_DATABASE_URL para um banco vazio e busque os documentos de novo (docfiscal-mcp archive fetch). Para trazer documentos de fora, informe os caminhos.',
    'Only an archive of DFE_ARCHIVE=file can be rebuilt so. For a database of another version: point DFE_DATABASE_URL to an empty database and fetch the documents again (docfiscal-mcp archive fetch). To take documents over, give their paths.',
  ],
  'archive.unusable': [
    'O arquivo de documentos não pode ser usado ({code}). Confira DFE_ARCHIVE e DFE_DATA_DIR, ou DFE_DATABASE_URL e o banco.',
    'The archive cannot be used ({code}). Check DFE_ARCHIVE and DFE_DATA_DIR, or DFE_DATABASE_URL and the database.',
  ],
  'archive.busy': [
    'O arquivo de documentos está ocupado ({code}): outro programa o segura, ou são conexões demais com o banco. Tente de novo daqui a pouco.',
    'The archive is busy ({code}): another program holds it, or the database has too many connections. Try again in a moment.',
  ],
  'archive.lost': [
    'A conexão com o banco de documentos caiu no meio da chamada ({code}). O que estava sendo guardado não foi guardado. Tente de novo.',
    'The connection to the archive database was lost during the call ({code}). What was being stored was not stored. Try again.',
  ],
  'archive.damage': [
    'O arquivo de documentos está danificado ({code}). docfiscal-mcp archive verify diz o que fazer.',
    'The archive is damaged ({code}). docfiscal-mcp archive verify says what to do.',
  ],
  'archive.invalid_question': [
    'Consulta inválida: {problem} "{value}".',
    'Invalid query: {problem} "{value}".',
  ],
  'archive.sum_too_large': ['A soma é grande demais para ser exata.', 'The sum is too large to be exact.'],
  'archive.cancelled': [
    'A chamada foi cancelada; o que estava sendo lido não foi guardado.',
    'The call was cancelled; what was being fetched was not kept.',
  ],
  'archive.still_fetching': [
    'A lista é longa e ainda está sendo lida e guardada ({documents} {documents:documento|documentos} até agora). Chame de novo com os mesmos argumentos: a leitura continua de onde está, não recomeça.',
    'The list is long and is still being fetched and stored ({documents} {documents:document|documents} so far). Call again with the same arguments: it continues where it left off.',
  ],
  'archive.memory': [
    'Com DFE_ARCHIVE=memory os documentos ficam só na memória, enquanto o servidor roda, e este comando não tem do que cuidar. Com DFE_ARCHIVE=file ficam guardados.',
    'With DFE_ARCHIVE=memory documents are held only while the server runs, and there is nothing for this command to look after. With DFE_ARCHIVE=file they are kept.',
  ],
  'archive.info': [
    '{engine}, esquema {schema}, {bytes} bytes: {documents} {documents:documento|documentos}, {items} {items:item|itens}, {events} {events:evento|eventos}, {with_xml} com XML',
    '{engine}, schema {schema}, {bytes} bytes: {documents} {documents:document|documents}, {items} {items:item|items}, {events} {events:event|events}, {with_xml} with XML',
  ],
  'archive.no_company': ['sem empresa', 'no company'],
  'archive.held': [
    '{company}, {kind}: {documents} {documents:documento, emitido|documentos, emitidos} de {period}',
    '{company}, {kind}: {documents} {documents:document|documents}, issued {period}',
  ],
  'archive.by_issue': ['emissão', 'issue'],
  'archive.by_entry': ['entrada', 'entry'],
  'archive.by_period': ['período do serviço', 'service period'],
  'archive.covered': [
    '{company}, {kind} por {by}: {period}, lido em {fetched}',
    '{company}, {kind} by {by}: {period}, fetched {fetched}',
  ],
  'archive.verified': [
    '{documents} {documents:documento conferido|documentos conferidos}, nenhum dano',
    '{documents} {documents:document|documents} verified, no damage',
  ],
  'archive.damaged': [
    '{documents} {documents:documento conferido|documentos conferidos}, {count} {count:dano|danos}:',
    '{documents} {documents:document|documents} verified, {count} damaged:',
  ],
  'archive.purge_preview': [
    'Seriam removidos {documents} {documents:documento|documentos}, {items} {items:item|itens} e {events} {events:evento|eventos} de {companies}; {kept} {kept:fica|ficam} para outras empresas. Repita com --yes para remover.',
    'This would remove {documents} {documents:document|documents}, {items} {items:item|items} and {events} {events:event|events} of {companies}; {kept} {kept:stays|stay} for other companies. Repeat with --yes to remove.',
  ],
  'archive.purged': [
    'Removidos: {documents} {documents:documento|documentos}, {items} {items:item|itens} e {events} {events:evento|eventos}.',
    'Removed: {documents} {documents:document|documents}, {items} {items:item|items} and {events} {events:event|events}.',
  ],
  'archive.exported': [
    '{count} {count:documento|documentos} em {path}',
    '{count} {count:document|documents} in {path}',
  ],
  'archive.nothing_exported': [
    'Nada a exportar: o arquivo não tem documentos assim.',
    'Nothing to export: the archive has no such documents.',
  ],
  'archive.fetching': ['Lendo {subject}…', 'Fetching {subject}…'],
  'archive.fetched': [
    '{subject}: {documents} {documents:documento lido|documentos lidos} agora.',
    '{subject}: {documents} {documents:document|documents} fetched now.',
  ],
  'archive.fetch_failed': [
    '⚠ {subject}: nada foi lido. {reason}',
    '⚠ {subject}: nothing was fetched. {reason}',
  ],
  'archive.fetch_time_over': [
    'o tempo acabou antes; rode de novo para continuar',
    'the time limit was reached first; run it again to continue',
  ],
  'archive.fetch_stopped': [
    'Interrompido: os dias já lidos ficaram guardados; rode de novo para continuar.',
    'Interrupted: the days already fetched are kept; run it again to continue.',
  ],
  'archive.fetch_company': [
    'De qual empresa? Informe --company, ou defina DFE_CNPJ.',
    'Of which company? Give --company, or set DFE_CNPJ.',
  ],
  'archive.not_heeded': ['não vale para archive {action}', 'does not apply to archive {action}'],
  'archive.remedy': [
    'O que fazer: exporte o que ainda se lê (docfiscal-mcp archive export --to PASTA, por tipo ou período se for preciso), encerre o servidor, tire {path} do lugar (com os arquivos -wal e -shm ao lado) e pergunte de novo: os documentos são buscados outra vez no serviço.',
    'What to do: export what can still be read (docfiscal-mcp archive export --to FOLDER, by kind or period if need be), stop the server, move {path} aside (with the -wal and -shm files beside it) and ask again: the documents are fetched again from the service.',
  ],
  'archive.remedy_database': [
    'O que fazer: exporte o que ainda se lê (docfiscal-mcp archive export --to PASTA), remova o resto (docfiscal-mcp archive purge) e pergunte de novo: os documentos são buscados outra vez no serviço.',
    'What to do: export what can still be read (docfiscal-mcp archive export --to FOLDER), remove the rest (docfiscal-mcp archive purge) and ask again: the documents are fetched again from the service.',
  ],
} as const satisfies Record<string, Message>;
