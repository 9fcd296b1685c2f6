import { statusCodeIn } from '../../../documents/events/status-codes.ts';
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
  record: { -readonly [K in keyof EventRecord]: EventRecord[K] };
  /** Whether a member of a record stands in it, with a value or without. */
  hasMembers: boolean;
  hasValues: boolean;
  hasChildren: boolean;
}

function integer(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new Unreadable('Sucesso is not an integer');
  return Number(text);
}

function memberOf(name: string): keyof EventRecord | 'user' | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
}

/** Gives a value to the record it stands in. False where it is no member of one. */
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

/** Gathers the records of a reply, whatever frame they stand in. */
async function gatherRecords(
  reply: ReplyBody,
  arrival: Arrival,
): Promise<{ envelope: EnvelopeReader; records: EventRecord[] }> {
  const envelope = new EnvelopeReader(reply);
  const records: EventRecord[] = [];
  const path: Frame[] = [];

  /** A value belongs to the element around its own. */
  function isMember(name: string, text: string): boolean {
    const frame = path.at(-2);
    if (frame === undefined || !takeMember(frame, name, text, reply.redact)) return false;
    frame.hasValues = true;
    return true;
  }

  for await (const pieces of arrival.pieces) {
    for (const piece of pieces) {
      const parent = path.at(-1);
      if (piece.kind === 'open') {
        if (parent !== undefined) {
          parent.hasChildren = true;
          parent.hasMembers ||= memberOf(piece.name) !== undefined;
        }
        path.push({ name: piece.name, record: {}, hasMembers: false, hasValues: false, hasChildren: false });
      }
      if (piece.kind === 'value' && isMember(piece.name, piece.text)) continue;
      if (!envelope.follow(piece)) {
        if (piece.kind === 'text') refuseText(reply, piece.text, 'no event record in the text');
        const frame = path.at(-2);
        if (frame !== undefined) frame.hasValues = true;
        envelope.unread();
      }
      if (piece.kind === 'close') {
        const frame = path.pop();
        if (frame === undefined || !isRecord(frame)) continue;
        requireWithin(records.push(frame.record), limits.eventRecords);
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
