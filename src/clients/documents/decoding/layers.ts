import { setImmediate as letOthersRun } from 'node:timers/promises';
import { createTextDecoder, enoughToChooseEncoding } from '../../../documents/xml/encoding.ts';
import { collect } from '../../http/exchange.ts';
import { sketchStart } from '../../http/redact.ts';
import { enoughToTell, formOfBytes, formOfText } from './forms.ts';
import { createJsonReader, type OpenText } from './json.ts';
import { bounded, limits, type Reading, type TextReader, Unreadable } from './reading.ts';
import { filesOf, type ReplyFile } from './unpacking.ts';
import { createMarkupReader } from './xml.ts';

/**
 * Reads a reply as it arrives: unpacks and decodes bytes, then removes one layer of quoting after another, each
 * detected from its start. Yields after each chunk, so that its pieces can be taken.
 *
 * @throws Unreadable, XmlError, EncodingError; errors of the body
 */
export async function* readParts(
  body: AsyncIterable<Uint8Array>,
  contentType: string | undefined,
  reading: Reading,
): AsyncGenerator<void> {
  try {
    for await (const file of filesOf(body, reading.limits.unpacked, reading)) {
      const isOfMany = file.name !== undefined && reading.takes.documents === true;
      if (isOfMany) reading.emit({ kind: 'file', name: file.name });
      const begun = reading.place();
      try {
        yield* readFile(file, contentType, reading);
      } catch (error) {
        if (!isOfMany) throw error;
        // A damaged file among others is reported as unreadable; the others are read.
        reading.contain(error, begun, true);
      }
      yield;
    }
  } catch (error) {
    throw reading.placed(error);
  }
}

async function* readFile(
  { first, bytes }: ReplyFile,
  contentType: string | undefined,
  reading: Reading,
): AsyncGenerator<void> {
  const most = reading.limits.unpacked;
  if (reading.takes.bytes === true && formOfBytes(first) === 'pdf') {
    reading.note('pdf', 'pdf');
    reading.emit({ kind: 'bytes', bytes: await collect(bounded(bytes, most)) });
    return;
  }
  const layer = createLayer(reading, 0);
  let sinceTurn = 0;
  for await (const text of bounded(decoded(bytes, first, contentType), most)) {
    const lacking = sketchStart - reading.start.length;
    if (lacking > 0) reading.start += text.slice(0, lacking);
    layer.write(text);
    yield;
    sinceTurn += text.length;
    if (sinceTurn < limits.turn) continue;
    sinceTurn = 0;
    await letOthersRun();
  }
  layer.end();
}

/** Decodes by the text's own declaration, else the header's charset, else UTF-8. */
async function* decoded(
  body: AsyncIterable<Uint8Array>,
  first: Uint8Array,
  contentType = '',
): AsyncGenerator<string> {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const start = Buffer.from(first.subarray(0, enoughToChooseEncoding)).toString('latin1');
  const saysItself = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff|\s*<\?xml[^>]*\sencoding)/.test(start);
  const isByHeader = !saysItself && charset !== undefined;
  const declaration = Buffer.from(`<?xml version="1.0" encoding="${charset}"?>`, 'latin1');
  const decoder = createTextDecoder(isByHeader ? declaration : first);
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += limits.slice) {
      yield decoder.write(chunk.subarray(at, at + limits.slice));
    }
  }
  yield decoder.end();
}

/** Removes one layer of quoting: a JSON string or array, the string wrapper and XML, bare text. */
function createLayer(reading: Reading, depth: number): TextReader {
  let held = '';
  let content: TextReader | undefined;

  function begin(): TextReader {
    content = readerOf(held, reading, depth);
    content.write(held);
    return content;
  }

  return {
    write(text) {
      if (content !== undefined) content.write(text);
      else {
        held = (held + text).trimStart();
        if (held.length >= enoughToTell) begin();
      }
    },
    end() {
      (content ?? begin()).end();
    },
  };
}

function readerOf(start: string, reading: Reading, depth: number): TextReader {
  const open: OpenText = (quoting) => {
    if (depth >= limits.layers) throw new Unreadable('nested too deeply');
    if (quoting === 'string') return createLayer(reading, depth + 1);
    return readerOf('<', reading, depth + 1);
  };
  switch (formOfText(start)) {
    case 'json':
      return createJsonReader(reading, open);
    case 'xml':
      reading.noteKind('xml');
      return createMarkupReader(reading, open);
    case 'html':
      reading.note('html', 'html');
      throw new Unreadable('html page');
    case 'text':
      reading.note('text', 'text');
      return reading.gather((text) => reading.emit({ kind: 'text', text, isQuoted: depth > 0 }));
    case 'empty':
      if (depth === 0) throw new Unreadable('empty');
      reading.note('empty string');
      reading.emit({ kind: 'empty', form: 'empty string' });
      return { write() {}, end() {} };
  }
}
