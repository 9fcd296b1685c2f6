import type { Message } from './message.ts';

/** Words of `--help`, and of the greeting in a terminal. */
export const helpMessages = {
  'help.purpose': [
    'Servidor MCP para documentos fiscais eletrônicos (NF-e, NFS-e, CT-e).',
    'MCP server for Brazilian electronic fiscal documents (NF-e, NFS-e, CT-e).',
  ],
  'help.commands': ['Comandos', 'Commands'],
  'help.options': ['Opções', 'Options'],
  'help.actions': ['Ações', 'Actions'],
  'help.placeholder.folder': ['PASTA', 'FOLDER'],
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
  'help.archive.company': [
    'só desta empresa (fetch, export, purge)',
    'of this company only (fetch, export, purge)',
  ],
  'help.archive.kind': ['só deste tipo (fetch, export, purge)', 'of this kind only (fetch, export, purge)'],
  'help.archive.days': [
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
} as const satisfies Record<`${'help' | 'greeting'}.${string}`, Message>;
