import type { Message } from './message.ts';

/** How old an answer's data is, what has changed since, and what could not be read. */
export const memoryMessages = {
  'memory.as_of': ['Situação de {at}.', 'As of {at}.'],
  'memory.grace': [
    'É o que já se sabia. O serviço é consultado de novo para {days}; com refresh, já.',
    'That is what was known. The service is asked again for {days}; with refresh, at once.',
  ],
  'memory.grace_of_days': [
    'documentos de menos de {days} {days:dia|dias}, depois de {time}',
    'documents less than {days} {days:day|days} old, after {time}',
  ],
  'memory.minutes': ['{count} {count:minuto|minutos}', '{count} {count:minute|minutes}'],
  'memory.hours': ['{count} {count:hora|horas}', '{count} {count:hour|hours}'],
  'memory.days': ['{count} {count:dia|dias}', '{count} {count:day|days}'],
  'memory.changes': [
    '{count} {count:mudança|mudanças} desde a consulta anterior: {changes}.',
    '{count} {count:change|changes} since it was last fetched: {changes}.',
  ],
  'memory.change.new': ['nova', 'new'],
  'memory.change.cancelled': ['cancelada', 'cancelled'],
  'memory.change.corrected': ['com carta de correção', 'corrected by letter'],
  'memory.change.manifested': ['manifestada', 'manifested'],
  'memory.unreadable': [
    '{count} {count:documento não pôde ser lido e não está|documentos não puderam ser lidos e não estão} na resposta: {named}.',
    '{count} {count:document|documents} could not be read and {count:is|are} not in this answer: {named}.',
  ],
  'status.authorized': ['autorizado', 'authorised'],
  'status.cancelled': ['cancelado', 'cancelled'],
  'status.denied': ['denegado', 'denied'],
  'status.no_protocol': ['sem protocolo', 'no protocol'],
  'status.unknown': ['desconhecida', 'unknown'],
  'memory.status_from_document': [
    'Situação conforme o próprio documento, consultado em {at}.',
    'Status from the document itself, fetched {at}.',
  ],
  'memory.status_from_event': [
    'Situação conforme um evento do documento, consultado em {at}.',
    'Status from an event of the document, fetched {at}.',
  ],
  'memory.status_from_service': [
    'Situação conforme a consulta ao serviço em {at}.',
    'Status from the service, asked {at}.',
  ],
  'memory.contents': [
    'Esta chave chegou com {count} conteúdos diferentes; este é o mais completo e válido.',
    'This key came with {count} different contents; this is the fullest valid one.',
  ],
  'memory.not_refreshed': [
    'O serviço não pôde ser consultado agora ({reason}); a resposta é do que já se sabia.',
    'The service could not be asked now ({reason}); this answer is from what was known before.',
  ],
  'memory.reason.unknown_layout': ['leiaute desconhecido', 'unknown layout'],
  'memory.reason.no_identity': ['sem chave nem número', 'neither key nor number'],
  'memory.reason.malformed': ['XML malformado', 'malformed XML'],
  'memory.reason.truncated': ['cortado no meio', 'cut off in the middle'],
  'memory.reason.no_document': ['não é um documento fiscal', 'not a fiscal document'],
  'memory.reason.damaged': ['danificado', 'damaged'],
} as const satisfies Record<`${'memory' | 'status'}.${string}`, Message>;
