import { cleanText } from '../../../documents/untrusted.ts';
import { Unreadable } from '../pieces/forms.ts';
import { type Arrival, decodeWhole } from './decoding.ts';
import { createEnvelopeReader, type EnvelopeReader, refuseNoAction } from './envelope.ts';
import { type RecordNode, recordsOf } from './record-tree.ts';
import type { ReplyBody, Undocumented } from './results.ts';

const TEXT_LENGTH = 20_000;

/** The service's status and count: the envelope says them, they are no record's. */
const ENVELOPE_ELEMENTS = new Set(['cStat', 'xMotivo', 'dhResp', 'Quantidade']);

interface Tree {
  readonly envelope: EnvelopeReader;
  readonly root: RecordNode;
  readonly texts: readonly string[];
}

/** Gathers a reply as a tree of elements, the envelope's own values left out. */
async function gatherTree(reply: ReplyBody, arrival: Arrival): Promise<Tree> {
  const envelope = createEnvelopeReader(reply.call);
  const root: RecordNode = { name: '', attributes: {}, children: [] };
  const path = [root];
  const texts: string[] = [];
  for await (const pieces of arrival.pieces) {
    for (const piece of pieces) {
      const isEnvelopes = envelope.follow(piece);
      const node = path.at(-1);
      if (piece.kind === 'open') {
        const child: RecordNode = { name: piece.name, attributes: piece.attributes, children: [] };
        node?.children.push(child);
        path.push(child);
      } else if (piece.kind === 'close') path.pop();
      else if (piece.kind === 'text') texts.push(piece.text.trim());
      else if (piece.kind === 'value' && node !== undefined) {
        const isHeader = isEnvelopes && ENVELOPE_ELEMENTS.has(piece.name);
        if (isHeader && !path.some(({ name }) => name === 'retorno')) path.at(-2)?.children.pop();
        else node.text = piece.text;
      }
    }
  }
  return { envelope, root, texts };
}

/**
 * Reads an answer whose form nobody has described: XML and JSON as flat records, anything else as text.
 */
export function readUndocumented(reply: ReplyBody): Promise<Undocumented> {
  return decodeWhole(reply, 'undocumented', { markup: true }, async (arrival) => {
    const { envelope, root, texts } = await gatherTree(reply, arrival);
    const forms = arrival.forms.met;
    if (texts.length > 0) {
      if (root.children.length > 0) throw new Unreadable('mixed content');
      const whole = texts.join('\n');
      refuseNoAction(reply.call, whole);
      const text = cleanText(whole, TEXT_LENGTH);
      return { text, truncated: whole.length > TEXT_LENGTH, forms, warnings: [] };
    }
    const { records, around } = recordsOf(root, envelope.saysEmpty());
    const { declared: total, ...said } = envelope.verdict(records.length);
    return {
      records,
      around: Object.keys(around).length > 0 ? around : undefined,
      forms,
      ...said,
      total,
    };
  });
}
