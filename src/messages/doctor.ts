import type { Message } from './message.ts';

/** Words for what `doctor` finds. */
export const doctorMessages = {
  'doctor.verdict_ok': ['Tudo o que é necessário funciona.', 'Everything that is needed works.'],
  'doctor.verdict_degraded': [
    'Funciona, mas há o que verificar.',
    'It works, but there is something to look into.',
  ],
  'doctor.verdict_failed': ['Há o que corrigir: {what}.', 'There is something to fix: {what}.'],
  'doctor.some_unclear': [
    'O que está marcado com ? não dá para julgar daqui.',
    'What is marked with ? cannot be judged from here.',
  ],
  'doctor.source_flag': ['opção', 'flag'],
  'doctor.source_environment': ['ambiente', 'environment'],
  'doctor.source_default': ['padrão', 'default'],
  'doctor.source_unset': ['–', '–'],
  'doctor.source_demo': ['demo', 'demo'],
  'doctor.documents': ['Serviço de documentos', 'Documents service'],
  'doctor.account': ['Serviço de conta', 'Account service'],
  'doctor.writes': ['Diário de envios', 'Journal of writes'],
  'doctor.archive': ['Arquivo de documentos', 'Archive'],
  'doctor.files': ['Seus arquivos', 'Your files'],
  'doctor.no_files': ['nenhuma pasta (DFE_FILES).', 'no folder (DFE_FILES).'],
  'doctor.files_read': [
    '{files} {files:arquivo|arquivos}, {documents} {documents:documento|documentos} e {events} {events:evento|eventos}.',
    '{files} {files:file|files}, {documents} {documents:document|documents} and {events} {events:event|events}.',
  ],
  'doctor.files_without_documents': [
    '{files} {files:arquivo lido|arquivos lidos}, {events} {events:evento|eventos}, nenhum documento.',
    '{files} {files:file|files} read, {events} {events:event|events}, no document.',
  ],
  'doctor.files_hold': [
    '{company}, {kind}: {documents}, de {period}.',
    '{company}, {kind}: {documents}, {period}.',
  ],
  'doctor.files_of_several': [
    'nenhuma empresa aparece mais que as outras; as perguntas precisam de cnpj ou de DFE_CNPJ: {companies}.',
    'no company stands out; questions need cnpj or DFE_CNPJ: {companies}.',
  ],
  'doctor.files_not_followed': [
    '{count} {count:atalho ou arquivo especial ignorado|atalhos ou arquivos especiais ignorados}.',
    '{count} {count:link or special file|links or special files} passed over.',
  ],
  'doctor.downloads': ['Pasta de downloads', 'Download folder'],
  'doctor.views': ['Telas no assistente', 'Views in the assistant'],
  'doctor.views_auto': [
    'DFE_APPS=auto, nos aplicativos que dizem exibi-las (VS Code, ChatGPT, Copilot, Goose; claude.ai na web). O Claude Desktop deixa em branco as de servidores locais e por isso não as recebe; Claude Code e Codex não dizem exibi-las.',
    'DFE_APPS=auto, in apps that say they show them (VS Code, ChatGPT, Copilot, Goose; claude.ai on the web). Claude Desktop leaves those of local servers blank, so it is offered none; Claude Code and Codex do not say so.',
  ],
  'doctor.views_on': [
    'DFE_APPS=on, em todos os aplicativos, também nos que as deixam em branco (Claude Desktop).',
    'DFE_APPS=on, in all apps, even those that leave them blank (Claude Desktop).',
  ],
  'doctor.views_off': ['DFE_APPS=off, em nenhum aplicativo.', 'DFE_APPS=off, in no app.'],
  'doctor.event_template': ['DFE_EVENT_TEMPLATE', 'DFE_EVENT_TEMPLATE'],
  'doctor.tables': ['Tabelas oficiais', 'Official tables'],
  'doctor.table_cfop': ['CFOP', 'CFOP'],
  'doctor.table_natures': ['naturezas por CFOP', 'natures by CFOP'],
  'doctor.table_class_trib': ['cClassTrib', 'cClassTrib'],
  'doctor.table_ibs_cbs_cst': ['CST do IBS e da CBS', 'CST of IBS and CBS'],
  'doctor.table_cities': ['municípios', 'cities'],
  'doctor.table_of': [
    '{name}, de {day} (há {days} {days:dia|dias})',
    '{name} of {day} ({days} {days:day|days} ago)',
  ],
  'doctor.read_only': [
    'somente leitura, nenhuma ferramenta que altera dados é oferecida.',
    'read-only, no tool that writes is offered.',
  ],
  'doctor.journal_usable': ['pode ser gravado.', 'it can be written.'],
  'doctor.archive_usable': [
    '{place} ({engine}), documentos guardados: {documents}.',
    '{place} ({engine}), documents kept: {documents}.',
  ],
  'doctor.sqlite_missing': [
    'Somar documentos (query_documents com group_by) e guardá-los em arquivo precisam do SQLite, que o Node {node} não traz: instale o pacote {engine} ou use Node 22.13 ou mais novo.',
    'Adding documents up (query_documents with group_by) and keeping them in a file need SQLite, which Node {node} does not have: install the package {engine} or use Node 22.13 or newer.',
  ],
  'doctor.no_downloads': [
    'nenhuma, nada é salvo (DFE_DOWNLOAD_DIR).',
    'none, nothing is saved (DFE_DOWNLOAD_DIR).',
  ],
  'doctor.downloads_usable': ['é possível salvar em {path}.', 'files can be saved in {path}.'],
  'doctor.downloads_unusable': [
    'não é possível salvar em {path} ({code}). Corrija DFE_DOWNLOAD_DIR ou as permissões da pasta.',
    'files cannot be saved in {path} ({code}). Fix DFE_DOWNLOAD_DIR or the permissions of the folder.',
  ],
  'doctor.folder_open': [
    'A pasta de dados {path} está aberta a outros usuários deste computador (permissões {mode}). Para fechá-la: chmod 700 "{path}"',
    'The data folder {path} is open to other users of this machine (permissions {mode}). To close it: chmod 700 "{path}"',
  ],
  'doctor.secret_file_open': [
    '{variable}: o arquivo "{path}" contém um segredo e outros usuários deste computador podem lê-lo (permissões {mode}). Para fechá-lo: chmod 600 "{path}"',
    '{variable}: the file "{path}" holds a secret and other users of this machine can read it (permissions {mode}). To close it: chmod 600 "{path}"',
  ],
  'doctor.template': ['leiaute reconhecido como {kind}.', 'recognised as {kind}.'],
} as const satisfies Record<`doctor.${string}`, Message>;
