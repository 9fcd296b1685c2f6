import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readParts } from '../../../src/clients/documents/decoding/layers.ts';
import {
  limitsOf,
  type Piece,
  Reading,
  type Takes,
  Unreadable,
} from '../../../src/clients/documents/decoding/reading.ts';
import { rounds } from '../../support/depth.ts';
import { outcome } from './reply.ts';

async function read(text: string, cut: number, takes: Takes = {}): Promise<Piece[]> {
  const bytes = Buffer.from(text);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(0, cut);
    yield bytes.subarray(cut);
  }
  const pieces: Piece[] = [];
  const reading = new Reading(limitsOf.undocumented, takes);
  for await (const _ of readParts(body(), undefined, reading)) pieces.push(...reading.taken());
  return pieces;
}

/** The elements of a value that `JSON.parse` made, as each ends: members are children, arrays repetitions. */
function framed(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((entry) => (entry === null ? [] : framed(name, entry)));
  if (typeof value === 'object' && value !== null) {
    return [...Object.entries(value).flatMap(([member, entry]) => framed(member, entry)), { name }];
  }
  const text = String(value ?? '').trim();
  return [{ name, ...(text && { text }) }];
}

function elementsOf(pieces: readonly Piece[]): unknown[] {
  return pieces.map((piece) => {
    if (piece.kind !== 'element') return piece.kind;
    const { name, text } = piece.element;
    return { name, ...(text && { text }) };
  });
}

const text = fc.string({
  unit: fc.constantFrom('a', '1', ' ', '"', '\\', '\n', '\u0000', 'é', '😀', ']', '}', ':', ','),
});
/** Whole numbers, which JavaScript writes as they were. */
const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
}));
const outermost = fc
  .oneof(fc.array(value, { minLength: 1 }), fc.dictionary(text, value))
  .filter((one) => !('value' in one) && !(Array.isArray(one) && typeof one[0] === 'string'));

it('JSON is read as JSON.parse reads it, however it is spaced, escaped and cut', async () => {
  const property = fc.asyncProperty(outermost, fc.nat(200), fc.nat(3), async (one, cut, indent) => {
    const name = Array.isArray(one) ? 'entry' : 'object';
    expect(elementsOf(await read(JSON.stringify(one, undefined, indent), cut))).toEqual(framed(name, one));
  });
  await fc.assert(property, { numRuns: rounds(3000, 50) });
});

it('JSON is refused where JSON.parse refuses it, and nowhere else', async () => {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    put: fc.constantFrom(...'"\\,:[]{}0-.ex\u0001\u00a0', '', 'null'),
    over: fc.nat(2),
  });
  const property = fc.asyncProperty(outermost, fc.array(change, { maxLength: 3 }), async (one, changes) => {
    const damaged = changes.reduce((json, { at, put, over }) => {
      const place = Math.max(1, Math.floor(at * json.length));
      return json.slice(0, place) + put + json.slice(place + over);
    }, JSON.stringify(one));
    const isJson = await outcome(Promise.resolve(damaged).then(JSON.parse));
    if (/^\[\s*"/.test(damaged)) return;
    const isRead = await read(damaged, 7).then(
      () => true,
      (error) => (error instanceof Unreadable ? error.reason : error),
    );
    if (isRead === 'repeated json member') return;
    expect(isRead === true, damaged).toBe('value' in (isJson as object));
  });
  await fc.assert(property, { numRuns: rounds(10_000, 200) });
});

it.each([
  [
    'a wrapper',
    '{"@odata.context":"x","value":[{"a":1}],"@odata.nextLink":["y"]}',
    [{ name: 'a', text: '1' }, { name: 'entry' }],
  ],
  ['an empty wrapper', '{"value":[]}', ['empty']],
  ['a list beside others', '{"value":[1],"count":1}', framed('object', { value: [1], count: 1 })],
  ['a wrapper in a wrapper', '{"@a":{"value":[7]},"value":[800]}', framed('entry', [800])],
  [
    'numbers, digit by digit',
    '[12345678901234567890.10,-0,1E2]',
    ['12345678901234567890.10', '-0', '1E2'].flatMap((digits) => framed('entry', digits)),
  ],
  ['bytes', '[37,80,255]', ['bytes']],
  ['a number too large for a byte', '[37,256]', framed('entry', [37, 256])],
])('JSON: %s', async (_, json, expected) => {
  expect(elementsOf(await read(json, 5, { bytes: true }))).toEqual(expected);
});

it.each([
  ['{"a":1,"a":2}', 'repeated json member'],
  ['[{"a":{"b":1,"\\u0062":1}}]', 'repeated json member'],
  [`[${'0,'.repeat(300_000)}0]`, 'too large'],
  ['{"a":01}', 'broken json'],
  ['{1:1}', 'broken json'],
])('JSON is refused: %.40s', async (json, reason) => {
  await expect(read(json, 5)).rejects.toMatchObject({ reason });
});

it('JSON has a maximum depth', async () => {
  const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
  expect(await read(nested(64), 5)).not.toEqual([]);
  await expect(read(nested(66), 5)).rejects.toMatchObject({ reason: 'nested too deeply' });
  await expect(read('['.repeat(4_000_000), 5)).rejects.toMatchObject({ reason: 'nested too deeply' });
});

it('a string longer than the buffer keeps its escapes and surrogate pairs', async () => {
  const long = `${'x'.repeat(65_534)}😀"\\${'é'.repeat(70_000)}`;
  const escaped = JSON.stringify({ a: long }).replaceAll('é', '\\u00e9').replaceAll('😀', '\\ud83d\\ude00');
  expect(elementsOf(await read(escaped, 9))).toEqual(framed('object', { a: long }));
});
