import {
  accessKey,
  company,
  documentListReply,
  downloadReply,
  emptyReply,
  eventXml,
  keyListReply,
  type Note,
  nfeXml,
  nfseListReply,
} from './documents.ts';
import { answerEvents, type EventReply, operationOf, type SentEvent } from './event-service.ts';
import { daysAsked, json, noteNotThere, type Responder, type SeenRequest } from './recording-upstream.ts';

/** Areas of the service, and how their documents begin. */
const roots = { Mercadoria: '<nfeProc', Transporte: '<cteProc', Servico: '<CompNfse' } as const;

const keyIn = (xml: string) => /Id="(?:NFe|CTe)(\w{44})"/.exec(xml)?.[1] ?? '';
const numberIn = (xml: string) => /<Numero>(\d+)</.exec(xml)?.[1] ?? '';

/** Whether a document is of the area, and of the days, the key or the number that are asked for. */
function isAsked(xml: string, request: SeenRequest): boolean {
  const { path, query } = request;
  const [, root] = Object.entries(roots).find(([area]) => path.includes(`/${area}/`)) ?? [];
  if (root === undefined || !xml.startsWith(root)) return false;
  const asked = new Map(query);
  const issued = /<(?:dhEmi|DataEmissao)>(.{10})/.exec(xml)?.[1] ?? '';
  const { from, to } = daysAsked(request);
  const key = asked.get('chaveNfe') ?? asked.get('chaveCTe') ?? keyIn(xml);
  const number = asked.get('numeroDocumento') ?? numberIn(xml);
  return from <= issued && issued <= (to || issued) && key === keyIn(xml) && number === numberIn(xml);
}

function replyTo(operation: string, found: readonly string[]): string | undefined {
  const [first] = found;
  if (operation.startsWith('Download')) return first === undefined ? noteNotThere : downloadReply(first);
  if (!/Chaves|Lista/.test(operation)) return undefined;
  if (first === undefined) return emptyReply;
  if (operation.includes('Lista')) return documentListReply(found);
  if (first.startsWith(roots.Servico)) return nfseListReply(found.map((xml) => Number(numberIn(xml))));
  return keyListReply(found.map(keyIn));
}

/**
 * A service that has these documents, lists them by the day of their issue and gives each by its key. It registers every
 * event, or answers about events as configured.
 */
export function holding(
  documents: readonly string[],
  replyToEvent?: (event: SentEvent) => EventReply,
): Responder {
  return (request, response) => {
    const operation = operationOf(request);
    if (operation === 'ConectividadeWS') return json(response, 'Conectado');
    if (operation === 'Login') return json(response, 1);
    if (/Evento$|Manifesto$/.test(operation)) return answerEvents(request, response, replyToEvent);
    const reply = replyTo(
      operation,
      documents.filter((xml) => isAsked(xml, request)),
    );
    json(response, reply, reply === undefined ? 404 : 200);
  };
}

/** Passes everything on to another service. */
export function passingOn(url: string): Responder {
  return async ({ path, rawQuery }, response) => {
    const reply = await fetch(`${url}${path}?${rawQuery}`);
    const body = Buffer.from(await reply.arrayBuffer());
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
    response.end(body);
  };
}

/** The requests for lists of documents among others. */
export const listsIn = (seen: readonly SeenRequest[]): SeenRequest[] =>
  seen.filter(({ path }) => path.includes('RetornaLista'));

/** Answers 500 to requests in an area that cover one of the days, by default any day; passes on the others. */
export function failing(answer: Responder, area: string, { from = '', to = '9' } = {}): Responder {
  return (request, response, count) => {
    const asked = daysAsked(request);
    const isCovered = asked.from <= to && (asked.to || '9') >= from;
    if (!isCovered || !request.path.includes(area)) return answer(request, response, count);
    json(response, { Message: 'An error has occurred.' }, 500);
  };
}

const codes = {
  ciencia: '210210',
  confirmacao: '210200',
  desconhecimento: '210220',
  nao_realizada: '210240',
  cancelamento: '110111',
};

/** An event in a note's own file. */
export interface AppendedEvent {
  readonly name: keyof typeof codes;
  /** `YYYY-MM-DD`; registered at ten in the morning. */
  readonly on: string;
  readonly sequence?: number;
}

export interface ServedNote extends Note {
  /** `YYYY-MM-DD`; issued and authorised at ten in the morning, with the key of November. */
  readonly on?: string;
  readonly events?: readonly AppendedEvent[];
}

/** A note of a day with events in its own file. */
export function servedXml({ on, events = [], ...note }: ServedNote): string {
  const key = accessKey({ number: note.number, issuer: note.issuer });
  const registered = events.map(({ name, on, sequence }) =>
    eventXml({ key, code: codes[name], at: `${on}T10:00:00-03:00`, author: company, sequence }),
  );
  const xml = nfeXml(note).replace('</nfeProc>', `${registered.join('')}</nfeProc>`);
  return on === undefined ? xml : xml.replaceAll('2026-11-05T10:00', `${on}T10:00`);
}
