import type { Message } from './message.ts';

/** What became of writes, and parts of their previews. */
export const writeResultMessages = {
  'result.done': ['registrado', 'registered'],
  'result.refused': ['recusado', 'refused'],
  'result.not_sent': ['não enviado', 'not sent'],
  'result.in_flight': ['em andamento', 'under way'],
  'result.unknown': ['resultado desconhecido', 'outcome unknown'],
  'result.overall_confirmation_required': ['Falta confirmar.', 'To be confirmed.'],
  'result.overall_done': ['Feito.', 'Done.'],
  'result.overall_partly': [
    'Feito em parte: veja o resultado de cada chave.',
    'Partly done: see the outcome of each key.',
  ],
  'result.overall_refused': ['Não foi registrado.', 'Not registered.'],
  'result.overall_not_sent': ['Nada foi enviado.', 'Nothing was sent.'],
  'result.overall_unknown': [
    'O resultado não é conhecido: pode ter sido registrado.',
    'The outcome is unknown: it may have been registered.',
  ],
  'result.shortened': [
    'As mensagens do serviço foram encurtadas aqui; no conteúdo estruturado estão inteiras.',
    "The service's messages are shortened here; they are whole in the structured content.",
  ],
  'result.look_up': [
    'Onde o resultado é desconhecido, use get_nfe_event_status antes de repetir.',
    'Where the outcome is unknown use get_nfe_event_status before repeating.',
  ],
  'result.cancelled_before': [
    'a chamada foi cancelada antes desta parte',
    'the call was cancelled before this part',
  ],
  'result.still_awaited': [
    'enviado, e a resposta ainda não veio: o programa continua esperando por ela e anota o resultado no diário',
    'sent, and the reply has not come yet: the program keeps waiting for it and notes the outcome in the journal',
  ],
  'result.no_time_left': [
    'não enviado, porque o tempo da chamada acabou antes desta parte; peça de novo só para estas chaves',
    'not sent, because the time of the call was over before this part; ask again for these keys alone',
  ],
  'result.forestalled': [
    'não enviado, porque outro envio para a mesma chave veio antes; peça uma nova prévia',
    'not sent, because another write for the same key came first; ask for a new preview',
  ],
  'result.stopped_after_refusal': [
    'não enviado, porque o serviço recusou a parte anterior por inteiro',
    'not sent, because the service refused the previous part as a whole',
  ],
  'result.progress': ['{done} {done:chave tratada|chaves tratadas}', '{done} {done:key|keys} handled'],
  'result.settled': [
    'O envio de {at}, de resultado desconhecido, fica esclarecido no diário.',
    'The write of {at}, whose outcome was unknown, is settled in the journal.',
  ],
  'result.other_key': [
    '⚠ o serviço respondeu sobre a chave "{found}", e a pergunta era sobre {asked}',
    '⚠ the service answered about key "{found}", and the question was about {asked}',
  ],
  'preview.raw': [
    'Enviar este evento exatamente como está, sem conferência do conteúdo:',
    'Send this event exactly as it stands, its content unchecked:',
  ],
  'preview.replace': [
    'Substituir por inteiro {subject}. O que não está aqui deixa de existir no serviço:',
    'Replace {subject} as a whole. What is not listed here ceases to exist at the service:',
  ],
  'preview.subject_setting': ['a configuração {id} da empresa {owner}', 'setting {id} of company {owner}'],
  'preview.subject_subscription': [
    'a assinatura {id} da conta {owner}',
    'subscription {id} of account {owner}',
  ],
  'preview.stored': ['{field}: {value}', '{field}: {value}'],
  'preview.cleared': ['{field}: será apagado', '{field}: will be cleared'],
  'preview.records_omitted': [
    'Campos de registro não enviados, que o serviço pode apagar ou preencher: {fields}.',
    'Record-keeping fields not sent, which the service may clear or fill in: {fields}.',
  ],
  'preview.excluded': [
    '{field}: não se envia, porque {other} o determina',
    '{field}: not sent, because {other} determines it',
  ],
  'replacement.done': [
    'Substituído. O serviço guarda agora: {stored}',
    'Replaced. The service now stores: {stored}',
  ],
  'replacement.still_awaited': [
    'A resposta ainda não veio: o programa continua esperando por ela e anota o resultado no diário. Não repita antes disso.',
    'The reply has not come yet: the program keeps waiting for it and notes the outcome in the journal. Do not repeat it before then.',
  ],
  'replacement.unknown': [
    'O resultado não é conhecido: pode ter sido substituído. {words}',
    'The outcome is unknown: it may have been replaced. {words}',
  ],
  'replacement.refused': ['Nada foi substituído. {words}', 'Nothing was replaced. {words}'],
  'replacement.not_sent': [
    'Nada foi enviado, e nada foi substituído. {words}',
    'Nothing was sent, and nothing was replaced. {words}',
  ],
  'replacement.difference': [
    '{field}: enviado {sent}, guardado {stored}',
    '{field}: sent {sent}, stored {stored}',
  ],
  'replacement.would_clear': [
    'a substituição apagaria {fields}: informe o valor de cada um ou cite-o em "clear" para apagá-lo de propósito',
    'the replacement would clear {fields}: give each a value or name it in "clear" to clear it on purpose',
  ],
  'replacement.given_and_cleared': [
    '{fields} tem valor e está em "clear": escolha um dos dois',
    '{fields} has a value and is in "clear": choose one of the two',
  ],
  'replacement.roles': [
    'Esta operação exige um destes papéis: {roles}.',
    'This operation requires one of these roles: {roles}.',
  ],
  'replacement.check_ids': [
    'Confira os ids: {subject} não existe para esta credencial.',
    'Check the ids: {subject} does not exist for this credential.',
  ],
} as const satisfies Record<string, Message>;
