import { cleanText } from '../../../documents/untrusted.ts';
import { decodeReply } from './arrival.ts';
import type { Content } from './content.ts';
import { createEnvelopeReader, refuseNoAction } from './envelope.ts';
import { httpUrl } from './pdf-forms.ts';
import type { ReplyBody } from './results.ts';
import { createCollector } from './text-sink.ts';
import { readContent } from './text-stream.ts';
import { Unreadable } from './unreadable.ts';

/** Bytes of a reply that is one short text. */
const REPLY_LIMIT = 64 * 1024;
const SHOWN_LENGTH = 2000;
const INTEGER = /^-?\d{1,15}$/;

/** The one value a reply consists of: bare, quoted, in a frame, or the words of its envelope. An empty one is ''. */
function readScalar<T>(reply: ReplyBody, accept: (text: string) => T): Promise<T> {
  return decodeReply(reply, REPLY_LIMIT, async (arrival) => {
    const envelope = createEnvelopeReader(reply.call);
    const values: string[] = [];
    const content: Content = {
      valueLimit: REPLY_LIMIT,
      opensValues: true,
      open: (name) => envelope.open(name),
      value(name, text) {
        if (!envelope.value(name, text)) values.push(text);
      },
      close: () => envelope.close(),
      bareText: () => createCollector(REPLY_LIMIT, (text) => values.push(text.trim())),
      empty(form) {
        if (form === 'empty string') values.push('');
      },
    };
    await readContent(arrival, content);
    const [value = envelope.words(), ...others] = values;
    if (others.length > 0) throw new Unreadable('several values');
    if (value === undefined) throw envelope.nothing();
    refuseNoAction(reply.call, value);
    return accept(value);
  });
}

/** Reads an integer; its meaning is the caller's. */
export function readInteger(reply: ReplyBody): Promise<number> {
  return readScalar(reply, (text) => {
    if (!INTEGER.test(text)) throw new Unreadable('not an integer');
    return Number(text);
  });
}

/** Reads one short text, cleaned, at most 2,000 characters. */
export function readText(reply: ReplyBody): Promise<string> {
  return readScalar(reply, (text) => cleanText(text, SHOWN_LENGTH));
}

/** Reads an http or https URL, unchanged. It may carry a shared-access signature: a secret. */
export function readUrl(reply: ReplyBody): Promise<string> {
  return readScalar(reply, (text) => {
    const url = httpUrl(text);
    if (url === undefined) throw new Unreadable('not a url');
    return url;
  });
}
