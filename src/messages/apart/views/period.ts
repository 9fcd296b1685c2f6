import type { Message } from '../../message.ts';

/** What the view of a period says besides. */
export const periodViewMessages = {
  'view.last_day': { 'pt-BR': 'vence hoje', en: 'last day' },
  'view.days_left': {
    'pt-BR': '{days:falta|faltam} {days} {days:dia|dias}',
    en: '{days} {days:day|days} left',
  },
  'view.days_over': { 'pt-BR': 'fora do prazo há {days} {days:dia|dias}', en: '{days} {days:day|days} over' },
  'view.within_week': { 'pt-BR': 'Até 7 dias', en: 'Within 7 days' },
  'view.within_month': { 'pt-BR': 'De 8 a 30 dias', en: '8 to 30 days' },
  'view.later': { 'pt-BR': 'Mais de 30 dias', en: 'More than 30 days' },
  'view.by_deadline': {
    'pt-BR': 'Notas mostradas, pelo prazo da manifestação conclusiva',
    en: 'Notes shown, by time left for the conclusive event',
  },
  'view.in_time': { 'pt-BR': '{measure} no tempo', en: '{measure} over time' },
  'view.largest': { 'pt-BR': '{measure}: os maiores', en: '{measure}: the largest' },
  'view.pending': { 'pt-BR': 'Manifestações pendentes', en: 'Pending manifestations' },
  'view.open_notes': { 'pt-BR': 'Em aberto', en: 'Open' },
  'view.totals': { 'pt-BR': 'Totais', en: 'Totals' },
  'view.shown': {
    'pt-BR': '{shown} de {total} {total:linha|linhas}',
    en: '{shown} of {total} {total:row|rows}',
  },
  'view.rows': { 'pt-BR': 'Linhas da resposta', en: 'Rows of the answer' },
  'view.no_rows': { 'pt-BR': 'Nenhuma linha com esse filtro.', en: 'No row matches the filter.' },
  'view.nothing': { 'pt-BR': 'Esta resposta não traz linhas.', en: 'This answer has no rows.' },
  'view.filter': { 'pt-BR': 'Filtrar', en: 'Filter' },
  'view.measure': { 'pt-BR': 'Medida', en: 'Measure' },
  'view.copy_csv': { 'pt-BR': 'Copiar CSV', en: 'Copy CSV' },
  'view.copied': { 'pt-BR': 'Copiado.', en: 'Copied.' },
  'view.copy_here': { 'pt-BR': 'Copie daqui', en: 'Copy from here' },
  'view.next_page': { 'pt-BR': 'Buscar mais', en: 'Fetch more' },
  'view.incomplete': {
    'pt-BR': 'Resposta incompleta: faltam dias do período.',
    en: 'Incomplete: days of the period are not in it.',
  },
} as const satisfies Record<`view.${string}`, Message>;
