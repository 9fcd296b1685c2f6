import type { Message } from './message.ts';

/** Words for arguments of a tool call that cannot be used. */
export const argumentMessages = {
  'argument.refused': {
    'pt-BR':
      'Argumentos inválidos para {tool}: {reasons}. Nada foi consultado nem enviado; corrija e chame de novo.',
    en: 'Invalid arguments for {tool}: {reasons}. Nothing was asked or sent; correct them and call again.',
  },
  'argument.unknown_nearest': {
    'pt-BR': '"{name}" não existe aqui; você quis dizer "{nearest}"? (argumentos: {known})',
    en: '"{name}" does not exist here; did you mean "{nearest}"? (arguments: {known})',
  },
  'argument.unknown_elsewhere': {
    'pt-BR': '"{name}" não existe aqui; existe em {tools} (argumentos daqui: {known})',
    en: '"{name}" does not exist here; {tools} has it (arguments here: {known})',
  },
  'argument.unknown': {
    'pt-BR': '"{name}" não existe aqui (argumentos: {known})',
    en: '"{name}" does not exist here (arguments: {known})',
  },
  'argument.problem': { 'pt-BR': '"{argument}": {words}', en: '"{argument}": {words}' },
  'argument.missing': { 'pt-BR': 'falta "{argument}"', en: '"{argument}" is missing' },
  'argument.raw_alone': {
    'pt-BR': 'o evento bruto vai como está e sozinho; retire {others}',
    en: 'the raw event is sent as it is and alone; remove {others}',
  },
  'argument.only_for': {
    'pt-BR': '"{argument}" só vale com document "{document}"',
    en: '"{argument}" is for document "{document}" only',
  },
  'argument.number_for_text': {
    'pt-BR': '"{argument}" deve vir como texto entre aspas, porque como número perde algarismos',
    en: '"{argument}" must come as quoted text, because as a number it loses digits',
  },
  'argument.wrong_type': {
    'pt-BR': '"{argument}" tem o tipo errado: esperado {expected}',
    en: '"{argument}" is of the wrong type, {expected} was expected',
  },
  'argument.not_among': {
    'pt-BR': '"{argument}": valores possíveis: {choices}',
    en: '"{argument}" can be: {choices}',
  },
  'argument.too_small': {
    'pt-BR': '"{argument}": o mínimo é {least}',
    en: '"{argument}" must be at least {least}',
  },
  'argument.too_big': {
    'pt-BR': '"{argument}": o máximo é {most}',
    en: '"{argument}" is over the maximum of {most}',
  },
  'argument.unusable': { 'pt-BR': '"{argument}" é inválido', en: '"{argument}" is invalid' },
  'argument.moment': {
    'pt-BR':
      'deve ser AAAA-MM-DD ou AAAA-MM-DDTHH:mm[:ss], uma data que exista, ou uma destas palavras: {words}',
    en: 'must be YYYY-MM-DD or YYYY-MM-DDTHH:mm[:ss], a date that exists, or one of these words: {words}',
  },
  'argument.day': {
    'pt-BR': 'deve ser AAAA-MM-DD, uma data que exista, ou uma destas palavras: {words}',
    en: 'must be YYYY-MM-DD, a date that exists, or one of these words: {words}',
  },
  'argument.date': {
    'pt-BR': 'deve ser AAAA-MM-DD, uma data que exista',
    en: 'must be YYYY-MM-DD, a date that exists',
  },
  'argument.period_reversed': {
    'pt-BR': 'o período começa ({from}) depois de terminar ({to})',
    en: 'the period begins ({from}) after it ends ({to})',
  },
  'argument.cursor': {
    'pt-BR': 'o cursor é de outra consulta; repita-a sem cursor',
    en: 'the cursor belongs to another query; repeat this one without a cursor',
  },
  'argument.url': { 'pt-BR': 'deve ser um endereço http(s)', en: 'must be an http(s) address' },
  'argument.set_prefix': {
    'pt-BR': 'deve começar com X-; os outros conjuntos são só de leitura',
    en: 'must begin with X-; other sets are read-only',
  },
  'argument.name_or_value': {
    'pt-BR': 'não pode ser vazio',
    en: 'cannot be empty',
  },
  'argument.exclusive_subscription': {
    'pt-BR': 'exclui subscription_type_id: informe só um dos dois',
    en: 'excludes subscription_type_id: give only one of the two',
  },
  'argument.amount': {
    'pt-BR': 'deve ser um valor decimal com ponto, como 1234.56',
    en: 'must be a decimal with a point, such as 1234.56',
  },
  'argument.broken_character': {
    'pt-BR': 'contém metade de um caractere, que não pode ser enviada',
    en: 'contains half a character, which cannot be sent',
  },
  'argument.totals_reversed': {
    'pt-BR': 'min_total ({least}) é maior que max_total ({most})',
    en: 'min_total ({least}) is greater than max_total ({most})',
  },
  'argument.state': {
    'pt-BR': 'deve ser a sigla de uma UF, como SP, ou EX',
    en: 'must be the two letters of a state, such as SP, or EX',
  },
  'argument.cfop': {
    'pt-BR': 'deve ser um CFOP de 4 algarismos, ou seu começo',
    en: 'must be a CFOP of 4 digits, or its beginning',
  },
  'argument.ncm': {
    'pt-BR': 'deve ser um NCM de 8 algarismos, ou seu começo',
    en: 'must be an NCM of 8 digits, or its beginning',
  },
  'argument.cst': {
    'pt-BR': 'deve ser um CST ou CSOSN de 2 a 4 algarismos',
    en: 'must be a CST or CSOSN of 2 to 4 digits',
  },
  'argument.class_trib': {
    'pt-BR': 'deve ser um cClassTrib de 6 algarismos',
    en: 'must be a cClassTrib of 6 digits',
  },
  'argument.regime': { 'pt-BR': 'deve ser um CRT de 1 a 4', en: 'must be a CRT from 1 to 4' },
  'argument.purpose': {
    'pt-BR': 'deve ser um algarismo, o finNFe',
    en: 'must be one digit, the finNFe',
  },
  'argument.number': {
    'pt-BR': 'deve ser o número do documento, só com algarismos',
    en: 'must be the number of the document, digits only',
  },
  'argument.competence': {
    'pt-BR': 'deve ser o mês de competência, AAAA-MM',
    en: 'must be the month the service belongs to, YYYY-MM',
  },
  'argument.too_long': {
    'pt-BR': 'use no máximo {most} caracteres, para que a prévia o mostre inteiro',
    en: 'use {most} characters at most, so that the preview shows all of it',
  },
  'argument.many_words': {
    'pt-BR': 'use até {most} palavras, 200 caracteres ao todo',
    en: 'use {most} words at most, 200 characters in all',
  },
  'argument.city_of_many': {
    'pt-BR':
      '"{given}" está em {count} nomes de município; escreva o nome inteiro, com a UF (Campinas/SP), ou o código do IBGE',
    en: '"{given}" is in the names of {count} cities; write the whole name, with the state (Campinas/SP), or its IBGE code',
  },
  'argument.no_city': {
    'pt-BR':
      'nenhum município se chama "{given}"; use o nome, o nome com a UF (Campinas/SP) ou o código do IBGE',
    en: 'no city is called "{given}"; give its name, its name with the state (Campinas/SP) or its IBGE code',
  },
  'argument.name_of_many': {
    'pt-BR': '"{given}" está em {count} nomes; escreva mais do nome, ou o CNPJ',
    en: '"{given}" is in {count} names; write more of the name, or the CNPJ',
  },
  'argument.order': {
    'pt-BR': 'valores possíveis, com ou sem "-" na frente: {choices}',
    en: 'allowed values, with or without a leading "-": {choices}',
  },
  'argument.clearable': { 'pt-BR': 'valores possíveis: {choices}', en: 'allowed values: {choices}' },
  'argument.account_date': {
    'pt-BR': 'deve ser AAAA-MM-DD ou AAAA-MM-DDTHH:mm:ss, sem fuso',
    en: 'must be YYYY-MM-DD or YYYY-MM-DDTHH:mm:ss, without zone',
  },
} as const satisfies Record<string, Message>;
