import {
  createTextDecoder,
  enoughToChooseEncoding,
  type StreamingTextDecoder,
} from '../../../documents/xml/encoding.ts';
import { type Arrival, bodyOf, gather, peek } from './arrival.ts';
import { gunzipped, isGzip, isZip, unzipSingle } from './compressed.ts';
import type { Content } from './content.ts';
import { createLayers } from './layers.ts';
import { Unreadable } from './unreadable.ts';

/** Bytes of a reply that is read as a whole, packed or unpacked. */
export const wholeReplyLimit = 64 * 1024 * 1024;
/** Bytes passed on at once, so that what they hold can be taken away before the next ones. */
const SLICE = 64 * 1024;
/** Characters kept for the sketch of a reply that is not understood; redaction needs more than it shows. */
const KEPT_START = 400;

/** Takes off gzip, or a zip with one file in it. */
async function unpacked({ body, forms }: Arrival): Promise<AsyncIterable<Uint8Array>> {
  const peeked = await peek(body);
  if (isGzip(peeked.first)) {
    forms.note('gzip', 'gzip');
    return gunzipped(peeked.body);
  }
  if (isZip(peeked.first)) {
    forms.note('zip', 'zip');
    return bodyOf(unzipSingle(await gather(peeked.body, wholeReplyLimit), wholeReplyLimit));
  }
  return peeked.body;
}

/** What the text says of its own encoding comes first, then the header's charset, then UTF-8. */
function chooseDecoder(first: Uint8Array, contentType = ''): StreamingTextDecoder {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const start = Buffer.from(first.subarray(0, enoughToChooseEncoding)).toString('latin1');
  const saysItself = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff|\s*<\?xml[^>]*\sencoding)/.test(start);
  if (saysItself || charset === undefined) return createTextDecoder(first);
  return createTextDecoder(Buffer.from(`<?xml version="1.0" encoding="${charset}"?>`, 'latin1'));
}

async function nothing(): Promise<void> {}

/** Reads a reply as content; `between` is awaited after each piece, before more of the reply is taken. */
export async function readContent(arrival: Arrival, content: Content, between = nothing): Promise<void> {
  const { first, body } = await peek(await unpacked(arrival));
  const decoder = chooseDecoder(first, arrival.contentType);
  const layers = createLayers(content, arrival.forms);

  let length = 0;

  function pass(text: string): void {
    length += text.length;
    if (length > arrival.limit) throw new Unreadable('too large');
    if (arrival.start.length < KEPT_START) arrival.start += text.slice(0, KEPT_START - arrival.start.length);
    if (text !== '') layers.write(text);
  }

  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += SLICE) {
      pass(decoder.write(chunk.subarray(at, at + SLICE)));
      await between();
    }
  }
  pass(decoder.end());
  layers.end();
  await between();
}
