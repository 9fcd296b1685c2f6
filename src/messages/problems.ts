import type { ReplyWarningCode } from '../clients/documents/replies/index.ts';
import type { ObjectionCode } from '../documents/events/objections.ts';
import type { ProblemCode } from '../documents/problems.ts';
import type { Message } from './message.ts';

const keyAgainst = (portuguese: string, english: string): Message => [
  `a chave traz ${portuguese} {found} e o documento, {expected}`,
  `the key has ${english} {found} and the document {expected}`,
];

const itemsAgainst = (tax: string): Message => [
  `os itens somam ${tax} de {found} e o total é {expected}`,
  `the items add up to ${tax} of {found} and the total is {expected}`,
];

const taxIdWrong = (portuguese: string, english: string): Message => [
  `o CNPJ ou CPF ${portuguese} ({found}) não confere`,
  `the tax id ${english} ({found}) is not valid`,
];

/** What the documents room and the replies find wrong or odd, and what speaks against an event. */
export const problemMessages = {
  'problem.key_length': [
    'a chave tem {length} {length:posição|posições} e deveria ter 44',
    'the key has {length} {length:position|positions} and should have 44',
  ],
  'problem.key_form': [
    'a chave tem letras fora das posições 7 a 18, ou outros caracteres',
    'the key has letters outside positions 7 to 18, or other characters',
  ],
  'problem.key_state': [
    'a chave começa com {found}, que não é código de UF',
    'the key starts with {found}, which is not a state code',
  ],
  'problem.key_month': [
    'a chave traz {found} onde deveria haver ano e mês (AAMM)',
    'the key has {found} where year and month (YYMM) should be',
  ],
  'problem.key_check_digit': [
    'o dígito verificador da chave é {found} e deveria ser {expected}',
    'the check digit of the key is {found} and should be {expected}',
  ],
  'problem.key_model': [
    'a chave é de modelo {found}, que este serviço não atende',
    'the key is of model {found}, which this service does not serve',
  ],
  'problem.key_issuer': taxIdWrong('dentro da chave', 'inside the key'),
  'problem.nfse_key_length': [
    'a chave da NFS-e nacional tem {length} {length:posição|posições} e deveria ter 50',
    'the national NFS-e key has {length} {length:position|positions} and should have 50',
  ],
  'problem.nfse_key_form': [
    'a chave da NFS-e nacional só tem letras nas posições 10 a 23, e 1 (CPF) ou 2 (CNPJ) na posição 9',
    'a national NFS-e key has letters at positions 10 to 23 only, and 1 (CPF) or 2 (CNPJ) at position 9',
  ],
  'problem.cnpj_length': [
    'o CNPJ tem {length} {length:posição|posições} e deveria ter 14',
    'the CNPJ has {length} {length:position|positions} and should have 14',
  ],
  'problem.cnpj_form': [
    'o CNPJ só pode ter letras nas doze primeiras posições',
    'a CNPJ may have letters in its first twelve positions only',
  ],
  'problem.cnpj_repeated': ['o CNPJ repete uma só posição', 'the CNPJ repeats a single position'],
  'problem.cnpj_check_digits': [
    'os dígitos verificadores do CNPJ são {found} e deveriam ser {expected}',
    'the check digits of the CNPJ are {found} and should be {expected}',
  ],
  'problem.cpf_form': [
    'um CPF tem 11 algarismos; este tem {length} {length:posição|posições}',
    'a CPF has 11 digits; this one has {length} {length:position|positions}',
  ],
  'problem.cpf_repeated': ['o CPF repete um só algarismo', 'the CPF repeats a single digit'],
  'problem.cpf_check_digits': [
    'os dígitos verificadores do CPF são {found} e deveriam ser {expected}',
    'the check digits of the CPF are {found} and should be {expected}',
  ],
  'problem.manifestation_model': [
    'só a NF-e (modelo 55) aceita manifestação do destinatário; a chave é de modelo {found}',
    'only an NF-e (model 55) takes a recipient manifestation; the key is of model {found}',
  ],
  'problem.manifestation_own_note': [
    'a nota foi emitida pela própria empresa ({company}); quem se manifesta é o destinatário',
    'the note was issued by the company itself ({company}); it is the recipient who manifests',
  ],
  'problem.justification_not_taken': ['{event} não leva justificativa', '{event} takes no justification'],
  'problem.justification_missing': [
    'o evento {event} exige justificativa, de 15 a 255 caracteres',
    'the event {event} requires a justification of 15 to 255 characters',
  ],
  'problem.justification_length': [
    'a justificativa tem {length} caracteres e deve ter de 15 a 255',
    'the justification has {length} characters and must have 15 to 255',
  ],
  'problem.justification_characters': [
    'a justificativa tem caracteres que a NF-e não aceita: {found}',
    'the justification has characters that an NF-e event does not accept: {found}',
  ],
  'problem.batch_empty': ['o lote não tem nenhuma chave', 'the batch has no key'],
  'problem.batch_repeated_key': [
    'a chave {key} aparece {times} vezes no lote',
    'the key {key} appears {times} times in the batch',
  ],
  'problem.template_key': [
    'o modelo de evento não tem o lugar da chave (a palavra key entre chaves)',
    'the event template has no place for the key (the word key in braces)',
  ],
  'problem.template_event': [
    'o modelo de evento não diz qual é o evento (falta code ou name entre chaves)',
    'the event template does not say which event it is (code or name in braces is missing)',
  ],
  'problem.template_placeholder': [
    'o modelo de evento traz {found}, que não existe; existem key, code, name e justification, entre chaves',
    'the event template has {found}, which does not exist; key, code, name and justification do, in braces',
  ],
  'problem.template_layout': [
    'o modelo de evento não é JSON nem XML bem formado, nem campos separados por um sinal',
    'the event template is neither well-formed JSON or XML nor fields separated by a character',
  ],
  'problem.event_value': [
    'o campo {field} tem caracteres que se confundiriam com os separadores do modelo de evento',
    'the field {field} has characters that would be mistaken for separators of the event template',
  ],
  'problem.event_justification_lost': [
    'o modelo de evento não tem lugar para a justificativa',
    'the event template has no place for the justification',
  ],
  'problem.event_too_long': [
    'o evento da chave {key} não cabe em uma requisição: {length} caracteres, e o limite é {limit}',
    'the event of key {key} does not fit into one request: {length} characters, and the limit is {limit}',
  ],
  'problem.key_missing': ['o documento não traz chave de acesso', 'the document carries no access key'],
  'problem.key_against_state': keyAgainst('UF', 'state'),
  'problem.key_against_month': keyAgainst('mês', 'month'),
  'problem.key_against_issuer': keyAgainst('emitente', 'issuer'),
  'problem.key_against_model': keyAgainst('modelo', 'model'),
  'problem.key_against_series': keyAgainst('série', 'series'),
  'problem.key_against_number': keyAgainst('número', 'number'),
  'problem.protocol_against_key': [
    'o protocolo é de outra chave: {found}, e não {expected}',
    'the protocol is of another key: {found}, not {expected}',
  ],
  'problem.issuer_id': taxIdWrong('do emitente', 'of the issuer'),
  'problem.recipient_id': taxIdWrong('do destinatário ou tomador', 'of the recipient'),
  'problem.sender_id': taxIdWrong('do remetente', 'of the sender'),
  'problem.payer_id': taxIdWrong('do tomador do frete', 'of the payer'),
  'problem.items_against_products': [
    'os itens somam {found} e o total dos produtos é {expected}',
    'the items add up to {found} and the total of products is {expected}',
  ],
  'problem.parts_against_total': [
    'o valor da nota é {found} e as parcelas somam {expected}',
    'the total of the note is {found} and its parts add up to {expected}',
  ],
  'problem.items_against_pis': itemsAgainst('PIS'),
  'problem.items_against_cofins': itemsAgainst('COFINS'),
  'problem.items_against_ibs': itemsAgainst('IBS'),
  'problem.items_against_cbs': itemsAgainst('CBS'),
  'problem.net_against_parts': [
    'o valor líquido é {found} e a conta de serviços, retenções e descontos dá {expected}',
    'the net value is {found} and services less withheld taxes and discounts give {expected}',
  ],
  'problem.item_class_trib_against_cst': [
    'item {item}: o cClassTrib {found} não é do CST {expected} do IBS/CBS',
    'item {item}: cClassTrib {found} is not of IBS/CBS CST {expected}',
  ],
  'problem.class_trib_against_cst': [
    'o cClassTrib {found} não é do CST {expected} do IBS/CBS',
    'cClassTrib {found} is not of IBS/CBS CST {expected}',
  ],
  'problem.authorization_alert': [
    'autorizado com alerta do fisco: {found}',
    'authorised with an alert of the tax office: {found}',
  ],
  'problem.status_unknown': ['situação desconhecida: {found}', 'unknown status: {found}'],
  'problem.test_environment': [
    'documento de homologação, sem valor fiscal',
    'document of the test environment, without fiscal value',
  ],
  'problem.company_not_in_document': [
    'a empresa {company} não aparece no documento',
    'the company {company} does not appear in the document',
  ],

  // Words for what is odd about a reply that was understood.
  'reply.empty_reply': [
    'o serviço respondeu com um texto vazio; isso costuma querer dizer que nada foi encontrado',
    'the service answered with an empty text, which usually means that nothing was found',
  ],
  'reply.count_differs': [
    'o serviço informa {declared} e enviou {found}',
    'the service announces {declared} and sent {found}',
  ],
  'reply.odd_code': [
    'a resposta tem conteúdo, mas traz o código {code}: "{message}"',
    'the reply has content but carries code {code}: "{message}"',
  ],
  'reply.duplicates': [
    'itens repetidos na resposta, mostrados uma só vez: {count}',
    'repeated entries in the reply, shown once: {count}',
  ],
  'reply.keys_rejected': [
    'chaves inválidas na resposta, não incluídas na lista: {count}',
    'invalid keys in the reply, not part of the list: {count}',
  ],
  'reply.text_between_keys': [
    'trechos entre as chaves que não são chaves e não foram lidos: {count}',
    'pieces between the keys that are not keys and were not read: {count}',
  ],
  'reply.unreadable': [
    '{count} {count:documento da resposta não pôde ser lido e não está|documentos da resposta não puderam ser lidos e não estão} entre os outros; lugar na resposta: {places}',
    '{count} {count:document of the reply could not be read and is|documents of the reply could not be read and are} not among the others; place in the reply: {places}',
  ],
  'reply.others_left_out': [
    'a resposta trouxe também documentos que não foram pedidos e não são mostrados: {count}',
    'the reply also contained documents that were not requested and are not shown: {count}',
  ],

  // Deadlines: 10 days for Ciência, 90 for the conclusive events. Source: docs/fiscal/events.md.
  'deadline.until': ['Prazo: até {last_day} ({when}).', 'Deadline: {last_day} ({when}).'],
  'deadline.passed': [
    'O prazo terminou em {last_day}; a SEFAZ deve recusar o evento (596).',
    'The deadline was {last_day}; SEFAZ should refuse the event (596).',
  ],
  'deadline.from_authorisation': [
    'São {days} dias contados da autorização, em {from}.',
    'That is {days} days from the authorisation on {from}.',
  ],
  'deadline.from_first_conclusive': [
    'São os {days} dias da retificação, contados do primeiro evento conclusivo, em {from}.',
    'That is the {days} days of a correction, from the first conclusive event on {from}.',
  ],
  'deadline.perhaps_later': [
    'A nota foi autorizada antes de 01/06/2026, quando o prazo era maior, e os textos não dizem qual vale para ela: pelo anterior seria até {last_day}. Considere o menor.',
    'The note was authorised before 1 June 2026, when the term was longer, and the texts do not say which one holds for it: by the former one it would be {last_day}. Go by the shorter one.',
  ],
  'deadline.rule': [
    'Prazo: {days} dias corridos da autorização da nota, sem contar o dia dela.',
    'Deadline: {days} calendar days from the authorisation of the note, not counting its own day.',
  ],
  'deadline.shorter': [
    'Operações com combustíveis, cigarros e bebidas podem ter prazos menores.',
    'Operations with fuel, cigarettes and drinks may have shorter deadlines.',
  ],

  // What speaks against an event, each with the notes it is about. Source: docs/fiscal/events.md.
  'against.heading': ['Antes de confirmar', 'Before saying yes'],
  'against.cancelled': [
    'NOTA CANCELADA pelo emitente: {notes}. De nota cancelada a SEFAZ recusa a Ciência (650) e o Desconhecimento (651).',
    'NOTE CANCELLED by its issuer: {notes}. For a cancelled note SEFAZ rejects Ciência (650) and Desconhecimento (651).',
  ],
  'against.denied': [
    'USO DENEGADO: {notes}. De nota denegada a SEFAZ recusa a Ciência (650) e o Desconhecimento (651).',
    'USE DENIED: {notes}. For a denied note SEFAZ rejects Ciência (650) and Desconhecimento (651).',
  ],
  'against.not_recipient': [
    'O DESTINATÁRIO É OUTRO: {notes}. Só o destinatário manifesta; de outro a SEFAZ recusa o evento (575).',
    'THE RECIPIENT IS ANOTHER: {notes}. Only the recipient manifests; from anyone else SEFAZ rejects it (575).',
  ],
  'against.tacitly_confirmed': [
    'CONFIRMADA TACITAMENTE: {notes}. O prazo terminou sem evento conclusivo, e a operação é tida como ocorrida, com os efeitos da Confirmação.',
    'TACITLY CONFIRMED: {notes}. The term ended without a conclusive event, and the operation counts as having taken place, with the effects of Confirmação.',
  ],
  'against.perhaps_confirmed': [
    'TALVEZ CONFIRMADA TACITAMENTE: {notes}. Autorizada antes de 01/06/2026, quando o prazo era maior; os textos não dizem qual vale para ela. Pelo atual, o prazo terminou, e a SEFAZ deve recusar o evento (596).',
    'PERHAPS TACITLY CONFIRMED: {notes}. Authorised before 1 June 2026, when the term was longer; the texts do not say which one holds for it. By today’s the term is over, and SEFAZ should reject it (596).',
  ],
  'against.past_deadline': [
    'FORA DO PRAZO: {notes}. A SEFAZ deve recusar o evento (596).',
    'PAST ITS DEADLINE: {notes}. SEFAZ should reject it (596).',
  ],
  'against.correction_over': [
    'RETIFICAÇÃO FORA DO PRAZO: {notes}. Ela cabe em até 30 dias do primeiro evento conclusivo; a SEFAZ deve recusar o evento (596).',
    'TOO LATE FOR A CORRECTION: {notes}. It is possible within 30 days of the first conclusive event; SEFAZ should reject it (596).',
  ],
  'against.used_up': [
    'JÁ REGISTRADO AS DUAS VEZES POSSÍVEIS: {notes}. A SEFAZ recusa a terceira (594).',
    'REGISTERED THE TWO TIMES POSSIBLE ALREADY: {notes}. SEFAZ rejects a third one (594).',
  ],
  'against.already_registered': [
    'JÁ REGISTRADO: {notes}. O mesmo evento é o que vale hoje; enviar de novo não muda nada, e a SEFAZ pode recusar (573).',
    'ALREADY REGISTERED: {notes}. It is what holds today; sending it again changes nothing, and SEFAZ may reject it (573).',
  ],
  'against.after_conclusion': [
    'JÁ HÁ EVENTO CONCLUSIVO: {notes}. Depois dele a SEFAZ recusa a Ciência (655).',
    'THERE IS A CONCLUSIVE EVENT ALREADY: {notes}. After one SEFAZ rejects Ciência (655).',
  ],
  'against.replaces': [
    'RETIFICA um evento já registrado, que deixa de valer: {notes}.',
    'CORRECTS an event that is registered, which will no longer hold: {notes}.',
  ],
  'against.last_time': [
    'SEGUNDA E ÚLTIMA VEZ que esta manifestação pode ser registrada: {notes}.',
    'SECOND AND LAST TIME that this manifestation can be registered: {notes}.',
  ],
  'against.outcome_unknown': [
    'ENVIO ANTERIOR DE RESULTADO DESCONHECIDO: {notes}. Consulte a situação (get_nfe_event_status) antes de repetir.',
    'AN EARLIER SENDING HAS AN UNKNOWN OUTCOME: {notes}. Look up the status (get_nfe_event_status) before repeating it.',
  ],
  'against.in_flight': ['ENVIO EM ANDAMENTO: {notes}.', 'A SENDING IS UNDER WAY: {notes}.'],
  'against.unread': [
    'NOTA NÃO LIDA: {notes}. {problem} Cancelamento e prazo dela não são conhecidos aqui, nem eventos além dos citados abaixo; o resto vem só da chave.',
    'NOTE NOT READ: {notes}. {problem} Its cancellation and deadline are not known here, nor events other than those named below; the rest is from the key alone.',
  ],
  'against.until': ['prazo até {day}', 'term until {day}'],
  'against.until_either': ['prazo até {day} ou até {later}', 'term until {day} or {later}'],
  'against.more': ['e mais {count}', 'and {count} more'],
  // Why a content is not the signed one, or is undecidable; in answers and in the view of a document.
  'verify.reason_digest': [
    'o texto difere do resumo assinado: foi alterado ou regravado depois',
    'the text differs from the signed digest: it was changed or rewritten afterwards',
  ],
  'verify.reason_signature': [
    'a assinatura não foi feita com este certificado',
    'the signature was not made with this certificate',
  ],
  'verify.reason_not_signed': ['sem assinatura', 'no signature'],
  'verify.reason_not_well_formed': ['XML malformado', 'malformed XML'],
  'verify.reason_too_large': ['grande demais', 'too large'],
  'verify.reason_several_signed_elements': [
    'mais de um elemento assinado no arquivo',
    'more than one signed element in the file',
  ],
  'verify.reason_several_signatures': ['mais de uma assinatura', 'more than one signature'],
  'verify.reason_several_references': [
    'a assinatura não se refere a exatamente um elemento',
    'the signature does not refer to exactly one element',
  ],
  'verify.reason_other_element_signed': [
    'a assinatura é de outro elemento',
    'the signature covers another element',
  ],
  'verify.reason_duplicate_id': ['o Id assinado se repete', 'the signed Id occurs more than once'],
  'verify.reason_comments': [
    'comentários ou instruções no que foi assinado',
    'comments or instructions in what was signed',
  ],
  'verify.reason_algorithms': ['algoritmo não aceito', 'algorithm not accepted'],
  'verify.reason_transforms': ['transformação não aceita', 'transform not accepted'],
  'verify.reason_key_info': [
    'a assinatura não traz exatamente um certificado',
    'the signature does not carry exactly one certificate',
  ],
  'verify.reason_certificate': ['certificado ilegível', 'unreadable certificate'],
} as const satisfies Record<`problem.${ProblemCode}`, Message> &
  Record<`reply.${ReplyWarningCode}`, Message> &
  Record<
    `against.${ObjectionCode | 'heading' | 'not_recipient' | 'outcome_unknown' | 'in_flight' | 'unread' | 'until' | 'until_either' | 'more'}`,
    Message
  > &
  Record<string, Message>;
