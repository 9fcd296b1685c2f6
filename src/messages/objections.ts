import type { ObjectionCode } from '../documents/events/objections.ts';
import type { Message } from './message.ts';

/** Deadlines: 10 days for Ciência, 90 for the conclusive events. Source: docs/fiscal/events.md. */
const deadlineMessages = {
  'deadline.days_left': [
    'Prazo: até {last_day}, faltam {days} dias.',
    'Deadline: {last_day}, {days} days left.',
  ],
  'deadline.tomorrow': ['Prazo: até amanhã, {last_day}.', 'Deadline: tomorrow, {last_day}.'],
  'deadline.today': ['Prazo: vence hoje, {last_day}.', 'Deadline: today, {last_day}.'],
  'deadline.passed': [
    'O prazo terminou em {last_day}; a SEFAZ deve recusar o evento (596).',
    'The deadline was {last_day}; SEFAZ should refuse the event (596).',
  ],
  'deadline.from_authorisation': [
    'São {days} dias contados da autorização, em {from}.',
    'That is {days} days from the authorisation on {from}.',
  ],
  'deadline.from_first_conclusive': [
    'São os {days} dias da retificação, contados do primeiro evento conclusivo, em {from}.',
    'That is the {days} days of a correction, from the first conclusive event on {from}.',
  ],
  'deadline.perhaps_later': [
    'A nota foi autorizada antes de 01/06/2026, quando o prazo era maior, e os textos não dizem qual vale para ela: pelo anterior seria até {last_day}. Considere o menor.',
    'The note was authorised before 1 June 2026, when the term was longer, and the texts do not say which one holds for it: by the former one it would be {last_day}. Go by the shorter one.',
  ],
  'deadline.rule': [
    'Prazo: {days} dias corridos da autorização da nota, sem contar o dia dela.',
    'Deadline: {days} calendar days from the authorisation of the note, not counting its own day.',
  ],
  'deadline.shorter': [
    'Operações com combustíveis, cigarros e bebidas podem ter prazos menores.',
    'Operations with fuel, cigarettes and drinks may have shorter deadlines.',
  ],
} as const satisfies Record<`deadline.${string}`, Message>;

/** What speaks against an event, each with the notes it is about. Source: docs/fiscal/events.md. */
const againstMessages = {
  'against.heading': ['Antes de confirmar', 'Before saying yes'],
  'against.cancelled': [
    'NOTA CANCELADA pelo emitente: {notes}. De nota cancelada a SEFAZ recusa a Ciência (650) e o Desconhecimento (651).',
    'NOTE CANCELLED by its issuer: {notes}. For a cancelled note SEFAZ rejects Ciência (650) and Desconhecimento (651).',
  ],
  'against.denied': [
    'USO DENEGADO: {notes}. De nota denegada a SEFAZ recusa a Ciência (650) e o Desconhecimento (651).',
    'USE DENIED: {notes}. For a denied note SEFAZ rejects Ciência (650) and Desconhecimento (651).',
  ],
  'against.not_recipient': [
    'O DESTINATÁRIO É OUTRO: {notes}. Só o destinatário manifesta; de outro a SEFAZ recusa o evento (575).',
    'THE RECIPIENT IS ANOTHER: {notes}. Only the recipient manifests; from anyone else SEFAZ rejects it (575).',
  ],
  'against.tacitly_confirmed': [
    'CONFIRMADA TACITAMENTE: {notes}. O prazo terminou sem evento conclusivo, e a operação é tida como ocorrida, com os efeitos da Confirmação.',
    'TACITLY CONFIRMED: {notes}. The term ended without a conclusive event, and the operation counts as having taken place, with the effects of Confirmação.',
  ],
  'against.perhaps_confirmed': [
    'TALVEZ CONFIRMADA TACITAMENTE: {notes}. Autorizada antes de 01/06/2026, quando o prazo era maior; os textos não dizem qual vale para ela. Pelo atual, o prazo terminou, e a SEFAZ deve recusar o evento (596).',
    'PERHAPS TACITLY CONFIRMED: {notes}. Authorised before 1 June 2026, when the term was longer; the texts do not say which one holds for it. By today’s the term is over, and SEFAZ should reject it (596).',
  ],
  'against.past_deadline': [
    'FORA DO PRAZO: {notes}. A SEFAZ deve recusar o evento (596).',
    'PAST ITS DEADLINE: {notes}. SEFAZ should reject it (596).',
  ],
  'against.correction_over': [
    'RETIFICAÇÃO FORA DO PRAZO: {notes}. Ela cabe em até 30 dias do primeiro evento conclusivo; a SEFAZ deve recusar o evento (596).',
    'TOO LATE FOR A CORRECTION: {notes}. It is possible within 30 days of the first conclusive event; SEFAZ should reject it (596).',
  ],
  'against.used_up': [
    'JÁ REGISTRADO AS DUAS VEZES POSSÍVEIS: {notes}. A SEFAZ recusa a terceira (594).',
    'REGISTERED THE TWO TIMES POSSIBLE ALREADY: {notes}. SEFAZ rejects a third one (594).',
  ],
  'against.already_registered': [
    'JÁ REGISTRADO: {notes}. O mesmo evento é o que vale hoje; enviar de novo não muda nada, e a SEFAZ pode recusar (573).',
    'ALREADY REGISTERED: {notes}. It is what holds today; sending it again changes nothing, and SEFAZ may reject it (573).',
  ],
  'against.after_conclusion': [
    'JÁ HÁ EVENTO CONCLUSIVO: {notes}. Depois dele a SEFAZ recusa a Ciência (655).',
    'THERE IS A CONCLUSIVE EVENT ALREADY: {notes}. After one SEFAZ rejects Ciência (655).',
  ],
  'against.replaces': [
    'RETIFICA um evento já registrado, que deixa de valer: {notes}.',
    'CORRECTS an event that is registered, which will no longer hold: {notes}.',
  ],
  'against.last_time': [
    'SEGUNDA E ÚLTIMA VEZ que esta manifestação pode ser registrada: {notes}.',
    'SECOND AND LAST TIME that this manifestation can be registered: {notes}.',
  ],
  'against.outcome_unknown': [
    'ENVIO ANTERIOR DE RESULTADO DESCONHECIDO: {notes}. Consulte a situação (get_nfe_event_status) antes de repetir.',
    'AN EARLIER SENDING HAS AN UNKNOWN OUTCOME: {notes}. Look up the status (get_nfe_event_status) before repeating it.',
  ],
  'against.in_flight': ['ENVIO EM ANDAMENTO: {notes}.', 'A SENDING IS UNDER WAY: {notes}.'],
  'against.unread': [
    'NOTA NÃO LIDA: {notes}. {problem} Cancelamento, prazo e eventos dela não são conhecidos aqui; o que segue vem só da chave.',
    'NOTE NOT READ: {notes}. {problem} Its cancellation, deadline and events are not known here; what follows is from the key alone.',
  ],
  'against.until': ['prazo até {day}', 'term until {day}'],
  'against.until_either': ['prazo até {day} ou até {later}', 'term until {day} or {later}'],
  'against.more': ['e mais {count}', 'and {count} more'],
} as const satisfies Record<
  `against.${ObjectionCode | 'heading' | 'not_recipient' | 'outcome_unknown' | 'in_flight' | 'unread' | 'until' | 'until_either' | 'more'}`,
  Message
>;

/** Until when an event can be registered, and what speaks against it. */
export const objectionMessages = { ...deadlineMessages, ...againstMessages };
