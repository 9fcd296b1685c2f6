import type { Message } from '../../message.ts';

/** What the view of a period says besides. */
export const periodViewMessages = {
  last_day: { 'pt-BR': 'vence hoje', en: 'last day' },
  days_left: {
    'pt-BR': '{days:falta|faltam} {days} {days:dia|dias}',
    en: '{days} {days:day|days} left',
  },
  days_over: { 'pt-BR': 'fora do prazo há {days} {days:dia|dias}', en: '{days} {days:day|days} over' },
  within_week: { 'pt-BR': 'Até 7 dias', en: 'Within 7 days' },
  within_month: { 'pt-BR': 'De 8 a 30 dias', en: '8 to 30 days' },
  later: { 'pt-BR': 'Mais de 30 dias', en: 'More than 30 days' },
  by_deadline: {
    'pt-BR': 'Notas mostradas, pelo prazo da manifestação conclusiva',
    en: 'Notes shown, by time left for the conclusive event',
  },
  in_time: { 'pt-BR': '{measure} no tempo', en: '{measure} over time' },
  largest: { 'pt-BR': '{measure}: os maiores', en: '{measure}: the largest' },
  pending: { 'pt-BR': 'Manifestações pendentes', en: 'Pending manifestations' },
  open_notes: { 'pt-BR': 'Em aberto', en: 'Open' },
  totals: { 'pt-BR': 'Totais', en: 'Totals' },
  shown: {
    'pt-BR': '{shown} de {total} {total:linha|linhas}',
    en: '{shown} of {total} {total:row|rows}',
  },
  goes_on: { 'pt-BR': 'a resposta continua', en: 'the answer goes on' },
  rows: { 'pt-BR': 'Linhas da resposta', en: 'Rows of the answer' },
  no_rows: { 'pt-BR': 'Nenhuma linha com esse filtro.', en: 'No row matches the filter.' },
  nothing: { 'pt-BR': 'Esta resposta não traz linhas.', en: 'This answer has no rows.' },
  filter: { 'pt-BR': 'Filtrar', en: 'Filter' },
  measure: { 'pt-BR': 'Medida', en: 'Measure' },
  copy_csv: { 'pt-BR': 'Copiar CSV', en: 'Copy CSV' },
  copied: { 'pt-BR': 'Copiado.', en: 'Copied.' },
  copy_here: { 'pt-BR': 'Copie daqui', en: 'Copy from here' },
  next_page: { 'pt-BR': 'Buscar mais', en: 'Fetch more' },
  incomplete: {
    'pt-BR': 'Resposta incompleta: faltam dias do período.',
    en: 'Incomplete: days of the period are not in it.',
  },
} as const satisfies Record<string, Message>;
