import { isDocumentRoot, mayBeWrapper } from '../../../documents/summary/read-document.ts';
import type { Redact } from '../../http/call.ts';
import { clearText } from '../../http/redact.ts';
import { limits, requireWithin, Unreadable } from '../decoding/limits.ts';
import type { Element, Piece, UnreadablePart } from '../decoding/reading.ts';
import { RETURNED } from './envelope.ts';
import type { UnreadableDocument, UnreadableReason } from './results.ts';

/** The service's name for an entry of its lists of NFS-e; a document must be in it. */
const ENTRY = 'NFSe';
/** Where the service puts a document. */
const DOCUMENT_PLACE = 'Conteudo';
const WRAPPERS: ReadonlySet<string> = new Set([ENTRY, DOCUMENT_PLACE, RETURNED, 'xml']);
/** Groups beside documents that are none, in the layouts of the service and of cities. */
const NO_DOCUMENT = /^(?:cabec|header$|signature$|assinatura$)/i;
const SHOWN_NAME_LENGTH = 60;
const SHOWN_FILE_LENGTH = 120;

const REASONS: Readonly<Record<string, UnreadableReason>> = {
  'no known layout': 'unknown_layout',
  'no identity': 'no_identity',
  malformed: 'malformed',
  truncated: 'truncated',
  'not a document': 'no_document',
  'no document in the text': 'no_document',
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

/** Whether an element of this name is a document and nothing else. */
function isDocument(name: string): boolean {
  return isDocumentRoot(name) && !mayBeWrapper(name);
}

/**
 * Follows the frame of a reply and finds documents that were not read, by exclusion: a group of elements of which nothing
 * was taken, where documents stand beside it or were to stand. A group that surrounds others counts as one with them.
 */
export class UnreadParts {
  readonly #redact: Redact;
  readonly #path: Frame[] = [];
  readonly #parts: Part[] = [];
  #at = 0;
  #documents = 0;
  #file: string | undefined;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  follow(piece: Piece): void {
    this.#at++;
    if (piece.kind === 'close') this.#close();
    else if (piece.kind === 'open') this.#open(piece.element);
    else if (piece.kind === 'file') this.#file = clearText(piece.name, SHOWN_FILE_LENGTH, this.#redact);
    else if (piece.kind === 'unreadable') this.#add(piece, true);
    else if (piece.kind === 'document') {
      this.taken();
      this.#documents++;
    }
  }

  /** Something that stands here was taken: a document, or a PDF beside it. */
  taken(): void {
    const frame = this.#path.at(-1);
    if (frame !== undefined) frame.found++;
  }

  /** A value was the envelope's. */
  envelopes(): void {
    const frame = this.#path.at(-2);
    if (frame !== undefined) frame.isEnvelope = true;
  }

  /** Notes a value that was not understood. */
  unread({ name, parent }: Element): void {
    const isPlace = name === DOCUMENT_PLACE;
    const isPlaced = isPlace || name === RETURNED || parent?.name === RETURNED;
    const frame = this.#path.at(-1);
    if (isPlaced) this.#add({ root: isPlace ? undefined : name, reason: 'not a document' }, isPlace);
    else if (frame !== undefined) frame.hasUnread = true;
  }

  /** Notes a text outside of any frame that was not understood. */
  unreadText(): void {
    this.#add({ reason: 'no document in the text' }, true);
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
    const isText = part.reason === 'no document in the text';
    const reason = isText ? part.reason : `document ${part.documentsBefore + index + 1}: ${part.reason}`;
    return new Unreadable(reason, part.family);
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
    const { hasChildren, hasUnread, isEnvelope, strange } = frame;
    const { name } = frame.element;
    const isGroup = hasChildren && !isEnvelope && (hasUnread || strange.length > 0);
    if (frame.found > 0 || WRAPPERS.has(name)) {
      for (const part of strange) {
        if (!frame.hasReturned && !NO_DOCUMENT.test(part.root ?? '')) this.#keep(frame, part);
      }
      if (name === ENTRY && frame.found === 0) this.#keep(frame, this.#strangeOf(frame));
    } else if (isDocument(name) || isGroup) this.#leaveToParent(this.#strangeOf(frame));
    const parent = this.#path.at(-1);
    if (parent !== undefined) {
      parent.found += frame.found;
      parent.hasUnread ||= frame.hasUnread && !frame.hasChildren;
    }
  }

  /** Named by the outermost element of a text of its own, where it has one, else by its own. */
  #strangeOf({ element: { name, isRoot }, at, strange: [first] }: Frame): Part {
    const inner = !isRoot && first?.isNamed === true ? first : undefined;
    return {
      root: inner?.root ?? name,
      reason: 'no known layout',
      at,
      documentsBefore: this.#documents,
      file: this.#file,
      isCertain: name === ENTRY || isDocument(name),
      isNamed: isRoot || inner !== undefined,
    };
  }

  /** Leaves the decision to the parent, where there is one. */
  #leaveToParent(part: Part): void {
    const strange = this.#path.at(-1)?.strange;
    if (strange === undefined) this.#push(part);
    else requireWithin(strange.push(part), limits.unread);
  }

  #keep(frame: Frame, part: Part): void {
    this.#push(part);
    frame.found++;
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
