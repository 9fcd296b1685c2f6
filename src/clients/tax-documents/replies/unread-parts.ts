import { isDocumentRoot, mayBeWrapper } from '../../../documents/summary/read-document.ts';
import type { Redact } from '../../http/call.ts';
import { clearText } from '../../http/redact.ts';
import { limits, requireWithin } from '../pieces/limits.ts';
import type { Piece, UnreadablePart } from '../pieces/piece.ts';
import type { UnreadableDocument, UnreadableReason } from './results.ts';

/** What the service calls an entry of its lists of NFS-e; a document must be in it. */
const ENTRY = 'NFSe';
/** Where the service puts a document. */
const DOCUMENT_PLACE = 'Conteudo';
const RETURNED = 'retorno';
const WRAPPERS: ReadonlySet<string> = new Set([ENTRY, DOCUMENT_PLACE, RETURNED, 'xml']);
/** Groups that stand beside documents and are none, in the layouts of the service and of cities. */
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

/** A part of a reply that nobody could read. */
interface Part extends UnreadablePart {
  /** How many pieces came before it, and how many of them were documents. */
  readonly at: number;
  readonly documentsBefore: number;
  /** The file of a zip that it is in, as it may be shown. */
  readonly file: string | undefined;
  /** Whether it was a document for certain, and not only may have been one. */
  readonly isCertain: boolean;
  /** Whether `root` is the outermost element of a text of its own. */
  readonly isNamed: boolean;
}

interface Frame {
  readonly name: string;
  readonly isRoot: boolean;
  readonly at: number;
  hasChildren: boolean;
  /** Documents, read or not, and other things that were taken, in it and in what is in it. */
  found: number;
  /** Values in it that nobody took. */
  hasUnread: boolean;
  /** Whether the service says something of its answer in it. */
  isEnvelope: boolean;
  hasReturned: boolean;
  /** Groups in it of which nothing was taken. */
  readonly strange: Part[];
}

/** Whether an element of this name is a document and nothing else. */
function isDocument(name: string): boolean {
  return isDocumentRoot(name) && !mayBeWrapper(name);
}

/** Follows the frame of a reply and finds in it what may have been a document and was not read as one. */
export interface UnreadParts {
  /** Gives whether an entry or a document's place ended without a document in it. */
  follow(piece: Piece): boolean;
  /** Something that stands here was taken: a document, or what may come beside it. */
  taken(): void;
  /** A value was the envelope's. */
  envelopes(): void;
  /** A value was nobody's. Gives whether it stood in a document's place. */
  unread(): boolean;
  /** A text outside of any frame was nobody's. */
  unreadText(): void;
  /** All of them, in the order they came. To be asked for at the end. */
  list(): UnreadableDocument[];
  /** What is wrong with the first that was a document for certain, in the decoder's words. */
  firstReason(): string | undefined;
}

/**
 * What was not read is found by exclusion: a group of elements of which nothing was taken, where documents stand beside
 * it or were to stand. A group that surrounds others counts as one with them.
 */
export function createUnreadParts(redact: Redact): UnreadParts {
  const path: Frame[] = [];
  const parts: Part[] = [];
  let at = 0;
  let documents = 0;
  let file: string | undefined;

  function add(part: UnreadablePart, isCertain: boolean): void {
    push({ ...part, at, documentsBefore: documents, file, isCertain, isNamed: false });
    taken();
  }

  function push(part: Part): void {
    requireWithin(parts.length, limits.unread);
    parts.push({ ...part, root: part.root && clearText(part.root, SHOWN_NAME_LENGTH, redact) });
  }

  function taken(): void {
    const frame = path.at(-1);
    if (frame !== undefined) frame.found++;
  }

  function open({ name, isRoot }: Piece & { kind: 'open' }): void {
    const parent = path.at(-1);
    if (parent !== undefined) {
      parent.hasChildren = true;
      parent.hasReturned ||= name === RETURNED;
    }
    path.push({
      name,
      isRoot,
      at,
      hasChildren: false,
      found: 0,
      hasUnread: false,
      isEnvelope: false,
      hasReturned: false,
      strange: [],
    });
  }

  function close(): boolean {
    const frame = path.pop();
    if (frame === undefined) return false;
    const { name } = frame;
    const isMissing = (name === ENTRY || name === DOCUMENT_PLACE) && frame.found === 0;
    if (frame.found > 0 || WRAPPERS.has(name)) {
      keepStrange(frame);
      if (name === ENTRY && frame.found === 0) keep(frame, strangeOf(frame));
    } else if (isStrange(frame)) leaveToParent(strangeOf(frame));
    const parent = path.at(-1);
    if (parent !== undefined) {
      parent.found += frame.found;
      parent.hasUnread ||= frame.hasUnread && !frame.hasChildren;
    }
    return isMissing;
  }

  function isStrange({ name, hasChildren, hasUnread, isEnvelope, strange }: Frame): boolean {
    if (isDocument(name)) return true;
    return hasChildren && !isEnvelope && (hasUnread || strange.length > 0);
  }

  /** Named by the outermost element of a text of its own, where it has one, else by its own. */
  function strangeOf(frame: Frame): Part {
    const [first] = frame.strange;
    const inner = !frame.isRoot && first?.isNamed === true ? first : undefined;
    return {
      root: inner?.root ?? frame.name,
      reason: 'no known layout',
      at: frame.at,
      documentsBefore: documents,
      file,
      isCertain: frame.name === ENTRY || isDocument(frame.name),
      isNamed: frame.isRoot || inner !== undefined,
    };
  }

  /** Outside of everything it stands beside whatever else there is. */
  function leaveToParent(part: Part): void {
    const parent = path.at(-1);
    if (parent === undefined) push(part);
    else {
      requireWithin(parent.strange.length, limits.unread);
      parent.strange.push(part);
    }
  }

  function keepStrange(frame: Frame): void {
    for (const part of frame.strange) {
      if (!frame.hasReturned && !NO_DOCUMENT.test(part.root ?? '')) keep(frame, part);
    }
  }

  function keep(frame: Frame, part: Part): void {
    push(part);
    frame.found++;
  }

  function placeOf({ file, documentsBefore }: Part, index: number): string {
    return file ?? String(documentsBefore + index + 1);
  }

  function sorted(): Part[] {
    return parts.toSorted((one, other) => one.at - other.at);
  }

  return {
    follow(piece) {
      at++;
      if (piece.kind === 'open') open(piece);
      else if (piece.kind === 'close') return close();
      else if (piece.kind === 'file') file = clearText(piece.name, SHOWN_FILE_LENGTH, redact);
      else if (piece.kind === 'unreadable') add(piece, true);
      else if (piece.kind === 'document') {
        taken();
        documents++;
      }
      return false;
    },
    taken,
    envelopes() {
      const frame = path.at(-2);
      if (frame !== undefined) frame.isEnvelope = true;
    },
    unread() {
      const frame = path.at(-1);
      if (frame === undefined) return false;
      const isPlace = frame.name === DOCUMENT_PLACE;
      const isPlaced = isPlace || frame.name === RETURNED || path.at(-2)?.name === RETURNED;
      if (isPlaced) add({ root: isPlace ? undefined : frame.name, reason: 'not a document' }, isPlace);
      else frame.hasUnread = true;
      return isPlaced;
    },
    unreadText: () => add({ reason: 'no document in the text' }, true),
    list: () =>
      sorted().map((part, index) => ({
        place: placeOf(part, index),
        root: part.root,
        family: part.family,
        reason: REASONS[part.reason] ?? 'damaged',
      })),
    firstReason() {
      const all = sorted();
      const index = all.findIndex(({ isCertain }) => isCertain);
      const part = all[index];
      if (part === undefined) return undefined;
      const isText = part.reason === 'no document in the text';
      return isText ? part.reason : `document ${part.documentsBefore + index + 1}: ${part.reason}`;
    },
  };
}
