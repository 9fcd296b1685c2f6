import { asWord, longest } from '../../../documents/untrusted.ts';
import { Refused } from '../../errors.ts';
import { shownText } from '../../http/redact.ts';
import { Unreadable } from '../pieces/forms.ts';
import { limits, requireWithin } from '../pieces/limits.ts';
import type { Piece } from '../pieces/piece.ts';
import type { Envelope, ReplyBody, ReplyWarning } from './results.ts';

/** `cStat` values of an answer that holds something. Source: docs/upstream-services.md, docs/fiscal/events.md. */
const SUCCESS_CODES = new Set(['100', '138', '139', '140']);
/** `cStat` of an answer that found nothing. */
const EMPTY_CODE = '137';
/** ASP.NET's error members, in JSON and XML. Source: docs/upstream-services.md. */
const ERROR_WORDS = new Set(['message', 'messagedetail', 'exceptionmessage']);
const ERROR_ROOTS = new Set(['Error', 'object']);
/** A `cStat` has three digits. */
const LONGEST_CODE = 60;
const NO_ACTION = /^no (action|http resource|type) was found/i;

/** The reply whose words are read. */
type Saying = Pick<ReplyBody, 'call' | 'redact'>;

/** The service's own words, fit for a person: on one line, redacted. */
function serviceWords(text: string, { redact }: Saying): string {
  return shownText(text, longest.message, redact);
}

/** Whether a service says that it knows no such operation: nothing was performed then. */
export function isNoAction(text: string): boolean {
  return NO_ACTION.test(text);
}

/** ASP.NET's complaint about wrong parameters is a refusal, also where it comes as the answer itself. */
export function refuseNoAction(reply: Saying, text: string): void {
  if (isNoAction(text)) throw new Refused(reply.call, { message: serviceWords(text, reply) });
}

/** A text instead of an answer. */
export function refuseText(reply: Saying, text: string, reason: string): never {
  refuseNoAction(reply, text);
  throw new Unreadable(reason);
}

interface Status {
  code?: string;
  message?: string;
}

interface Frame extends Status {
  readonly name: string;
  declared?: number;
  /** Content stands in it that nobody took. */
  unread?: boolean;
  hasChildren?: boolean;
}

/** What the envelopes of a reply said, once it is known how much was found in them. */
export interface Verdict {
  /** The first one with a code or a message. */
  readonly envelope?: Envelope;
  readonly declared?: number;
  readonly warnings: ReplyWarning[];
}

/** Follows a reply's frame and reads from it the service's status, count and error words. */
export interface EnvelopeReader {
  /** True where that is all the piece is; false for values that are not the envelope's, text, documents and bytes. */
  follow(piece: Piece): boolean;
  /** A value that nobody knows was met; within `retorno` that is content, elsewhere one more header. */
  unread(): void;
  /**
   * Weighs what was found against what the envelopes say. Throws `Refused` for an envelope without content and with
   * a refusing code, `Unreadable` where nothing was found and nothing says that there is nothing.
   */
  verdict(found: number): Verdict;
  /** Whether the envelopes themselves say that there is nothing. */
  saysEmpty(): boolean;
  /** @throws Refused where an envelope carries a refusing code */
  requireNoRefusal(): void;
  /** What the service says where that is all it says; throws `Refused` where it says no. */
  words(): string | undefined;
  /** The error for a reply that should have held one thing and holds nothing. */
  nothing(): Error;
}

function isRefusing({ code }: Status): boolean {
  return code !== undefined && code !== EMPTY_CODE && !SUCCESS_CODES.has(code);
}

function isUnderstoodEmpty(frame: Frame): boolean {
  if (frame.unread === true) return false;
  if (frame.declared !== undefined) return frame.declared === 0;
  return frame.code === EMPTY_CODE || (frame.name.startsWith('ArrayOf') && frame.hasChildren !== true);
}

function asEnvelope({ name, code, message }: Frame): Envelope {
  return { name, code, message };
}

/** What counts of statuses, of which a reply may have millions: none of them is kept beside the first of its kind. */
class Statuses<T extends Status> {
  /** The first with a code that refuses, with one that isn't success, with a code or a message, with a message. */
  refusing: T | undefined;
  unsuccessful: T | undefined;
  telling: T | undefined;
  message: string | undefined;
  readonly odd = new Map<string, ReplyWarning>();

  add(status: T): void {
    const { code, message } = status;
    if (code === undefined && message === undefined) return;
    this.telling ??= status;
    this.message ??= message;
    if (code === undefined || SUCCESS_CODES.has(code)) return;
    this.unsuccessful ??= status;
    if (isRefusing(status)) this.refusing ??= status;
    if (this.odd.has(code)) return;
    requireWithin(this.odd.size, limits.statuses);
    this.odd.set(code, { code: 'odd_code', values: { code: asWord(code), message: message ?? '' } });
  }
}

export function createEnvelopeReader(reply: Saying): EnvelopeReader {
  const { call } = reply;
  const path: string[] = [];
  const ofFrames = new Statuses<Frame>();
  const ofEntries = new Statuses<Status>();
  let frames = 0;
  let isAllEmpty = true;
  let declared: number | undefined;
  const errorWords: string[] = [];
  let frame: Frame | undefined;
  let status: Status | undefined;
  let emptyStrings = 0;
  let emptyArrays = 0;

  function isHeader(): boolean {
    return !path.includes('retorno');
  }

  function isErrorWord(name: string): boolean {
    if (path.includes('Fault')) return name === 'faultstring' || name === 'Text';
    return path.length === 2 && ERROR_ROOTS.has(path[0] ?? '') && ERROR_WORDS.has(name.toLowerCase());
  }

  /** Takes a code or its message; a second one of the same name begins the status of another entry. */
  function takeStatus(member: 'code' | 'message', text: string): void {
    if (isHeader() && frame !== undefined && frame[member] === undefined) {
      frame[member] = text;
      return;
    }
    if (status?.[member] !== undefined) settleStatus();
    status ??= {};
    status[member] = text;
  }

  function settleStatus(): void {
    if (status !== undefined) ofEntries.add(status);
    status = undefined;
  }

  function settleFrame(): void {
    if (frame === undefined) return;
    ofFrames.add(frame);
    isAllEmpty &&= isUnderstoodEmpty(frame);
    if (frame.declared !== undefined) declared = (declared ?? 0) + frame.declared;
    frame = undefined;
  }

  function settle(): void {
    settleFrame();
    settleStatus();
  }

  function takeCount(text: string): boolean {
    if (frame === undefined || !isHeader() || !/^\d{1,9}$/.test(text)) return false;
    frame.declared = Number(text);
    return true;
  }

  function refusal({ code, message }: Status): Refused {
    return new Refused(call, { code, message });
  }

  function requireNoRefusal(): void {
    settle();
    const refusing = ofFrames.refusing ?? ofEntries.refusing;
    if (refusing !== undefined) throw refusal(refusing);
  }

  function saysEmpty(): boolean {
    settle();
    return frames > 0 && isAllEmpty;
  }

  function requireUnderstoodEmpty(): void {
    const isEmptyForm = frames === 0 && emptyStrings + emptyArrays > 0;
    if (!isEmptyForm && !saysEmpty()) throw new Unreadable('nothing recognised');
  }

  function open(name: string): void {
    path.push(name);
    if (frame === undefined && name !== 'xml') {
      frame = { name };
      frames++;
    } else if (frame !== undefined) frame.hasChildren = true;
  }

  function takeValue(name: string, text: string): boolean {
    if (name === 'cStat') takeStatus('code', shownText(text, LONGEST_CODE, reply.redact));
    else if (name === 'xMotivo') takeStatus('message', serviceWords(text, reply));
    else if (name === 'Quantidade') return takeCount(text);
    else if (isErrorWord(name)) errorWords.push(text);
    else return name === 'dhResp';
    return true;
  }

  function close(): void {
    const name = path.pop();
    if (path.length === 0 || (path.length === 1 && path[0] === 'xml')) settleFrame();
    if (errorWords.length > 0 && (path.length === 0 || name === 'Fault')) {
      throw new Refused(call, { message: serviceWords(errorWords.join(' '), reply) });
    }
  }

  return {
    follow(piece) {
      switch (piece.kind) {
        case 'open':
          open(piece.name);
          return true;
        case 'value':
          return takeValue(piece.name, piece.text);
        case 'close':
          close();
          return true;
        case 'empty':
          if (piece.form === 'empty string') emptyStrings++;
          else emptyArrays++;
          return true;
        default:
          return false;
      }
    },
    unread() {
      if (frame !== undefined && !isHeader()) frame.unread = true;
    },
    verdict(found) {
      settle();
      if (found === 0) {
        requireNoRefusal();
        requireUnderstoodEmpty();
      }
      const odd = found === 0 ? [] : new Map([...ofFrames.odd, ...ofEntries.odd, ...ofFrames.odd]).values();
      const warnings = [...odd];
      if (emptyStrings > 0) warnings.push({ code: 'empty_reply', values: {} });
      const answering = ofFrames.telling;
      if (declared !== undefined && declared !== found) {
        warnings.push({
          code: 'count_differs',
          values: { declared: String(declared), found: String(found) },
        });
      }
      return {
        warnings,
        envelope: answering && asEnvelope(answering),
        declared,
      };
    },
    saysEmpty,
    requireNoRefusal,
    words() {
      requireNoRefusal();
      return ofFrames.message;
    },
    nothing() {
      settle();
      const said = ofFrames.unsuccessful ?? ofEntries.unsuccessful;
      if (said !== undefined) return refusal(said);
      return new Unreadable(emptyStrings > 0 ? 'empty' : 'nothing recognised');
    },
  };
}
