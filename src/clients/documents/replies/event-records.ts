import { statusCodeIn } from '../../../documents/events/statuses.ts';
import { cleanText, longest } from '../../../documents/untrusted.ts';
import type { Redact } from '../../http/call.ts';
import { clearText } from '../../http/redact.ts';
import { limits, requireWithin, Unreadable } from '../decoding/limits.ts';
import { type Arrival, decodeWhole } from './decode.ts';
import { EnvelopeReader, refuseText } from './envelope.ts';
import type { EventRecord, ReplyBody } from './results.ts';

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
const RECORD_NAMES = new Set(['object', 'entry', 'value', 'EventoRespDto']);

interface Frame {
  readonly name: string;
  readonly record: { -readonly [K in keyof EventRecord]: EventRecord[K] };
  /** Whether it has a member of a record, with a value or without. */
  hasMembers?: boolean;
  hasValues?: boolean;
  hasChildren?: boolean;
}

function integer(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new Unreadable('Sucesso is not an integer');
  return Number(text);
}

function memberOf(name: string): keyof EventRecord | 'user' | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
}

/** Sets a member of a record. False for a value that is no member. */
function takeMember(frame: Frame, name: string, text: string, redact: Redact): boolean {
  const member = memberOf(name);
  if (member === undefined) return false;
  if (member === 'success') frame.record.success = integer(text);
  else if (member === 'message') frame.record.message = messageOf(text, redact);
  else if (member !== 'user') frame.record[member] = cleanText(text, longest.text);
  return true;
}

/** The service's words; where they are withheld the status code in them stays, which is the event's outcome. */
function messageOf(text: string, redact: Redact): string {
  const message = clearText(text, longest.text, redact);
  const code = statusCodeIn(text);
  return code === undefined || statusCodeIn(message) === code ? message : `${code} ${message}`;
}

/** Any member of a record may be missing or null, all of them too. */
function isRecord({ name, hasMembers, hasValues, hasChildren }: Frame): boolean {
  if (hasMembers) return true;
  if (RECORD_NAMES.has(name) && (hasValues || !hasChildren)) throw new Unreadable('unknown record');
  return false;
}

/** Gathers the records of a reply, whatever its frame. */
async function gatherRecords(reply: ReplyBody, { pieces }: Arrival) {
  const envelope = new EnvelopeReader(reply);
  const records: EventRecord[] = [];
  const path: Frame[] = [];
  for await (const part of pieces) {
    for (const piece of part) {
      if (piece.kind === 'open') {
        const parent = path.at(-1);
        if (parent !== undefined) {
          parent.hasChildren = true;
          parent.hasMembers ||= memberOf(piece.name) !== undefined;
        }
        path.push({ name: piece.name, record: {} });
      }
      // A value belongs to the element around its own.
      const around = path.at(-2);
      const isValue = piece.kind === 'value' && around !== undefined;
      if (isValue && takeMember(around, piece.name, piece.text, reply.redact)) {
        around.hasValues = true;
        continue;
      }
      if (!envelope.follow(piece)) {
        if (piece.kind === 'text') refuseText(reply, piece.text, 'no event record in the text');
        if (around !== undefined) around.hasValues = true;
        envelope.unread();
      }
      const closed = piece.kind === 'close' ? path.pop() : undefined;
      if (closed !== undefined && isRecord(closed)) {
        requireWithin(records.push(closed.record), limits.eventRecords);
      }
    }
  }
  return { envelope, records };
}

/** Reads the records of a batch; a single record counts as a batch of one. */
export function readEventRecords(reply: ReplyBody): Promise<EventRecord[]> {
  return decodeWhole(reply, 'records', {}, async (arrival) => {
    const { envelope, records } = await gatherRecords(reply, arrival);
    envelope.verdict(records.length);
    if (arrival.forms.met.includes('empty string')) throw new Unreadable('empty');
    return records;
  });
}

/** Reads the one record of an event; an array with one record counts as it. */
export function readEventRecord(reply: ReplyBody): Promise<EventRecord> {
  return decodeWhole(reply, 'record', {}, async (arrival) => {
    const { envelope, records } = await gatherRecords(reply, arrival);
    const [record, ...others] = records;
    if (record === undefined) throw envelope.nothing();
    if (others.length > 0) throw new Unreadable('several records');
    return record;
  });
}
