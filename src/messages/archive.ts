import type { Message } from './message.ts';

/** Words for the archive: what goes wrong with it, and its commands. */
export const archiveMessages = {
  'archive.engine_missing': {
    'pt-BR':
      'Esta pergunta precisa do SQLite, que o Node {node} não traz: instale o pacote {engine} ou use Node 22.13 ou mais novo.',
    en: 'This question needs SQLite, which Node {node} does not have: install the package {engine} or use Node 22.13 or newer.',
  },
  'archive.newer': {
    'pt-BR':
      'O arquivo de documentos foi gravado por uma versão mais nova deste programa (esquema {found}; esta conhece até {known}). Nada foi tocado: atualize o programa.',
    en: 'The archive was written by a newer version of this program (schema {found}; this one knows up to {known}). Nothing was touched: update the program.',
  },
  'archive.unusable': {
    'pt-BR':
      'O arquivo de documentos não pode ser usado ({code}). Confira DFE_ARCHIVE e DFE_DATA_DIR, ou DFE_DATABASE_URL e o banco.',
    en: 'The archive cannot be used ({code}). Check DFE_ARCHIVE and DFE_DATA_DIR, or DFE_DATABASE_URL and the database.',
  },
  'archive.busy': {
    'pt-BR':
      'O arquivo de documentos está ocupado ({code}): outro programa o segura, ou são conexões demais com o banco. Tente de novo daqui a pouco.',
    en: 'The archive is busy ({code}): another program holds it, or the database has too many connections. Try again in a moment.',
  },
  'archive.lost': {
    'pt-BR':
      'A conexão com o banco de documentos caiu no meio da chamada ({code}). O que estava sendo guardado não foi guardado. Tente de novo.',
    en: 'The connection to the archive database was lost during the call ({code}). What was being stored was not stored. Try again.',
  },
  'archive.damage': {
    'pt-BR':
      'O arquivo de documentos está danificado ({code}). docfiscal-mcp archive verify diz o que fazer.',
    en: 'The archive is damaged ({code}). docfiscal-mcp archive verify says what to do.',
  },
  'archive.invalid_question': {
    'pt-BR': 'Consulta inválida: {problem} "{value}".',
    en: 'Invalid query: {problem} "{value}".',
  },
  'archive.sum_too_large': {
    'pt-BR': 'A soma é grande demais para ser exata.',
    en: 'The sum is too large to be exact.',
  },
  'archive.cancelled': {
    'pt-BR': 'A chamada foi cancelada; o que estava sendo lido não foi guardado.',
    en: 'The call was cancelled; what was being fetched was not kept.',
  },
  'archive.still_fetching': {
    'pt-BR':
      'A lista é longa e ainda está sendo lida e guardada ({documents} {documents:documento|documentos} até agora). Chame de novo com os mesmos argumentos: a leitura continua de onde está, não recomeça.',
    en: 'The list is long and is still being fetched and stored ({documents} {documents:document|documents} so far). Call again with the same arguments: it continues where it left off.',
  },
  'archive.reading_anew': {
    'pt-BR':
      'Os documentos guardados por uma versão anterior estão sendo relidos: {done} de {documents} até agora. Chame de novo daqui a pouco com os mesmos argumentos; nada do que está guardado se perde.',
    en: 'Documents stored by an earlier version are being re-read: {done} of {documents} so far. Call again in a moment with the same arguments; nothing stored is lost.',
  },
  'archive.memory': {
    'pt-BR':
      'Com DFE_ARCHIVE=memory os documentos ficam só na memória, enquanto o servidor roda, e este comando não tem do que cuidar. Com DFE_ARCHIVE=file ficam guardados.',
    en: 'With DFE_ARCHIVE=memory documents are held only while the server runs, and there is nothing for this command to look after. With DFE_ARCHIVE=file they are kept.',
  },
  'archive.info': {
    'pt-BR':
      '{engine}, esquema {schema}, {bytes} bytes: {documents} {documents:documento|documentos}, {items} {items:item|itens}, {events} {events:evento|eventos}, {with_xml} com XML',
    en: '{engine}, schema {schema}, {bytes} bytes: {documents} {documents:document|documents}, {items} {items:item|items}, {events} {events:event|events}, {with_xml} with XML',
  },
  'archive.no_company': { 'pt-BR': 'sem empresa', en: 'no company' },
  'archive.held': {
    'pt-BR': '{company}, {kind}: {documents} {documents:documento, emitido|documentos, emitidos} de {period}',
    en: '{company}, {kind}: {documents} {documents:document|documents}, issued {period}',
  },
  'archive.by_issue': { 'pt-BR': 'emissão', en: 'issue' },
  'archive.by_entry': { 'pt-BR': 'entrada', en: 'entry' },
  'archive.by_period': { 'pt-BR': 'período do serviço', en: 'service period' },
  'archive.covered': {
    'pt-BR': '{company}, {kind} por {by}: {period}, lido em {fetched}',
    en: '{company}, {kind} by {by}: {period}, fetched {fetched}',
  },
  'archive.verified': {
    'pt-BR': '{documents} {documents:documento conferido|documentos conferidos}, nenhum dano',
    en: '{documents} {documents:document|documents} verified, no damage',
  },
  'archive.damaged': {
    'pt-BR': '{documents} {documents:documento conferido|documentos conferidos}, {count} {count:dano|danos}:',
    en: '{documents} {documents:document|documents} verified, {count} damaged:',
  },
  'archive.purge_preview': {
    'pt-BR':
      'Seriam removidos {documents} {documents:documento|documentos}, {items} {items:item|itens} e {events} {events:evento|eventos} de {companies}; {kept} {kept:fica|ficam} para outras empresas. Repita com --yes para remover.',
    en: 'This would remove {documents} {documents:document|documents}, {items} {items:item|items} and {events} {events:event|events} of {companies}; {kept} {kept:stays|stay} for other companies. Repeat with --yes to remove.',
  },
  'archive.purged': {
    'pt-BR':
      'Removidos: {documents} {documents:documento|documentos}, {items} {items:item|itens} e {events} {events:evento|eventos}.',
    en: 'Removed: {documents} {documents:document|documents}, {items} {items:item|items} and {events} {events:event|events}.',
  },
  'archive.exported': {
    'pt-BR': '{count} {count:documento|documentos} em {path}',
    en: '{count} {count:document|documents} in {path}',
  },
  'archive.nothing_exported': {
    'pt-BR': 'Nada a exportar: o arquivo não tem documentos assim.',
    en: 'Nothing to export: the archive has no such documents.',
  },
  'archive.fetching': { 'pt-BR': 'Lendo {subject}…', en: 'Fetching {subject}…' },
  'archive.fetched': {
    'pt-BR': '{subject}: {documents} {documents:documento lido|documentos lidos} agora.',
    en: '{subject}: {documents} {documents:document|documents} fetched now.',
  },
  'archive.fetch_failed': {
    'pt-BR': '⚠ {subject}: nada foi lido. {reason}',
    en: '⚠ {subject}: nothing was fetched. {reason}',
  },
  'archive.fetch_time_over': {
    'pt-BR': 'o tempo acabou antes; rode de novo para continuar',
    en: 'the time limit was reached first; run it again to continue',
  },
  'archive.fetch_stopped': {
    'pt-BR': 'Interrompido: os dias já lidos ficaram guardados; rode de novo para continuar.',
    en: 'Interrupted: the days already fetched are kept; run it again to continue.',
  },
  'archive.fetch_company': {
    'pt-BR': 'De qual empresa? Informe --company, ou defina DFE_CNPJ.',
    en: 'Of which company? Give --company, or set DFE_CNPJ.',
  },
  'archive.not_heeded': {
    'pt-BR': 'não vale para archive {action}',
    en: 'does not apply to archive {action}',
  },
  'archive.remedy': {
    'pt-BR':
      'O que fazer: exporte o que ainda se lê (docfiscal-mcp archive export --to PASTA, por tipo ou período se for preciso), encerre o servidor, tire {path} do lugar (com os arquivos -wal e -shm ao lado) e pergunte de novo: os documentos são buscados outra vez no serviço.',
    en: 'What to do: export what can still be read (docfiscal-mcp archive export --to FOLDER, by kind or period if need be), stop the server, move {path} aside (with the -wal and -shm files beside it) and ask again: the documents are fetched again from the service.',
  },
  'archive.remedy_database': {
    'pt-BR':
      'O que fazer: exporte o que ainda se lê (docfiscal-mcp archive export --to PASTA), remova o resto (docfiscal-mcp archive purge) e pergunte de novo: os documentos são buscados outra vez no serviço.',
    en: 'What to do: export what can still be read (docfiscal-mcp archive export --to FOLDER), remove the rest (docfiscal-mcp archive purge) and ask again: the documents are fetched again from the service.',
  },
} as const satisfies Record<string, Message>;
