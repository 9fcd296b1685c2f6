import { eventDescriptions } from '../../documents/events/event-names.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import { dayOf, isoMoment, yearDigits } from '../data/calendar.ts';
import type { Nfe } from '../data/nfe.ts';
import { isOfAccount } from '../data/parties.ts';
import { jsonOf, jsonReply } from '../http.ts';
import { type DocumentsService, type Operation, Refused } from './operations.ts';

/** One event as `evento` brings it; `code` is `tpEvento`, six digits. */
interface EventRequest {
  readonly key: string;
  readonly code: string;
  readonly justification: string;
}

const [AWARENESS, UNKNOWN, NOT_PERFORMED] = ['210210', '210220', '210240'];
const CONCLUSIVE = ['210200', UNKNOWN, NOT_PERFORMED];

/** In days, of which the day they are counted from is none. Source: NT 2020.001 v1.60, rule H03. */
const DEADLINES = { awareness: 10, conclusion: 90, correction: 30 };
const MOST_OF_A_KIND = 2;
const LARGEST_BATCH = 20;

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

/** What forbids an event on a note that exists. */
function refusedByNote({ eventsOf, now }: DocumentsService, note: Nfe, code: string): Refusal | undefined {
  const registered = eventsOf(note);
  if (!isOfAccount(note.recipient)) return '575';
  const isAwareness = code === AWARENESS;
  // Of the two others, rules H04 and H05 of NT 2020.001 v1.60 say nothing.
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

/** The event result record of the contract, section 2; `Sucesso` is 1 where the event is registered. */
const result = ({ key, code }: EventRequest, Usuario: string, Sucesso: 0 | 1, Mensagem: string) => ({
  ...{ ChaveNFe: key, Evento: code, Mensagem, Sucesso, Usuario },
});

const refused = (request: EventRequest, user: string, code: Refusal) =>
  result(request, user, 0, `${code} - Rejeicao: ${REFUSALS[code]}`);

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
