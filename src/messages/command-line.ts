import type { Message } from './message.ts';

/** Words for the command line: help, mistakes in the configuration, start and end. */
export const commandLineMessages = {
  'config.unknown_flag': { 'pt-BR': 'opção desconhecida: {name}', en: 'unknown option: {name}' },
  'config.unknown_command': { 'pt-BR': 'comando desconhecido: {name}', en: 'unknown command: {name}' },
  'config.unknown_variable': { 'pt-BR': 'variável desconhecida: {name}', en: 'unknown variable: {name}' },
  'config.nearest': { 'pt-BR': 'a mais parecida é {name}', en: 'the nearest is {name}' },
  'config.secret_flag': {
    'pt-BR':
      '{name} não existe como opção, porque linhas de comando ficam à vista: use a variável {variable}',
    en: '{name} is no option, because command lines can be seen by others: use the variable {variable}',
  },
  'config.flag_without_value': { 'pt-BR': '{name} pede um valor', en: '{name} needs a value' },
  'config.flag_twice': { 'pt-BR': '{name} aparece duas vezes', en: '{name} is given twice' },
  'config.bad_port': {
    'pt-BR': '--port deve ser um número de 0 a 65535, não "{value}"',
    en: '--port must be a number from 0 to 65535, not "{value}"',
  },
  'config.bad_value': {
    'pt-BR': '{variable} não pode ser "{value}"',
    en: '{variable} cannot be "{value}"',
  },
  'config.placeholder': {
    'pt-BR': '{variable} chegou sem preencher (ficou o marcador do aplicativo): preencha-a ou retire-a',
    en: '{variable} arrived unfilled (the host left its placeholder): fill it in or remove it',
  },
  'config.two_ways': {
    'pt-BR': '{first} e {second} se excluem: configure só uma das duas',
    en: '{first} and {second} exclude each other: configure only one of them',
  },
  'config.expected.text': { 'pt-BR': 'deve ser texto', en: 'must be text' },
  'config.expected.url': {
    'pt-BR': 'deve ser um endereço http(s) sem usuário, consulta nem âncora',
    en: 'must be an http(s) address without user, query or fragment',
  },
  'config.expected.toggle': { 'pt-BR': 'deve ser true ou false', en: 'must be true or false' },
  'config.expected.whole_number': {
    'pt-BR': 'deve ser um número inteiro de {least} a {most}',
    en: 'must be a whole number from {least} to {most}',
  },
  'config.expected.list': { 'pt-BR': 'pode ser: {choices}', en: 'can be: {choices}' },
  'config.expected.cnpj': { 'pt-BR': 'deve ser um CNPJ válido', en: 'must be a valid CNPJ' },
  'config.expected.date_format': {
    'pt-BR': 'deve conter dia (dd), mês (MM) e ano (yyyy), com estas maiúsculas e minúsculas',
    en: 'must contain day (dd), month (MM) and year (yyyy), in this case',
  },
  'config.expected.time_format': {
    'pt-BR': 'deve conter hora (HH) e minuto (mm), com estas maiúsculas e minúsculas, ou ser none',
    en: 'must contain hour (HH) and minute (mm), in this case, or be none',
  },
  'config.expected.time_zone': {
    'pt-BR': 'deve ser um fuso como America/Sao_Paulo',
    en: 'must be a zone such as America/Sao_Paulo',
  },
  'config.expected.header_name': {
    'pt-BR': 'só pode ter letras, algarismos e hífen',
    en: 'may have letters, digits and hyphens only',
  },
  'config.expected.header_value': {
    'pt-BR': 'só pode ter caracteres imprimíveis ASCII',
    en: 'may have printable ASCII only',
  },
  'cli.stopped': {
    'pt-BR': 'docfiscal-mcp não iniciou:',
    en: 'docfiscal-mcp did not start:',
  },
  'cli.see_help': {
    'pt-BR': 'Veja docfiscal-mcp --help.',
    en: 'See docfiscal-mcp --help.',
  },
  'cli.http_missing': {
    'pt-BR': 'esta versão ainda não serve MCP por HTTP; use docfiscal-mcp por stdio',
    en: 'this version does not serve MCP over HTTP yet; use docfiscal-mcp over stdio',
  },
  'cli.plain_http': {
    'pt-BR': 'aviso: {variable} usa http: sem criptografia; usuário e senha passam à vista da rede',
    en: 'warning: {variable} uses plain http:, so user and password can be read on the network',
  },
  'cli.unexpected': {
    'pt-BR': 'erro inesperado, referência {reference}: {name}',
    en: 'unexpected error, reference {reference}: {name}',
  },
  'doctor.source_flag': { 'pt-BR': 'opção', en: 'flag' },
  'doctor.source_environment': { 'pt-BR': 'ambiente', en: 'environment' },
  'doctor.source_default': { 'pt-BR': 'padrão', en: 'default' },
  'doctor.source_unset': { 'pt-BR': '–', en: '–' },
  'doctor.source_demo': { 'pt-BR': 'demo', en: 'demo' },
  'doctor.documents': { 'pt-BR': 'Serviço de documentos', en: 'Documents service' },
  'doctor.account': { 'pt-BR': 'Serviço de conta', en: 'Account service' },
  'doctor.writes': { 'pt-BR': 'Escritas', en: 'Writes' },
  'doctor.read_only': {
    'pt-BR': 'Somente leitura: nenhuma ferramenta que escreve é registrada.',
    en: 'Read-only: no tool that writes is registered.',
  },
  'doctor.journal_usable': {
    'pt-BR': 'O diário pode ser gravado.',
    en: 'The journal can be written.',
  },
  'doctor.template': {
    'pt-BR': 'Leiaute de evento reconhecido como {kind}.',
    en: 'Event layout recognised as {kind}.',
  },
  'sandbox.running': {
    'pt-BR': 'Simulador dos dois serviços em {url}. Para usá-lo, defina:',
    en: 'Sandbox of both services at {url}. To use it set:',
  },
  'sandbox.companies': { 'pt-BR': 'Empresas:', en: 'Companies:' },
  'sandbox.no_port': {
    'pt-BR': 'O simulador não pôde abrir a porta {port} ({code}).',
    en: 'The sandbox could not open port {port} ({code}).',
  },
  'help.purpose': {
    'pt-BR': 'Servidor MCP para documentos fiscais eletrônicos (NF-e, NFS-e, CT-e).',
    en: 'MCP server for Brazilian electronic fiscal documents (NF-e, NFS-e, CT-e).',
  },
  'help.commands': { 'pt-BR': 'Comandos', en: 'Commands' },
  'help.command.stdio': { 'pt-BR': 'MCP por stdio', en: 'MCP over stdio' },
  'help.command.demo': {
    'pt-BR': 'o mesmo com o simulador embutido: sem conta nem rede',
    en: 'the same against the embedded sandbox: no account, no network',
  },
  'help.command.http': { 'pt-BR': 'MCP por Streamable HTTP', en: 'MCP over Streamable HTTP' },
  'help.command.sandbox': {
    'pt-BR': 'o simulador dos dois serviços como servidor HTTP',
    en: 'the sandbox of both services as an HTTP server',
  },
  'help.command.doctor': {
    'pt-BR': 'o que está configurado e de onde veio, o que responde, o que corrigir',
    en: 'what is configured and where from, what answers, what to mend',
  },
  'help.command.archive': {
    'pt-BR': 'o que está guardado: info, verify, export --to PASTA, purge',
    en: 'what is kept: info, verify, export --to FOLDER, purge',
  },
  'help.command.help': { 'pt-BR': 'respondem e terminam', en: 'answer and exit' },
  'help.settings': {
    'pt-BR': 'Ajustes (variável de ambiente; opção de mesmo nome onde não é segredo)',
    en: 'Settings (environment variable; a flag of the same name where it is no secret)',
  },
  'help.default': { 'pt-BR': 'padrão: {value}', en: 'default: {value}' },
} as const satisfies Record<string, Message>;
