import type { Message } from './message.ts';

/** Arguments of a tool call that cannot be used, and how hosts list the prompts. */
export const argumentMessages = {
  'argument.refused': [
    'Argumentos inválidos para {tool}: {reasons}. Nada foi enviado nem alterado; corrija e chame de novo.',
    'Invalid arguments for {tool}: {reasons}. Nothing was sent or changed; correct them and call again.',
  ],
  'argument.unknown': [
    '"{name}" não existe aqui{hint} (argumentos: {known})',
    '"{name}" does not exist here{hint} (arguments: {known})',
  ],
  'argument.elsewhere': ['existe em {tools}', 'it exists in {tools}'],
  'argument.problem': ['"{argument}": {words}', '"{argument}": {words}'],
  'argument.format_of_pdf': ['pdf só vale com format: "report"', 'pdf goes with format: "report" only'],
  'argument.format_of_reconcile_files': [
    '"reconcile_files" vale com os formatos csv, xlsx, report e dossier',
    '"reconcile_files" goes with the formats csv, xlsx, report and dossier',
  ],
  'argument.missing': ['falta "{argument}"', '"{argument}" is missing'],
  'argument.raw_alone': [
    'o evento bruto vai como está e sozinho; retire {others}',
    'the raw event is sent as it is and alone; remove {others}',
  ],
  'argument.only_for': [
    '"{argument}" só vale com document "{document}"',
    '"{argument}" is for document "{document}" only',
  ],
  'argument.number_for_text': [
    '"{argument}" deve vir como texto entre aspas, porque como número perde algarismos',
    '"{argument}" must come as quoted text, because as a number it loses digits',
  ],
  'argument.wrong_type': [
    '"{argument}" tem o tipo errado: esperado {expected}',
    '"{argument}" is of the wrong type, {expected} was expected',
  ],
  'argument.not_among': ['"{argument}": valores possíveis: {choices}', '"{argument}" can be: {choices}'],
  'argument.too_small': ['"{argument}": o mínimo é {least}', '"{argument}" must be at least {least}'],
  'argument.too_big': ['"{argument}": o máximo é {most}', '"{argument}" is over the maximum of {most}'],
  'argument.unusable': ['"{argument}" é inválido', '"{argument}" is invalid'],
  'argument.moment': [
    'deve ser uma data que exista, AAAA-MM-DD ou DD/MM/AAAA (o dia antes do mês), com a hora se for o caso (THH:mm[:ss]), um mês AAAA-MM ou MM/AAAA, um ano, ou uma destas palavras: {words}',
    'must be a date that exists, YYYY-MM-DD or DD/MM/YYYY (the day before the month), with a time if wanted (THH:mm[:ss]), a month YYYY-MM or MM/YYYY, a year, or one of these words: {words}',
  ],
  'argument.day': [
    'deve ser uma data que exista, AAAA-MM-DD ou DD/MM/AAAA (o dia antes do mês) e sem a hora, um mês AAAA-MM ou MM/AAAA, um ano, ou uma destas palavras: {words}',
    'must be a date that exists, YYYY-MM-DD or DD/MM/YYYY (the day before the month) and without a time, a month YYYY-MM or MM/YYYY, a year, or one of these words: {words}',
  ],
  'argument.date': ['deve ser AAAA-MM-DD, uma data que exista', 'must be YYYY-MM-DD, a date that exists'],
  'argument.period_too_long': [
    'um período tem no máximo {years} anos; de {from} a {to} são mais',
    'a period has at most {years} years; {from} to {to} has more',
  ],
  'argument.reversed': [
    '"{first}" ({least}) passa de "{last}" ({most})',
    '"{first}" ({least}) is beyond "{last}" ({most})',
  ],
  'argument.cursor': [
    'o cursor é de outra consulta; repita-a sem cursor',
    'the cursor belongs to another query; repeat this one without a cursor',
  ],
  'argument.url': ['deve ser um endereço http(s)', 'must be an http(s) address'],
  'argument.set_prefix': [
    'deve começar com X-; os outros conjuntos são só de leitura',
    'must begin with X-; other sets are read-only',
  ],
  'argument.name_or_value': ['não pode ser vazio', 'cannot be empty'],
  'argument.exclusive_subscription': [
    'exclui subscription_type_id: informe só um dos dois',
    'excludes subscription_type_id: give only one of the two',
  ],
  'argument.amount': [
    'deve ser um valor decimal com ponto, como 1234.56, de menos de cem bilhões',
    'must be a decimal with a point, such as 1234.56, below one hundred billion',
  ],
  'argument.broken_character': [
    'contém metade de um caractere, que não pode ser enviada',
    'contains half a character, which cannot be sent',
  ],
  'argument.code': ['deve ser como {example}', 'must be like {example}'],
  'argument.due_day': [
    'deve ser um dia que exista (AAAA-MM-DD ou DD/MM/AAAA, o dia antes do mês) ou um mês (AAAA-MM ou MM/AAAA)',
    'must be a day that exists (YYYY-MM-DD or DD/MM/YYYY, the day before the month) or a month (YYYY-MM or MM/YYYY)',
  ],
  'argument.columns': ['não há a coluna {name}; use {choices}', 'there is no column {name}; use {choices}'],
  'argument.columns_of_lists': [
    'só listas têm colunas: deixe de fora group_by e measures',
    'only lists have columns: leave out group_by and measures',
  ],
  'argument.compare_many': [
    'há mais de {most} grupos; agrupe de outro modo ou filtre',
    'there are more than {most} groups; group otherwise or filter',
  ],
  'argument.compare_fixed': [
    '{filters} {count:é|são} de um período só; pergunte cada período por si',
    '{filters} {count:belongs|belong} to one period only; ask about each period by itself',
  ],
  'argument.compare_groups': [
    '{groups} não se {count:alinha|alinham} com o período anterior; peça meses inteiros ou outro agrupamento',
    '{groups} {count:does|do} not align with the earlier period; ask for whole months or another grouping',
  ],
  'argument.due_of_items': [
    'parcelas são da nota inteira; agrupe por vencimento sem {groups}',
    'instalments are of the whole note; group by due day without {groups}',
  ],
  'argument.event': [
    'deve ser {words} ou um código de seis algarismos (tpEvento)',
    'must be {words} or a code of six digits (tpEvento)',
  ],
  'argument.event_of_nfe': [
    '{events}: só NF-e têm manifestação do destinatário; peça-as sozinhas, com document: ["nfe"]',
    '{events}: only NF-e have a manifestation of the recipient; ask for them alone, with document: ["nfe"]',
  ],
  'argument.too_long': [
    'use no máximo {most} caracteres, para que a prévia o mostre inteiro',
    'use {most} characters at most, so that the preview shows all of it',
  ],
  'argument.many_words': [
    'use até {most} palavras, 200 caracteres ao todo',
    'use {most} words at most, 200 characters in all',
  ],
  'argument.city_of_many': [
    '"{given}" está em {count} nomes de município; escreva o nome inteiro, com a UF (Campinas/SP), ou o código do IBGE',
    '"{given}" is in the names of {count} cities; write the whole name, with the state (Campinas/SP), or its IBGE code',
  ],
  'argument.no_city': [
    'nenhum município se chama "{given}"; use o nome, o nome com a UF (Campinas/SP) ou o código do IBGE',
    'no city is called "{given}"; give its name, its name with the state (Campinas/SP) or its IBGE code',
  ],
  'argument.name_of_many': [
    '"{given}" está em {count} nomes; escreva mais do nome, ou o CNPJ',
    '"{given}" is in {count} names; write more of the name, or the CNPJ',
  ],
  'argument.order': [
    'valores possíveis, com ou sem "-" na frente: {choices}',
    'allowed values, with or without a leading "-": {choices}',
  ],
  'argument.clearable': ['valores possíveis: {choices}', 'allowed values: {choices}'],
  'argument.account_date': [
    'deve ser AAAA-MM-DD ou AAAA-MM-DDTHH:mm:ss, sem fuso',
    'must be YYYY-MM-DD or YYYY-MM-DDTHH:mm:ss, without zone',
  ],

  // How hosts list the prompts. What they say is in `apart/recipes.ts`.
  'prompt.month_closing.title': ['Fechamento do mês', 'Month closing'],
  'prompt.month_closing.about': [
    'Totais por natureza, o que está errado, o que falta e o que espera manifestação',
    'Totals by nature, what is wrong, what is missing and what awaits manifestation',
  ],
  'prompt.pending_manifestations.title': ['Manifestações pendentes', 'Pending manifestations'],
  'prompt.pending_manifestations.about': [
    'O que vence primeiro e o que cada resposta significa; nada é enviado',
    'What falls due first and what each answer means; nothing is sent',
  ],
  'prompt.explain_document.title': ['Explicar um documento', 'Explain a document'],
  'prompt.explain_document.about': [
    'Partes, valores, tributos, eventos e autenticidade de uma nota, em palavras simples',
    'Parties, amounts, taxes, events and authenticity of one document, in plain words',
  ],
  'prompt.supplier_review.title': ['Análise de fornecedor', 'Supplier review'],
  'prompt.supplier_review.about': [
    'Compras por mês, itens e preços, tributos e notas canceladas de um fornecedor',
    'Purchases by month, items and prices, taxes and cancelled notes of one supplier',
  ],
  'prompt.tax_credits.title': ['Créditos de tributos nas entradas', 'Tax credits on purchases'],
  'prompt.tax_credits.about': [
    'O que foi destacado nas entradas, por CFOP e CST, e o que impede o crédito',
    'Tax shown on inbound documents, by CFOP and CST, and what rules a credit out',
  ],
  'prompt.reform_readiness.title': ['Preparação para IBS e CBS', 'Readiness for IBS and CBS'],
  'prompt.reform_readiness.about': [
    'Quais documentos já trazem IBS e CBS, e o que está errado neles',
    'Which documents carry IBS and CBS already, and what is wrong in them',
  ],
  'prompt.freight_review.title': ['Análise de fretes', 'Freight review'],
  'prompt.freight_review.about': [
    'CT-e por transportador e tomador, comparados ao período anterior e às notas transportadas',
    'CT-e by carrier and payer, compared with the previous period and the notes carried',
  ],
  'prompt.reconcile_month.title': ['Conferir livros e apuração', 'Check books and assessment'],
  'prompt.reconcile_month.about': [
    'Livros (EFD), lista do ERP e apuração da CBS contra os documentos do mês.',
    'Books (EFD), an ERP list and the CBS assessment against the documents of the month.',
  ],
  'prompt.withholdings.title': ['Retenções do período', 'Withholdings'],
  'prompt.withholdings.about': [
    'O que a empresa reteve e o que lhe foi retido: ISS, IRRF, INSS, PIS, COFINS e CSLL.',
    'What the company withheld and what was withheld from it: ISS, IRRF, INSS, PIS, COFINS and CSLL.',
  ],
  'prompt.sales_by_customer.title': ['Vendas por cliente', 'Sales by customer'],
  'prompt.sales_by_customer.about': [
    'Os maiores clientes, a diferença para o período anterior e as devoluções.',
    'The largest customers, the difference from the previous period, and returns.',
  ],
  'prompt.files_overview.title': ['O que há nos meus arquivos', 'What is in my files'],
  'prompt.files_overview.about': [
    'Empresas, tipos, períodos e o que não pôde ser lido.',
    'Companies, kinds, periods and what could not be read.',
  ],
  'prompt.files_against_service.title': ['Arquivos contra o serviço', 'Files against the service'],
  'prompt.files_against_service.about': [
    'O que está só nos arquivos, só no serviço ou nos dois.',
    'What is in the files only, at the service only, or in both.',
  ],
  'prompt_argument.period': [
    'mês AAAA-MM, dias AAAA-MM-DD/AAAA-MM-DD ou DD/MM/AAAA a DD/MM/AAAA, ou last_month, this_month…; sem ele, o mês passado',
    'month YYYY-MM, days YYYY-MM-DD/YYYY-MM-DD or DD/MM/YYYY to DD/MM/YYYY, or last_month, this_month…; without it, last month',
  ],
  'prompt_argument.cnpj': [
    'CNPJ da empresa, se não for a configurada',
    'CNPJ of the company, if not the configured one',
  ],
  'prompt_argument.key': [
    'chave de acesso: 44 posições, ou 50 da NFS-e nacional',
    'access key: 44 positions, or 50 of a national NFS-e',
  ],
  'prompt_argument.supplier': [
    'nome do fornecedor, parte dele ou CNPJ',
    'name of the supplier, a part of it, or CNPJ',
  ],
} as const satisfies Record<string, Message>;
