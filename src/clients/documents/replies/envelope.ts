import { statusByCode } from '../../../documents/events/statuses.ts';
import { asWord, longest } from '../../../documents/untrusted.ts';
import { Refused } from '../../errors.ts';
import { redactCode, shownText } from '../../http/redact.ts';
import {
  type Element,
  isWithin,
  limits,
  type Piece,
  requireWithin,
  Unreadable,
} from '../decoding/reading.ts';
import type { ReplyBody, ReplyWarning } from './results.ts';

/**
 * `cStat` values of a reply with content, besides those that authorise. Source: docs/upstream-services.md,
 * docs/fiscal/events.md.
 */
const SUCCESS_CODES = new Set(['138', '139', '140']);
/** `cStat` of a reply that found nothing. */
const EMPTY_CODE = '137';
/** ASP.NET's error members, in JSON and XML. Source: docs/upstream-services.md. */
const ERROR_WORDS = new Set(['message', 'messagedetail', 'exceptionmessage']);
const ERROR_ROOTS = new Set(['Error', 'object']);
/** The service's element around the requested content. */
export const RETURNED = 'retorno';
/** A `cStat` has three digits. */
const LONGEST_CODE = 60;
const NO_ACTION = /^no (action|http resource|type) was found/i;

/** The reply whose words are read. */
type Saying = Pick<ReplyBody, 'call' | 'redact'>;

/** The service's message, fit for people: on one line, redacted. */
function serviceWords(text: string, { redact }: Saying): string {
  return shownText(text, longest.message, redact);
}

/** Whether the service reports an unknown operation: nothing was performed then. */
export function isNoAction(text: string): boolean {
  return NO_ACTION.test(text);
}

/** Throws a refusal for ASP.NET's complaint about wrong parameters, even in a 2xx reply. */
export function refuseNoAction(reply: Saying, text: string): void {
  if (isNoAction(text)) throw new Refused(reply.call, { message: serviceWords(text, reply) });
}

/** Throws the error of a text in place of the expected content. */
export function refuseText(reply: Saying, text: string, reason: string): never {
  refuseNoAction(reply, text);
  throw new Unreadable(reason);
}

interface Status {
  code?: string | undefined;
  message?: string | undefined;
}

/** Statuses other than success, fit for people: the first of each code. */
type OddStatuses = Map<string, { readonly code: string; readonly message: string | undefined }>;

/** Status and count in an outermost element, or in one directly inside a root named xml. */
interface Frame extends Status {
  declared?: number;
}

function isFrame({ name, parent }: Element): boolean {
  return name !== 'xml' && (parent === undefined || (parent.name === 'xml' && parent.parent === undefined));
}

function isErrorWord({ name, parent }: Element): boolean {
  if (isWithin(parent, 'Fault')) return name === 'faultstring' || name === 'Text';
  const isInRoot = parent !== undefined && parent.parent === undefined && ERROR_ROOTS.has(parent.name);
  return isInRoot && ERROR_WORDS.has(name.toLowerCase());
}

/** Reads the service's status, count and error messages from a reply's elements. */
export class EnvelopeReader {
  readonly #reply: Saying;
  readonly #ofFrames: OddStatuses = new Map();
  /** Of entries; there may be millions. */
  readonly #ofEntries: OddStatuses = new Map();
  /** The first message of an envelope, as it came. */
  #message: string | undefined;
  readonly #errorWords: string[] = [];
  #frames = 0;
  #isAllEmpty = true;
  /** Total declared by the envelopes (`Quantidade`). */
  declared: number | undefined;
  #frame: Frame = {};
  #status: Status = {};
  readonly #emptyForms = new Set<string>();

  constructor(reply: Saying) {
    this.#reply = reply;
  }

  /** Takes the next piece and marks the envelope's own values. @throws Refused for ASP.NET's error messages */
  follow(piece: Piece): void {
    if (piece.kind === 'empty') this.#emptyForms.add(piece.form);
    if (piece.kind !== 'element') return;
    const { element } = piece;
    if (element.text !== undefined) element.ofEnvelope = this.#takeValue(element, element.text);
    if (isFrame(element)) this.#endFrame(element);
    const isOver = element.parent === undefined || element.name === 'Fault';
    if (isOver && this.#errorWords.length > 0) {
      throw new Refused(this.#reply.call, { message: serviceWords(this.#errorWords.join(' '), this.#reply) });
    }
  }

  /** Ends the reply; the methods below need it. */
  end(): void {
    this.#note(this.#status, this.#ofEntries);
  }

  /** Notes an unknown value: content within `retorno`, elsewhere one more header. */
  unread(element: Element): void {
    if (isWithin(element, RETURNED)) this.#isAllEmpty = false;
  }

  /**
   * Compares the number of items found with the envelopes.
   *
   * @throws Refused for an envelope with a refusing code and no content, Unreadable if nothing was found and the
   * reply does not say that there is nothing
   */
  verdict(found: number): ReplyWarning[] {
    if (found === 0) {
      this.requireNoRefusal();
      const isEmptyForm = this.#frames === 0 && this.#emptyForms.size > 0;
      if (!isEmptyForm && !this.saysEmpty()) throw new Unreadable('nothing recognised');
    }
    const { declared } = this;
    const warnings = (found === 0 ? [] : this.#odd()).map(({ code, message = '' }): ReplyWarning => {
      return { code: 'odd_code', values: { code: asWord(code), message } };
    });
    if (this.#emptyForms.has('empty string')) warnings.push({ code: 'empty_reply', values: {} });
    if (declared !== undefined && declared !== found) {
      const values = { declared: String(declared), found: String(found) };
      warnings.push({ code: 'count_differs', values });
    }
    return warnings;
  }

  /** Whether the envelopes declare an empty result. */
  saysEmpty(): boolean {
    return this.#frames > 0 && this.#isAllEmpty;
  }

  /** @throws Refused if an envelope carries a refusing code */
  requireNoRefusal(): void {
    const refusing = this.#odd().find(({ code }) => code !== EMPTY_CODE);
    if (refusing !== undefined) throw new Refused(this.#reply.call, refusing);
  }

  /** The service's message, for a reply with nothing else. @throws Refused for a refusing code */
  words(): string | undefined {
    this.requireNoRefusal();
    return this.#message && serviceWords(this.#message, this.#reply);
  }

  /** Error for a reply without the one item it should hold. */
  nothing(): Error {
    const [said] = this.#odd();
    if (said !== undefined) return new Refused(this.#reply.call, said);
    return new Unreadable(this.#emptyForms.has('empty string') ? 'empty' : 'nothing recognised');
  }

  /** Each code once, an envelope's status before those of entries. */
  #odd() {
    return [...new Map([...this.#ofFrames, ...this.#ofEntries, ...this.#ofFrames]).values()];
  }

  #note({ code, message }: Status, odd: OddStatuses): void {
    if (code === undefined || SUCCESS_CODES.has(code) || statusByCode(code) === 'authorized') return;
    const { redact } = this.#reply;
    const shown = redactCode(code, (text) => shownText(text, LONGEST_CODE, redact));
    if (odd.has(shown)) return;
    requireWithin(odd.size, limits.statuses);
    odd.set(shown, { code: shown, message: message && serviceWords(message, this.#reply) });
  }

  #takeValue(element: Element, text: string): boolean {
    const { name } = element;
    if (name === 'cStat') this.#takeStatus(element, 'code', text);
    else if (name === 'xMotivo') this.#takeStatus(element, 'message', text);
    else if (name === 'Quantidade') return this.#takeCount(element, text);
    else if (isErrorWord(element)) this.#errorWords.push(text);
    else return name === 'dhResp';
    return true;
  }

  #takeCount(element: Element, text: string): boolean {
    if (isWithin(element, RETURNED) || !/^\d{1,9}$/.test(text)) return false;
    this.#frame.declared = Number(text);
    return true;
  }

  /** Takes a code or its message; a second one of the same name begins the status of another entry. */
  #takeStatus(element: Element, member: 'code' | 'message', text: string): void {
    const frame = this.#frame;
    if (frame[member] === undefined && !isWithin(element, RETURNED)) {
      frame[member] = text;
      return;
    }
    if (this.#status[member] !== undefined) {
      this.#note(this.#status, this.#ofEntries);
      this.#status = {};
    }
    this.#status[member] = text;
  }

  #endFrame({ name, hasChildren }: Element): void {
    const { code, message, declared } = this.#frame;
    const isEmpty = code === EMPTY_CODE || (name.startsWith('ArrayOf') && !hasChildren);
    this.#isAllEmpty &&= declared === undefined ? isEmpty : declared === 0;
    this.#frames++;
    this.#message ??= message;
    this.#note(this.#frame, this.#ofFrames);
    if (declared !== undefined) this.declared = (this.declared ?? 0) + declared;
    this.#frame = {};
  }
}
