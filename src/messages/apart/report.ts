import type { Message } from '../message.ts';

/** The words of the month closing; loaded with the first one. */
export const reportMessages = {
  title: ['Fechamento fiscal de {month}', 'Fiscal closing of {month}'],
  title_days: ['Relatório fiscal, {days}', 'Fiscal report, {days}'],
  title_under_way: ['{title}, em curso até {day}', '{title}, under way until {day}'],
  page: ['{page} de {pages}', '{page} of {pages}'],
  foot: ['{company} · {title} · dados de {at}', '{company} · {title} · data of {at}'],
  prepared: ['Preparado por', 'Prepared by'],
  prepared_hint: ['Nome, cargo e data', 'Name, position and date'],
  reviewed: ['Conferido por', 'Reviewed by'],
  reviewed_hint: ['Nome, CRC e data', 'Name, registration and date'],

  'figure.purchases': ['Entradas, R$', 'Purchases, BRL'],
  'figure.sales': ['Saídas, R$', 'Sales, BRL'],
  'figure.services': ['Serviços tomados, R$', 'Services bought, BRL'],
  'figure.freight': ['Fretes pagos, R$', 'Freight paid, BRL'],
  at_least: ['pelo menos {amount}', 'at least {amount}'],
  change: ['{change} sobre {before}', '{change} on {before}'],
  under_way: [
    'O período ainda está em curso: os dados vão até {at}, e nada foi comparado com o período anterior.',
    'The period is still under way: the data ends at {at}, and nothing was compared with the period before.',
  ],
  at_least_warning: [
    'Faltam dias de {kinds}: os valores desses documentos são o mínimo ("pelo menos") e não foram comparados. A seção {section} diz quais.',
    'Days of {kinds} are missing: the amounts of these documents are a minimum ("at least") and were not compared. Section {section} names them.',
  ],
  files_warning: [
    'Só os arquivos informados foram lidos: eles não dizem se o período está completo, por isso cada valor é um mínimo ("pelo menos") e nada foi comparado.',
    'Only the given files were read: they do not say whether the period is complete, so each amount is a minimum ("at least") and nothing was compared.',
  ],
  'summary.trade': ['Entradas: {purchases}; saídas: {sales}.', 'Purchases: {purchases}; sales: {sales}.'],
  'summary.none': ['nenhuma', 'none'],
  'summary.empty': [
    'Nenhum documento que conte nos totais no período.',
    'No document that counts in totals in the period.',
  ],
  'summary.pending': [
    '{count} {count:nota espera|notas esperam} manifestação, {urgent} com prazo em até 7 dias.',
    '{count} {count:note awaits|notes await} manifestation, {urgent} due within 7 days.',
  ],
  'summary.findings': [
    '{count} {count:achado|achados} nas conferências, {errors} de erro.',
    '{count} {count:finding|findings} of the checks, {errors} of them errors.',
  ],
  'summary.reconciled': [
    '{count} {count:achado|achados} na conciliação com {files} {files:arquivo|arquivos}.',
    '{count} {count:finding|findings} against {files} {files:file|files} of books and assessment.',
  ],

  'section.tasks': ['O que fazer, por prazo', 'What to do, by deadline'],
  'section.purchases': ['Compras', 'Purchases'],
  'section.sales': ['Saídas', 'Sales'],
  'section.services': ['Serviços e fretes', 'Services and freight'],
  'section.taxes': ['Tributos e créditos', 'Taxes and credits'],
  'section.pending': ['Manifestações pendentes', 'Pending manifestations'],
  'section.findings': ['Achados das conferências', 'Findings of the checks'],
  'section.reconciliation': ['Conciliação', 'Reconciliation'],
  'section.incomplete': ['O que está incompleto', 'What is incomplete'],
  'section.sources': ['Fontes e assinatura', 'Sources and signatures'],
  'section.reference': ['Seção {number}', 'Section {number}'],

  'tasks.manifest': [
    'Manifestar {count} {count:nota|notas} com prazo da conclusiva em até 7 dias.',
    'Manifest {count} {count:note|notes} whose conclusive deadline is within 7 days.',
  ],
  'tasks.dated': [
    '{title}: {count} {count:documento|documentos} com prazo em até 7 dias.',
    '{title}: {count} {count:document|documents} due within 7 days.',
  ],
  'tasks.finding': ['{count} {count:achado|achados}: {title}.', '{count} {count:finding|findings}: {title}.'],
  'tasks.books': [
    '{count} {count:achado certo|achados certos}: {title}.',
    '{count} certain {count:finding|findings}: {title}.',
  ],
  'tasks.missing': [
    'Ler os dias que faltam antes de usar os totais.',
    'Read the missing days before using the totals.',
  ],
  'tasks.until': ['até {day}', 'by {day}'],
  'tasks.before_closing': ['antes de fechar', 'before closing'],
  'tasks.in_books': ['nos livros', 'in the books'],
  'tasks.none': [
    'Nenhum prazo nos próximos 7 dias e nenhum achado de erro no que foi lido.',
    'No deadline in the next 7 days, and no error found in what was read.',
  ],

  'table.by_supplier': ['Por fornecedor', 'By supplier'],
  'table.by_customer': ['Por cliente', 'By customer'],
  'table.by_cfop': ['Por CFOP', 'By CFOP'],
  'table.by_issuer_cfop': ['Por CFOP do emitente', 'By the issuer’s CFOP'],
  'table.services': ['Serviços tomados e retenções', 'Services bought and withholdings'],
  'table.freight': ['Fretes por transportadora', 'Freight by carrier'],
  'table.taxes': ['Destacado no período', 'Shown on the documents of the period'],
  'heading.carrier': ['Transportadora', 'Carrier'],
  'heading.amount': ['Valor', 'Amount'],
  'heading.net': ['Líquido', 'Net'],
  'heading.tax': ['Tributo', 'Tax'],
  'heading.outbound': ['Saídas', 'Outbound'],
  'heading.inbound': ['Entradas', 'Inbound'],
  'heading.entries': ['Lançamentos', 'Entries'],

  none: ['{table}: nenhum documento no período.', '{table}: no document in the period.'],
  'freight.none': [
    'Nenhum CT-e em que a empresa é tomadora no período.',
    'No CT-e that the company pays in the period.',
  ],
  'taxes.none': ['Nenhum tributo destacado no período.', 'No tax shown in the period.'],
  'services.given': [
    'Serviços prestados: {count} NFS-e, {gross}, ISS de {iss}, ISS retido pelo tomador de {withheld}.',
    'Services rendered: {count} NFS-e, {gross}, ISS of {iss}, ISS withheld by the taker of {withheld}.',
  ],
  'services.beside': [
    'Mais {amount} de PIS, Cofins e CSLL retidos vêm somados nas notas, sem dizer quanto é de cada um, e não estão nas colunas.',
    'Another {amount} of withheld PIS, Cofins and CSLL comes as one sum in the notes, which do not say how much is of each, and is in no column.',
  ],
  'freight.all': [
    'A tabela tem os CT-e em que a empresa é tomadora. Ao todo chegaram {count} CT-e, {amount}; os demais são pagos por outras partes.',
    'The table has the CT-e that the company pays. {count} CT-e arrived in all, {amount}; others pay for the rest.',
  ],
  'freight.given': [
    'Fretes prestados pela empresa: {count} CT-e, {amount}.',
    'Freight carried by the company: {count} CT-e, {amount}.',
  ],
  never_added: [
    'Tipos diferentes de documento não são somados.',
    'Different kinds of document are never added together.',
  ],
  'taxes.intro': [
    'O que está destacado nos documentos. Não é apuração: o direito ao crédito não foi julgado.',
    'What the documents show. This is no assessment: the right to credit was not judged.',
  ],
  'taxes.cte_paid': [
    'De CT-e de entrada contam só os que a empresa paga.',
    'Of inbound CT-e only those that the company pays are counted.',
  ],

  'pending.caption': [
    '{count} {count:nota|notas} sem evento conclusivo',
    '{count} {count:note|notes} without a conclusive event',
  ],
  'pending.intro': [
    'Situação de {to}, das autorizadas desde {from}.',
    'As of {to}, of those authorised since {from}.',
  ],
  rest: ['Mais {count}', '{count} more'],
  'heading.severity': ['Gravidade', 'Severity'],
  'pending.none': [
    'Das NF-e recebidas que se conhecem, de {from} a {to}, nenhuma espera manifestação.',
    'Of the NF-e known to be received from {from} to {to}, none awaits manifestation.',
  ],
  'pending.tacit': [
    'Outras {count} já contam como confirmadas: os 90 dias terminaram.',
    'Another {count} already count as confirmed: the 90 days are over.',
  ],
  'pending.not_all': [
    'As notas não foram todas perguntadas no tempo de uma chamada: há pelo menos {count}.',
    'Not all notes were asked about in the time of one call: there are at least {count}.',
  ],

  'findings.intro': [
    '{documents} {documents:documento|documentos}, {rules} {rules:regra|regras}: {total} {total:achado|achados}.',
    '{documents} {documents:document|documents}, {rules} {rules:rule|rules}: {total} {total:finding|findings}.',
  ],
  'findings.more': [
    'Mais {count} {count:achado|achados}; peça as conferências do período para ver todos.',
    '{count} more {count:finding|findings}; ask for the checks of the period to see all.',
  ],
  'findings.none': [
    'As regras que foram conferidas nada acharam; outras não foram vistas.',
    'The rules that ran found nothing; nothing else was looked at.',
  ],

  'reconciliation.not_done': [
    'Nada foi conciliado: nenhum arquivo (EFD, apuração assistida da CBS, lista do ERP) foi informado.',
    'Nothing was reconciled: no file (EFD, CBS assessment, ERP list) was given.',
  ],
  'reconciliation.several': [
    'Cada arquivo é comparado por si: um documento pode estar em achados de mais de um, e a soma por espécie o conta em cada um.',
    'Each file is compared by itself: a document may be in findings of several, and the sum by kind counts it in each.',
  ],
  'finding.missing_in_file': ['fora do arquivo', 'missing in the file'],
  'finding.missing_in_documents': ['sem documento conhecido', 'document not known'],
  'finding.value_differs': ['valor diferente', 'different value'],
  'finding.cancelled_but_listed': ['cancelado e escriturado', 'cancelled but booked'],
  'finding.listed_as_cancelled': ['regular e escriturado como cancelado', 'in force but booked as cancelled'],
  'finding.duplicated_in_file': ['em duplicidade no arquivo', 'twice in the file'],
  'finding.invalid_key': ['chave inválida', 'invalid key'],
  'finding.key_mismatch': ['chave diferente dos dados ao lado', 'key unlike what stands beside it'],
  'finding.test_document': ['documento de homologação', 'test document'],
  'finding.not_a_party': ['a empresa não é parte', 'the company is no party'],
  'finding.other_period': ['contado em outro mês', 'counted in another month'],
  'finding.credit_suspended': ['crédito suspenso', 'suspended credit'],
  'finding.credit_above_document': ['crédito maior que o do documento', 'credit above the document’s'],
  'finding.not_extinguished': ['débito do fornecedor não extinto', 'supplier’s debit not extinguished'],

  'incomplete.none': [
    'Todos os dias pedidos foram lidos, sem aviso.',
    'All days asked for were read, without a warning.',
  ],
  'incomplete.manifestation': ['Manifestação', 'Manifestation'],
  'incomplete.checks': ['Conferências', 'Checks'],
  'incomplete.comparison': ['Comparação', 'Comparison'],
  'incomplete.not_compared': [
    '{before} não está completo; nada foi comparado com ele.',
    '{before} is incomplete; nothing was compared with it.',
  ],
  'sources.before_text': [
    '{days}: entradas {purchases}, saídas {sales}',
    '{days}: purchases {purchases}, sales {sales}',
  ],
  'sources.file': ['Arquivo', 'File'],
  'sources.made': ['Feito por', 'Made by'],
  not_begun: ['from: o período ainda não começou', 'from: the period has not begun'],
  one_company: [
    'cnpj: o relatório é de uma empresa; faça uma chamada para cada',
    'cnpj: a report is of one company; call once for each',
  ],
  whole_period: [
    '{argument}: o relatório é do período inteiro e não tem esse filtro; use csv ou xlsx para uma parte',
    '{argument}: the report is of the whole period and has no such filter; use csv or xlsx for a part',
  ],
} as const satisfies Readonly<Record<string, Message>>;
