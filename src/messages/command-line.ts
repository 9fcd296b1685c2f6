import type { Message } from './message.ts';

/** Words for the command line: mistakes in the configuration, start and end. */
export const commandLineMessages = {
  'config.unknown_flag': { 'pt-BR': 'opção desconhecida: {name}', en: 'unknown option: {name}' },
  'config.unknown_command': { 'pt-BR': 'comando desconhecido: {name}', en: 'unknown command: {name}' },
  'config.unknown_variable': { 'pt-BR': 'variável desconhecida: {name}', en: 'unknown variable: {name}' },
  'config.renamed': { 'pt-BR': '{name} agora se chama {other}', en: '{name} is now called {other}' },
  'config.nearest': { 'pt-BR': 'você quis dizer {name}?', en: 'did you mean {name}?' },
  'config.action_missing': {
    'pt-BR': 'archive pede uma ação: {actions}',
    en: 'archive needs an action: {actions}',
  },
  'config.secret_flag': {
    'pt-BR':
      'segredos não se passam por {name} (linhas de comando ficam visíveis): use a variável {variable}',
    en: 'secrets cannot be passed as {name} (command lines are visible): use the variable {variable}',
  },
  'config.flag_without_value': { 'pt-BR': '{name} pede um valor', en: '{name} needs a value' },
  'config.flag_with_value': { 'pt-BR': '{name} não leva valor', en: '{name} takes no value' },
  'config.flag_twice': { 'pt-BR': '{name} aparece duas vezes', en: '{name} is given twice' },
  'config.bad_port': {
    'pt-BR': '--port deve ser um número de 0 a 65535, não "{value}"',
    en: '--port must be a number from 0 to 65535, not "{value}"',
  },
  'config.bad_value': {
    'pt-BR': '{variable} não pode ser "{value}"',
    en: '{variable} cannot be "{value}"',
  },
  'config.unusable_value': {
    'pt-BR': '{variable} tem um valor que não serve (não é repetido aqui, pode conter uma senha)',
    en: '{variable} has a value that cannot be used (not repeated here, it may hold a password)',
  },
  'config.placeholder': {
    'pt-BR': '{variable} chegou sem preencher (ficou o marcador do aplicativo): preencha-a ou retire-a',
    en: '{variable} arrived unfilled (the app left its placeholder): fill it in or remove it',
  },
  'config.empty': {
    'pt-BR': '{variable} está vazia: informe uma pasta ou retire a variável',
    en: '{variable} is empty: name a folder or remove the variable',
  },
  'config.needs': {
    'pt-BR': '{variable}={value} precisa de {other}',
    en: '{variable}={value} needs {other}',
  },
  'config.two_ways': {
    'pt-BR': '{first} e {second} se excluem: configure só uma das duas',
    en: '{first} and {second} exclude each other: configure only one of them',
  },
  'config.expected.text': { 'pt-BR': 'deve ser texto', en: 'must be text' },
  'config.expected.url': {
    'pt-BR': 'deve ser um endereço http(s) sem usuário, senha, consulta nem âncora',
    en: 'must be an http(s) address without user, password, query or fragment',
  },
  'config.expected.database_url': {
    'pt-BR': 'deve ser postgresql://usuário:senha@servidor/banco',
    en: 'must be postgresql://user:password@host/database',
  },
  'config.expected.path': {
    'pt-BR': 'escreva o caminho por inteiro; só "~" e "~/…" são a sua pasta pessoal',
    en: 'write the whole path; only "~" and "~/…" are your home folder',
  },
  'config.expected.archive': {
    'pt-BR': 'valores possíveis: {choices}; o endereço de um banco vai em DFE_DATABASE_URL',
    en: 'allowed values: {choices}; the address of a database goes into DFE_DATABASE_URL',
  },
  'config.expected.refresh': {
    'pt-BR':
      'deve ser como 7:5m,35:1d,100:7d (idade do dia em dias:prazo em minutos m, horas h ou dias d), em ordem crescente',
    en: 'must be like 7:5m,35:1d,100:7d (age of the day in days:limit in minutes m, hours h or days d), in rising order',
  },
  'config.expected.toggle': { 'pt-BR': 'deve ser true ou false', en: 'must be true or false' },
  'config.expected.whole_number': {
    'pt-BR': 'deve ser um número inteiro de {least} a {most}',
    en: 'must be a whole number from {least} to {most}',
  },
  'config.expected.list': { 'pt-BR': 'valores possíveis: {choices}', en: 'allowed values: {choices}' },
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
  'cli.see_help': { 'pt-BR': 'Veja {command} --help.', en: 'See {command} --help.' },
  'cli.plain_http': {
    'pt-BR': 'aviso: {variable} usa http: sem criptografia; usuário e senha passam à vista da rede',
    en: 'warning: {variable} uses plain http:, so user and password can be read on the network',
  },
  'cli.unexpected': {
    'pt-BR': 'erro inesperado, referência {reference}: {name}',
    en: 'unexpected error, reference {reference}: {name}',
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
} as const satisfies Record<string, Message>;
