import type { Message } from '../../message.ts';

/** What every view inside the assistant says. Built into the pages, so none of it is part of a start. */
export const frameMessages = {
  'view.waiting': { 'pt-BR': 'Aguardando a resposta…', en: 'Waiting for the answer…' },
  'view.cancelled': { 'pt-BR': 'A consulta foi cancelada.', en: 'The call was cancelled.' },
  'view.full_screen': { 'pt-BR': 'Ampliar', en: 'Full screen' },
  'view.actions': { 'pt-BR': 'Ações', en: 'Actions' },
  'view.back': { 'pt-BR': '← Voltar', en: '← Back' },
  'view.opening': { 'pt-BR': 'Abrindo o documento…', en: 'Opening the document…' },
  'view.fetching': { 'pt-BR': 'Buscando {format}…', en: 'Fetching {format}…' },
  'view.key': { 'pt-BR': 'CHAVE DE ACESSO', en: 'ACCESS KEY' },
  'view.more_rows': { 'pt-BR': '{shown} de {total}: mostrar mais', en: '{shown} of {total}: show more' },
  'view.status.authorized': { 'pt-BR': 'Autorizado', en: 'Authorized' },
  'view.status.cancelled': { 'pt-BR': 'Cancelado', en: 'Cancelled' },
  'view.status.denied': { 'pt-BR': 'Denegado', en: 'Denied' },
  'view.status.no_protocol': { 'pt-BR': 'Sem protocolo', en: 'No protocol' },
  'view.status.unknown': { 'pt-BR': 'Situação desconhecida', en: 'Status unknown' },
  'view.unshown': {
    'pt-BR': 'Esta resposta não pode ser mostrada aqui; o texto dela está completo.',
    en: 'This answer cannot be shown here; its text is whole.',
  },
} as const satisfies Record<`view.${string}`, Message>;
