import type { Message } from './message.ts';

/** What became of writes, and parts of their previews. */
export const writeResultMessages = {
  'result.done': { 'pt-BR': 'registrado', en: 'registered' },
  'result.refused': { 'pt-BR': 'recusado', en: 'refused' },
  'result.not_sent': { 'pt-BR': 'não enviado', en: 'not sent' },
  'result.in_flight': { 'pt-BR': 'em andamento', en: 'under way' },
  'result.unknown': { 'pt-BR': 'resultado desconhecido', en: 'outcome unknown' },
  'result.overall_confirmation_required': { 'pt-BR': 'Falta confirmar.', en: 'To be confirmed.' },
  'result.overall_done': { 'pt-BR': 'Feito.', en: 'Done.' },
  'result.overall_partly': {
    'pt-BR': 'Feito em parte: veja o resultado de cada chave.',
    en: 'Partly done: see the outcome of each key.',
  },
  'result.overall_refused': { 'pt-BR': 'Não foi registrado.', en: 'Not registered.' },
  'result.overall_not_sent': { 'pt-BR': 'Nada foi enviado.', en: 'Nothing was sent.' },
  'result.overall_unknown': {
    'pt-BR': 'O resultado não é conhecido: pode ter sido registrado.',
    en: 'The outcome is unknown: it may have been registered.',
  },
  'result.shortened': {
    'pt-BR': 'As mensagens do serviço foram encurtadas aqui; no conteúdo estruturado estão inteiras.',
    en: "The service's messages are shortened here; they are whole in the structured content.",
  },
  'result.look_up': {
    'pt-BR': 'Onde o resultado é desconhecido, use get_nfe_event_status antes de repetir.',
    en: 'Where the outcome is unknown use get_nfe_event_status before repeating.',
  },
  'result.cancelled_before': {
    'pt-BR': 'a chamada foi cancelada antes desta parte',
    en: 'the call was cancelled before this part',
  },
  'result.still_awaited': {
    'pt-BR':
      'enviado, e a resposta ainda não veio: o programa continua esperando por ela e anota o resultado no diário',
    en: 'sent, and the reply has not come yet: the program keeps waiting for it and notes the outcome in the journal',
  },
  'result.no_time_left': {
    'pt-BR':
      'não enviado, porque o tempo da chamada acabou antes desta parte; peça de novo só para estas chaves',
    en: 'not sent, because the time of the call was over before this part; ask again for these keys alone',
  },
  'result.forestalled': {
    'pt-BR': 'não enviado, porque outro envio para a mesma chave veio antes; peça uma nova prévia',
    en: 'not sent, because another write for the same key came first; ask for a new preview',
  },
  'result.stopped_after_refusal': {
    'pt-BR': 'não enviado, porque o serviço recusou a parte anterior por inteiro',
    en: 'not sent, because the service refused the previous part as a whole',
  },
  'result.progress': {
    'pt-BR': '{done} {done:chave tratada|chaves tratadas}',
    en: '{done} {done:key|keys} handled',
  },
  'result.settled': {
    'pt-BR': 'O envio de {at}, de resultado desconhecido, fica esclarecido no diário.',
    en: 'The write of {at}, whose outcome was unknown, is settled in the journal.',
  },
  'result.other_key': {
    'pt-BR': '⚠ o serviço respondeu sobre a chave "{found}", e a pergunta era sobre {asked}',
    en: '⚠ the service answered about key "{found}", and the question was about {asked}',
  },
  'preview.raw': {
    'pt-BR': 'Enviar este evento exatamente como está, sem conferência do conteúdo:',
    en: 'Send this event exactly as it stands, its content unchecked:',
  },
  'preview.replace': {
    'pt-BR': 'Substituir por inteiro {subject}. O que não está aqui deixa de existir no serviço:',
    en: 'Replace {subject} as a whole. What is not listed here ceases to exist at the service:',
  },
  'preview.subject_setting': {
    'pt-BR': 'a configuração {id} da empresa {owner}',
    en: 'setting {id} of company {owner}',
  },
  'preview.subject_subscription': {
    'pt-BR': 'a assinatura {id} da conta {owner}',
    en: 'subscription {id} of account {owner}',
  },
  'preview.stored': { 'pt-BR': '{field}: {value}', en: '{field}: {value}' },
  'preview.cleared': { 'pt-BR': '{field}: será apagado', en: '{field}: will be cleared' },
  'preview.records_omitted': {
    'pt-BR': 'Campos de registro não enviados, que o serviço pode apagar ou preencher: {fields}.',
    en: 'Record-keeping fields not sent, which the service may clear or fill in: {fields}.',
  },
  'preview.excluded': {
    'pt-BR': '{field}: não se envia, porque {other} o determina',
    en: '{field}: not sent, because {other} determines it',
  },
  'replacement.done': {
    'pt-BR': 'Substituído. O serviço guarda agora: {stored}',
    en: 'Replaced. The service now stores: {stored}',
  },
  'replacement.still_awaited': {
    'pt-BR':
      'A resposta ainda não veio: o programa continua esperando por ela e anota o resultado no diário. Não repita antes disso.',
    en: 'The reply has not come yet: the program keeps waiting for it and notes the outcome in the journal. Do not repeat it before then.',
  },
  'replacement.unknown': {
    'pt-BR': 'O resultado não é conhecido: pode ter sido substituído. {words}',
    en: 'The outcome is unknown: it may have been replaced. {words}',
  },
  'replacement.refused': { 'pt-BR': 'Nada foi substituído. {words}', en: 'Nothing was replaced. {words}' },
  'replacement.not_sent': {
    'pt-BR': 'Nada foi enviado, e nada foi substituído. {words}',
    en: 'Nothing was sent, and nothing was replaced. {words}',
  },
  'replacement.difference': {
    'pt-BR': '{field}: enviado {sent}, guardado {stored}',
    en: '{field}: sent {sent}, stored {stored}',
  },
  'replacement.would_clear': {
    'pt-BR':
      'a substituição apagaria {fields}: informe o valor de cada um ou cite-o em "clear" para apagá-lo de propósito',
    en: 'the replacement would clear {fields}: give each a value or name it in "clear" to clear it on purpose',
  },
  'replacement.given_and_cleared': {
    'pt-BR': '{fields} tem valor e está em "clear": escolha um dos dois',
    en: '{fields} has a value and is in "clear": choose one of the two',
  },
  'replacement.roles': {
    'pt-BR': 'Esta operação exige um destes papéis: {roles}.',
    en: 'This operation requires one of these roles: {roles}.',
  },
  'replacement.check_ids': {
    'pt-BR': 'Confira os ids: {subject} não existe para esta credencial.',
    en: 'Check the ids: {subject} does not exist for this credential.',
  },
} as const satisfies Record<string, Message>;
