import { statusCodeIn } from '../../../documents/events/statuses.ts';
import { cleanText, longest } from '../../../documents/untrusted.ts';
import type { Redact } from '../../http/call.ts';
import { clearText } from '../../http/redact.ts';
import { type Element, limits, requireWithin, Unreadable } from '../decoding/reading.ts';
import { decodeWhole, type PieceReader } from './decode.ts';
import { type EnvelopeReader, refuseText } from './envelope.ts';
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

/** What an element has of a record. */
interface Group {
  readonly record: { -readonly [K in keyof EventRecord]: EventRecord[K] };
  /** Whether it has a member of a record, with a value or without. */
  hasMembers: boolean;
  hasValues: boolean;
  hasChildren: boolean;
}

function memberOf(name: string): keyof EventRecord | 'user' | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
}

/** The service's words; where they are withheld the status code in them stays, which is the event's outcome. */
function messageOf(text: string, redact: Redact): string {
  const message = clearText(text, longest.text, redact);
  const code = statusCodeIn(text);
  return code === undefined || statusCodeIn(message) === code ? message : `${code} ${message}`;
}

/** Collects the records of a reply, whatever its frame. */
function collectRecords<R>(
  reply: ReplyBody,
  envelope: EnvelopeReader,
  end: (records: EventRecord[]) => R,
): PieceReader<never, R> {
  const records: EventRecord[] = [];
  const open = new Map<Element, Group>();

  /** A value belongs to the element around its own. False for one that is no member. */
  function takeValue({ name, parent }: Element, text: string): boolean {
    const group = parent && open.get(parent);
    if (group === undefined) return false;
    group.hasValues = true;
    const member = memberOf(name);
    if (member === 'success') {
      if (!/^-?\d{1,15}$/.test(text)) throw new Unreadable('Sucesso is not an integer');
      group.record.success = Number(text);
    } else if (member === 'message') group.record.message = messageOf(text, reply.redact);
    else if (member !== undefined && member !== 'user') group.record[member] = cleanText(text, longest.text);
    return member !== undefined;
  }

  /** Any member of a record may be missing or null, all of them too. */
  function finish({ name }: Element, { record, hasMembers, hasValues, hasChildren }: Group): void {
    if (hasMembers) requireWithin(records.push(record), limits.eventRecords);
    else if (RECORD_NAMES.has(name) && (hasValues || !hasChildren)) throw new Unreadable('unknown record');
  }

  return {
    take(piece, isEnvelopes) {
      if (piece.kind === 'text') refuseText(reply, piece.text, 'no event record in the text');
      if (piece.kind === 'open') {
        const { name, parent } = piece.element;
        const around = parent && open.get(parent);
        if (around !== undefined) {
          around.hasChildren = true;
          around.hasMembers ||= memberOf(name) !== undefined;
        }
        open.set(piece.element, { record: {}, hasMembers: false, hasValues: false, hasChildren: false });
      } else if (piece.kind === 'close') {
        const group = open.get(piece.element);
        open.delete(piece.element);
        if (group !== undefined) finish(piece.element, group);
      } else if (piece.kind === 'value' && !isEnvelopes && !takeValue(piece.element, piece.text)) {
        envelope.unread(piece.element);
      }
    },
    end: () => end(records),
  };
}

/** Reads the records of a batch; a single record counts as a batch of one. */
export function readEventRecords(reply: ReplyBody): Promise<EventRecord[]> {
  return decodeWhole(reply, 'records', {}, (envelope, { forms }) =>
    collectRecords(reply, envelope, (records) => {
      envelope.verdict(records.length);
      if (forms.includes('empty string')) throw new Unreadable('empty');
      return records;
    }),
  );
}

/** Reads the one record of an event; an array with one record counts as it. */
export function readEventRecord(reply: ReplyBody): Promise<EventRecord> {
  return decodeWhole(reply, 'record', {}, (envelope) =>
    collectRecords(reply, envelope, ([record, ...others]) => {
      if (record === undefined) throw envelope.nothing();
      if (others.length > 0) throw new Unreadable('several records');
      return record;
    }),
  );
}
