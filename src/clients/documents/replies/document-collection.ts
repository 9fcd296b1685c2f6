import { asWord } from '../../../documents/untrusted.ts';
import type { Element, Piece } from '../decoding/reading.ts';
import { type EnvelopeReader, refuseNoAction } from './envelope.ts';
import type {
  ReceivedDocument,
  ReplyBody,
  ReplyWarning,
  ServiceChecks,
  UnreadableDocument,
} from './results.ts';
import { UnreadParts } from './unread-parts.ts';

const CHECK_ELEMENTS: Readonly<Record<string, keyof ServiceChecks>> = {
  vIntegridade: 'integrity',
  vSefaz: 'sefaz',
  vCadastral: 'registration',
};

/** Parts that could not be read which a remark names. */
const MOST_NAMED = 5;

/** One more than there are: with it a check came twice. */
const MOST_CHECKS = 4;

/** Remarks about all documents of a reply, at its end. */
export interface CollectionVerdict {
  readonly warnings: readonly ReplyWarning[];
  readonly unreadable: readonly UnreadableDocument[];
}

/** Takes what comes beside documents. */
export interface Beside {
  /** Text, or a value that is neither envelope nor check; false where it is nothing that is known. */
  takeText(text: string): boolean;
  takeBytes(bytes: Uint8Array): void;
}

function unreadableWarning(unreadable: readonly UnreadableDocument[]): ReplyWarning {
  const named = unreadable
    .slice(0, MOST_NAMED)
    .map(({ place, root }) => (root ? `${asWord(place)} (${asWord(root)})` : asWord(place)));
  const places = unreadable.length > named.length ? [...named, '…'] : named;
  return { code: 'unreadable', values: { count: String(unreadable.length), places: places.join(', ') } };
}

/** Collects the documents of a reply out of its pieces. */
export class DocumentCollection {
  /** Documents met so far. */
  count = 0;
  readonly #reply: ReplyBody;
  readonly #beside: Beside | undefined;
  readonly #envelope: EnvelopeReader;
  readonly #parts: UnreadParts;
  readonly #checks: [name: keyof ServiceChecks, value: string][] = [];
  #besides = 0;

  constructor(reply: ReplyBody, envelope: EnvelopeReader, beside?: Beside) {
    this.#reply = reply;
    this.#beside = beside;
    this.#envelope = envelope;
    this.#parts = new UnreadParts(reply.redact);
  }

  /** Takes the next piece, and returns it where it is a document. */
  take(piece: Piece, isEnvelopes: boolean): ReceivedDocument | undefined {
    this.#parts.follow(piece);
    if (isEnvelopes) {
      if (piece.kind === 'value') this.#parts.envelopes();
    } else if (piece.kind === 'document') {
      this.count++;
      return { xml: piece.xml, summary: piece.summary };
    } else if (piece.kind === 'value') this.#takeValue(piece.element, piece.text);
    else if (piece.kind === 'text') this.#takeText(piece.text);
    else if (piece.kind === 'bytes') {
      this.#besides++;
      this.#beside?.takeBytes(piece.bytes);
    }
    return undefined;
  }

  /** The service's checks of a single document; those of several can't be assigned. */
  get checks(): ServiceChecks | undefined {
    const checks = Object.fromEntries(this.#checks);
    const areRepeated = Object.keys(checks).length < this.#checks.length;
    const isOfOne = !areRepeated && this.#parts.list().length === 0;
    return isOfOne && this.#checks.length > 0 ? checks : undefined;
  }

  /** @throws Refused, Unreadable where nothing was found and nothing says that there is nothing */
  verdict(): CollectionVerdict {
    const unreadable = this.#parts.list();
    const unknown = unreadable.filter(({ outline }) => outline === undefined);
    const isOfOtherModels = unreadable.length > unknown.length;
    if (this.count + this.#besides === 0 && !isOfOtherModels) {
      return { warnings: this.#nothingFound(), unreadable: [] };
    }
    const warnings = this.#envelope.verdict(Math.max(this.count, 1) + unreadable.length);
    if (unknown.length > 0) warnings.push(unreadableWarning(unknown));
    return { unreadable, warnings };
  }

  /** The error for a reply that should have held one document and holds none. */
  nothing(): Error {
    return this.#parts.firstProblem() ?? this.#envelope.nothing();
  }

  #nothingFound(): ReplyWarning[] {
    const problem = this.#parts.firstProblem();
    if (problem === undefined) return this.#envelope.verdict(0);
    this.#envelope.requireNoRefusal();
    throw problem;
  }

  #isBeside(text: string): boolean {
    if (this.#beside?.takeText(text) !== true) return false;
    this.#besides++;
    this.#parts.taken();
    return true;
  }

  #takeValue(element: Element, text: string): void {
    const { name } = element;
    const check = Object.hasOwn(CHECK_ELEMENTS, name) ? CHECK_ELEMENTS[name] : undefined;
    if (check !== undefined) {
      if (this.#checks.length < MOST_CHECKS) this.#checks.push([check, text]);
      return;
    }
    if (this.#isBeside(text)) return;
    this.#parts.unread(element);
    this.#envelope.unread(element);
  }

  #takeText(text: string): void {
    if (this.#isBeside(text.trim())) return;
    refuseNoAction(this.#reply, text);
    this.#parts.unreadText();
  }
}
