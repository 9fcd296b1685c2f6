import { eventDescriptions } from '../../documents/events/event-names.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import { type Books, isHeld } from '../data/books.ts';
import { dayOf, isoMoment, type Moment, yearDigits } from '../data/calendar.ts';
import type { Nfe } from '../data/nfe/book.ts';
import { NATIONAL_AUTHORITY, pastEvents, type RegisteredEvent } from '../data/nfe/events.ts';
import { isOfAccount } from '../data/parties.ts';
import { BadRequest } from './periods.ts';

/** One event as `evento` brings it. */
interface EventRequest {
  readonly key: string;
  /** `tpEvento`, six digits. */
  readonly code: string;
  readonly justification: string;
}

const [AWARENESS, UNKNOWN, NOT_PERFORMED] = ['210210', '210220', '210240'];
const CONCLUSIVE = ['210200', UNKNOWN, NOT_PERFORMED];

/** In days, of which the day they are counted from is none. Source: NT 2020.001 v1.60, rule H03. */
const DEADLINES = { awareness: 10, conclusion: 90, correction: 30 };
const MOST_OF_A_KIND = 2;

/** Why an event is not registered: the codes and words of the tax authorities. Source: docs/fiscal/events.md. */
const REFUSALS = {
  '217': 'NF-e nao consta na base',
  '236': 'Chave de Acesso com digito verificador invalido',
  '491': 'O tpEvento informado invalido',
  '493': 'Evento nao atende o Schema XML especifico',
  '494': 'Chave de Acesso inexistente para o tpEvento que exige a existencia da NF-e',
  '573': 'Duplicidade de evento',
  '575': 'O autor do evento diverge do destinatario da NF-e',
  '580': 'O evento exige uma NF-e autorizada',
  '594': 'O numero de sequencia do evento informado e maior que o permitido',
  '595': 'Justificativa deve ter de 15 a 255 caracteres',
  '596': 'Evento apresentado fora do prazo',
  '650': 'Evento de Ciencia da Emissao para NF-e Cancelada ou Denegada',
  '651': 'Evento de Desconhecimento da Operacao para NF-e Cancelada ou Denegada',
  '655': 'Evento de Ciencia da Operacao informado apos a manifestacao final do destinatario',
} as const;

type Refusal = keyof typeof REFUSALS;

/** What is wrong with the request itself, before any note is looked up. */
function refusedRequest({ key, code, justification }: EventRequest): Refusal | undefined {
  const checked = checkAccessKey(key);
  if (!checked.ok) return checked.problem.code === 'key_check_digit' ? '236' : '493';
  if (code !== AWARENESS && !CONCLUSIVE.includes(code)) return '491';
  if (justification !== '' && !/^[!-ÿ]([ -ÿ]*[!-ÿ])?$/.test(justification)) return '493';
  const isNeeded = code === NOT_PERFORMED || (code === UNKNOWN && justification !== '');
  return isNeeded && (justification.length < 15 || justification.length > 255) ? '595' : undefined;
}

/** Of the other two, rules H04 and H05 of NT 2020.001 v1.60 say nothing. */
const onCancelled = (code: string) => (code === AWARENESS ? '650' : code === UNKNOWN ? '651' : '580');

/** What forbids an event on a note that exists. `registered` are the note's events in the order they happened. */
function refusedByNote(
  code: string,
  note: Nfe,
  registered: readonly RegisteredEvent[],
  now: Moment,
): Refusal | undefined {
  if (!isOfAccount(note.recipient)) return '575';
  if (registered.some((event) => event.code === '110111')) return onCancelled(code);
  const isAwareness = code === AWARENESS;
  const conclusions = registered.filter((event) => CONCLUSIVE.includes(event.code));
  const current = isAwareness ? registered.find((event) => event.code === code) : conclusions.at(-1);
  if (current?.code === code) return '573';
  if (isAwareness && conclusions.length > 0) return '655';
  if (conclusions.filter((event) => event.code === code).length >= MOST_OF_A_KIND) return '594';
  const [corrected] = conclusions;
  const usual = isAwareness ? DEADLINES.awareness : DEADLINES.conclusion;
  const days = corrected === undefined ? usual : DEADLINES.correction;
  return dayOf(now) > dayOf(corrected?.at ?? note.authorizedAt) + days ? '596' : undefined;
}

/** The event result record of the contract, section 2. */
interface EventResult {
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

function parsed(name: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BadRequest(`O valor do parâmetro '${name}' não é JSON.`);
  }
}

function readRequest(name: string, value: unknown): EventRequest {
  const { ChaveNFe, TipoEvento, Motivo = '' } = Object(value);
  if (typeof ChaveNFe !== 'string' || typeof TipoEvento !== 'string' || typeof Motivo !== 'string')
    throw new BadRequest(`O parâmetro '${name}' precisa de ChaveNFe, TipoEvento e Motivo em texto.`);
  return { key: ChaveNFe.trim(), code: TipoEvento.trim(), justification: Motivo };
}

const REGISTERED = '135 - Evento registrado e vinculado a NF-e';

export function createManifestations({ nfe, now }: Books): Manifestations {
  const registeredHere = new Map<string, RegisteredEvent[]>();
  let protocols = 0;

  const eventsOf = (note: Nfe) => [...pastEvents(note, now()), ...(registeredHere.get(note.key) ?? [])];

  function noteOf(key: string): Nfe | undefined {
    const note = nfe.find(key);
    return note && isHeld(note, now()) ? note : undefined;
  }

  function result({ key, code }: EventRequest, user: string, success: 0 | 1, message: string): EventResult {
    return { ChaveNFe: key, Evento: code, Mensagem: message, Sucesso: success, Usuario: user };
  }

  function refused(request: EventRequest, user: string, code: Refusal): EventResult {
    return result(request, user, 0, `${code} - Rejeicao: ${REFUSALS[code]}`);
  }

  function add(note: Nfe, code: string, justification: string): void {
    const { key } = note;
    const earlier = eventsOf(note).filter((event) => event.code === code);
    protocols += 1;
    const event: RegisteredEvent = {
      documentKey: key,
      code,
      sequence: earlier.length + 1,
      author: note.recipient.id,
      authority: NATIONAL_AUTHORITY,
      at: now(),
      protocol: `891${yearDigits(now())}${String(protocols).padStart(10, '0')}`,
      ...(justification === '' ? {} : { text: justification }),
    };
    registeredHere.set(key, [...(registeredHere.get(key) ?? []), event]);
  }

  function perform(request: EventRequest, user: string): EventResult {
    const wrong = refusedRequest(request);
    if (wrong) return refused(request, user, wrong);
    const note = noteOf(request.key);
    if (!note) return refused(request, user, '494');
    const forbidden = refusedByNote(request.code, note, eventsOf(note), now());
    if (forbidden) return refused(request, user, forbidden);
    add(note, request.code, request.justification);
    return result(request, user, 1, REGISTERED);
  }

  return {
    eventsOf,
    register: (event, user) => perform(readRequest('evento', parsed('evento', event)), user),

    registerBatch(events, user) {
      const batch = parsed('eventos', events);
      if (!Array.isArray(batch)) throw new BadRequest("O parâmetro 'eventos' precisa ser uma lista JSON.");
      if (batch.length === 0 || batch.length > LARGEST_BATCH)
        throw new BadRequest(`O lote precisa ter de 1 a ${LARGEST_BATCH} eventos.`);
      const requests = batch.map((event: unknown) => readRequest('eventos', event));
      return requests.map((request) => perform(request, user));
    },

    status(event, user) {
      const request = readRequest('evento', parsed('evento', event));
      const note = noteOf(request.key);
      if (!note) return refused(request, user, '217');
      const registered = eventsOf(note).findLast(({ code }) => code === request.code);
      if (!registered) return result(request, user, 0, '137 - Nenhum evento localizado para a chave');
      const { protocol, at, code } = registered;
      const about = `${eventDescriptions[code] ?? code}, protocolo ${protocol}, em ${isoMoment(at)}`;
      return result(request, user, 1, `${REGISTERED}: ${about}`);
    },
  };
}
