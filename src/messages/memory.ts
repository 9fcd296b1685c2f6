import type { Message } from './message.ts';

/** How old an answer's data is, what has changed since, and what could not be read. */
export const memoryMessages = {
  'memory.as_of': {
    'pt-BR': 'Situação de {at}.',
    en: 'As of {at}.',
  },
  'memory.grace': {
    'pt-BR': 'É o que já se sabia. O serviço é consultado de novo para {days}; com refresh, já.',
    en: 'That is what was known. The service is asked again for {days}; with refresh, at once.',
  },
  'memory.grace_of_days': {
    'pt-BR': 'documentos de menos de {days} {days:dia|dias}, depois de {time}',
    en: 'documents less than {days} {days:day|days} old, after {time}',
  },
  'memory.minutes': { 'pt-BR': '{count} {count:minuto|minutos}', en: '{count} {count:minute|minutes}' },
  'memory.hours': { 'pt-BR': '{count} {count:hora|horas}', en: '{count} {count:hour|hours}' },
  'memory.days': { 'pt-BR': '{count} {count:dia|dias}', en: '{count} {count:day|days}' },
  'memory.changes': {
    'pt-BR': '{count} {count:mudança|mudanças} desde a consulta anterior: {changes}.',
    en: '{count} {count:change|changes} since it was last fetched: {changes}.',
  },
  'memory.change.new': { 'pt-BR': 'nova', en: 'new' },
  'memory.change.cancelled': { 'pt-BR': 'cancelada', en: 'cancelled' },
  'memory.change.corrected': { 'pt-BR': 'com carta de correção', en: 'corrected by letter' },
  'memory.change.manifested': { 'pt-BR': 'manifestada', en: 'manifested' },
  'memory.unreadable': {
    'pt-BR':
      '{count} {count:documento não pôde ser lido e não está|documentos não puderam ser lidos e não estão} na resposta: {named}.',
    en: '{count} {count:document|documents} could not be read and {count:is|are} not in this answer: {named}.',
  },
  'status.authorized': { 'pt-BR': 'autorizado', en: 'authorised' },
  'status.cancelled': { 'pt-BR': 'cancelado', en: 'cancelled' },
  'status.denied': { 'pt-BR': 'denegado', en: 'denied' },
  'status.no_protocol': { 'pt-BR': 'sem protocolo', en: 'no protocol' },
  'status.unknown': { 'pt-BR': 'desconhecida', en: 'unknown' },
  'memory.status_from_document': {
    'pt-BR': 'Situação conforme o próprio documento, consultado em {at}.',
    en: 'Status from the document itself, fetched {at}.',
  },
  'memory.status_from_event': {
    'pt-BR': 'Situação conforme um evento do documento, consultado em {at}.',
    en: 'Status from an event of the document, fetched {at}.',
  },
  'memory.status_from_service': {
    'pt-BR': 'Situação conforme a consulta ao serviço em {at}.',
    en: 'Status from the service, asked {at}.',
  },
  'memory.contents': {
    'pt-BR': 'Esta chave chegou com {count} conteúdos diferentes; este é o mais completo e válido.',
    en: 'This key came with {count} different contents; this is the fullest valid one.',
  },
  'memory.not_refreshed': {
    'pt-BR': 'O serviço não pôde ser consultado agora ({reason}); a resposta é do que já se sabia.',
    en: 'The service could not be asked now ({reason}); this answer is from what was known before.',
  },
  'memory.reason.unknown_layout': { 'pt-BR': 'leiaute desconhecido', en: 'unknown layout' },
  'memory.reason.no_identity': { 'pt-BR': 'sem chave nem número', en: 'neither key nor number' },
  'memory.reason.malformed': { 'pt-BR': 'XML malformado', en: 'malformed XML' },
  'memory.reason.truncated': { 'pt-BR': 'cortado no meio', en: 'cut off in the middle' },
  'memory.reason.no_document': { 'pt-BR': 'não é um documento fiscal', en: 'not a fiscal document' },
  'memory.reason.damaged': { 'pt-BR': 'danificado', en: 'damaged' },
} as const satisfies Record<`${'memory' | 'status'}.${string}`, Message>;
