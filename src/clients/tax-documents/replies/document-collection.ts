import type { Call } from '../../errors.ts';
import type { Content, DocumentSink } from './content.ts';
import { createEnvelopeReader, type EnvelopeReader, refuseText } from './envelope.ts';
import type { ReceivedDocument, ServiceChecks } from './results.ts';
import { createCollector } from './text-sink.ts';
import { Unreadable } from './unreadable.ts';

const VALUE_LIMIT = 32 * 1024 * 1024;
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

/** Documents that are whole and wait to be taken. */
export interface DocumentCollection {
  readonly content: Content;
  readonly envelope: EnvelopeReader;
  /** Documents met so far. */
  readonly count: number;
  /** The one being read, counted from 1; undefined between documents. */
  readonly ordinal: number | undefined;
  /** Takes the documents whose surroundings have been read too; `all` at the end of the reply. */
  take(all: boolean): ReceivedDocument[];
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
    take(all: boolean): ReceivedDocument[] {
      if (all) release();
      return ready.splice(0);
    },
  };
}

/** What may come in a reply beside documents. Each function tells whether it took what it was given. */
export interface Beside {
  text(text: string): boolean;
  json(value: unknown): boolean;
  /** Characters of one value at most. */
  readonly valueLimit: number;
}

const nothingBeside: Beside = { text: () => false, json: () => false, valueLimit: VALUE_LIMIT };

/** Collects the documents of a reply. Values that are neither envelope nor check go to `beside`. */
export function createDocumentCollection(call: Call, beside: Beside = nothingBeside): DocumentCollection {
  const envelope = createEnvelopeReader(call);
  const matcher = createChecksMatcher();
  let isReading = false;
  let count = 0;
  let taken = 0;
  let takenBeforeEntry = 0;

  const documents: DocumentSink = {
    begin() {
      isReading = true;
    },
    complete(xml, summary) {
      isReading = false;
      count++;
      taken++;
      matcher.document({ xml, summary });
    },
  };

  function takeBeside(text: string): boolean {
    const isTaken = beside.text(text);
    if (isTaken) taken++;
    return isTaken;
  }

  function takeValue(name: string, text: string): void {
    const check = Object.hasOwn(CHECK_ELEMENTS, name) ? CHECK_ELEMENTS[name] : undefined;
    if (check !== undefined) matcher.check(check, text);
    else if (envelope.value(name, text) || takeBeside(text)) return;
    else if (name === DOCUMENT_PLACE) throw new Unreadable(`document ${count + 1}: not a document`);
    else envelope.unread();
  }

  const content: Content = {
    valueLimit: beside.valueLimit,
    opensValues: true,
    documents,
    open(name) {
      if (name === ENTRY) takenBeforeEntry = taken;
      envelope.open(name);
    },
    value: takeValue,
    close(name) {
      if (name === ENTRY && taken === takenBeforeEntry) {
        throw new Unreadable(`document ${count + 1}: no known layout`);
      }
      envelope.close();
    },
    bareText: () =>
      createCollector(beside.valueLimit, (text) => {
        if (!takeBeside(text.trim())) refuseText(call, text, 'no document in the text');
      }),
    empty: envelope.empty,
    json: (value) => beside.json(value),
  };

  return {
    content,
    envelope,
    get count() {
      return count;
    },
    get ordinal() {
      return isReading ? count + 1 : undefined;
    },
    take: (all) => matcher.take(all),
  };
}
