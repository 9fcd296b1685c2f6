import { statusCodeIn } from '../../../documents/events/statuses.ts';
import { cleanText, longest } from '../../../documents/untrusted.ts';
import type { Redact } from '../../http/call.ts';
import { clearText } from '../../http/redact.ts';
import { type Element, ENVELOPE_ELEMENTS, limits, requireWithin, Unreadable } from '../decoding/reading.ts';
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

function memberOf({ name }: Element): keyof EventRecord | 'user' | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
}

function isOwnValue({ name, text }: Element): boolean {
  return text !== undefined && !ENVELOPE_ELEMENTS.has(name);
}

/** The service's words; where they are withheld the status code in them stays, which is the event's outcome. */
function messageOf(text: string, redact: Redact): string {
  const message = clearText(text, longest.text, redact);
  const code = statusCodeIn(text);
  return code === undefined || statusCodeIn(message) === code ? message : `${code} ${message}`;
}

/** Any member of a record may be missing or null, all of them too. */
function recordOf(members: readonly Element[], redact: Redact): EventRecord {
  const record: { -readonly [K in keyof EventRecord]: EventRecord[K] } = {};
  for (const element of members) {
    const { text } = element;
    const member = memberOf(element);
    if (text === undefined || member === undefined || member === 'user') continue;
    if (member === 'success') {
      if (!/^-?\d{1,15}$/.test(text)) throw new Unreadable('Sucesso is not an integer');
      record.success = Number(text);
    } else record[member] = member === 'message' ? messageOf(text, redact) : cleanText(text, longest.text);
  }
  return record;
}

/** Collects the records of a reply, whatever its frame. */
function collectRecords<R>(
  reply: ReplyBody,
  envelope: EnvelopeReader,
  end: (records: EventRecord[]) => R,
): PieceReader<never, R> {
  const records: EventRecord[] = [];
  return {
    take(piece, isEnvelopes) {
      if (piece.kind === 'text') refuseText(reply, piece.text, 'no event record in the text');
      if (piece.kind !== 'element') return;
      const { element } = piece;
      const { name, text, parent, children, hasChildren } = element;
      const members = children.filter(memberOf);
      const isMember = parent !== undefined && memberOf(element) !== undefined;
      if (members.length > 0) {
        requireWithin(records.push(recordOf(members, reply.redact)), limits.eventRecords);
      } else if (RECORD_NAMES.has(name) && (!hasChildren || children.some(isOwnValue))) {
        throw new Unreadable('unknown record');
      }
      if (text !== undefined && !isEnvelopes && !isMember) envelope.unread(element);
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
