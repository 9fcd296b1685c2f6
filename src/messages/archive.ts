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
      'O arquivo foi gravado por uma versão mais nova deste programa (esquema {found}; esta conhece até {known}). Nada foi tocado: atualize o programa.',
    en: 'The archive was written by a newer version of this program (schema {found}; this one knows up to {known}). Nothing was touched: update the program.',
  },
  'archive.unusable': {
    'pt-BR':
      'O arquivo de documentos não pode ser usado ({code}). Confira DFE_ARCHIVE e DFE_DATA_DIR, ou DFE_DATABASE_URL e o banco.',
    en: 'The archive cannot be used ({code}). Check DFE_ARCHIVE and DFE_DATA_DIR, or DFE_DATABASE_URL and the database.',
  },
  'archive.corrupt': {
    'pt-BR':
      'O arquivo de documentos está danificado ({code}). docfiscal-mcp archive verify diz o que fazer.',
    en: 'The archive is damaged ({code}). docfiscal-mcp archive verify says what to do.',
  },
  'archive.invalid_question': {
    'pt-BR': 'A pergunta não faz sentido: {problem} "{value}".',
    en: 'The question makes no sense: {problem} "{value}".',
  },
  'archive.sum_too_large': {
    'pt-BR': 'A soma passa do que o arquivo consegue somar com exatidão.',
    en: 'The sum is larger than the archive can add up exactly.',
  },
  'archive.cancelled': {
    'pt-BR': 'A chamada foi cancelada; da janela em andamento nada foi guardado.',
    en: 'The call was cancelled; of the window under way nothing was kept.',
  },
  'archive.memory': {
    'pt-BR':
      'DFE_ARCHIVE é memory: o arquivo vive só enquanto o servidor roda, e estes comandos não têm o que mostrar.',
    en: 'DFE_ARCHIVE is memory: the archive lives only while the server runs, and these commands have nothing to show.',
  },
  'archive.info': {
    'pt-BR':
      '{engine}, esquema {schema}, {bytes} bytes: {documents} documentos, {items} itens, {events} eventos, {with_xml} com XML',
    en: '{engine}, schema {schema}, {bytes} bytes: {documents} documents, {items} items, {events} events, {with_xml} with XML',
  },
  'archive.held': {
    'pt-BR': '{company} {area}: {documents} documentos, emitidos de {first} a {last}',
    en: '{company} {area}: {documents} documents, issued {first} to {last}',
  },
  'archive.covered': {
    'pt-BR': '{company} {area} por {by}: {from} a {to}, lido em {fetched}',
    en: '{company} {area} by {by}: {from} to {to}, fetched {fetched}',
  },
  'archive.verified': {
    'pt-BR': '{documents} documentos conferidos, nenhum dano',
    en: '{documents} documents verified, no damage',
  },
  'archive.damaged': {
    'pt-BR': '{documents} documentos conferidos, {count} danos:',
    en: '{documents} documents verified, {count} damaged:',
  },
  'archive.purge_preview': {
    'pt-BR':
      'Seriam removidos {documents} documentos, {items} itens e {events} eventos de {companies}; {kept} ficam para outras empresas. Repita com --yes para remover.',
    en: 'This would remove {documents} documents, {items} items and {events} events of {companies}; {kept} stay for other companies. Repeat with --yes to remove them.',
  },
  'archive.purged': {
    'pt-BR': 'Removidos {documents} documentos, {items} itens e {events} eventos.',
    en: '{documents} documents, {items} items and {events} events removed.',
  },
  'archive.exported': { 'pt-BR': '{count} documentos em {path}', en: '{count} documents in {path}' },
  'archive.nothing_exported': {
    'pt-BR': 'Nada a exportar: o arquivo não tem documentos assim.',
    en: 'Nothing to export: the archive has no such documents.',
  },
  'archive.not_heeded': {
    'pt-BR': 'não vale para archive {action}',
    en: 'is not for archive {action}',
  },
  'archive.remedy': {
    'pt-BR':
      'O que fazer: exporte o que ainda se lê (docfiscal-mcp archive export --to PASTA, por tipo ou período se for preciso), encerre o servidor, tire {path} do lugar (com os arquivos -wal e -shm ao lado) e pergunte de novo: os documentos são buscados outra vez no serviço.',
    en: 'What to do: export what can still be read (docfiscal-mcp archive export --to FOLDER, by kind or period if need be), end the server, move {path} aside (with the -wal and -shm files beside it) and ask again: the documents are fetched anew from the service.',
  },
  'archive.remedy_database': {
    'pt-BR':
      'O que fazer: exporte o que ainda se lê (docfiscal-mcp archive export --to PASTA), remova o resto (docfiscal-mcp archive purge) e pergunte de novo: os documentos são buscados outra vez no serviço.',
    en: 'What to do: export what can still be read (docfiscal-mcp archive export --to FOLDER), remove the rest (docfiscal-mcp archive purge) and ask again: the documents are fetched anew from the service.',
  },
} as const satisfies Record<string, Message>;
