import type { Message } from '../../message.ts';

/** What the view of a period says besides. */
export const periodViewMessages = {
  last_day: ['vence hoje', 'last day'],
  days_left: ['{days:falta|faltam} {days} {days:dia|dias}', '{days} {days:day|days} left'],
  days_over: ['fora do prazo há {days} {days:dia|dias}', '{days} {days:day|days} over'],
  within_week: ['Até 7 dias', 'Within 7 days'],
  within_month: ['De 8 a 30 dias', '8 to 30 days'],
  later: ['Mais de 30 dias', 'More than 30 days'],
  by_deadline: ['Notas pelo prazo da manifestação conclusiva', 'Notes by time left for the conclusive event'],
  in_time: ['{measure} no tempo', '{measure} over time'],
  largest: ['{measure}: os maiores', '{measure}: the largest'],
  pending: ['Manifestações pendentes', 'Pending manifestations'],
  open_notes: ['Em aberto', 'Open'],
  totals: ['Totais', 'Totals'],
  shown: ['{shown} de {total} {total:linha|linhas}', '{shown} of {total} {total:row|rows}'],
  goes_on: ['a resposta continua', 'the answer goes on'],
  rows: ['Linhas', 'Rows'],
  no_rows: ['Nenhuma linha com o filtro.', 'No row matches.'],
  nothing: ['Nada a mostrar.', 'Nothing to show.'],
  filter: ['Filtrar', 'Filter'],
  measure: ['Medida', 'Measure'],
  copy_csv: ['Copiar CSV', 'Copy CSV'],
  copied: ['Copiado.', 'Copied.'],
  copy_here: ['Copie daqui', 'Copy from here'],
  next_page: ['Buscar mais', 'Fetch more'],
  incomplete: ['Resposta incompleta: faltam dias.', 'Incomplete: days are missing.'],
} as const satisfies Record<string, Message>;
