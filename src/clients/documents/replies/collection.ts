import { isDocumentRoot, mayBeWrapper } from '../../../documents/layouts/document-roots.ts';
import { asWord } from '../../../documents/untrusted.ts';
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
/** Unreadable parts named in a warning. */
const MOST_NAMED = 5;
/** Entry of the service's lists of NFS-e; must contain a document. */
const ENTRY = 'NFSe';
/** Element in which the service puts a document. */
const DOCUMENT_PLACE = 'Conteudo';
const WRAPPERS: ReadonlySet<string> = new Set([ENTRY, DOCUMENT_PLACE, RETURNED, 'xml']);
/** Groups beside documents that are not documents, in the layouts of the service and of cities. */
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

/** Handler of content beside documents. */
interface Beside {
  /** Takes a text, or a value that is neither envelope nor check; false if it is unknown. */
  takeText(text: string): boolean;
  takeBytes(bytes: Uint8Array): void;
}

/** An unreadable part of a reply. */
interface Part extends UnreadablePart {
  /** Number of pieces before it, and of documents among them. */
  readonly at: number;
  readonly documentsBefore: number;
  /** Its file in a ZIP, fit for display. */
  readonly file: string | undefined;
  /** Whether it certainly was a document. */
  readonly isCertain: boolean;
  /** Whether `root` is the outermost element of a text of its own. */
  readonly isNamed: boolean;
}

/** State of an open element. */
class Group {
  /** Documents, read or not, and other content taken from it and its children. */
  found = 0;
  /** Whether it has values that were not understood. */
  hasUnread = false;
  /** Whether it has a status or count of the service. */
  isEnvelope = false;
  hasReturned = false;
  /** Groups in it from which nothing was taken. */
  readonly strange: Part[] = [];
}

/**
 * Collects a reply's documents, and detects unread ones by exclusion: groups of elements from which nothing was
 * taken, beside documents or in the place of one. A group around others counts as one with them.
 */
export class DocumentCollection {
  /** Documents so far. */
  count = 0;
  readonly #reply: ReplyBody;
  readonly #beside: Beside | undefined;
  readonly #envelope: EnvelopeReader;
  readonly #checks: { -readonly [Name in keyof ServiceChecks]: string } = {};
  #areChecksRepeated = false;
  #besides = 0;
  readonly #groups = new WeakMap<object, Group>();
  readonly #parts: Part[] = [];
  #at = 0;
  #file: string | undefined;

  constructor(reply: ReplyBody, envelope: EnvelopeReader, beside?: Beside) {
    this.#reply = reply;
    this.#beside = beside;
    this.#envelope = envelope;
  }

  /** Takes the next piece, and returns it where it is a document. */
  take(piece: Piece): ReceivedDocument | undefined {
    this.#at++;
    const { parent } = piece;
    switch (piece.kind) {
      case 'document':
        this.count++;
        this.#found(parent);
        return { xml: piece.xml, summary: piece.summary };
      case 'element':
        if (piece.element.ofEnvelope) this.#groupOf(parent).isEnvelope = true;
        else if (piece.element.text !== undefined) this.#takeValue(piece.element, piece.element.text);
        this.#close(piece.element);
        break;
      case 'text':
        if (this.#isBeside(parent, piece.text.trim())) break;
        refuseNoAction(this.#reply, piece.text);
        this.#add(parent, { reason: NO_DOCUMENT_IN_TEXT }, true);
        break;
      case 'bytes':
        this.#besides++;
        this.#beside?.takeBytes(piece.bytes);
        break;
      case 'unreadable':
        this.#add(parent, piece, true);
        break;
      case 'file':
        this.#file = clearText(piece.name, SHOWN_FILE_LENGTH, this.#reply.redact);
    }
    return undefined;
  }

  #takeValue(element: Element, text: string): void {
    const { name, parent } = element;
    const check = Object.hasOwn(CHECK_ELEMENTS, name) ? CHECK_ELEMENTS[name] : undefined;
    if (check !== undefined) {
      this.#areChecksRepeated ||= check in this.#checks;
      this.#checks[check] = text;
    } else if (!this.#isBeside(element, text)) {
      const isPlace = name === DOCUMENT_PLACE;
      if (isPlace || name === RETURNED || parent?.name === RETURNED) {
        this.#add(element, { root: isPlace ? undefined : name, reason: 'not a document' }, isPlace);
      } else this.#groupOf(element).hasUnread = true;
      this.#envelope.unread(element);
    }
  }

  /** @param place the element around it */
  #isBeside(place: Element | undefined, text: string): boolean {
    if (this.#beside?.takeText(text) !== true) return false;
    this.#besides++;
    this.#found(place);
    return true;
  }

  #groupOf(element: Element | undefined): Group {
    const group = this.#groups.get(element ?? this) ?? new Group();
    this.#groups.set(element ?? this, group);
    return group;
  }

  #found(place: Element | undefined): void {
    this.#groupOf(place).found++;
  }

  #close(element: Element): void {
    const { name, parent, hasChildren } = element;
    const group = this.#groupOf(element);
    const { hasUnread, isEnvelope, hasReturned, strange } = group;
    const isDocument = isDocumentRoot(name) && !mayBeWrapper(name);
    const around = this.#groupOf(parent);
    if (group.found > 0 || WRAPPERS.has(name)) {
      const kept = hasReturned ? [] : strange.filter(({ root = '' }) => !NO_DOCUMENT.test(root));
      if (name === ENTRY && group.found + kept.length === 0) kept.push(this.#partOf(element, group, true));
      for (const part of kept) this.#push(part);
      group.found += kept.length;
    } else if (isDocument || (hasChildren && !isEnvelope && (hasUnread || strange.length > 0))) {
      const part = this.#partOf(element, group, isDocument);
      // Its parent decides, if any.
      if (parent === undefined) this.#push(part);
      else requireWithin(around.strange.push(part), limits.unread);
    }
    around.found += group.found;
    around.hasUnread ||= hasUnread && !hasChildren;
    around.hasReturned ||= name === RETURNED;
  }

  /** Named after the outermost element of its own text, if any, else after itself. */
  #partOf({ name, isRoot }: Element, { strange: [first] }: Group, isCertain: boolean): Part {
    const inner = !isRoot && first?.isNamed === true ? first : undefined;
    const isNamed = isRoot || inner !== undefined;
    return { root: inner?.root ?? name, reason: 'no known layout', ...this.#place, isCertain, isNamed };
  }

  #add(place: Element | undefined, part: UnreadablePart, isCertain: boolean): void {
    this.#push({ ...part, ...this.#place, isCertain, isNamed: false });
    this.#found(place);
  }

  get #place() {
    return { at: this.#at, documentsBefore: this.count, file: this.#file };
  }

  #push(part: Part): void {
    const root = part.root && clearText(part.root, SHOWN_NAME_LENGTH, this.#reply.redact);
    requireWithin(this.#parts.push({ ...part, root }), limits.unread);
  }

  /** Unread parts in the order of the reply, at its end. */
  #unread(): Part[] {
    return this.#parts.toSorted((one, other) => one.at - other.at);
  }

  /** The service's checks of a single document; with several they can't be assigned. */
  get checks(): ServiceChecks | undefined {
    const isOfOne = !this.#areChecksRepeated && this.#parts.length === 0;
    return isOfOne && Object.keys(this.#checks).length > 0 ? this.#checks : undefined;
  }

  /**
   * Warnings and unreadable documents, at the end of the reply.
   *
   * @throws Refused, Unreadable if nothing was found and the reply does not say that there is nothing
   */
  verdict(): { readonly warnings: ReplyWarning[]; readonly unreadable: readonly UnreadableDocument[] } {
    const unreadable = this.#unread().map(
      ({ file, documentsBefore, root, family, reason, outline }, index): UnreadableDocument => ({
        place: file ?? String(documentsBefore + index + 1),
        root,
        family,
        reason: REASONS[reason] ?? 'damaged',
        ...(outline && { outline }),
      }),
    );
    const unknown = unreadable.filter(({ outline }) => outline === undefined);
    if (this.count + this.#besides === 0 && unreadable.length === unknown.length) {
      const problem = this.#firstProblem();
      if (problem === undefined) return { warnings: this.#envelope.verdict(0), unreadable: [] };
      this.#envelope.requireNoRefusal();
      throw problem;
    }
    // A PDF alone counts as its document.
    const warnings = this.#envelope.verdict(Math.max(this.count + unreadable.length, 1));
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

  /** Error for a reply without the one document it should hold. */
  nothing(): Error {
    return this.#firstProblem() ?? this.#envelope.nothing();
  }

  /** The problem of the first part that was certainly a document. */
  #firstProblem(): Unreadable | undefined {
    const parts = this.#unread();
    const index = parts.findIndex(({ isCertain }) => isCertain);
    const part = parts[index];
    if (part === undefined) return undefined;
    const { reason, documentsBefore, family } = part;
    const place = reason === NO_DOCUMENT_IN_TEXT ? '' : `document ${documentsBefore + index + 1}: `;
    return new Unreadable(place + reason, family === undefined ? {} : { model: family });
  }
}
