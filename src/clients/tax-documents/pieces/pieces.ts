import { createTextDecoder, enoughToChooseEncoding } from '../../../documents/xml/encoding.ts';
import { collect } from '../../http/body.ts';
import { sketchStart } from '../../http/sketch.ts';
import { createPace, takingTurns } from '../../pace.ts';
import { afterDamage, isOwnDamage, type Quoting, readEntry } from './entry.ts';
import { enoughToTell, formOfBytes, formOfText, reasonOf, Unreadable } from './forms.ts';
import { readJson } from './json.ts';
import { bounded, limits, requireWithin } from './limits.ts';
import type { Piece, Reading } from './piece.ts';
import { MORE, type More, TextCursor } from './text-cursor.ts';
import { filesOf, type ReplyFile } from './unpacking.ts';
import { readXml } from './xml.ts';

/**
 * Reads a reply as it arrives: bytes are unpacked and decoded, and one layer of quoting after the other is taken off,
 * each recognised by how it begins. Gives what was read of each part of the text that came, so that nothing is read
 * before it is asked for.
 *
 * @throws Unreadable, XmlError, EncodingError; what iterating `body` throws
 */
export async function* piecesOf(
  body: AsyncIterable<Uint8Array>,
  contentType: string | undefined,
  reading: Reading,
): AsyncGenerator<readonly Piece[]> {
  const { limits: most, forms } = reading;
  try {
    for await (const file of filesOf(body, most.unpacked, forms)) {
      const pieces = piecesOfFile(file, contentType, reading);
      if (file.name === undefined || reading.takes.documents !== true) yield* pieces;
      else yield* piecesOfEntry(file.name, pieces, reading);
    }
  } catch (error) {
    throw placed(error, reading);
  }
}

async function* piecesOfFile(
  { first, bytes }: ReplyFile,
  contentType: string | undefined,
  reading: Reading,
): AsyncGenerator<readonly Piece[]> {
  const most = reading.limits.unpacked;
  if (reading.takes.bytes === true && formOfBytes(first) === 'pdf') {
    reading.forms.note('pdf', 'pdf');
    yield [{ kind: 'bytes', bytes: await collect(bounded(bytes, most)) }];
    return;
  }
  yield* readText(bounded(decoded(bytes, first, contentType), most), reading);
}

/** One file among others: where it is damaged it is given as unreadable, and the others are read. */
async function* piecesOfEntry(
  name: string,
  parts: AsyncIterable<readonly Piece[]>,
  reading: Reading,
): AsyncGenerator<readonly Piece[]> {
  const open: string[] = [];
  yield [{ kind: 'file', name }];
  try {
    for await (const pieces of parts) {
      for (const piece of pieces) {
        if (piece.kind === 'open') open.push(piece.name);
        else if (piece.kind === 'close') open.pop();
      }
      yield pieces;
    }
  } catch (error) {
    if (!isOwnDamage(error, false)) throw error;
    yield [...afterDamage(error, open, reading)];
  }
}

/** What the text says of its own encoding comes first, then the header's charset, then UTF-8. */
async function* decoded(
  body: AsyncIterable<Uint8Array>,
  first: Uint8Array,
  contentType = '',
): AsyncGenerator<string> {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const start = Buffer.from(first.subarray(0, enoughToChooseEncoding)).toString('latin1');
  const saysItself = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff|\s*<\?xml[^>]*\sencoding)/.test(start);
  const declared = saysItself || charset === undefined ? first : declarationOf(charset);
  const decoder = createTextDecoder(declared);
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += limits.slice) {
      yield decoder.write(chunk.subarray(at, at + limits.slice));
    }
  }
  yield decoder.end();
}

function declarationOf(charset: string): Uint8Array {
  return Buffer.from(`<?xml version="1.0" encoding="${charset}"?>`, 'latin1');
}

/** Drives the layers: brings a part of the text each time they have used up what was there. */
async function* readText(text: AsyncIterable<string>, reading: Reading): AsyncGenerator<readonly Piece[]> {
  let arrived: string | undefined;
  let hasEnded = false;

  function* source(): Generator<string | More> {
    while (!hasEnded || arrived !== undefined) {
      if (arrived === undefined) yield MORE;
      else {
        const part = arrived;
        arrived = undefined;
        yield part;
      }
    }
  }

  const layers = readLayer(new TextCursor(source()), reading, 0);
  const pace = createPace();
  let isOver = false;

  /** What the layers give until they need more, or a turn. What came before an error is given before it. */
  function* readUntilMore(): Generator<readonly Piece[]> {
    let pieces: Piece[] = [];
    try {
      for (;;) {
        const next = layers.next();
        isOver = next.done === true;
        if (next.done === true || next.value === MORE) break;
        pieces.push(next.value);
        if (pieces.length < limits.piecesTogether) continue;
        yield pieces;
        pieces = [];
      }
    } catch (error) {
      if (pieces.length > 0) yield pieces;
      throw error;
    }
    if (pieces.length > 0) yield pieces;
  }

  /** Reads what has arrived, which is so many units of work, and on, by slices, what stands unread inside a layer. */
  async function* readOn(arrival: number): AsyncGenerator<readonly Piece[]> {
    let units = arrival;
    do {
      for (const pieces of readUntilMore()) {
        yield pieces;
        if (pace.did(pieces.length)) await pace.rest();
      }
      if (pace.did(units)) await pace.rest();
      units = limits.workOfSlice;
    } while (!isOver && (arrived !== undefined || hasEnded));
  }

  const turns = takingTurns();
  try {
    for await (const part of text) {
      if (reading.start.length < sketchStart)
        reading.start += part.slice(0, sketchStart - reading.start.length);
      arrived = part;
      const units = (limits.workOfSlice * part.length) / limits.slice;
      await turns.next(units);
      yield* readOn(units);
    }
    hasEnded = true;
    yield* readOn(0);
  } finally {
    turns.end();
  }
}

/** An error in the middle of a document says which one it is. */
function placed(error: unknown, { isInDocument, documents }: Reading): unknown {
  const reason = reasonOf(error);
  return isInDocument && reason !== undefined
    ? new Unreadable(`document ${documents + 1}: ${reason}`)
    : error;
}

/** Takes off one layer of quoting: a JSON string or array, the string wrapper and XML, bare text. */
function* readLayer(text: TextCursor, reading: Reading, depth: number): Generator<Piece | More> {
  const { forms } = reading;

  function* inside(inner: TextCursor, quoting: Quoting): Generator<Piece | More> {
    if (depth + 1 > limits.layers) throw new Unreadable('nested too deeply');
    yield* readQuoted(inner, quoting, reading, depth + 1);
  }

  switch (formOfText(yield* text.start(enoughToTell))) {
    case 'json':
      return yield* readJson(text, reading, inside);
    case 'xml':
      forms.noteKind('xml');
      return yield* readMarkup(text, reading, depth);
    case 'html':
      forms.note('html', 'html');
      throw new Unreadable('html page');
    case 'text':
      forms.note('text', 'text');
      return yield* readBareText(text, reading, depth > 0);
    case 'empty':
      if (depth === 0) throw new Unreadable('empty');
      forms.note('empty string');
      yield { kind: 'empty', form: 'empty string' };
  }
}

function readMarkup(text: TextCursor, reading: Reading, depth: number): Generator<Piece | More> {
  return readXml(text, reading, (inner, quoting) => {
    if (depth >= limits.layers) throw new Unreadable('nested too deeply');
    return readQuoted(inner, quoting, reading, depth + 1);
  });
}

function readQuoted(
  text: TextCursor,
  { form, isEntry }: Quoting,
  reading: Reading,
  depth: number,
): Generator<Piece | More> {
  const layer = form === 'markup' ? readMarkup(text, reading, depth) : readLayer(text, reading, depth);
  return isEntry && reading.takes.documents === true ? readEntry(text, layer, reading) : layer;
}

function* readBareText(text: TextCursor, reading: Reading, isQuoted: boolean): Generator<Piece | More> {
  const isInParts = reading.takes.textInParts === true;
  let gathered = '';
  for (;;) {
    const part = yield* text.take();
    if (part === undefined) break;
    gathered += part;
    if (!isInParts) requireWithin(gathered.length, reading.limits.value);
    else if (gathered.length > limits.shortText) {
      yield { kind: 'text', text: gathered, isLast: false, isQuoted };
      gathered = '';
    }
  }
  yield { kind: 'text', text: gathered, isLast: true, isQuoted };
}
