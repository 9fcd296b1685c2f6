import type { Message } from '../../message.ts';

/** What a view says by itself; the rest of its page comes with the answer. Built into the page, so no part of a start. */
export const viewMessages = {
  loading: ['Lendo os documentos…', 'Reading the documents…'],
  answer: ['Resposta', 'Answer'],
  cancelled: ['A consulta foi cancelada', 'The question was cancelled'],
  cancelled_more: [
    'Nada foi enviado nem alterado. Faça a pergunta de novo quando quiser.',
    'Nothing was sent or changed. Ask again whenever you like.',
  ],
  failed: ['Não foi possível responder', 'The question could not be answered'],
  nothing_changed: ['Nada foi enviado nem alterado.', 'Nothing was sent or changed.'],
  retry: ['Tentar de novo', 'Try again'],
  fetching: ['Buscando…', 'Fetching…'],
  back: ['← Voltar', '← Back'],
  full_screen: ['Ampliar', 'Full screen'],
  filter: ['Filtrar', 'Filter'],
  no_rows: ['Nenhuma linha com o filtro.', 'No row matches.'],
  rows: ['{shown} de {total} {total:linha|linhas}', '{shown} of {total} {total:row|rows}'],
  sort_by: ['Ordenar por', 'Sort by'],
  more: ['Mostrar mais {count}', 'Show {count} more'],
  copy_csv: ['Copiar CSV', 'Copy CSV'],
  copy_key: ['Copiar a chave {key}', 'Copy the key {key}'],
  key: ['Chave', 'Key'],
  copied: ['Copiado', 'Copied'],
  copy_here: ['Copie daqui', 'Copy from here'],
  states: ['Situação e eventos', 'Status and events'],
  note: ['nota {mark}', 'note {mark}'],
  portal: ['Portal', 'Portal'],
  save: ['Salvar', 'Save'],
  access_key: ['CHAVE DE ACESSO', 'ACCESS KEY'],
  ask_for_file: [
    'Salve o {format} deste documento: {title}, {key}',
    'Save the {format} of this document: {title}, {key}',
  ],
  no_form: [
    'O texto do documento não está à mão: sem ele não há formulário.',
    'The text of the document is not at hand: without it there is no form.',
  ],
  unshown: [
    'Esta resposta não pode ser mostrada aqui; o texto dela está completo.',
    'This answer cannot be shown here; its text is whole.',
  ],
} as const satisfies Record<string, Message>;
