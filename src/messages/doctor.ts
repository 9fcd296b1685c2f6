import type { Message } from './message.ts';

/** Words for what `doctor` finds. */
export const doctorMessages = {
  'doctor.verdict_ok': {
    'pt-BR': 'Tudo o que é necessário funciona.',
    en: 'Everything that is needed works.',
  },
  'doctor.verdict_degraded': {
    'pt-BR': 'Funciona, mas há o que verificar.',
    en: 'It works, but there is something to look into.',
  },
  'doctor.verdict_failed': {
    'pt-BR': 'Há o que corrigir: {what}.',
    en: 'There is something to fix: {what}.',
  },
  'doctor.some_unclear': {
    'pt-BR': 'O que está marcado com ? não dá para julgar daqui.',
    en: 'What is marked with ? cannot be judged from here.',
  },
  'doctor.source_flag': { 'pt-BR': 'opção', en: 'flag' },
  'doctor.source_environment': { 'pt-BR': 'ambiente', en: 'environment' },
  'doctor.source_default': { 'pt-BR': 'padrão', en: 'default' },
  'doctor.source_unset': { 'pt-BR': '–', en: '–' },
  'doctor.source_demo': { 'pt-BR': 'demo', en: 'demo' },
  'doctor.documents': { 'pt-BR': 'Serviço de documentos', en: 'Documents service' },
  'doctor.account': { 'pt-BR': 'Serviço de conta', en: 'Account service' },
  'doctor.writes': { 'pt-BR': 'Diário de envios', en: 'Journal of writes' },
  'doctor.archive': { 'pt-BR': 'Arquivo de documentos', en: 'Archive' },
  'doctor.files': { 'pt-BR': 'Seus arquivos', en: 'Your files' },
  'doctor.no_files': { 'pt-BR': 'nenhuma pasta (DFE_FILES).', en: 'no folder (DFE_FILES).' },
  'doctor.files_read': {
    'pt-BR':
      '{files} {files:arquivo|arquivos}, {documents} {documents:documento|documentos} e {events} {events:evento|eventos}.',
    en: '{files} {files:file|files}, {documents} {documents:document|documents} and {events} {events:event|events}.',
  },
  'doctor.files_hold': {
    'pt-BR': '{company}, {kind}: {documents}, de {period}.',
    en: '{company}, {kind}: {documents}, {period}.',
  },
  'doctor.files_of_several': {
    'pt-BR':
      'nenhuma empresa aparece mais que as outras; as perguntas precisam de cnpj ou de DFE_CNPJ: {companies}.',
    en: 'no company stands out; questions need cnpj or DFE_CNPJ: {companies}.',
  },
  'doctor.files_not_followed': {
    'pt-BR': '{count} {count:atalho ou arquivo especial ignorado|atalhos ou arquivos especiais ignorados}.',
    en: '{count} {count:link or special file|links or special files} passed over.',
  },
  'doctor.downloads': { 'pt-BR': 'Pasta de downloads', en: 'Download folder' },
  'doctor.views': { 'pt-BR': 'Telas no assistente', en: 'Views in the assistant' },
  'doctor.views_auto': {
    'pt-BR':
      'DFE_APPS=auto, nos aplicativos que dizem exibi-las (VS Code, ChatGPT, Copilot, Goose; claude.ai na web). O Claude Desktop deixa em branco as de servidores locais e por isso não as recebe; Claude Code e Codex não dizem exibi-las.',
    en: 'DFE_APPS=auto, in apps that say they show them (VS Code, ChatGPT, Copilot, Goose; claude.ai on the web). Claude Desktop leaves those of local servers blank, so it is offered none; Claude Code and Codex do not say so.',
  },
  'doctor.views_on': {
    'pt-BR': 'DFE_APPS=on, em todos os aplicativos, também nos que as deixam em branco (Claude Desktop).',
    en: 'DFE_APPS=on, in all apps, even those that leave them blank (Claude Desktop).',
  },
  'doctor.views_off': { 'pt-BR': 'DFE_APPS=off, em nenhum aplicativo.', en: 'DFE_APPS=off, in no app.' },
  'doctor.event_template': { 'pt-BR': 'DFE_EVENT_TEMPLATE', en: 'DFE_EVENT_TEMPLATE' },
  'doctor.tables': { 'pt-BR': 'Tabelas oficiais', en: 'Official tables' },
  'doctor.table_cfop': { 'pt-BR': 'CFOP', en: 'CFOP' },
  'doctor.table_natures': { 'pt-BR': 'naturezas por CFOP', en: 'natures by CFOP' },
  'doctor.table_class_trib': { 'pt-BR': 'cClassTrib', en: 'cClassTrib' },
  'doctor.table_ibs_cbs_cst': { 'pt-BR': 'CST do IBS e da CBS', en: 'CST of IBS and CBS' },
  'doctor.table_cities': { 'pt-BR': 'municípios', en: 'cities' },
  'doctor.table_of': {
    'pt-BR': '{name}, de {day} (há {days} {days:dia|dias})',
    en: '{name} of {day} ({days} {days:day|days} ago)',
  },
  'doctor.read_only': {
    'pt-BR': 'somente leitura, nenhuma ferramenta que altera dados é oferecida.',
    en: 'read-only, no tool that writes is offered.',
  },
  'doctor.journal_usable': {
    'pt-BR': 'pode ser gravado.',
    en: 'it can be written.',
  },
  'doctor.archive_usable': {
    'pt-BR': '{place} ({engine}), documentos guardados: {documents}.',
    en: '{place} ({engine}), documents kept: {documents}.',
  },
  'doctor.sqlite_missing': {
    'pt-BR':
      'Somar documentos (query_documents com group_by) e guardá-los em arquivo precisam do SQLite, que o Node {node} não traz: instale o pacote {engine} ou use Node 22.13 ou mais novo.',
    en: 'Adding documents up (query_documents with group_by) and keeping them in a file need SQLite, which Node {node} does not have: install the package {engine} or use Node 22.13 or newer.',
  },
  'doctor.no_downloads': {
    'pt-BR': 'nenhuma, nada é salvo (DFE_DOWNLOAD_DIR).',
    en: 'none, nothing is saved (DFE_DOWNLOAD_DIR).',
  },
  'doctor.downloads_usable': {
    'pt-BR': 'é possível salvar em {path}.',
    en: 'files can be saved in {path}.',
  },
  'doctor.downloads_unusable': {
    'pt-BR': 'não é possível salvar em {path} ({code}). Corrija DFE_DOWNLOAD_DIR ou as permissões da pasta.',
    en: 'files cannot be saved in {path} ({code}). Fix DFE_DOWNLOAD_DIR or the permissions of the folder.',
  },
  'doctor.folder_open': {
    'pt-BR':
      'A pasta de dados {path} está aberta a outros usuários deste computador (permissões {mode}). Para fechá-la: chmod 700 "{path}"',
    en: 'The data folder {path} is open to other users of this machine (permissions {mode}). To close it: chmod 700 "{path}"',
  },
  'doctor.template': {
    'pt-BR': 'leiaute reconhecido como {kind}.',
    en: 'recognised as {kind}.',
  },
} as const satisfies Record<`doctor.${string}`, Message>;
