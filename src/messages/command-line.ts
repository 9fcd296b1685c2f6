import type { Message } from './message.ts';

/** Words for the command line: mistakes in the configuration, start and end. */
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
  'config.expected.database_url': [
    'deve ser postgresql://usuário:senha@servidor/banco',
    'must be postgresql://user:password@host/database',
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
  'config.expected.date_format': [
    'deve conter dia (dd), mês (MM) e ano (yyyy), com estas maiúsculas e minúsculas',
    'must contain day (dd), month (MM) and year (yyyy), in this case',
  ],
  'config.expected.time_format': [
    'deve conter hora (HH) e minuto (mm), com estas maiúsculas e minúsculas, ou ser none',
    'must contain hour (HH) and minute (mm), in this case, or be none',
  ],
  'config.expected.time_zone': [
    'deve ser um fuso como America/Sao_Paulo',
    'must be a zone such as America/Sao_Paulo',
  ],
  'config.expected.header_name': [
    'só pode ter letras, algarismos e hífen',
    'may have letters, digits and hyphens only',
  ],
  'config.expected.header_value': [
    'só pode ter caracteres imprimíveis ASCII',
    'may have printable ASCII only',
  ],
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
  'sandbox.no_port': [
    'O simulador não pôde abrir a porta {port} ({code}).',
    'The sandbox could not open port {port} ({code}).',
  ],
} as const satisfies Record<string, Message>;
