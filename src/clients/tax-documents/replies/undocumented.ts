import { cleanText } from '../../../documents/untrusted.ts';
import { decodeReply } from './arrival.ts';
import type { Content } from './content.ts';
import { createEnvelopeReader, refuseNoAction } from './envelope.ts';
import { type RecordNode, recordsOf } from './record-tree.ts';
import type { ReplyBody, Undocumented } from './results.ts';
import { createCollector } from './text-sink.ts';
import { readContent } from './text-stream.ts';
import { Unreadable } from './unreadable.ts';

const REPLY_LIMIT = 16 * 1024 * 1024;
const TEXT_LENGTH = 20_000;

/** The service's status and count: the envelope says them, they are no record's. */
const ENVELOPE_ELEMENTS = new Set(['cStat', 'xMotivo', 'dhResp', 'Quantidade']);

function createTreeReader(reply: ReplyBody) {
  const envelope = createEnvelopeReader(reply.call);
  const root: RecordNode = { name: '', attributes: {}, children: [] };
  const path = [root];
  const texts: string[] = [];
  const content: Content = {
    valueLimit: REPLY_LIMIT,
    opensValues: true,
    open(name, attributes) {
      envelope.open(name);
      const node: RecordNode = { name, attributes, children: [] };
      path.at(-1)?.children.push(node);
      path.push(node);
    },
    value(name, text) {
      const isHeader = envelope.value(name, text) && ENVELOPE_ELEMENTS.has(name);
      const node = path.at(-1);
      if (node === undefined) return;
      if (isHeader && !path.some((step) => step.name === 'retorno')) path.at(-2)?.children.pop();
      else node.text = text;
    },
    close() {
      path.pop();
      envelope.close();
    },
    bareText: () => createCollector(REPLY_LIMIT, (text) => texts.push(text.trim())),
    empty: envelope.empty,
  };
  return { content, envelope, root, texts };
}

/**
 * Reads an answer whose form nobody has described: XML and JSON as flat records, anything else as text.
 */
export function readUndocumented(reply: ReplyBody): Promise<Undocumented> {
  return decodeReply(reply, REPLY_LIMIT, async (arrival) => {
    const { content, envelope, root, texts } = createTreeReader(reply);
    await readContent(arrival, content);
    const forms = arrival.forms.met;
    if (texts.length > 0) {
      if (root.children.length > 0) throw new Unreadable('mixed content');
      const whole = texts.join('\n');
      refuseNoAction(reply.call, whole);
      const text = cleanText(whole, TEXT_LENGTH);
      return { text, truncated: whole.length > TEXT_LENGTH, forms, warnings: [] };
    }
    const { records, around } = recordsOf(root, envelope.saysEmpty());
    const { declared, ...said } = envelope.verdict(records.length);
    return {
      records,
      ...(Object.keys(around).length > 0 && { around }),
      forms,
      ...said,
      ...(declared !== undefined && { total: declared }),
    };
  });
}
