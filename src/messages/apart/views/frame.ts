import type { Message } from '../../message.ts';

/** What every view inside the assistant says. Built into the pages, so none of it is part of a start. */
export const frameMessages = {
  waiting: { 'pt-BR': 'Aguardando a resposta…', en: 'Waiting for the answer…' },
  cancelled: { 'pt-BR': 'A consulta foi cancelada.', en: 'The call was cancelled.' },
  full_screen: { 'pt-BR': 'Ampliar', en: 'Full screen' },
  actions: { 'pt-BR': 'Ações', en: 'Actions' },
  back: { 'pt-BR': '← Voltar', en: '← Back' },
  opening: { 'pt-BR': 'Abrindo o documento…', en: 'Opening the document…' },
  fetching: { 'pt-BR': 'Buscando {format}…', en: 'Fetching {format}…' },
  key: { 'pt-BR': 'CHAVE DE ACESSO', en: 'ACCESS KEY' },
  more_rows: { 'pt-BR': '{shown} de {total}: mostrar mais', en: '{shown} of {total}: show more' },
  'status.authorized': { 'pt-BR': 'Autorizado', en: 'Authorised' },
  'status.cancelled': { 'pt-BR': 'Cancelado', en: 'Cancelled' },
  'status.denied': { 'pt-BR': 'Denegado', en: 'Denied' },
  'status.no_protocol': { 'pt-BR': 'Sem protocolo', en: 'No protocol' },
  'status.unknown': { 'pt-BR': 'Situação desconhecida', en: 'Status unknown' },
  unshown: {
    'pt-BR': 'Esta resposta não pode ser mostrada aqui; o texto dela está completo.',
    en: 'This answer cannot be shown here; its text is whole.',
  },
} as const satisfies Record<string, Message>;
