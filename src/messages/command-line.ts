import type { Message } from './message.ts';

/** The command line: mistakes in the configuration, help, start and end, what `doctor` finds. */
export const commandLineMessages = {
  'config.unknown_flag': ['opção desconhecida: {name}', 'unknown option: {name}'],
  'config.unknown_command': ['comando desconhecido: {name}', 'unknown command: {name}'],
  'config.unknown_variable': ['variável desconhecida: {name}', 'unknown variable: {name}'],
  'config.renamed': ['{name} agora se chama {other}', '{name} is now called {other}'],
  'config.nearest': ['você quis dizer {name}?', 'did you mean {name}?'],
  'config.action_missing': ['archive pede uma ação: {actions}', 'archive needs an action: {actions}'],
  'config.secret_flag': [
    'segredos não se passam por {name} (linhas de comando ficam visíveis): use a variável {variable}',
    'secrets cannot be passed as {name} (command lines are visible): use the variable {variable}',
  ],
  'config.flag_without_value': ['{name} pede um valor', '{name} needs a value'],
  'config.flag_with_value': ['{name} não leva valor', '{name} takes no value'],
  'config.flag_twice': ['{name} aparece duas vezes', '{name} is given twice'],
  'config.bad_port': [
    '--port deve ser um número de 0 a 65535, não "{value}"',
    '--port must be a number from 0 to 65535, not "{value}"',
  ],
  'config.bad_value': ['{variable} não pode ser "{value}"', '{variable} cannot be "{value}"'],
  'config.unusable_value': [
    '{variable} tem um valor que não serve (não é repetido aqui, pode conter uma senha)',
    '{variable} has a value that cannot be used (not repeated here, it may hold a password)',
  ],
  'config.placeholder': [
    '{variable} chegou sem preencher (ficou o marcador do aplicativo): preencha-a ou retire-a',
    '{variable} arrived unfilled (the app left its placeholder): fill it in or remove it',
  ],
  'config.empty': [
    '{variable} está vazia: informe uma pasta ou retire a variável',
    '{variable} is empty: name a folder or remove the variable',
  ],
  'config.needs': ['{variable}={value} precisa de {other}', '{variable}={value} needs {other}'],
  'config.two_ways': [
    '{first} e {second} se excluem: configure só uma das duas',
    '{first} and {second} exclude each other: configure only one of them',
  ],
  'config.expected.text': ['deve ser texto', 'must be text'],
  'config.expected.url': [
    'deve ser um endereço http(s) sem usuário, senha, consulta nem âncora',
    'must be an http(s) address without user, password, query or fragment',
  ],
  'config.expected.path': [
    'escreva o caminho por inteiro; só "~" e "~/…" são a sua pasta pessoal',
    'write the whole path; only "~" and "~/…" are your home folder',
  ],
  'config.expected.archive': [
    'valores possíveis: {choices}; o endereço de um banco vai em DFE_DATABASE_URL',
    'allowed values: {choices}; the address of a database goes into DFE_DATABASE_URL',
  ],
  'config.expected.refresh': [
    'deve ser como 7:5m,35:1d,100:7d (idade do dia em dias:prazo em minutos m, horas h ou dias d), em ordem crescente',
    'must be like 7:5m,35:1d,100:7d (age of the day in days:limit in minutes m, hours h or days d), in rising order',
  ],
  'config.expected.toggle': ['deve ser true ou false', 'must be true or false'],
  'config.expected.whole_number': [
    'deve ser um número inteiro de {least} a {most}',
    'must be a whole number from {least} to {most}',
  ],
  'config.expected.list': ['valores possíveis: {choices}', 'allowed values: {choices}'],
  'config.expected.cnpj': ['deve ser um CNPJ válido', 'must be a valid CNPJ'],
  'config.expected.like': ['deve ser como {example}', 'must be like {example}'],
  'config.expected.cased': [
    'deve ser como {example}, com estas maiúsculas e minúsculas',
    'must be like {example}, in this case',
  ],
  'config.expected.header_name': [
    'só pode ter letras, algarismos e hífen',
    'may have letters, digits and hyphens only',
  ],
  'config.expected.header_value': ['só pode ter ASCII imprimível', 'may have printable ASCII only'],
  'cli.stopped': ['docfiscal-mcp não iniciou:', 'docfiscal-mcp did not start:'],
  'cli.see_help': ['Veja {command} --help.', 'See {command} --help.'],
  'cli.plain_http': [
    'aviso: {variable} usa http: sem criptografia; usuário e senha passam à vista da rede',
    'warning: {variable} uses plain http:, so user and password can be read on the network',
  ],
  'cli.unexpected': [
    'erro inesperado, referência {reference}: {name}',
    'unexpected error, reference {reference}: {name}',
  ],
  'sandbox.running': [
    'Simulador dos dois serviços em {url}. Para usá-lo, defina:',
    'Sandbox of both services at {url}. To use it set:',
  ],
  'sandbox.companies': ['Empresas:', 'Companies:'],

  'config.unknown_host': [
    'assistente desconhecido: {name}; há {hosts}',
    'unknown assistant: {name}; there are {hosts}',
  ],
  'config.host_file': ['{host}: {path} não pode ser lido ({code})', '{host}: {path} cannot be read ({code})'],
  'config.host_file_broken': [
    '{host}: {path} não é {form} válido em UTF-8: corrija o arquivo',
    '{host}: {path} is no valid {form} in UTF-8: correct the file',
  ],
  'config.host_without_server': [
    '{host}: nenhum servidor docfiscal-mcp em {path}; rode docfiscal-mcp setup. Um pacote instalado com duplo clique (.mcpb) guarda a configuração no próprio assistente: peça nele "teste a conexão"',
    '{host}: no docfiscal-mcp server in {path}; run docfiscal-mcp setup. A bundle installed by double click (.mcpb) keeps its configuration inside the assistant: ask there “check the connection”',
  ],
  'config.host_program': [
    '{host} inicia {program}, que não existe mais; rode docfiscal-mcp setup',
    '{host} starts {program}, which no longer exists; run docfiscal-mcp setup',
  ],
  'doctor.of_host': ['{host}: servidor {name} de {path}', '{host}: server {name} of {path}'],
  'doctor.other_servers': ['Não examinados, no mesmo arquivo: {names}', 'Not examined in this file: {names}'],
  // Words for what `doctor` finds.
  'doctor.verdict_ok': ['Tudo o que é necessário funciona.', 'Everything that is needed works.'],
  'doctor.verdict_degraded': [
    'Funciona, mas há o que verificar.',
    'It works, but there is something to look into.',
  ],
  'doctor.verdict_failed': ['Há o que corrigir: {what}.', 'There is something to fix: {what}.'],
  'doctor.run_setup': [
    'Rode docfiscal-mcp setup para configurar o serviço ou os seus arquivos.',
    'Run docfiscal-mcp setup to set up the service or your own files.',
  ],
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
    '{files} {files:arquivo lido|arquivos lidos}, {documents} {documents:documento|documentos} e {events} {events:evento|eventos}.',
    '{files} {files:file|files} read, {documents} {documents:document|documents} and {events} {events:event|events}.',
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
  'doctor.law': [
    'Datas da legislação conferidas em {day} (há {days} {days:dia|dias}).',
    'Dates of the law looked up on {day} ({days} {days:day|days} ago).',
  ],
  'doctor.law_outdated': [
    'Datas da legislação conferidas em {day} (há {days} dias): veja se há ato mais novo (docs/fiscal/calendar.md), ou atualize o programa.',
    'Dates of the law looked up on {day} ({days} days ago): look for newer acts (docs/fiscal/calendar.md), or update the program.',
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
  'doctor.no_downloads': ['nenhuma (DFE_DOWNLOAD_DIR).', 'none (DFE_DOWNLOAD_DIR).'],
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

  // Words of `--help`, and of the greeting in a terminal.
  'help.purpose': [
    'Servidor MCP para documentos fiscais eletrônicos (NF-e, NFS-e, CT-e).',
    'MCP server for Brazilian electronic fiscal documents (NF-e, NFS-e, CT-e).',
  ],
  'help.commands': ['Comandos', 'Commands'],
  'help.options': ['Opções', 'Options'],
  'help.actions': ['Ações', 'Actions'],
  'help.placeholder.folder': ['PASTA', 'FOLDER'],
  'help.placeholder.file': ['ARQUIVO', 'FILE'],
  'help.placeholder.day': ['AAAA-MM-DD', 'YYYY-MM-DD'],
  'help.placeholder.action': ['AÇÃO', 'ACTION'],
  'help.command.stdio': [
    'MCP por stdio: é assim que um assistente o inicia',
    'MCP over stdio: this is how an assistant starts it',
  ],
  'help.command.demo': [
    'o mesmo com o simulador embutido: sem conta nem rede',
    'the same against the embedded sandbox: no account, no network',
  ],
  'help.command.setup': [
    'pergunta, testa a conexão e grava a configuração do seu assistente',
    'asks, tries the connection and writes the configuration of your assistant',
  ],
  'help.command.sandbox': [
    'o simulador dos dois serviços como servidor HTTP',
    'the sandbox of both services as an HTTP server',
  ],
  'help.command.doctor': [
    'o que está configurado e de onde veio, o que responde e como corrigir o resto',
    'what is configured and where from, what is reachable and how to fix the rest',
  ],
  'help.command.archive': [
    'cuida dos documentos guardados: {actions}',
    'looks after the documents that are kept: {actions}',
  ],
  'help.command.help': [
    'respondem e terminam; cada comando tem o seu --help',
    'answer and exit; every command has its own --help',
  ],
  'help.settings': [
    'Configuração (variável de ambiente; opção de mesmo nome onde não é segredo)',
    'Settings (environment variable; a flag of the same name where it is no secret)',
  ],
  'help.settings_too': [
    'A configuração do servidor vale aqui também: docfiscal-mcp --help.',
    'The settings of the server apply here too: docfiscal-mcp --help.',
  ],
  'help.default': ['padrão: {value}', 'default: {value}'],
  'help.setup.purpose': [
    'Pergunta no terminal o que o servidor precisa saber, testa a conexão, mostra o que mudaria na configuração do assistente (Claude Desktop, Claude Code, VS Code, Cursor, Codex, Gemini CLI) e, com o seu sim, grava, com cópia do que estava antes. O que não entende, não muda.',
    'Asks in the terminal what the server needs to know, tries the connection, shows what would change in the configuration of the assistant (Claude Desktop, Claude Code, VS Code, Cursor, Codex, Gemini CLI) and, with your yes, writes it, with a copy of what was there. What it does not understand it leaves alone.',
  ],
  'help.setup.exit': [
    'Termina com 0 se gravou ou mostrou a configuração, 1 se nada mudou, 2 sem terminal.',
    'Exits with 0 if the configuration was written or shown, 1 if nothing changed, 2 without a terminal.',
  ],
  'help.sandbox.purpose': [
    'Roda até Ctrl+C um simulador dos dois serviços em 127.0.0.1, com dados inventados, e mostra as variáveis que apontam o servidor para ele.',
    'Runs a sandbox of both services at 127.0.0.1 until Ctrl+C, with invented data, and shows the variables that point the server at it.',
  ],
  'help.sandbox.port': ['porta; sem ela, uma que esteja livre', 'port; without it, a free one'],
  'help.doctor.purpose': [
    'Examina a configuração: o que vale e de onde veio, o que responde e como corrigir o resto. Nunca mostra um segredo.',
    'Examines the configuration: what is in force and where it comes from, what is reachable and how to fix the rest. Never shows a secret.',
  ],
  'help.doctor.demo': [
    'examina a demonstração em vez da configuração',
    'examines the demo instead of the configuration',
  ],
  'help.doctor.host': [
    'examina o que o assistente inicia, com a configuração que está nele: {hosts}',
    'examines what the assistant starts, with the configuration it holds: {hosts}',
  ],
  'help.doctor.json': ['responde em JSON', 'answers in JSON'],
  'help.doctor.marks': [
    '✓ funciona   ✗ falha   – não configurado   ? não dá para julgar',
    '✓ works   ✗ fails   – not configured   ? cannot be judged',
  ],
  'help.doctor.exit': [
    'Termina com 0 se funciona, 1 se falta ou falha algo necessário, 2 se a configuração está errada.',
    'Exits with 0 if it works, 1 if something needed is missing or fails, 2 if the settings are wrong.',
  ],
  'help.archive.purpose': [
    'Cuida dos documentos que o servidor guardou (DFE_ARCHIVE=file ou database). Só purge --yes remove algo.',
    'Looks after the documents that the server has kept (DFE_ARCHIVE=file or database). Only purge --yes removes anything.',
  ],
  'help.archive.info': [
    'o que está guardado, de que empresa, tipo e período',
    'what is kept, of which company, kind and period',
  ],
  'help.archive.verify': [
    'confere se está íntegro e diz o que fazer se não estiver',
    'checks that it is intact and says what to do if not',
  ],
  'help.placeholder.paths': ['CAMINHO…', 'PATH…'],
  'help.archive.import': [
    'guarda de vez os documentos de arquivos, pastas e ZIPs',
    'keeps the documents of files, folders and ZIPs for good',
  ],
  'help.archive.fetch': [
    'busca no serviço os dias que faltam ou estão velhos; com --refresh, todos',
    'fetches the days that are missing or old from the service; all of them if --refresh is given',
  ],
  'help.archive.fetch_days': [
    'fetch sem dias cuida dos últimos 100, de NF-e, NFS-e e CT-e da empresa configurada; feito para rodar em horário marcado.',
    'Without days, fetch covers the last 100, for NF-e, NFS-e and CT-e of the configured company; it is made to run on a schedule.',
  ],
  'help.archive.exit': [
    'Termina com 0 se tudo foi feito, 1 se falhou ou algo falta no período, 2 se a configuração ou a linha de comando está errada.',
    'Exits with 0 if all was done, 1 if it failed or something of the period is missing, 2 if settings or command line are wrong.',
  ],
  'help.archive.export': [
    'grava o que está guardado em CSV, um arquivo por empresa e tipo',
    'writes what is kept as CSV, one file per company and kind',
  ],
  'help.archive.purge': [
    'mostra o que seria removido; com --yes, remove',
    'shows what would be removed; with --yes, removes it',
  ],
  'help.archive.verify_dossier': [
    'diz se algo de um dossiê foi alterado, acrescentado ou retirado; H: o hash informado quando ele foi gerado',
    'says whether anything in a dossier was changed, added or removed; H: the hash given when it was made',
  ],
  'help.archive.company': [
    'só desta empresa (fetch, export, purge)',
    'of this company only (fetch, export, purge)',
  ],
  'help.archive.kind': ['só deste tipo (fetch, export, purge)', 'of this kind only (fetch, export, purge)'],
  'help.archive.from': [
    'só emitidos nestes dias, inclusive (fetch, export, purge)',
    'issued on these days only, both included (fetch, export, purge)',
  ],
  'greeting.server': [
    'docfiscal-mcp {version} é um servidor MCP: quem conversa com ele por esta entrada é um assistente de IA, não uma pessoa.',
    'docfiscal-mcp {version} is an MCP server: it is an AI assistant that talks to it over this input, not a person.',
  ],
  'greeting.demo': [
    'docfiscal-mcp {version} --demo é um servidor MCP sobre um simulador, com dados inventados: quem conversa com ele por esta entrada é um assistente de IA, não uma pessoa.',
    'docfiscal-mcp {version} --demo is an MCP server against a sandbox, with invented data: it is an AI assistant that talks to it over this input, not a person.',
  ],
  'greeting.host': [
    'Para usá-lo, ponha isto na configuração de servidores MCP do assistente:',
    'To use it, put this into the MCP servers of your assistant:',
  ],
  'greeting.try': [
    'Para experimentar sem conta, acrescente "--demo" aos args.',
    'To try it without an account add "--demo" to args.',
  ],
  'greeting.type': ['Aqui no terminal:', 'Here in the terminal:'],
  'greeting.end': ['Ctrl+C encerra.', 'Ctrl+C ends it.'],
} as const satisfies Record<string, Message>;
