import { flatten } from '../../../documents/summary/flatten.ts';
import type { OpenText } from './entry.ts';
import { isMarkup } from './forms.ts';
import { JsonWalk, type Step } from './json-walk.ts';
import type { Piece, Reading } from './piece.ts';
import { cursorOf, MORE, type More } from './text-cursor.ts';

const noAttributes = Object.freeze({});

/** What a JSON text is as a whole. */
export interface JsonShape {
  /** Whether it is an array, or the wrapper of one. */
  readonly isList: boolean;
  /** Whether it is the object that OData services put around a list. Source: OData JSON Format 4.01, 4.5. */
  readonly isWrapper: boolean;
  /** Entries of the list. */
  readonly entries: number;
  /** The list as bytes, where it is how services without base64 write them. */
  readonly bytes: Uint8Array | undefined;
}

const BYTE = /^(?:\d{1,2}|1\d\d|2[0-4]\d|25[0-5])$/;

/** Reads an object or array through before anything of it is passed on. @throws Unreadable for what is no JSON */
export function* shapeOfJson(json: string, takesBytes: boolean): Generator<More, JsonShape> {
  const walk = new JsonWalk(json);
  let root: Step | undefined;
  let lists = 0;
  let otherMembers = 0;
  let entries = 0;
  let bytes = takesBytes ? Buffer.alloc(0) : undefined;
  /** How deep the entries of the list stand. */
  let place = Number.NaN;
  for (let step = walk.next(); step !== undefined; step = walk.next()) {
    if (step === MORE) {
      yield MORE;
      continue;
    }
    const isContainer = step === 'object' || step === 'array';
    const depth = isContainer ? walk.depth - 1 : walk.depth;
    if (depth === 0 && root === undefined) {
      root = step;
      if (step === 'array') place = 1;
    } else if (step === 'end') {
      if (root === 'object' && depth === 1) place = Number.NaN;
    } else if (root === 'object' && depth === 1) {
      if (walk.member !== 'value' || step !== 'array') otherMembers += walk.member.includes('@') ? 0 : 1;
      else {
        lists++;
        place = 2;
      }
    } else if (depth === place) {
      if (step !== 'scalar' || !BYTE.test(walk.value)) bytes = undefined;
      else if (bytes !== undefined) bytes = withByte(bytes, entries, Number(walk.value));
      entries++;
    }
  }
  const isWrapper = lists === 1 && otherMembers === 0;
  const isList = root === 'array' || isWrapper;
  return {
    isList,
    isWrapper,
    entries,
    bytes: isList && entries > 0 ? bytes?.subarray(0, entries) : undefined,
  };
}

function withByte(bytes: Buffer<ArrayBuffer>, at: number, byte: number): Buffer<ArrayBuffer> {
  const room = at < bytes.length ? bytes : Buffer.concat([bytes], Math.max(1024, at * 2));
  room[at] = byte;
  return room;
}

/**
 * A JSON value as a frame, as if each object were an element, each member a child and an array the repetition of its
 * name. Null is an element with nothing in it; in an array it is nothing. Of a wrapper only the list counts.
 */
export function* readJsonFrame(
  json: string,
  { isList, isWrapper }: JsonShape,
  { takes }: Reading,
  open: OpenText,
): Generator<Piece | More> {
  const walk = new JsonWalk(json);
  const root = isList ? 'entry' : 'object';
  /** The name of each open object, or of the entries of each open array. */
  const names: { readonly name: string; readonly isArray: boolean }[] = [];

  function nameHere(): string {
    const around = names.at(-1);
    if (around === undefined) return root;
    return around.isArray ? around.name : flatten(walk.member);
  }

  function* readScalar(name: string, text: string): Generator<Piece | More> {
    if (text === '') return;
    if (isMarkup(text) && takes.markup) yield* open(cursorOf(text), { form: 'markup', isEntry: true });
    else yield { kind: 'value', name, text: flatten(text) };
  }

  /** Whether the wrapper's own parts are passed over: all but the list and what is in it. */
  let isOutside = isWrapper;
  for (let step = walk.next(); step !== undefined; step = walk.next()) {
    if (step === MORE) {
      yield MORE;
      continue;
    }
    if (isOutside) {
      if (step !== 'array' || walk.depth !== 2 || walk.member !== 'value') continue;
      isOutside = false;
    }
    if (step === 'end') {
      const ended = names.pop();
      if (ended?.isArray === false) yield { kind: 'close', name: ended.name };
      isOutside = isWrapper && names.length === 0;
      continue;
    }
    const isEntry = names.at(-1)?.isArray === true;
    const name = nameHere();
    if (step === 'array') names.push({ name, isArray: true });
    if (step === 'array' || (step === 'null' && isEntry)) continue;
    yield { kind: 'open', name, attributes: noAttributes, isRoot: false };
    if (step === 'object') {
      names.push({ name, isArray: false });
      continue;
    }
    if (step === 'scalar') yield* readScalar(name, walk.value.trim());
    yield { kind: 'close', name };
  }
}
