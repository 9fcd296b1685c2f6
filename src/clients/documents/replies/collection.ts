import { isDocumentRoot, mayBeWrapper } from '../../../documents/summary/read-document.ts';
import { asWord } from '../../../documents/untrusted.ts';
import type { Redact } from '../../http/call.ts';
import { clearText } from '../../http/redact.ts';
import {
  type Element,
  limits,
  type Piece,
  requireWithin,
  Unreadable,
  type UnreadablePart,
} from '../decoding/reading.ts';
import { type EnvelopeReader, RETURNED, refuseNoAction } from './envelope.ts';
import type {
  ReceivedDocument,
  ReplyBody,
  ReplyWarning,
  ServiceChecks,
  UnreadableDocument,
  UnreadableReason,
} from './results.ts';

const CHECK_ELEMENTS: Readonly<Record<string, keyof ServiceChecks>> = {
  vIntegridade: 'integrity',
  vSefaz: 'sefaz',
  vCadastral: 'registration',
};
/** One more than there are: with it a check came twice. */
const MOST_CHECKS = 4;
/** Parts that could not be read which a remark names. */
const MOST_NAMED = 5;

/** Takes what comes beside documents. */
interface Beside {
  /** Text, or a value that is neither envelope nor check; false where it is nothing that is known. */
  takeText(text: string): boolean;
  takeBytes(bytes: Uint8Array): void;
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
    this.#parts.follow(piece, isEnvelopes);
    if (isEnvelopes) return undefined;
    if (piece.kind === 'document') {
      this.count++;
      return { xml: piece.xml, summary: piece.summary };
    }
    if (piece.kind === 'value') this.#takeValue(piece.element, piece.text);
    else if (piece.kind === 'text' && !this.#isBeside(piece.text.trim())) {
      refuseNoAction(this.#reply, piece.text);
      this.#parts.unreadText();
    } else if (piece.kind === 'bytes') {
      this.#besides++;
      this.#beside?.takeBytes(piece.bytes);
    }
    return undefined;
  }

  #takeValue(element: Element, text: string): void {
    const { name } = element;
    const check = Object.hasOwn(CHECK_ELEMENTS, name) ? CHECK_ELEMENTS[name] : undefined;
    if (check !== undefined) {
      if (this.#checks.length < MOST_CHECKS) this.#checks.push([check, text]);
    } else if (!this.#isBeside(text)) {
      this.#parts.unread(element);
      this.#envelope.unread(element);
    }
  }

  #isBeside(text: string): boolean {
    if (this.#beside?.takeText(text) !== true) return false;
    this.#besides++;
    this.#parts.taken();
    return true;
  }

  /** The service's checks of a single document; those of several can't be assigned. */
  get checks(): ServiceChecks | undefined {
    const checks = Object.fromEntries(this.#checks);
    const areRepeated = Object.keys(checks).length < this.#checks.length;
    const isOfOne = !areRepeated && this.#parts.list().length === 0;
    return isOfOne && this.#checks.length > 0 ? checks : undefined;
  }

  /**
   * What is to be said of the documents at the end of the reply.
   *
   * @throws Refused, Unreadable where nothing was found and nothing says that there is nothing
   */
  verdict(): { readonly warnings: ReplyWarning[]; readonly unreadable: readonly UnreadableDocument[] } {
    const unreadable = this.#parts.list();
    const unknown = unreadable.filter(({ outline }) => outline === undefined);
    if (this.count + this.#besides === 0 && unreadable.length === unknown.length) {
      const problem = this.#parts.firstProblem();
      if (problem === undefined) return { warnings: this.#envelope.verdict(0), unreadable: [] };
      this.#envelope.requireNoRefusal();
      throw problem;
    }
    const warnings = this.#envelope.verdict(Math.max(this.count, 1) + unreadable.length);
    if (unknown.length > 0) {
      const named = unknown
        .slice(0, MOST_NAMED)
        .map(({ place, root }) => (root ? `${asWord(place)} (${asWord(root)})` : asWord(place)));
      const places = unknown.length > named.length ? [...named, '…'] : named;
      const values = { count: String(unknown.length), places: places.join(', ') };
      warnings.push({ code: 'unreadable', values });
    }
    return { unreadable, warnings };
  }

  /** The error for a reply that should have held one document and holds none. */
  nothing(): Error {
    return this.#parts.firstProblem() ?? this.#envelope.nothing();
  }
}

/** The service's name for an entry of its lists of NFS-e; a document must be in it. */
const ENTRY = 'NFSe';
/** Where the service puts a document. */
const DOCUMENT_PLACE = 'Conteudo';
const WRAPPERS: ReadonlySet<string> = new Set([ENTRY, DOCUMENT_PLACE, RETURNED, 'xml']);
/** Groups beside documents that are none, in the layouts of the service and of cities. */
const NO_DOCUMENT = /^(?:cabec|header$|signature$|assinatura$)/i;
const NO_DOCUMENT_IN_TEXT = 'no document in the text';
const SHOWN_NAME_LENGTH = 60;
const SHOWN_FILE_LENGTH = 120;

const REASONS: Readonly<Record<string, UnreadableReason>> = {
  'no known layout': 'unknown_layout',
  'no identity': 'no_identity',
  malformed: 'malformed',
  truncated: 'truncated',
  'not a document': 'no_document',
  [NO_DOCUMENT_IN_TEXT]: 'no_document',
  'html page': 'no_document',
  empty: 'no_document',
};

/** A part of a reply that could not be read. */
interface Part extends UnreadablePart {
  /** How many pieces came before it, and how many of them were documents. */
  readonly at: number;
  readonly documentsBefore: number;
  /** The file of a zip that it is in, as it may be shown. */
  readonly file: string | undefined;
  /** Whether it was certainly a document, and not only may have been one. */
  readonly isCertain: boolean;
  /** Whether `root` is the outermost element of a text of its own. */
  readonly isNamed: boolean;
}

interface Frame {
  readonly element: Element;
  readonly at: number;
  hasChildren: boolean;
  /** Documents, read or not, and other things that were taken, in it and in its children. */
  found: number;
  /** Values in it that were not understood. */
  hasUnread: boolean;
  /** Whether it has a status or count of the service. */
  isEnvelope: boolean;
  hasReturned: boolean;
  /** Groups in it of which nothing was taken. */
  readonly strange: Part[];
}

/**
 * Follows the frame of a reply and finds documents that were not read, by exclusion: a group of elements of which nothing
 * was taken, where documents stand beside it or were to stand. A group that surrounds others counts as one with them.
 */
class UnreadParts {
  readonly #redact: Redact;
  readonly #path: Frame[] = [];
  readonly #parts: Part[] = [];
  #at = 0;
  #documents = 0;
  #file: string | undefined;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  follow(piece: Piece, isEnvelopes: boolean): void {
    this.#at++;
    if (piece.kind === 'open') this.#open(piece.element);
    else if (piece.kind === 'close') this.#close();
    else if (piece.kind === 'file') this.#file = clearText(piece.name, SHOWN_FILE_LENGTH, this.#redact);
    else if (piece.kind === 'unreadable') this.#add(piece, true);
    else if (piece.kind === 'document') {
      this.taken();
      this.#documents++;
    } else if (piece.kind === 'value' && isEnvelopes) {
      const around = this.#path.at(-2);
      if (around !== undefined) around.isEnvelope = true;
    }
  }

  /** Something that stands here was taken: a document, or a PDF beside it. */
  taken(): void {
    const frame = this.#path.at(-1);
    if (frame !== undefined) frame.found++;
  }

  /** Notes a value that was not understood. */
  unread({ name, parent }: Element): void {
    const isPlace = name === DOCUMENT_PLACE;
    const frame = this.#path.at(-1);
    if (isPlace || name === RETURNED || parent?.name === RETURNED) {
      this.#add({ root: isPlace ? undefined : name, reason: 'not a document' }, isPlace);
    } else if (frame !== undefined) frame.hasUnread = true;
  }

  /** Notes a text outside of any frame that was not understood. */
  unreadText(): void {
    this.#add({ reason: NO_DOCUMENT_IN_TEXT }, true);
  }

  /** All of them in the order they came, at the end of the reply. */
  list(): UnreadableDocument[] {
    return this.#sorted().map(({ file, documentsBefore, root, family, reason, outline }, index) => ({
      place: file ?? String(documentsBefore + index + 1),
      root,
      family,
      reason: REASONS[reason] ?? 'damaged',
      ...(outline && { outline }),
    }));
  }

  /** The problem of the first that was certainly a document. */
  firstProblem(): Unreadable | undefined {
    const all = this.#sorted();
    const index = all.findIndex(({ isCertain }) => isCertain);
    const part = all[index];
    if (part === undefined) return undefined;
    const { reason, documentsBefore, family } = part;
    const place = reason === NO_DOCUMENT_IN_TEXT ? '' : `document ${documentsBefore + index + 1}: `;
    return new Unreadable(place + reason, family);
  }

  #sorted(): Part[] {
    return this.#parts.toSorted((one, other) => one.at - other.at);
  }

  #open(element: Element): void {
    const parent = this.#path.at(-1);
    if (parent !== undefined) {
      parent.hasChildren = true;
      parent.hasReturned ||= element.name === RETURNED;
    }
    const nothing = { hasChildren: false, found: 0, hasUnread: false, isEnvelope: false, hasReturned: false };
    this.#path.push({ element, at: this.#at, ...nothing, strange: [] });
  }

  #close(): void {
    const frame = this.#path.pop();
    if (frame === undefined) return;
    const { hasChildren, hasUnread, isEnvelope, hasReturned, strange } = frame;
    const { name } = frame.element;
    const parent = this.#path.at(-1);
    const isDocument = isDocumentRoot(name) && !mayBeWrapper(name);
    if (frame.found > 0 || WRAPPERS.has(name)) {
      const kept = hasReturned ? [] : strange.filter(({ root = '' }) => !NO_DOCUMENT.test(root));
      if (name === ENTRY && frame.found + kept.length === 0) kept.push(this.#partOf(frame, true));
      for (const part of kept) this.#push(part);
      frame.found += kept.length;
    } else if (isDocument || (hasChildren && !isEnvelope && (hasUnread || strange.length > 0))) {
      const part = this.#partOf(frame, isDocument);
      // The decision is the parent's, where there is one.
      if (parent === undefined) this.#push(part);
      else requireWithin(parent.strange.push(part), limits.unread);
    }
    if (parent !== undefined) {
      parent.found += frame.found;
      parent.hasUnread ||= hasUnread && !hasChildren;
    }
  }

  /** Named by the outermost element of a text of its own, where it has one, else by its own. */
  #partOf({ element: { name, isRoot }, at, strange: [first] }: Frame, isCertain: boolean): Part {
    const inner = !isRoot && first?.isNamed === true ? first : undefined;
    return {
      root: inner?.root ?? name,
      reason: 'no known layout',
      at,
      documentsBefore: this.#documents,
      file: this.#file,
      isCertain,
      isNamed: isRoot || inner !== undefined,
    };
  }

  #add(part: UnreadablePart, isCertain: boolean): void {
    const place = { at: this.#at, documentsBefore: this.#documents, file: this.#file };
    this.#push({ ...part, ...place, isCertain, isNamed: false });
    this.taken();
  }

  #push(part: Part): void {
    const root = part.root && clearText(part.root, SHOWN_NAME_LENGTH, this.#redact);
    requireWithin(this.#parts.push({ ...part, root }), limits.unread);
  }
}
