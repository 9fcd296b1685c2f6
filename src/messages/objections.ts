import type { ObjectionCode } from '../documents/events/objections.ts';
import type { Message } from './message.ts';

/** Deadlines: 10 days for Ciência, 90 for the conclusive events. Source: docs/fiscal/events.md. */
const deadlineMessages = {
  'deadline.days_left': {
    'pt-BR': 'Prazo: até {last_day}, faltam {days} dias.',
    en: 'Deadline: {last_day}, {days} days left.',
  },
  'deadline.tomorrow': {
    'pt-BR': 'Prazo: até amanhã, {last_day}.',
    en: 'Deadline: tomorrow, {last_day}.',
  },
  'deadline.today': {
    'pt-BR': 'Prazo: vence hoje, {last_day}.',
    en: 'Deadline: today, {last_day}.',
  },
  'deadline.passed': {
    'pt-BR': 'O prazo terminou em {last_day}; a SEFAZ deve recusar o evento (596).',
    en: 'The deadline was {last_day}; SEFAZ should refuse the event (596).',
  },
  'deadline.from_authorisation': {
    'pt-BR': 'São {days} dias contados da autorização, em {from}.',
    en: 'That is {days} days from the authorisation on {from}.',
  },
  'deadline.from_first_conclusive': {
    'pt-BR': 'São os {days} dias da retificação, contados do primeiro evento conclusivo, em {from}.',
    en: 'That is the {days} days of a correction, from the first conclusive event on {from}.',
  },
  'deadline.perhaps_later': {
    'pt-BR':
      'A nota foi autorizada antes de 01/06/2026, quando o prazo era maior, e os textos não dizem qual vale para ela: pelo anterior seria até {last_day}. Considere o menor.',
    en: 'The note was authorised before 1 June 2026, when the term was longer, and the texts do not say which one holds for it: by the former one it would be {last_day}. Go by the shorter one.',
  },
  'deadline.rule': {
    'pt-BR': 'Prazo: {days} dias corridos da autorização da nota, sem contar o dia dela.',
    en: 'Deadline: {days} calendar days from the authorisation of the note, not counting its own day.',
  },
  'deadline.shorter': {
    'pt-BR': 'Operações com combustíveis, cigarros e bebidas podem ter prazos menores.',
    en: 'Operations with fuel, cigarettes and drinks may have shorter deadlines.',
  },
} as const satisfies Record<`deadline.${string}`, Message>;

/** What speaks against an event, each with the notes it is about. Source: docs/fiscal/events.md. */
const againstMessages = {
  'against.heading': { 'pt-BR': 'Antes de confirmar', en: 'Before saying yes' },
  'against.cancelled': {
    'pt-BR':
      'NOTA CANCELADA pelo emitente: {notes}. De nota cancelada a SEFAZ recusa a Ciência (650) e o Desconhecimento (651).',
    en: 'NOTE CANCELLED by its issuer: {notes}. For a cancelled note SEFAZ rejects Ciência (650) and Desconhecimento (651).',
  },
  'against.denied': {
    'pt-BR':
      'USO DENEGADO: {notes}. De nota denegada a SEFAZ recusa a Ciência (650) e o Desconhecimento (651).',
    en: 'USE DENIED: {notes}. For a denied note SEFAZ rejects Ciência (650) and Desconhecimento (651).',
  },
  'against.not_recipient': {
    'pt-BR':
      'O DESTINATÁRIO É OUTRO: {notes}. Só o destinatário manifesta; de outro a SEFAZ recusa o evento (575).',
    en: 'THE RECIPIENT IS ANOTHER: {notes}. Only the recipient manifests; from anyone else SEFAZ rejects it (575).',
  },
  'against.tacitly_confirmed': {
    'pt-BR':
      'CONFIRMADA TACITAMENTE: {notes}. O prazo terminou sem evento conclusivo, e a operação é tida como ocorrida, com os efeitos da Confirmação.',
    en: 'TACITLY CONFIRMED: {notes}. The term ended without a conclusive event, and the operation counts as having taken place, with the effects of Confirmação.',
  },
  'against.perhaps_confirmed': {
    'pt-BR':
      'TALVEZ CONFIRMADA TACITAMENTE: {notes}. Autorizada antes de 01/06/2026, quando o prazo era maior; os textos não dizem qual vale para ela. Pelo atual, o prazo terminou, e a SEFAZ deve recusar o evento (596).',
    en: 'PERHAPS TACITLY CONFIRMED: {notes}. Authorised before 1 June 2026, when the term was longer; the texts do not say which one holds for it. By today’s the term is over, and SEFAZ should reject it (596).',
  },
  'against.past_deadline': {
    'pt-BR': 'FORA DO PRAZO: {notes}. A SEFAZ deve recusar o evento (596).',
    en: 'PAST ITS DEADLINE: {notes}. SEFAZ should reject it (596).',
  },
  'against.correction_over': {
    'pt-BR':
      'RETIFICAÇÃO FORA DO PRAZO: {notes}. Ela cabe em até 30 dias do primeiro evento conclusivo; a SEFAZ deve recusar o evento (596).',
    en: 'TOO LATE FOR A CORRECTION: {notes}. It is possible within 30 days of the first conclusive event; SEFAZ should reject it (596).',
  },
  'against.used_up': {
    'pt-BR': 'JÁ REGISTRADO AS DUAS VEZES POSSÍVEIS: {notes}. A SEFAZ recusa a terceira (594).',
    en: 'REGISTERED THE TWO TIMES POSSIBLE ALREADY: {notes}. SEFAZ rejects a third one (594).',
  },
  'against.already_registered': {
    'pt-BR':
      'JÁ REGISTRADO: {notes}. O mesmo evento é o que vale hoje; enviar de novo não muda nada, e a SEFAZ pode recusar (573).',
    en: 'ALREADY REGISTERED: {notes}. It is what holds today; sending it again changes nothing, and SEFAZ may reject it (573).',
  },
  'against.after_conclusion': {
    'pt-BR': 'JÁ HÁ EVENTO CONCLUSIVO: {notes}. Depois dele a SEFAZ recusa a Ciência (655).',
    en: 'THERE IS A CONCLUSIVE EVENT ALREADY: {notes}. After one SEFAZ rejects Ciência (655).',
  },
  'against.replaces': {
    'pt-BR': 'RETIFICA um evento já registrado, que deixa de valer: {notes}.',
    en: 'CORRECTS an event that is registered, which will no longer hold: {notes}.',
  },
  'against.last_time': {
    'pt-BR': 'SEGUNDA E ÚLTIMA VEZ que esta manifestação pode ser registrada: {notes}.',
    en: 'SECOND AND LAST TIME that this manifestation can be registered: {notes}.',
  },
  'against.outcome_unknown': {
    'pt-BR':
      'ENVIO ANTERIOR DE RESULTADO DESCONHECIDO: {notes}. Consulte a situação (get_nfe_event_status) antes de repetir.',
    en: 'AN EARLIER SENDING HAS AN UNKNOWN OUTCOME: {notes}. Look up the status (get_nfe_event_status) before repeating it.',
  },
  'against.in_flight': {
    'pt-BR': 'ENVIO EM ANDAMENTO: {notes}.',
    en: 'A SENDING IS UNDER WAY: {notes}.',
  },
  'against.unread': {
    'pt-BR':
      'NOTA NÃO LIDA: {notes}. {problem} Cancelamento, prazo e eventos dela não são conhecidos aqui; o que segue vem só da chave.',
    en: 'NOTE NOT READ: {notes}. {problem} Its cancellation, deadline and events are not known here; what follows is from the key alone.',
  },
  'against.until': { 'pt-BR': 'prazo até {day}', en: 'term until {day}' },
  'against.until_either': { 'pt-BR': 'prazo até {day} ou até {later}', en: 'term until {day} or {later}' },
  'against.more': { 'pt-BR': 'e mais {count}', en: 'and {count} more' },
} as const satisfies Record<
  `against.${ObjectionCode | 'heading' | 'not_recipient' | 'outcome_unknown' | 'in_flight' | 'unread' | 'until' | 'until_either' | 'more'}`,
  Message
>;

/** Until when an event can be registered, and what speaks against it. */
export const objectionMessages = { ...deadlineMessages, ...againstMessages };
