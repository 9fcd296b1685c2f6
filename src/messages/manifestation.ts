import type { JustificationChange } from '../documents/events/justification.ts';
import type { EventName } from '../documents/events/manifestation.ts';
import type { EventStatusMeaning } from '../documents/events/status-codes.ts';
import type { JournalEntry } from '../writes/journal-ledger.ts';
import type { TokenRefusal } from '../writes/tokens.ts';
import type { Message } from './message.ts';

/**
 * What each event is, what it declares and what cannot be undone about it. Source: NT 2020.001 v1.60
 * (docs/fiscal/events.md).
 */
const eventMessages = {
  'event.ciencia.title': {
    'pt-BR': 'Ciência da Operação',
    en: 'Acknowledgement (Ciência da Operação)',
  },
  'event.ciencia.meaning': {
    'pt-BR':
      'A empresa declara que sabe da existência da nota emitida contra ela, sem se pronunciar sobre a operação. Libera o XML completo para download.',
    en: 'The company declares that it knows of the note issued to it, without taking a position on the operation. This releases the full XML for download.',
  },
  'event.ciencia.final': {
    'pt-BR':
      'A Ciência não é conclusiva e não pode ser retirada: depois dela é preciso registrar Confirmação, Desconhecimento ou Operação não realizada.',
    en: 'Ciência is not conclusive and cannot be withdrawn: Confirmação, Desconhecimento or Operação não realizada must follow it.',
  },
  'event.confirmacao.title': {
    'pt-BR': 'Confirmação da Operação',
    en: 'Confirmation (Confirmação da Operação)',
  },
  'event.confirmacao.meaning': {
    'pt-BR': 'A empresa declara que a operação ocorreu como está na nota. Evento conclusivo.',
    en: 'The company declares that the operation took place as the note states it. A conclusive event.',
  },
  'event.confirmacao.final': {
    'pt-BR': 'Depois da Confirmação o emitente não pode mais cancelar a nota.',
    en: 'After Confirmação the issuer can no longer cancel the note.',
  },
  'event.desconhecimento.title': {
    'pt-BR': 'Desconhecimento da Operação',
    en: 'Unknown operation (Desconhecimento da Operação)',
  },
  'event.desconhecimento.meaning': {
    'pt-BR':
      'A empresa declara que não reconhece a operação: não a pediu nem participou dela. Evento conclusivo.',
    en: 'The company declares that it does not recognise the operation: it neither ordered it nor took part in it. A conclusive event.',
  },
  'event.desconhecimento.final': {
    'pt-BR':
      'A declaração fica registrada na SEFAZ contra a nota e não pode ser apagada. Se a operação foi pedida mas não se concretizou, o evento certo é Operação não realizada.',
    en: 'The declaration stays on record at SEFAZ against the note and cannot be erased. If the operation was ordered but did not happen, the right event is Operação não realizada.',
  },
  'event.nao_realizada.title': {
    'pt-BR': 'Operação não realizada',
    en: 'Operation not carried out (Operação não realizada)',
  },
  'event.nao_realizada.meaning': {
    'pt-BR':
      'A empresa declara que pediu a operação, mas que ela não se realizou, pelo motivo da justificativa. Evento conclusivo.',
    en: 'The company declares that it ordered the operation but that it did not happen, for the reason given in the justification. A conclusive event.',
  },
  'event.nao_realizada.final': {
    'pt-BR':
      'A declaração e a justificativa ficam registradas na SEFAZ contra a nota e não podem ser apagadas. Se a operação nunca foi pedida, o evento certo é Desconhecimento.',
    en: 'The declaration and its justification stay on record at SEFAZ against the note and cannot be erased. If the operation was never ordered, the right event is Desconhecimento.',
  },
  'event.raw.title': {
    'pt-BR': 'um evento enviado como texto',
    en: 'an event sent as text',
  },
  'event.correction': {
    'pt-BR':
      'Um evento conclusivo não se cancela, só se retifica: cada um pode ser registrado no máximo duas vezes, vale o último registrado, e a retificação só cabe em até 30 dias do primeiro.',
    en: 'A conclusive event cannot be cancelled, only corrected: each can be registered twice at most, the last one registered counts, and a correction is possible within 30 days of the first only.',
  },
} as const satisfies Record<
  `event.${EventName}.${'title' | 'meaning' | 'final'}` | 'event.raw.title' | 'event.correction',
  Message
>;

/** Words for the status codes found in the service's message. Source: docs/fiscal/events.md, status codes. */
const statusMessages = {
  'event_status.registered': {
    'pt-BR': 'evento registrado e vinculado à NF-e',
    en: 'event registered and linked to the NF-e',
  },
  'event_status.registered_unlinked': {
    'pt-BR': 'evento registrado, mas não vinculado à NF-e',
    en: 'event registered but not linked to the NF-e',
  },
  'event_status.already_registered': {
    'pt-BR': 'este mesmo evento já está registrado para a nota',
    en: 'this event is already registered for the note',
  },
  'event_status.batch_processed': { 'pt-BR': 'lote de eventos processado', en: 'batch of events processed' },
  'event_status.cancelled_late': {
    'pt-BR': 'cancelamento homologado fora do prazo',
    en: 'cancellation accepted after its deadline',
  },
  'event_status.out_of_time': {
    'pt-BR': 'evento apresentado fora do prazo',
    en: 'event presented after its deadline',
  },
  'event_status.note_authorized': { 'pt-BR': 'NF-e autorizada', en: 'NF-e authorised' },
  'event_status.note_cancelled': { 'pt-BR': 'NF-e cancelada', en: 'NF-e cancelled' },
  'event_status.note_denied': { 'pt-BR': 'uso da NF-e denegado', en: 'use of the NF-e denied' },
  'event_status.note_cancelled_or_denied': {
    'pt-BR': 'a NF-e está cancelada ou denegada',
    en: 'the NF-e is cancelled or denied',
  },
  'event_status.note_not_authorized': {
    'pt-BR': 'o evento exige uma NF-e autorizada',
    en: 'the event requires an authorised NF-e',
  },
  'event_status.note_unknown': {
    'pt-BR': 'a SEFAZ não encontrou a chave',
    en: 'SEFAZ did not find the key',
  },
  'event_status.key_check_digit': {
    'pt-BR': 'dígito verificador da chave inválido',
    en: 'invalid check digit of the key',
  },
  'event_status.author_tax_id': {
    'pt-BR': 'CNPJ ou CPF do autor do evento inválido',
    en: 'invalid tax id of the event author',
  },
  'event_status.author_not_recipient': {
    'pt-BR': 'o autor do evento não é o destinatário da NF-e',
    en: 'the event author is not the recipient of the NF-e',
  },
  'event_status.event_type': { 'pt-BR': 'tipo de evento inválido', en: 'invalid event type' },
  'event_status.event_schema': {
    'pt-BR': 'o evento não atende ao schema',
    en: 'the event does not follow its schema',
  },
  'event_status.event_date': { 'pt-BR': 'data do evento inválida', en: 'invalid event date' },
  'event_status.sequence_exceeded': {
    'pt-BR': 'número de sequência do evento acima do permitido',
    en: 'sequence number of the event above the limit',
  },
  'event_status.justification_missing': {
    'pt-BR': 'falta a justificativa do evento',
    en: 'the justification of the event is missing',
  },
  'event_status.already_conclusive': {
    'pt-BR': 'Ciência apresentada depois de um evento conclusivo',
    en: 'Ciência presented after a conclusive event',
  },
  'event_status.too_many_requests': {
    'pt-BR': 'consumo indevido: aguarde uma hora antes de tentar de novo',
    en: 'too many requests: wait an hour before trying again',
  },
  'event_status.download_out_of_time': {
    'pt-BR': 'a nota não está mais disponível para download',
    en: 'the note is no longer available for download',
  },
  'event_status.download_needs_manifestation': {
    'pt-BR': 'o download exige manifestação do destinatário',
    en: 'the download requires a manifestation by the recipient',
  },
  'event_status.download_note_cancelled': {
    'pt-BR': 'NF-e cancelada, arquivo indisponível para download',
    en: 'NF-e cancelled, file not available for download',
  },
  'event_status.download_note_denied': {
    'pt-BR': 'NF-e denegada, arquivo indisponível para download',
    en: 'NF-e denied, file not available for download',
  },
} as const satisfies Record<`event_status.${EventStatusMeaning}`, Message>;

const justificationMessages = {
  'justification_change.composed': { 'pt-BR': 'acentos unificados', en: 'accents joined to their letters' },
  'justification_change.quotes': {
    'pt-BR': 'aspas curvas trocadas por retas',
    en: 'curly quotes replaced by straight ones',
  },
  'justification_change.dashes': {
    'pt-BR': 'travessões trocados por hífen',
    en: 'dashes replaced by hyphens',
  },
  'justification_change.ellipsis': {
    'pt-BR': 'reticências trocadas por três pontos',
    en: 'ellipsis replaced by three dots',
  },
  'justification_change.line_breaks': {
    'pt-BR': 'quebras de linha trocadas por espaço',
    en: 'line breaks replaced by spaces',
  },
  'justification_change.blanks': {
    'pt-BR': 'espaços especiais trocados por comuns',
    en: 'special spaces replaced by plain ones',
  },
  'justification_change.invisible': {
    'pt-BR': 'caracteres invisíveis retirados',
    en: 'invisible characters removed',
  },
  'justification_change.runs': {
    'pt-BR': 'espaços repetidos reduzidos a um',
    en: 'repeated spaces reduced to one',
  },
  'justification_change.edges': {
    'pt-BR': 'espaços das pontas retirados',
    en: 'leading and trailing spaces removed',
  },
} as const satisfies Record<`justification_change.${JustificationChange}`, Message>;

const previewMessages = {
  'preview.manifest_one': {
    'pt-BR': 'Registrar {event} para a NF-e {key}',
    en: 'Register {event} for NF-e {key}',
  },
  'preview.manifest_many': {
    'pt-BR': 'Registrar {event} para {count} NF-e',
    en: 'Register {event} for {count} NF-e',
  },
  'preview.meaning': { 'pt-BR': 'O que declara', en: 'What it declares' },
  'preview.final': { 'pt-BR': 'O que não se desfaz', en: 'What cannot be undone' },
  'preview.deadline': { 'pt-BR': 'Prazo', en: 'Deadline' },
  'preview.justification': {
    'pt-BR': 'Justificativa que será enviada',
    en: 'Justification that will be sent',
  },
  'preview.justification_changed': {
    'pt-BR': 'O texto foi ajustado para o que a NF-e aceita: {changes}.',
    en: 'The text was adapted to what an NF-e event accepts: {changes}.',
  },
  'preview.note': {
    'pt-BR': 'NF-e {number} de {issuer}, emitida em {issued}',
    en: 'NF-e {number} of {issuer}, issued {issued}',
  },
  'preview.total': { 'pt-BR': 'total {total}', en: 'total {total}' },
  'preview.events': { 'pt-BR': 'Eventos registrados: {events}', en: 'Registered events: {events}' },
  'preview.correctable': { 'pt-BR': 'retificável até {until}', en: 'can be corrected until {until}' },
  'preview.sum': { 'pt-BR': 'Soma das {count} notas: {total}', en: 'Sum of the {count} notes: {total}' },
  'preview.sum_of_some': {
    'pt-BR': 'Soma de {known} das {count} notas, as que puderam ser lidas: {total}',
    en: 'Sum of {known} of the {count} notes, those that could be read: {total}',
  },
  'preview.more_notes': { 'pt-BR': '- e ainda: {keys}', en: '- and also: {keys}' },
  'preview.reading_took_long': {
    'pt-BR': 'O serviço não a entregou em {seconds} segundos.',
    en: 'The service did not deliver it within {seconds} seconds.',
  },
  'preview.earlier': { 'pt-BR': 'Registros anteriores', en: 'Earlier records' },
  'preview.nothing_sent': {
    'pt-BR': 'Nada foi enviado ainda.',
    en: 'Nothing has been sent yet.',
  },
} as const satisfies Record<`preview.${string}`, Message>;

/** Why a confirmation was refused. In every case nothing was sent. */
const confirmationMessages = {
  'confirmation.forged': {
    'pt-BR': 'A confirmação não foi emitida por este servidor. Nada foi enviado; peça uma nova prévia.',
    en: 'The confirmation was not issued by this server. Nothing was sent; ask for a new preview.',
  },
  'confirmation.expired': {
    'pt-BR': 'A confirmação passou dos dez minutos de validade. Nada foi enviado; peça uma nova prévia.',
    en: 'The confirmation is older than the ten minutes it is valid for. Nothing was sent; ask for a new preview.',
  },
  'confirmation.used': {
    'pt-BR':
      'Esta confirmação já foi usada e vale uma só vez. Nada foi enviado agora; consulte o resultado do primeiro envio antes de repetir.',
    en: 'This confirmation has been used and works only once. Nothing was sent now; look up what became of it before repeating it.',
  },
  'confirmation.preview_changed': {
    'pt-BR': 'A situação mudou depois da prévia confirmada. Nada foi enviado; esta é a prévia de agora.',
    en: 'Things have changed since the preview that was confirmed. Nothing was sent; this is the preview as of now.',
  },
  'confirmation.changed': {
    'pt-BR':
      'O pedido não é o que foi mostrado na prévia. Nada foi enviado; peça uma prévia do pedido como está agora.',
    en: 'The request is not the one the preview showed. Nothing was sent; ask for a preview of the request as it is now.',
  },
  'confirmation.other_principal': {
    'pt-BR': 'A confirmação foi dada a outro usuário. Nada foi enviado; peça uma nova prévia.',
    en: 'The confirmation was given to another user. Nothing was sent; ask for a new preview.',
  },
} as const satisfies Record<`confirmation.${TokenRefusal}`, Message>;

/** What the journal knows of earlier writes. */
const journalMessages = {
  'journal.done': {
    'pt-BR': 'Este evento já foi enviado para a chave {key} em {at}: {outcome}.',
    en: 'This event was sent for key {key} on {at}: {outcome}.',
  },
  'journal.refused': {
    'pt-BR': 'Este evento foi enviado para a chave {key} em {at} e o serviço o recusou: {outcome}.',
    en: 'This event was sent for key {key} on {at} and the service refused it: {outcome}.',
  },
  'journal.not_sent': {
    'pt-BR': 'Este evento foi pedido para a chave {key} em {at}, mas não chegou a ser enviado.',
    en: 'This event was requested for key {key} on {at} but was not sent.',
  },
  'journal.unknown': {
    'pt-BR':
      'Este evento pode ter sido enviado para a chave {key} em {at}: o resultado não é conhecido. Consulte a situação do evento antes de repetir.',
    en: 'This event may have been sent for key {key} on {at}: the outcome is unknown. Look up the status of the event before repeating it.',
  },
  'journal.unknown_change': {
    'pt-BR':
      'A alteração de {subject} pode ter sido enviada em {at}: o resultado não é conhecido. Confira o valor atual antes de repetir.',
    en: 'The change of {subject} may have been sent on {at}: the outcome is unknown. Check the current value before repeating it.',
  },
  'journal.in_flight': {
    'pt-BR': 'Este evento está sendo enviado para a chave {key} desde {at}.',
    en: 'This event has been under way for key {key} since {at}.',
  },
  'journal.other_event': {
    'pt-BR': 'Outro evento da chave {key}, de {at}: {event}, {outcome}.',
    en: 'Another event of key {key}, on {at}: {event}, {outcome}.',
  },
  'journal.more': {
    'pt-BR':
      'E mais {count} {count:registro anterior|registros anteriores} destas chaves, {count:também|todos} no diário de envios.',
    en: 'And {count} more earlier {count:record|records} of these keys, in the journal of writes.',
  },
  'journal.open_writes': {
    'pt-BR': 'Há {count} {count:envio|envios} sem resultado conhecido, o mais antigo de {at}.',
    en: 'There {count:is|are} {count} {count:write|writes} whose outcome is unknown, the oldest of {at}.',
  },
  'journal.taken_over': {
    'pt-BR':
      'O diário de envios da pasta de dados está agora no banco de dados ({count} {count:linha|linhas}), com as confirmações usadas.',
    en: 'The journal of writes in the data folder is now in the database ({count} {count:line|lines}), with the confirmations that were used.',
  },
  'journal.damaged': {
    'pt-BR':
      'O diário de envios tem {count} {count:trecho ilegível|trechos ilegíveis}; pode faltar algum envio anterior. O arquivo foi mantido como está.',
    en: 'The journal of writes has {count} unreadable {count:part|parts}; an earlier write may be missing from it. The file was left as it is.',
  },
  'journal.torn_end': {
    'pt-BR':
      'O diário de envios termina no meio de uma linha, o que acontece quando o programa é interrompido ao gravar.',
    en: 'The journal of writes ends inside a line, as it does when the program is interrupted while writing.',
  },
} as const satisfies Record<
  `journal.${JournalEntry['state'] | 'unknown_change' | 'other_event' | 'more' | 'open_writes' | 'taken_over' | 'damaged' | 'torn_end'}`,
  Message
>;

const dataFolderMessages = {
  'data_folder.unusable': {
    'pt-BR':
      'A pasta de dados "{folder}" não pode ser usada ({code}), e sem ela nada é enviado: é onde fica o diário do que foi enviado. Corrija DFE_DATA_DIR ou as permissões da pasta.',
    en: 'The data folder "{folder}" cannot be used ({code}), and without it nothing is written: it holds the record of what was sent. Fix DFE_DATA_DIR or the permissions of the folder.',
  },
  'data_folder.database': {
    'pt-BR':
      'O banco de dados não pôde ser usado ({code}), e sem ele nada é enviado: é onde fica o diário do que foi enviado. Confira DFE_DATABASE_URL e o servidor, e chame de novo.',
    en: 'The database cannot be used ({code}), and without it nothing is written: it holds the record of what was sent. Check DFE_DATABASE_URL and the server, and call again.',
  },
} as const satisfies Record<`data_folder.${string}`, Message>;

/** Words for manifestations and for the safety of every write. */
export const manifestationMessages = {
  ...eventMessages,
  ...statusMessages,
  ...justificationMessages,
  ...previewMessages,
  ...confirmationMessages,
  ...journalMessages,
  ...dataFolderMessages,
};
