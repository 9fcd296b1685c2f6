import { setImmediate as letOthersRun } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import {
  type GivenUpNumbers,
  isGivingUp,
  readGivenUpNumbers,
} from '../../../documents/layouts/given-up-numbers.ts';
import { createDocumentReader, type UnreadDocument } from '../../../documents/summary/read-document.ts';
import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import { decodeText, EncodingError } from '../../../documents/xml/encoding.ts';
import { createXmlReader, type XmlAttributes, XmlError, type XmlReader } from '../../../documents/xml/xml.ts';
import type { LeftOutPart, LeftOutReason } from './left-out.ts';

/** A document or an event with its own text as it stands in the file. */
export interface FiledDocument {
  readonly summary: DocumentSummary;
  readonly xml: string;
}

/** What a text or a file holds. */
export interface FileContents {
  readonly documents: FiledDocument[];
  readonly givenUp: GivenUpNumbers[];
  readonly leftOut: LeftOutPart[];
}

const MEBIBYTE = 1024 ** 2;

/** What may come out of documents that the distribution service has packed; the ratio is that of a ZIP of the user's. */
const packedLimits = {
  /** Bytes of one. */
  one: 32 * MEBIBYTE,
  /** Bytes of all in one file, which are held together. */
  total: 256 * MEBIBYTE,
  /** How many times as large as the file they may be together. */
  ratio: 250,
  /** Bytes that those of a small file may have whatever its own size. */
  small: MEBIBYTE,
} as const;

/** Characters, texts and packed documents that are read without letting others run. */
const SLICE = 256 * 1024;
const TEXTS_TOGETHER = 4096;
/** Things of one file that can't be read: what has more is no file of a person's. */
const MOST_LEFT_OUT = 20_000;
/** What the distribution service calls a document packed by gzip and base64. Source: NT 2014.002, schema docZip. */
const PACKED = 'docZip';
/** Roots of what was sent to an authority and says nothing of its answer. */
const requests: ReadonlySet<string> = new Set([
  'inutNFe',
  'inutCTe',
  'Rps',
  'RPS',
  'LoteRps',
  'EnviarLoteRpsEnvio',
]);

/** What an error of reading means for a file; undefined for one that is none of the reader's. */
export function reasonOfError(error: unknown): LeftOutReason | undefined {
  if (error instanceof EncodingError) return 'encoding';
  if (!(error instanceof XmlError)) return undefined;
  const { reason } = error;
  if (reason === 'too_long') return 'too_large';
  return reason;
}

/** What reading a text comes to. */
export interface Reading extends FileContents {
  /** The outermost element of the first document of the text. */
  root: string | undefined;
  /** Whether something in it could hold documents in quotes. */
  hasPacked: boolean;
  /** Documents that were met packed and are yet to be read. */
  packed: string[];
}

/** Bytes that may still come out of what is packed in a file. */
interface Room {
  left: number;
}

/** What tells of a document that was met and not read: by its own text where numbers were given up. */
function takeUnread(reading: Reading, { root, family, reason }: UnreadDocument, xml: string): void {
  const given = isGivingUp(root) ? readGivenUpNumbers(xml) : undefined;
  if (given !== undefined) reading.givenUp.push(given);
  else if (isGivingUp(root) || requests.has(root))
    reading.leftOut.push({ reason: 'not_issued', root, family });
  else reading.leftOut.push({ reason: reason === 'layout' ? 'other_model' : 'no_identity', root, family });
}

function unpacked(base64: string, room: Room): Buffer {
  const most = Math.max(1, Math.min(packedLimits.one, room.left));
  const bytes = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: most });
  room.left -= bytes.length;
  return bytes;
}

/** The documents in one packed text; what is damaged is told and harms nothing else. */
function* takePacked(reading: Reading, base64: string, room: Room): Generator<void> {
  try {
    const inner = yield* readingOf(decodeText(unpacked(base64, room)), undefined);
    for (const document of inner.documents) reading.documents.push(document);
    for (const numbers of inner.givenUp) reading.givenUp.push(numbers);
    for (const part of inner.leftOut) reading.leftOut.push(part);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_BUFFER_TOO_LARGE') reading.leftOut.push({ reason: 'too_large', root: PACKED });
    else reading.leftOut.push({ reason: reasonOfError(error) ?? 'malformed', root: PACKED });
  }
}

/** Reads what was met packed since the last time; in what was packed itself nothing is. */
function* takeAllPacked(reading: Reading, room: Room | undefined): Generator<void> {
  const { packed } = reading;
  if (packed.length === 0) return;
  reading.packed = [];
  for (const base64 of packed) {
    if (room === undefined) reading.leftOut.push({ reason: 'too_deep', root: PACKED });
    else yield* takePacked(reading, base64, room);
    yield;
  }
}

/** Feeds the events of one XML text to the reader of documents, and takes packed ones out on the way. */
function createTee(reading: Reading, text: string, position: () => { start: number; end: number }) {
  const own = (start: number) => text.slice(start, position().end);
  const documents = createDocumentReader(
    (summary, start) => reading.documents.push({ summary, xml: own(start) }),
    () => position().start,
    (unread, start) => takeUnread(reading, unread, own(start)),
  );
  let packed: string[] | undefined;
  const events = {
    wantsText: false,
    open(name: string, attributes: XmlAttributes) {
      reading.root ??= name;
      const inside = documents.open(name, attributes);
      if (name === PACKED && documents.startedAt === undefined) packed = [];
      events.wantsText = packed !== undefined;
      return inside;
    },
    text(piece: string) {
      packed?.push(piece);
    },
    close(name: string) {
      if (packed !== undefined && name === PACKED) {
        reading.hasPacked = true;
        reading.packed.push(packed.join(''));
      }
      packed = undefined;
      documents.close(name);
      events.wantsText = false;
    },
  };
  return events;
}

function blankUntil(text: string, from: number): number {
  return text.length - text.slice(from).trimStart().length;
}

/** Reads a text and gives way now and then. `room` is undefined within what was packed. */
function* readingOf(text: string, room: Room | undefined): Generator<void, Reading> {
  const reading: Reading = {
    documents: [],
    givenUp: [],
    leftOut: [],
    root: undefined,
    hasPacked: false,
    packed: [],
  };
  let at = 0;
  let reader: XmlReader | undefined;
  const position = () => ({ start: at + (reader?.tagStart ?? 0), end: at + (reader?.position ?? 0) });
  const tee = createTee(reading, text, position);
  let count = 0;
  try {
    for (at = blankUntil(text, 0); at < text.length; at = blankUntil(text, at)) {
      reader = createXmlReader(tee);
      let to = at;
      while (to < text.length && !reader.rootClosed) {
        to += reader.write(text.slice(to, to + SLICE));
        yield* takeAllPacked(reading, room);
        if (reading.leftOut.length > MOST_LEFT_OUT) throw new XmlError('too_long', to);
        if (!reader.rootClosed) yield;
      }
      if (!reader.rootClosed) reader.end();
      at = to;
      if (++count % TEXTS_TOGETHER === 0) yield;
    }
  } catch (error) {
    yield* takeAllPacked(reading, room);
    const reason = reasonOfError(error);
    if (reason === undefined) throw error;
    // Nothing but blanks and comments after a document.
    if (!(count > 0 && reason === 'empty')) reading.leftOut.push({ reason, root: reading.root });
  }
  return reading;
}

/**
 * Everything in a text that is one XML document or several one after the other. Where the text is damaged, what was
 * whole before the damage counts, and the damage is told. A long one lets others run while it is read; the small ones
 * that nearly all are, are read at once.
 */
export function readText(text: string): Reading | Promise<Reading> {
  const { total, ratio, small } = packedLimits;
  const steps = readingOf(text, { left: Math.min(total, Math.max(text.length * ratio, small)) });
  const first = steps.next();
  return first.done === true ? first.value : readOn(steps);
}

async function readOn(steps: Generator<void, Reading>): Promise<Reading> {
  for (;;) {
    await letOthersRun();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
