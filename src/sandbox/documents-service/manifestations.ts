import { eventDescriptions } from '../../documents/events/event-names.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import { dayOf, isoMoment, yearDigits } from '../data/calendar.ts';
import type { Nfe } from '../data/nfe.ts';
import { isOfAccount } from '../data/parties.ts';
import { rowsOf } from '../data/templates.ts';
import { jsonOf, jsonReply } from '../server.ts';
import repliesXml from '../templates/replies.xml';
import { type DocumentsService, type Operation, Refused } from './operations.ts';

/** An event of the parameter `evento`; `code` is `tpEvento`, six digits. */
type EventRequest = Readonly<Record<'key' | 'code' | 'justification', string>>;

const [AWARENESS, UNKNOWN, NOT_PERFORMED] = ['210210', '210220', '210240'];
const CONCLUSIVE = ['210200', UNKNOWN, NOT_PERFORMED];

/** Days, counted from the following day. Source: NT 2020.001 v1.60, rule H03. */
const DEADLINES = { awareness: 10, conclusion: 90, correction: 30 };
const MOST_OF_A_KIND = 2;
const LARGEST_BATCH = 20;

/** Refusal reasons: the tax authorities' codes and texts. Source: docs/fiscal/events.md. */
const refusals = new Map(rowsOf(repliesXml, 'refusal').map(({ code, words }) => [code, words]));

/** Refusal of the request itself, before the note is looked up. */
function refusedRequest({ key, code, justification }: EventRequest): string | undefined {
  const checked = checkAccessKey(key);
  if (!checked.ok) return checked.problem.code === 'key_check_digit' ? '236' : '493';
  if (code !== AWARENESS && !CONCLUSIVE.includes(code)) return '491';
  if (justification !== '' && !/^[!-ÿ]([ -ÿ]*[!-ÿ])?$/.test(justification)) return '493';
  const isNeeded = code === NOT_PERFORMED || (code === UNKNOWN && justification !== '');
  return isNeeded && (justification.length < 15 || justification.length > 255) ? '595' : undefined;
}

/** Refusal of an event on an existing note. */
function refusedByNote({ eventsOf, now }: DocumentsService, note: Nfe, code: string): string | undefined {
  const registered = eventsOf(note);
  if (!isOfAccount(note.recipient)) return '575';
  const isAwareness = code === AWARENESS;
  // Rules H04 and H05 of NT 2020.001 v1.60 don't cover the other two.
  if (registered.some((event) => event.code === '110111'))
    return isAwareness ? '650' : code === UNKNOWN ? '651' : '580';
  const conclusions = registered.filter((event) => CONCLUSIVE.includes(event.code));
  const current = isAwareness ? registered.find((event) => event.code === code) : conclusions.at(-1);
  if (current?.code === code) return '573';
  if (isAwareness && conclusions.length > 0) return '655';
  if (conclusions.filter((event) => event.code === code).length >= MOST_OF_A_KIND) return '594';
  const [corrected] = conclusions;
  const usual = isAwareness ? DEADLINES.awareness : DEADLINES.conclusion;
  const days = corrected === undefined ? usual : DEADLINES.correction;
  return dayOf(now()) > dayOf(corrected?.at ?? note.authorizedAt) + days ? '596' : undefined;
}

/** The contract's event result record, section 2; `Sucesso` is 1 if the event is registered. */
const result = ({ key, code }: EventRequest, Usuario: string, Sucesso: 0 | 1, Mensagem: string) => ({
  ...{ ChaveNFe: key, Evento: code, Mensagem, Sucesso, Usuario },
});

const refused = (request: EventRequest, user: string, code: string) =>
  result(request, user, 0, `${code} - Rejeicao: ${refusals.get(code)}`);

const REGISTERED = '135 - Evento registrado e vinculado a NF-e';

function perform(service: DocumentsService, request: EventRequest, user: string) {
  const { nfe, now, eventsOf, registered } = service;
  const { key, code, justification } = request;
  const wrong = refusedRequest(request);
  if (wrong) return refused(request, user, wrong);
  const note = nfe.find(key);
  if (!note) return refused(request, user, '494');
  const forbidden = refusedByNote(service, note, code);
  if (forbidden) return refused(request, user, forbidden);
  const count = [...registered.values()].flat().length + 1;
  const event = {
    ...{ code, at: now(), text: justification || undefined },
    sequence: eventsOf(note).filter((event) => event.code === code).length + 1,
    protocol: `891${yearDigits(now())}${String(count).padStart(10, '0')}`,
  };
  registered.set(key, [...(registered.get(key) ?? []), event]);
  return result(request, user, 1, REGISTERED);
}

function parsed(name: string, json: string): unknown {
  const value = jsonOf(json);
  if (value === undefined) throw new Refused(`O valor do parâmetro '${name}' não é JSON.`);
  return value;
}

function eventIn(name: string, value: unknown): EventRequest {
  const { ChaveNFe, TipoEvento, Motivo = '' } = Object(value);
  if (typeof ChaveNFe !== 'string' || typeof TipoEvento !== 'string' || typeof Motivo !== 'string')
    throw new Refused(`O parâmetro '${name}' precisa de ChaveNFe, TipoEvento e Motivo em texto.`);
  return { key: ChaveNFe.trim(), code: TipoEvento.trim(), justification: Motivo };
}

export const register: Operation = (service, text) =>
  jsonReply(200, perform(service, eventIn('evento', parsed('evento', text('evento'))), text('usuario')));

export const registerBatch: Operation = (service, text) => {
  const batch = parsed('eventos', text('eventos'));
  if (!Array.isArray(batch)) throw new Refused("O parâmetro 'eventos' precisa ser uma lista JSON.");
  if (batch.length === 0 || batch.length > LARGEST_BATCH)
    throw new Refused(`O lote precisa ter de 1 a ${LARGEST_BATCH} eventos.`);
  const requests = batch.map((event: unknown) => eventIn('eventos', event));
  const results = requests.map((request) => perform(service, request, text('usuario')));
  return jsonReply(200, results);
};

export const statusOf: Operation = ({ nfe, eventsOf }, text) => {
  const [user, request] = [text('usuario'), eventIn('evento', parsed('evento', text('evento')))];
  const note = nfe.find(request.key);
  if (!note) return jsonReply(200, refused(request, user, '217'));
  const event = eventsOf(note).findLast(({ code }) => code === request.code);
  if (!event) return jsonReply(200, result(request, user, 0, '137 - Nenhum evento localizado para a chave'));
  const about = `${eventDescriptions[event.code] ?? event.code}, protocolo ${event.protocol}`;
  return jsonReply(200, result(request, user, 1, `${REGISTERED}: ${about}, em ${isoMoment(event.at)}`));
};
