import type { Message } from '../../message.ts';

/** What every view inside the assistant says. Built into the pages, so none of it is part of a start. */
export const frameMessages = {
  waiting: ['Aguardando a resposta…', 'Waiting for the answer…'],
  cancelled: ['A consulta foi cancelada.', 'The call was cancelled.'],
  full_screen: ['Ampliar', 'Full screen'],
  actions: ['Ações', 'Actions'],
  back: ['← Voltar', '← Back'],
  opening: ['Abrindo o documento…', 'Opening the document…'],
  fetching: ['Buscando {format}…', 'Fetching {format}…'],
  key: ['CHAVE DE ACESSO', 'ACCESS KEY'],
  more_rows: ['{shown} de {total}: mostrar mais', '{shown} of {total}: show more'],
  'status.authorized': ['Autorizado', 'Authorised'],
  'status.cancelled': ['Cancelado', 'Cancelled'],
  'status.denied': ['Denegado', 'Denied'],
  'status.no_protocol': ['Sem protocolo', 'No protocol'],
  'status.unknown': ['Situação desconhecida', 'Status unknown'],
  unshown: [
    'Esta resposta não pode ser mostrada aqui; o texto dela está completo.',
    'This answer cannot be shown here; its text is whole.',
  ],
} as const satisfies Record<string, Message>;
