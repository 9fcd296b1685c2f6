import type { EventName } from '../documents/events/manifestation.ts';
import type { EventStatusMeaning } from '../documents/events/statuses.ts';
import type { TokenRefusal } from '../writes/tokens.ts';
import type { Message } from './message.ts';

/** Manifestations, the confirmation of writes, the journal. Source of the events: NT 2020.001 v1.60 (docs/fiscal/events.md). */
export const manifestationMessages = {
  // What each event is, what it declares and what cannot be undone about it. Source: NT 2020.001 v1.60 (docs/fiscal/events.md).
  'event.ciencia.title': ['Ciência da Operação', 'Acknowledgement (Ciência da Operação)'],
  'event.ciencia.meaning': [
    'A empresa declara que sabe da existência da nota emitida contra ela, sem se pronunciar sobre a operação. Libera o XML completo para download.',
    'The company declares that it knows of the note issued to it, without taking a position on the operation. This releases the full XML for download.',
  ],
  'event.ciencia.final': [
    'A Ciência não é conclusiva e não pode ser retirada: depois dela é preciso registrar Confirmação, Desconhecimento ou Operação não realizada.',
    'Ciência is not conclusive and cannot be withdrawn: Confirmação, Desconhecimento or Operação não realizada must follow it.',
  ],
  'event.confirmacao.title': ['Confirmação da Operação', 'Confirmation (Confirmação da Operação)'],
  'event.confirmacao.meaning': [
    'A empresa declara que a operação ocorreu como está na nota. Evento conclusivo.',
    'The company declares that the operation took place as the note states it. A conclusive event.',
  ],
  'event.confirmacao.final': [
    'Depois da Confirmação o emitente não pode mais cancelar a nota.',
    'After Confirmação the issuer can no longer cancel the note.',
  ],
  'event.desconhecimento.title': [
    'Desconhecimento da Operação',
    'Unknown operation (Desconhecimento da Operação)',
  ],
  'event.desconhecimento.meaning': [
    'A empresa declara que não reconhece a operação: não a pediu nem participou dela. Evento conclusivo.',
    'The company declares that it does not recognise the operation: it neither ordered it nor took part in it. A conclusive event.',
  ],
  'event.desconhecimento.final': [
    'A declaração fica registrada na SEFAZ contra a nota e não pode ser apagada. Se a operação foi pedida mas não se concretizou, o evento certo é Operação não realizada.',
    'The declaration stays on record at SEFAZ against the note and cannot be erased. If the operation was ordered but did not happen, the right event is Operação não realizada.',
  ],
  'event.nao_realizada.title': [
    'Operação não realizada',
    'Operation not carried out (Operação não realizada)',
  ],
  'event.nao_realizada.meaning': [
    'A empresa declara que pediu a operação, mas que ela não se realizou, pelo motivo da justificativa. Evento conclusivo.',
    'The company declares that it ordered the operation but that it did not happen, for the reason given in the justification. A conclusive event.',
  ],
  'event.nao_realizada.final': [
    'A declaração e a justificativa ficam registradas na SEFAZ contra a nota e não podem ser apagadas. Se a operação nunca foi pedida, o evento certo é Desconhecimento.',
    'The declaration and its justification stay on record at SEFAZ against the note and cannot be erased. If the operation was never ordered, the right event is Desconhecimento.',
  ],
  'event.raw.title': ['um evento enviado como texto', 'an event sent as text'],
  'event.correction': [
    'Um evento conclusivo não se cancela, só se retifica: cada um pode ser registrado no máximo duas vezes, vale o último registrado, e a retificação só cabe em até 30 dias do primeiro.',
    'A conclusive event cannot be cancelled, only corrected: each can be registered twice at most, the last one registered counts, and a correction is possible within 30 days of the first only.',
  ],

  // Words for the status codes found in the service's message. Source: docs/fiscal/events.md, status codes.
  'event_status.registered': ['evento registrado e vinculado à NF-e', 'event registered, linked to the NF-e'],
  'event_status.registered_unlinked': [
    'evento registrado, mas não vinculado à NF-e',
    'event registered but not linked to the NF-e',
  ],
  'event_status.already_registered': [
    'este mesmo evento já está registrado para a nota',
    'this event is already registered for the note',
  ],
  'event_status.batch_processed': ['lote de eventos processado', 'batch of events processed'],
  'event_status.cancelled_late': [
    'cancelamento homologado fora do prazo',
    'cancellation accepted after its deadline',
  ],
  'event_status.out_of_time': ['evento apresentado fora do prazo', 'event presented after its deadline'],
  'event_status.note_authorized': ['NF-e autorizada', 'NF-e authorised'],
  'event_status.note_cancelled': ['NF-e cancelada', 'NF-e cancelled'],
  'event_status.note_denied': ['uso da NF-e denegado', 'use of the NF-e denied'],
  'event_status.note_cancelled_or_denied': ['NF-e cancelada ou denegada', 'NF-e cancelled or denied'],
  'event_status.note_not_authorized': ['exige uma NF-e autorizada', 'requires an authorised NF-e'],
  'event_status.note_unknown': ['a SEFAZ não encontrou a chave', 'SEFAZ did not find the key'],
  'event_status.key_check_digit': ['dígito verificador da chave inválido', 'invalid check digit of the key'],
  'event_status.author_tax_id': ['CNPJ ou CPF do autor inválido', 'invalid tax id of the author'],
  'event_status.author_not_recipient': [
    'o autor do evento não é o destinatário da NF-e',
    'the event author is not the recipient of the NF-e',
  ],
  'event_status.event_type': ['tipo de evento inválido', 'invalid event type'],
  'event_status.event_schema': ['o evento não atende ao schema', 'the event does not follow its schema'],
  'event_status.event_date': ['data do evento inválida', 'invalid event date'],
  'event_status.sequence_exceeded': [
    'número de sequência do evento acima do permitido',
    'sequence number of the event above the limit',
  ],
  'event_status.justification_missing': ['falta a justificativa', 'the justification is missing'],
  'event_status.already_conclusive': ['já há um evento conclusivo', 'there is a conclusive event already'],
  'event_status.too_many_requests': [
    'consumo indevido: aguarde uma hora antes de tentar de novo',
    'too many requests: wait an hour before trying again',
  ],
  'event_status.download_out_of_time': [
    'a nota não está mais disponível para download',
    'the note is no longer available for download',
  ],
  'event_status.download_needs_manifestation': [
    'o download exige manifestação do destinatário',
    'the download requires a manifestation by the recipient',
  ],
  'event_status.download_void': [
    'NF-e cancelada ou denegada, sem download',
    'NF-e cancelled or denied, no download',
  ],
  'preview.manifest_one': ['Registrar {event} para a NF-e {key}', 'Register {event} for NF-e {key}'],
  'preview.manifest_many': ['Registrar {event} para {count} NF-e', 'Register {event} for {count} NF-e'],
  'preview.meaning': ['O que declara', 'What it declares'],
  'preview.final': ['O que não se desfaz', 'What cannot be undone'],
  'preview.justification': ['Justificativa que será enviada', 'Justification that will be sent'],
  'preview.justification_changed': [
    'O texto foi ajustado aos caracteres que a NF-e aceita e será enviado como está acima.',
    'The text was adapted to the characters that an NF-e event accepts and will be sent as shown above.',
  ],
  'preview.note': [
    'NF-e {number} de {issuer}, emitida em {issued}',
    'NF-e {number} of {issuer}, issued {issued}',
  ],
  'preview.total': ['total {total}', 'total {total}'],
  'preview.nothing_kept': [
    'Sem SQLite nada fica guardado: os eventos vistos antes só aparecem aqui se o serviço os traz com a nota ou se foram enviados daqui.',
    'Without SQLite nothing is remembered: events seen before appear here only where the service gives them with the note or they were sent from here.',
  ],
  'preview.events': ['Eventos registrados: {events}', 'Registered events: {events}'],
  'preview.correctable': ['retificável até {until}', 'can be corrected until {until}'],
  'preview.sum': [
    'Soma das notas lidas ({known} de {count}): {total}',
    'Sum of the notes read ({known} of {count}): {total}',
  ],
  'preview.more_notes': ['- e ainda: {keys}', '- and also: {keys}'],
  'preview.reading_took_long': [
    'O serviço não a entregou em {seconds} segundos.',
    'The service did not deliver it within {seconds} seconds.',
  ],
  'preview.earlier': ['Registros anteriores', 'Earlier records'],
  'preview.nothing_sent': ['Nada foi enviado ainda.', 'Nothing has been sent yet.'],

  // Why a confirmation was refused. In every case nothing was sent.
  'confirmation.forged': [
    'A confirmação não foi emitida por este servidor. Nada foi enviado; peça uma nova prévia.',
    'The confirmation was not issued by this server. Nothing was sent; ask for a new preview.',
  ],
  'confirmation.expired': [
    'A confirmação passou dos dez minutos de validade. Nada foi enviado; peça uma nova prévia.',
    'The confirmation is older than the ten minutes it is valid for. Nothing was sent; ask for a new preview.',
  ],
  'confirmation.used': [
    'Esta confirmação já foi usada e vale uma só vez. Nada foi enviado agora; consulte o resultado do primeiro envio antes de repetir.',
    'This confirmation has been used and works only once. Nothing was sent now; look up what became of it before repeating it.',
  ],
  'confirmation.preview_changed': [
    'A situação mudou depois da prévia confirmada. Nada foi enviado; esta é a prévia de agora.',
    'Things have changed since the preview that was confirmed. Nothing was sent; this is the preview as of now.',
  ],
  'confirmation.changed': [
    'O pedido não é o que foi mostrado na prévia. Nada foi enviado; peça uma prévia do pedido como está agora.',
    'The request is not the one the preview showed. Nothing was sent; ask for a preview of the request as it is now.',
  ],
  'confirmation.other_principal': [
    'A confirmação foi dada a outro usuário. Nada foi enviado; peça uma nova prévia.',
    'The confirmation was given to another user. Nothing was sent; ask for a new preview.',
  ],

  // What the journal knows of earlier writes.
  'journal.entry': ['{event}, chave {key}, em {at}: {outcome}.', '{event}, key {key}, on {at}: {outcome}.'],
  'journal.unknown_change': [
    'A alteração de {subject} pode ter sido enviada em {at}: o resultado não é conhecido. Confira o valor atual antes de repetir.',
    'The change of {subject} may have been sent on {at}: the outcome is unknown. Check the current value before repeating it.',
  ],
  'journal.more': [
    'E mais {count} {count:registro anterior|registros anteriores} destas chaves, {count:também|todos} no diário de envios.',
    'And {count} more earlier {count:record|records} of these keys, in the journal of writes.',
  ],
  'journal.open_writes': [
    'Há {count} {count:envio|envios} sem resultado conhecido, o mais antigo de {at}.',
    'There {count:is|are} {count} {count:write|writes} whose outcome is unknown, the oldest of {at}.',
  ],
  'journal.taken_over': [
    'O diário de envios da pasta de dados está agora no banco de dados ({count} {count:linha|linhas}), com as confirmações usadas.',
    'The journal of writes in the data folder is now in the database ({count} {count:line|lines}), with the confirmations that were used.',
  ],
  'journal.damaged': [
    'O diário de envios tem {count} {count:trecho ilegível|trechos ilegíveis}; pode faltar algum envio anterior. O arquivo foi mantido como está.',
    'The journal of writes has {count} unreadable {count:part|parts}; an earlier write may be missing from it. The file was left as it is.',
  ],
  'journal.torn_end': [
    'O diário de envios termina no meio de uma linha, o que acontece quando o programa é interrompido ao gravar.',
    'The journal of writes ends inside a line, as it does when the program is interrupted while writing.',
  ],
  'data_folder.unusable': [
    'A pasta de dados "{folder}" não pode ser usada ({code}), e sem ela nada é enviado: é onde fica o diário do que foi enviado. Corrija DFE_DATA_DIR ou as permissões da pasta.',
    'The data folder "{folder}" cannot be used ({code}), and without it nothing is written: it holds the record of what was sent. Fix DFE_DATA_DIR or the permissions of the folder.',
  ],
  'data_folder.database': [
    'O banco de dados não pôde ser usado ({code}), e sem ele nada é enviado: é onde fica o diário do que foi enviado. Confira DFE_DATABASE_URL e o servidor, e chame de novo.',
    'The database cannot be used ({code}), and without it nothing is written: it holds the record of what was sent. Check DFE_DATABASE_URL and the server, and call again.',
  ],

  // A person's yes or no to a write.
  'confirmation.form_title': ['Confirmo', 'I confirm'],
  'confirmation.form_description': [
    'Marque para enviar o que está descrito acima.',
    'Tick to send what is described above.',
  ],
  'confirmation.how': [
    'Mostre esta prévia à pessoa e pergunte se confirma. Só com o sim dela, chame de novo com os mesmos argumentos e confirmation_token "{token}", que vale uma vez, até {until}.',
    'Show this preview to the person and ask whether to confirm it. Only with their yes, call again with the same arguments and confirmation_token "{token}", which works once, until {until}.',
  ],
  'confirmation.cancel': [
    'O formulário foi fechado sem confirmação: vale como não, e nada foi enviado.',
    'The form was closed without a confirmation: that is a no, and nothing was sent.',
  ],
  'confirmation.decline': ['A pessoa recusou: nada foi enviado.', 'The person declined: nothing was sent.'],
  'confirmation.clock_back': [
    'O relógio deste computador foi atrasado desde a última confirmação; acerte-o antes de continuar.',
    'The clock of this computer was set back since the last confirmation; correct it before going on.',
  ],
  'confirmation.unanswered': [
    'O formulário ficou dez minutos sem resposta: vale como não, e nada foi enviado.',
    'The form stayed unanswered for ten minutes: that is a no, and nothing was sent.',
  ],
  'confirmation.failed': [
    'O aplicativo não conseguiu mostrar o formulário de confirmação, e nada foi enviado. É possível confirmar por outro caminho, se a configuração o permite.',
    'The app could not show the confirmation form, and nothing was sent. It can be confirmed another way if the configuration allows it.',
  ],
  'confirmation.not_shown': [
    'Foi tão rápido que o aplicativo provavelmente nem mostrou o formulário; é possível confirmar por aqui.',
    'It was so quick that the app probably never showed the form; it can be confirmed this way instead.',
  ],
  'confirmation.form_needed': [
    'Este servidor só altera dados com confirmação em formulário (DFE_CONFIRMATION=form), e este aplicativo não tem formulários. Nada foi enviado.',
    'This server changes data only with confirmation by form (DFE_CONFIRMATION=form), and this app has no forms. Nothing was sent.',
  ],
  'confirmation.failed_after_yes': [
    '{reference} Pode ter sido enviado: consulte a situação antes de repetir.',
    '{reference} It may have been sent: look up the state before repeating.',
  ],
  'confirmation.client_gone': [
    'O aplicativo desistiu da chamada antes do envio. Nada foi enviado.',
    'The app gave up the call before it was sent. Nothing was sent.',
  ],
} as const satisfies Record<`event.${EventName}.${'title' | 'meaning' | 'final'}`, Message> &
  Record<`event_status.${EventStatusMeaning}`, Message> &
  Record<`confirmation.${TokenRefusal}`, Message> &
  Record<string, Message>;
