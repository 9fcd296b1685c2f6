import { eventDescriptions } from '../../documents/events/event-names.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import { type Books, isHeld } from '../data/books.ts';
import { type Day, dayOf, dayOfDate, isoMoment, type Moment, yearDigits } from '../data/calendar.ts';
import type { Nfe } from '../data/nfe/book.ts';
import { NATIONAL_AUTHORITY, pastEvents, type RegisteredEvent } from '../data/nfe/document-xml.ts';
import { isOfAccount } from '../data/parties.ts';
import { BadRequest } from './inputs.ts';

/** One event as `evento` brings it. */
interface EventRequest {
  readonly key: string;
  /** Six digits, or a name the service knows. */
  readonly type: string;
  readonly justification: string;
}

/** Why an event was not registered: the code and words of the tax authorities. Source: docs/fiscal/events.md. */
interface EventRefusal {
  readonly code: string;
  readonly reason: string;
}

const AWARENESS = '210210';
const CONCLUSIVE = ['210200', '210220', '210240'];
const NEEDS_JUSTIFICATION = '210240';
const MAY_HAVE_JUSTIFICATION = '210220';

/** In days, of which the day they are counted from is none. Source: NT 2020.001 v1.60, rule H03. */
const AWARENESS_DEADLINE = 10;
const CONCLUSION_DEADLINE = 90;
/** What it was until the rule came into force. */
const FORMER_CONCLUSION_DEADLINE = 180;
const SHORTER_SINCE: Day = dayOfDate(2026, 6, 1);
const CORRECTION_DEADLINE = 30;
const MOST_OF_A_KIND = 2;

const CODES_BY_NAME: Readonly<Record<string, string>> = {
  ciencia: '210210',
  cienciadaoperacao: '210210',
  confirmacao: '210200',
  confirmacaodaoperacao: '210200',
  desconhecimento: '210220',
  desconhecimentodaoperacao: '210220',
  naorealizada: '210240',
  operacaonaorealizada: '210240',
};

/** The code of a manifestation given by code or by name, with or without accents; undefined for any other event. */
function manifestationCode(type: string): string | undefined {
  const plain = type
    .normalize('NFD')
    .replace(/[^0-9a-zA-Z]/g, '')
    .toLowerCase();
  return plain === AWARENESS || CONCLUSIVE.includes(plain) ? plain : CODES_BY_NAME[plain];
}

function refusal(code: string, reason: string): EventRefusal {
  return { code, reason: `Rejeicao: ${reason}` };
}

function refusedText(code: string, text: string): EventRefusal | undefined {
  if (text !== '' && !/^[!-ÿ]([ -ÿ]*[!-ÿ])?$/.test(text))
    return refusal('493', 'Evento nao atende o Schema XML especifico');
  const fits = text.length >= 15 && text.length <= 255;
  const needed = code === NEEDS_JUSTIFICATION || (code === MAY_HAVE_JUSTIFICATION && text !== '');
  if (needed && !fits) return refusal('595', 'Justificativa deve ter de 15 a 255 caracteres');
  return undefined;
}

/** What is wrong with the request itself, before any note is looked up. */
function refusedRequest({ key, type, justification }: EventRequest): EventRefusal | undefined {
  const checked = checkAccessKey(key);
  if (!checked.ok) {
    return checked.problem.code === 'key_check_digit'
      ? refusal('236', 'Chave de Acesso com digito verificador invalido')
      : refusal('493', 'Evento nao atende o Schema XML especifico');
  }
  const code = manifestationCode(type);
  if (code === undefined) return refusal('491', 'O tpEvento informado invalido');
  return refusedText(code, justification);
}

/** The rule asks for the day of the event only, so that older notes have the shorter term, too. */
function conclusionDeadline(today: Day): number {
  return today < SHORTER_SINCE ? FORMER_CONCLUSION_DEADLINE : CONCLUSION_DEADLINE;
}

function refusedDate(code: string, note: Nfe, conclusions: readonly RegisteredEvent[], now: Moment) {
  const [first] = conclusions;
  const today = dayOf(now);
  const isCorrection = code !== AWARENESS && first !== undefined;
  const from = dayOf(isCorrection ? first.at : note.authorizedAt);
  const usual = code === AWARENESS ? AWARENESS_DEADLINE : conclusionDeadline(today);
  const days = isCorrection ? CORRECTION_DEADLINE : usual;
  return today > from + days ? refusal('596', `Evento apresentado fora do prazo: [${days} dias]`) : undefined;
}

/** Source: NT 2020.001 v1.60, rules H04 and H05; of the other two it says nothing. */
function refusedForCancellation(code: string): EventRefusal {
  if (code === AWARENESS)
    return refusal('650', 'Evento de Ciencia da Emissao para NF-e Cancelada ou Denegada');
  if (code === MAY_HAVE_JUSTIFICATION)
    return refusal('651', 'Evento de Desconhecimento da Operacao para NF-e Cancelada ou Denegada');
  return refusal('580', 'O evento exige uma NF-e autorizada');
}

/** What forbids an event on a note that exists. `registered` are the note's events in the order they happened. */
function refusedByNote(
  code: string,
  note: Nfe,
  registered: readonly RegisteredEvent[],
  now: Moment,
): EventRefusal | undefined {
  if (!isOfAccount(note.recipient)) {
    return refusal('575', 'O autor do evento diverge do destinatario da NF-e');
  }
  if (registered.some((event) => event.code === '110111')) return refusedForCancellation(code);
  const conclusions = registered.filter((event) => CONCLUSIVE.includes(event.code));
  const current =
    code === AWARENESS ? registered.find((event) => event.code === AWARENESS) : conclusions.at(-1);
  if (current?.code === code) return refusal('573', 'Duplicidade de evento');
  if (code === AWARENESS && conclusions.length > 0) {
    return refusal(
      '655',
      'Evento de Ciencia da Operacao informado apos a manifestacao final do destinatario',
    );
  }
  const ofThisKind = conclusions.filter((event) => event.code === code).length;
  if (ofThisKind >= MOST_OF_A_KIND)
    return refusal('594', 'O numero de sequencia do evento informado e maior que o permitido');
  return refusedDate(code, note, conclusions, now);
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
