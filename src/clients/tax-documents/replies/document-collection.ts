import type { Call } from '../../errors.ts';
import { Unreadable } from '../pieces/forms.ts';
import type { Piece } from '../pieces/piece.ts';
import { createEnvelopeReader, type EnvelopeReader, refuseText } from './envelope.ts';
import type { ReceivedDocument, ServiceChecks } from './results.ts';

/** What the service calls an entry of its lists of NFS-e; a document must be in it. */
const ENTRY = 'NFSe';
/** Where the service puts a document. */
const DOCUMENT_PLACE = 'Conteudo';

const CHECK_ELEMENTS: Readonly<Record<string, keyof ServiceChecks>> = {
  vIntegridade: 'integrity',
  vSefaz: 'sefaz',
  vCadastral: 'registration',
};

type Checks = { -readonly [K in keyof ServiceChecks]: ServiceChecks[K] };

/** Collects the documents of a reply out of its pieces. */
export interface DocumentCollection {
  readonly envelope: EnvelopeReader;
  /** Documents met so far. */
  readonly count: number;
  take(piece: Piece): void;
  /** The documents whose surroundings have been read too, to be had once; `all` at the end of the reply. */
  ready(all: boolean): ReceivedDocument[];
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

  return {
    document(document: ReceivedDocument): void {
      release();
      checksCameFirst = Object.keys(checks).length > 0;
      held = checksCameFirst ? { ...document, service_checks: checks } : document;
      checks = {};
    },
    check(name: keyof ServiceChecks, value: string): void {
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

export function createDocumentCollection(call: Call, beside: Beside = nothingBeside): DocumentCollection {
  const envelope = createEnvelopeReader(call);
  const matcher = createChecksMatcher();
  let count = 0;
  let taken = 0;
  let takenBeforeEntry = 0;

  function isBeside(text: string): boolean {
    const isTaken = beside.takeText(text);
    if (isTaken) taken++;
    return isTaken;
  }

  function takeOther(name: string, text: string): void {
    const check = Object.hasOwn(CHECK_ELEMENTS, name) ? CHECK_ELEMENTS[name] : undefined;
    if (check !== undefined) matcher.check(check, text);
    else if (isBeside(text)) return;
    else if (name === DOCUMENT_PLACE) throw new Unreadable(`document ${count + 1}: not a document`);
    else envelope.unread();
  }

  return {
    envelope,
    get count() {
      return count;
    },
    take(piece) {
      if (piece.kind === 'document') {
        count++;
        taken++;
        matcher.document({ xml: piece.xml, summary: piece.summary });
      } else if (piece.kind === 'bytes') beside.takeBytes(piece.bytes);
      else if (piece.kind === 'text') {
        if (!isBeside(piece.text.trim())) refuseText(call, piece.text, 'no document in the text');
      } else if (piece.kind === 'open' && piece.name === ENTRY) takenBeforeEntry = taken;
      else if (piece.kind === 'close' && piece.name === ENTRY && taken === takenBeforeEntry) {
        throw new Unreadable(`document ${count + 1}: no known layout`);
      }
      if (!envelope.follow(piece) && piece.kind === 'value') takeOther(piece.name, piece.text);
    },
    ready: matcher.ready,
  };
}
