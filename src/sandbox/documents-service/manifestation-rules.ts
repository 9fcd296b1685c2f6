import { checkAccessKey } from '../../documents/identity/keys.ts';
import { type Day, dayOf, dayOfDate, type Moment } from '../data/calendar.ts';
import type { Nfe } from '../data/nfe/book.ts';
import type { RegisteredEvent } from '../data/nfe/events.ts';
import { isOfAccount } from '../data/parties.ts';

/** One event as `evento` brings it. */
export interface EventRequest {
  readonly key: string;
  /** Six digits, or a name the service knows. */
  readonly type: string;
  readonly justification: string;
}

/** Why an event was not registered: the code and words of the tax authorities. Source: docs/fiscal/events.md. */
export interface EventRefusal {
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
export function manifestationCode(type: string): string | undefined {
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
export function refusedRequest({ key, type, justification }: EventRequest): EventRefusal | undefined {
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
export function refusedByNote(
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
