import type { Message } from './message.ts';

/** Words around a person's yes or no to a write. Refusals of tokens are in `manifestation.ts`. */
export const confirmationFormMessages = {
  'confirmation.form_title': ['Confirmo', 'I confirm'],
  'confirmation.form_description': [
    'Marque para enviar o que está descrito acima.',
    'Tick to send what is described above.',
  ],
  'confirmation.how': [
    'Mostre esta prévia à pessoa e pergunte se confirma. Só com o sim dela, chame de novo com os mesmos argumentos e confirmation_token "{token}", que vale uma vez, até {until}.',
    'Show this preview to the person and ask whether to confirm it. Only with their yes, call again with the same arguments and confirmation_token "{token}", which works once, until {until}.',
  ],
  'confirmation.cancel': [
    'O formulário foi fechado sem resposta: vale como não, e nada foi enviado.',
    'The form was dismissed: that is a no, and nothing was sent.',
  ],
  'confirmation.decline': ['A pessoa recusou: nada foi enviado.', 'The person declined: nothing was sent.'],
  'confirmation.clock_back': [
    'O relógio deste computador foi atrasado desde a última confirmação; acerte-o antes de continuar.',
    'The clock of this computer was set back since the last confirmation; correct it before going on.',
  ],
  'confirmation.unanswered': [
    'O formulário ficou dez minutos sem resposta: vale como não, e nada foi enviado.',
    'The form stayed unanswered for ten minutes: that is a no, and nothing was sent.',
  ],
  'confirmation.failed': [
    'O aplicativo não conseguiu mostrar o formulário de confirmação, e nada foi enviado. É possível confirmar por outro caminho, se a configuração o permite.',
    'The app could not show the confirmation form, and nothing was sent. It can be confirmed another way if the configuration allows it.',
  ],
  'confirmation.unticked': [
    'O formulário voltou sem a marca de confirmação: nada foi enviado.',
    'The form came back without the confirmation ticked: nothing was sent.',
  ],
  'confirmation.not_shown': [
    'Foi tão rápido que o aplicativo provavelmente nem mostrou o formulário; é possível confirmar por aqui.',
    'It was so quick that the app probably never showed the form; it can be confirmed this way instead.',
  ],
  'confirmation.form_needed': [
    'Este servidor só altera dados com confirmação em formulário (DFE_CONFIRMATION=form), e este aplicativo não tem formulários. Nada foi enviado.',
    'This server changes data only with confirmation by form (DFE_CONFIRMATION=form), and this app has no forms. Nothing was sent.',
  ],
  'confirmation.failed_after_yes': [
    '{reference} Pode ter sido enviado: consulte a situação antes de repetir.',
    '{reference} It may have been sent: look up the state before repeating.',
  ],
  'confirmation.client_gone': [
    'O aplicativo desistiu da chamada antes do envio. Nada foi enviado.',
    'The app gave up the call before it was sent. Nothing was sent.',
  ],
} as const satisfies Record<`confirmation.${string}`, Message>;
