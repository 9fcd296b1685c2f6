import { accessKey, company, downloadReply, type Note, nfeXml } from './documents.ts';
import { answerEvents, type EventReply, operationOf, type SentEvent } from './event-service.ts';
import { json, noteNotThere, type Responder } from './recording-upstream.ts';

const codes = { ciencia: '210210', confirmacao: '210200', desconhecimento: '210220', cancelamento: '110111' };

/** An event that stands in a note's own file. */
export interface AppendedEvent {
  readonly name: keyof typeof codes;
  /** `YYYY-MM-DD`; registered at ten in the morning. */
  readonly on: string;
  readonly sequence?: number;
}

export interface ServedNote extends Note {
  /** `YYYY-MM-DD`; issued and authorised at ten in the morning. Unless given as `nfeXml` has it. */
  readonly on?: string;
  readonly events?: readonly AppendedEvent[];
}

function appended(key: string, { name, on, sequence = 1 }: AppendedEvent): string {
  const code = codes[name];
  const at = `${on}T10:00:00-03:00`;
  return (
    `<procEventoNFe versao="1.00"><evento versao="1.00"><infEvento Id="ID${code}${key}0${sequence}"><cOrgao>91</cOrgao>` +
    `<tpAmb>1</tpAmb><CNPJ>${company}</CNPJ><chNFe>${key}</chNFe><dhEvento>${at}</dhEvento>` +
    `<tpEvento>${code}</tpEvento><nSeqEvento>${sequence}</nSeqEvento><verEvento>1.00</verEvento></infEvento></evento>` +
    `<retEvento versao="1.00"><infEvento><cStat>135</cStat><chNFe>${key}</chNFe><tpEvento>${code}</tpEvento>` +
    `<nSeqEvento>${sequence}</nSeqEvento><dhRegEvento>${at}</dhRegEvento></infEvento></retEvento></procEventoNFe>`
  );
}

/** A note of a day with events in its own file. */
function servedXml({ on, events = [], ...note }: ServedNote): string {
  const key = accessKey({ number: note.number, issuer: note.issuer });
  const xml = nfeXml(note).replace(
    '</nfeProc>',
    `${events.map((event) => appended(key, event)).join('')}</nfeProc>`,
  );
  return on === undefined ? xml : xml.replaceAll('2026-11-05T10:00', `${on}T10:00`);
}

/** A service that has these notes by their keys and registers every event, or answers about events as it is told. */
export function servingNotes(
  notes: readonly ServedNote[],
  replyTo?: (event: SentEvent) => EventReply,
): Responder {
  const byKey = new Map(
    notes.map((note) => [accessKey({ number: note.number, issuer: note.issuer }), servedXml(note)]),
  );
  return (request, response) => {
    if (operationOf(request) !== 'DownloadXml') return answerEvents(request, response, replyTo);
    const xml = byKey.get(new Map(request.query).get('chaveNfe') ?? '');
    json(response, xml === undefined ? noteNotThere : downloadReply(xml));
  };
}
