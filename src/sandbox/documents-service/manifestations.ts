import { eventDescriptions } from '../../documents/events/statuses.ts';
import { type Books, isHeld } from '../data/books.ts';
import { isoMoment, type Moment, yearDigits } from '../data/calendar.ts';
import type { Nfe } from '../data/nfe/book.ts';
import type { RegisteredEvent } from '../data/nfe/events.ts';
import { NATIONAL_AUTHORITY, pastEvents } from '../data/nfe/events.ts';
import {
  type EventRefusal,
  type EventRequest,
  manifestationCode,
  refusedByNote,
  refusedRequest,
} from './manifestation-rules.ts';
import { BadRequest } from './refusals.ts';

/** The event result record of the contract, section 2. */
export interface EventResult {
  readonly ChaveNFe: string;
  readonly Evento: string;
  readonly Mensagem: string;
  /** 1 where the event is registered, 0 where it is not. */
  readonly Sucesso: 0 | 1;
  readonly Usuario: string;
}

/** The events of one sandbox: those of the data, and those registered since it started. */
export interface Manifestations {
  /** All events of a note that had happened by now, in the order they happened. */
  eventsOf(note: Nfe): RegisteredEvent[];
  register(event: string, user: string): EventResult;
  registerBatch(events: string, user: string): EventResult[];
  status(event: string, user: string): EventResult;
}

const LARGEST_BATCH = 20;

function asRequest(value: unknown): EventRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { ChaveNFe, TipoEvento, Motivo }: { ChaveNFe?: unknown; TipoEvento?: unknown; Motivo?: unknown } =
    value;
  if (typeof ChaveNFe !== 'string' || typeof TipoEvento !== 'string') return undefined;
  const justification = typeof Motivo === 'string' ? Motivo : '';
  return { key: ChaveNFe.trim(), type: TipoEvento.trim(), justification };
}

function parsed(name: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BadRequest(`O valor do parâmetro '${name}' não é JSON.`);
  }
}

function readRequest(name: string, value: unknown): EventRequest {
  const request = asRequest(value);
  if (!request)
    throw new BadRequest(`O parâmetro '${name}' precisa de ChaveNFe, TipoEvento e Motivo em texto.`);
  return request;
}

function resultOf(request: EventRequest, user: string, success: 0 | 1, message: string): EventResult {
  const { key, type } = request;
  return { ChaveNFe: key, Evento: type, Mensagem: message, Sucesso: success, Usuario: user };
}

function refusedResult(request: EventRequest, user: string, { code, reason }: EventRefusal): EventResult {
  return resultOf(request, user, 0, `${code} - ${reason}`);
}

export function createManifestations(books: Books, now: () => Moment): Manifestations {
  const registeredHere = new Map<string, RegisteredEvent[]>();
  let protocols = 0;

  function eventsOf(note: Nfe): RegisteredEvent[] {
    return [...pastEvents(note, now()), ...(registeredHere.get(note.key) ?? [])];
  }

  function noteOf(key: string): Nfe | undefined {
    const note = books.nfe.find(key);
    return note && isHeld(note, now()) ? note : undefined;
  }

  function add(note: Nfe, code: string, justification: string): void {
    const earlier = eventsOf(note).filter((event) => event.code === code);
    protocols += 1;
    const event: RegisteredEvent = {
      documentKey: note.key,
      code,
      sequence: earlier.length + 1,
      author: note.recipient.id,
      authority: NATIONAL_AUTHORITY,
      at: now(),
      protocol: `891${yearDigits(now())}${String(protocols).padStart(10, '0')}`,
      ...(justification === '' ? {} : { text: justification }),
    };
    registeredHere.set(note.key, [...(registeredHere.get(note.key) ?? []), event]);
  }

  function perform(request: EventRequest, user: string): EventResult {
    const code = manifestationCode(request.type) ?? '';
    const wrong = refusedRequest(request);
    if (wrong) return refusedResult(request, user, wrong);
    const note = noteOf(request.key);
    if (!note) {
      const reason = 'Rejeicao: Chave de Acesso inexistente para o tpEvento que exige a existencia da NF-e';
      return refusedResult(request, user, { code: '494', reason });
    }
    const refusal = refusedByNote(code, note, eventsOf(note), now());
    if (refusal) return refusedResult(request, user, refusal);
    add(note, code, request.justification);
    return resultOf(request, user, 1, '135 - Evento registrado e vinculado a NF-e');
  }

  return {
    eventsOf,
    register: (event, user) => perform(readRequest('evento', parsed('evento', event)), user),

    registerBatch(events, user) {
      const batch = parsed('eventos', events);
      if (!Array.isArray(batch)) throw new BadRequest("O parâmetro 'eventos' precisa ser uma lista JSON.");
      if (batch.length === 0 || batch.length > LARGEST_BATCH) {
        throw new BadRequest(`O lote precisa ter de 1 a ${LARGEST_BATCH} eventos.`);
      }
      const requests = batch.map((event: unknown) => readRequest('eventos', event));
      return requests.map((request) => perform(request, user));
    },

    status(event, user) {
      const request = readRequest('evento', parsed('evento', event));
      const note = noteOf(request.key);
      if (!note)
        return refusedResult(request, user, { code: '217', reason: 'Rejeicao: NF-e nao consta na base' });
      const code = manifestationCode(request.type) ?? request.type;
      const registered = eventsOf(note).findLast((earlier) => earlier.code === code);
      if (!registered) return resultOf(request, user, 0, '137 - Nenhum evento localizado para a chave');
      const { protocol, at } = registered;
      const name = eventDescriptions[registered.code] ?? registered.code;
      const message = `135 - Evento registrado e vinculado a NF-e: ${name}, protocolo ${protocol}, em ${isoMoment(at)}`;
      return resultOf(request, user, 1, message);
    },
  };
}
