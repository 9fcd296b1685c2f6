import { asWord } from '../../../documents/untrusted.ts';
import { Unreadable } from '../pieces/forms.ts';
import type { Piece } from '../pieces/piece.ts';
import { createEnvelopeReader, refuseNoAction, type Verdict } from './envelope.ts';
import type {
  ReceivedDocument,
  ReplyBody,
  ReplyWarning,
  ServiceChecks,
  UnreadableDocument,
} from './results.ts';
import { createUnreadParts } from './unread-parts.ts';

const CHECK_ELEMENTS: Readonly<Record<string, keyof ServiceChecks>> = {
  vIntegridade: 'integrity',
  vSefaz: 'sefaz',
  vCadastral: 'registration',
};

/** Parts that could not be read which a remark names. */
const MOST_NAMED = 5;

type Checks = { -readonly [K in keyof ServiceChecks]: ServiceChecks[K] };

/** What is to be said of all documents of a reply at its end. */
export interface CollectionVerdict extends Verdict {
  readonly unreadable: readonly UnreadableDocument[];
}

/** Collects the documents of a reply out of its pieces. */
export interface DocumentCollection {
  /** Documents met so far. */
  readonly count: number;
  take(piece: Piece): void;
  /** The documents whose surroundings have been read too, to be had once; `all` at the end of the reply. */
  ready(all: boolean): ReceivedDocument[];
  /**
   * @throws Refused, Unreadable where there is no document, nor anything beside, and nothing says that there is none
   */
  verdict(): CollectionVerdict;
  /** The error for a reply that should have held one document and holds none. */
  nothing(): Error;
}

/**
 * Brings documents and the service's checks of them together: the checks stand beside a document, all before or all
 * after it. One document at most is held back for them.
 */
function createChecksMatcher() {
  const ready: ReceivedDocument[] = [];
  let held: ReceivedDocument | undefined;
  let checksCameFirst = false;
  let checks: Checks = {};

  function release(): void {
    if (held !== undefined) ready.push(held);
    held = undefined;
  }

  /** Whether checks that come now are those of a document that was not read. */
  let isPassedOver = false;

  return {
    document(document: ReceivedDocument): void {
      release();
      checksCameFirst = Object.keys(checks).length > 0;
      held = checksCameFirst ? { ...document, service_checks: checks } : document;
      checks = {};
      isPassedOver = false;
    },
    /** A document that can't be read has checks of its own. */
    passOver(): void {
      release();
      isPassedOver = Object.keys(checks).length === 0 && !checksCameFirst;
      checks = {};
    },
    check(name: keyof ServiceChecks, value: string): void {
      if (isPassedOver) return;
      if (checksCameFirst) release();
      if (held === undefined) checks[name] = value;
      else held = { ...held, service_checks: { ...held.service_checks, [name]: value } };
    },
    ready(all: boolean): ReceivedDocument[] {
      if (all) release();
      return ready.length === 0 ? ready : ready.splice(0);
    },
  };
}

/** Takes what comes beside documents. */
export interface Beside {
  /** Text, or a value that is neither envelope nor check; false where it is nothing that is known. */
  takeText(text: string): boolean;
  takeBytes(bytes: Uint8Array): void;
}

const nothingBeside: Beside = { takeText: () => false, takeBytes: () => {} };

function unreadableWarning(unreadable: readonly UnreadableDocument[]): ReplyWarning {
  const named = unreadable
    .slice(0, MOST_NAMED)
    .map(({ place, root }) => (root ? `${asWord(place)} (${asWord(root)})` : asWord(place)));
  const places = unreadable.length > named.length ? [...named, '…'] : named;
  return { code: 'unreadable', values: { count: String(unreadable.length), places: places.join(', ') } };
}

export function createDocumentCollection(
  reply: ReplyBody,
  beside: Beside = nothingBeside,
): DocumentCollection {
  const envelope = createEnvelopeReader(reply);
  const matcher = createChecksMatcher();
  const parts = createUnreadParts(reply.redact);
  let count = 0;
  let besides = 0;

  function isBeside(text: string): boolean {
    if (!beside.takeText(text)) return false;
    besides++;
    parts.taken();
    return true;
  }

  function takeValue(name: string, text: string): void {
    const check = Object.hasOwn(CHECK_ELEMENTS, name) ? CHECK_ELEMENTS[name] : undefined;
    if (check !== undefined) {
      matcher.check(check, text);
      return;
    }
    if (isBeside(text)) return;
    if (parts.unread()) matcher.passOver();
    envelope.unread();
  }

  function takeText(text: string): void {
    if (isBeside(text.trim())) return;
    refuseNoAction(reply, text);
    parts.unreadText();
  }

  function nothingFound(): Verdict {
    const reason = parts.firstReason();
    if (reason === undefined) return envelope.verdict(0);
    envelope.requireNoRefusal();
    throw new Unreadable(reason);
  }

  return {
    get count() {
      return count;
    },
    take(piece) {
      if (parts.follow(piece) || piece.kind === 'unreadable') matcher.passOver();
      if (envelope.follow(piece)) {
        if (piece.kind === 'value') parts.envelopes();
      } else if (piece.kind === 'document') {
        count++;
        matcher.document({ xml: piece.xml, summary: piece.summary });
      } else if (piece.kind === 'value') takeValue(piece.name, piece.text);
      else if (piece.kind === 'text') takeText(piece.text);
      else if (piece.kind === 'bytes') {
        besides++;
        beside.takeBytes(piece.bytes);
      }
    },
    ready: matcher.ready,
    verdict() {
      if (count + besides === 0) return { ...nothingFound(), unreadable: [] };
      const unreadable = parts.list();
      const said = envelope.verdict(Math.max(count, 1) + unreadable.length);
      const warnings = unreadable.length === 0 ? [] : [unreadableWarning(unreadable)];
      return { ...said, unreadable, warnings: [...said.warnings, ...warnings] };
    },
    nothing() {
      const reason = parts.firstReason();
      return reason === undefined ? envelope.nothing() : new Unreadable(reason);
    },
  };
}
