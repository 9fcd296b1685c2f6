import { cleanText } from '../../../documents/untrusted.ts';
import { decodeReply } from './arrival.ts';
import type { Content } from './content.ts';
import { createEnvelopeReader, refuseText } from './envelope.ts';
import type { EventRecord, ReplyBody } from './results.ts';
import { createCollector } from './text-sink.ts';
import { readContent, wholeReplyLimit } from './text-stream.ts';
import { Unreadable } from './unreadable.ts';

const VALUE_LIMIT = 1024 * 1024;
const KEPT_LENGTH = 1000;

/** The members of `EventoRespDto`; who performed the event (`Usuario`) is not needed further. */
const MEMBERS: Readonly<Record<string, keyof EventRecord | 'user'>> = {
  chavenfe: 'key',
  chavecte: 'key',
  evento: 'event',
  mensagem: 'message',
  sucesso: 'success',
  usuario: 'user',
};
/** What one record is called in the forms it comes in. */
const RECORD_NAMES = new Set(['object', 'entry', 'EventoRespDto']);

interface Frame {
  record: { -readonly [K in keyof EventRecord]: EventRecord[K] };
  hasValues: boolean;
  hasChildren: boolean;
}

function integer(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new Unreadable('Sucesso is not an integer');
  return Number(text);
}

/** Gathers the records of a reply, whatever frame they stand in. */
function createRecordReader(reply: ReplyBody) {
  const envelope = createEnvelopeReader(reply.call);
  const records: EventRecord[] = [];
  const path: Frame[] = [];

  /** Gives a value to the record it stands in: the element around its own. */
  function take(name: string, text: string): boolean {
    const frame = path.at(-2);
    const key = name.toLowerCase();
    const member = Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
    if (frame === undefined || member === undefined) return false;
    frame.hasValues = true;
    if (member === 'success') frame.record.success = integer(text);
    else if (member !== 'user') frame.record[member] = cleanText(text, KEPT_LENGTH);
    return true;
  }

  function complete(name: string, { record, hasValues, hasChildren }: Frame): void {
    if (Object.keys(record).length > 0) records.push(record);
    else if (RECORD_NAMES.has(name) && (hasValues || !hasChildren)) throw new Unreadable('unknown record');
  }

  const content: Content = {
    valueLimit: VALUE_LIMIT,
    opensValues: false,
    open(name) {
      const parent = path.at(-1);
      if (parent !== undefined) parent.hasChildren = true;
      path.push({ record: {}, hasValues: false, hasChildren: false });
      envelope.open(name);
    },
    value(name, text) {
      if (take(name, text) || envelope.value(name, text)) return;
      const frame = path.at(-2);
      if (frame !== undefined) frame.hasValues = true;
      envelope.unread();
    },
    close(name) {
      const frame = path.pop();
      envelope.close();
      if (frame !== undefined) complete(name, frame);
    },
    bareText: () =>
      createCollector(VALUE_LIMIT, (text) => refuseText(reply.call, text, 'no event record in the text')),
    empty: envelope.empty,
  };
  return { content, envelope, records };
}

/** Reads the records of a batch; a single record counts as a batch of one. */
export function readEventRecords(reply: ReplyBody): Promise<EventRecord[]> {
  return decodeReply(reply, wholeReplyLimit, async (arrival) => {
    const { content, envelope, records } = createRecordReader(reply);
    await readContent(arrival, content);
    envelope.verdict(records.length);
    if (arrival.forms.met.includes('empty string')) throw new Unreadable('empty');
    return records;
  });
}

/** Reads the one record of an event; an array with one record counts as it. */
export function readEventRecord(reply: ReplyBody): Promise<EventRecord> {
  return decodeReply(reply, wholeReplyLimit, async (arrival) => {
    const { content, envelope, records } = createRecordReader(reply);
    await readContent(arrival, content);
    const [record, ...others] = records;
    if (record === undefined) throw envelope.nothing();
    if (others.length > 0) throw new Unreadable('several records');
    return record;
  });
}
