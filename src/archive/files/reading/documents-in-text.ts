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

/** A document that the distribution service has packed is no larger than this. */
const LARGEST_PACKED = 32 * 1024 ** 2;
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

interface Reading extends FileContents {
  /** The outermost element of the first document of the text. */
  root: string | undefined;
  /** Whether something in it could hold documents in quotes. */
  hasPacked: boolean;
}

/** What tells of a document that was met and not read: by its own text where numbers were given up. */
function takeUnread(reading: Reading, { root, family, reason }: UnreadDocument, xml: string): void {
  const given = isGivingUp(root) ? readGivenUpNumbers(xml) : undefined;
  if (given !== undefined) reading.givenUp.push(given);
  else if (isGivingUp(root) || requests.has(root))
    reading.leftOut.push({ reason: 'not_issued', root, family });
  else reading.leftOut.push({ reason: reason === 'layout' ? 'other_model' : 'no_identity', root, family });
}

/** The documents in one packed text; what is damaged is told and harms nothing else. */
function takePacked(reading: Reading, base64: string): void {
  reading.hasPacked = true;
  try {
    const bytes = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: LARGEST_PACKED });
    const inner = readText(decodeText(bytes));
    reading.documents.push(...inner.documents);
    reading.givenUp.push(...inner.givenUp);
    reading.leftOut.push(...inner.leftOut);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_BUFFER_TOO_LARGE') reading.leftOut.push({ reason: 'too_large', root: PACKED });
    else reading.leftOut.push({ reason: reasonOfError(error) ?? 'malformed', root: PACKED });
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
      if (packed !== undefined && name === PACKED) takePacked(reading, packed.join(''));
      packed = undefined;
      documents.close(name);
      events.wantsText = false;
    },
  };
  return events;
}

/**
 * Everything in a text that is one XML document or several one after the other. Where the text is damaged, what was
 * whole before the damage counts, and the damage is told.
 */
export function readText(text: string): Reading {
  const reading: Reading = { documents: [], givenUp: [], leftOut: [], root: undefined, hasPacked: false };
  let at = 0;
  let reader: XmlReader | undefined;
  const position = () => ({ start: at + (reader?.tagStart ?? 0), end: at + (reader?.position ?? 0) });
  const tee = createTee(reading, text, position);
  let count = 0;
  try {
    for (;;) {
      const rest = text.slice(at).trimStart();
      if (rest === '') break;
      at = text.length - rest.length;
      reader = createXmlReader(tee);
      const used = reader.write(rest);
      if (!reader.rootClosed) reader.end();
      at += used;
      count++;
    }
  } catch (error) {
    const reason = reasonOfError(error);
    if (reason === undefined) throw error;
    // Nothing but blanks and comments after a document.
    if (!(count > 0 && reason === 'empty')) reading.leftOut.push({ reason, root: reading.root });
  }
  return reading;
}
