import { describe, expect, it } from 'vitest';
import { type ReplyBody, readers } from '../../../src/clients/tax-documents/replies/index.ts';
import { rounds } from '../../support/depth.ts';
import { accessKey } from '../../support/documents.ts';
import { turnsDuring } from '../../support/turns.ts';
import { readList, replyOf } from './reply.ts';

/** A million is what was found to hold up everything else for seconds. */
const MANY = rounds(1_000_000, 12_000);
const CHARACTERS = MANY * 10;

/** Things read between two turns: an element is some pieces, and a slice of text counts as hundreds. */
const MOST_IN_ONE_GO = 10_000;

const shapes: readonly (readonly [name: string, text: () => string, things: number])[] = [
  ['JSON records', () => `[${'{"a":1},'.repeat(MANY)}{"a":1}]`, MANY],
  ['numbers', () => `[${'0,'.repeat(MANY)}0]`, MANY],
  [
    'members of one object',
    () => JSON.stringify(Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`k${i}`, 1]))),
    MANY,
  ],
  ['strings', () => JSON.stringify(Array.from({ length: MANY }, () => 'a')), MANY],
  ['empty strings', () => JSON.stringify(Array.from({ length: MANY }, () => '')), MANY],
  ['covers', () => `<ret><retorno>${'<Capa><Chave>1</Chave></Capa>'.repeat(MANY)}</retorno></ret>`, MANY],
  ['tiny XML texts', () => '<a/>'.repeat(MANY), MANY],
  ['XML texts in JSON', () => JSON.stringify(Array.from({ length: MANY / 10 }, () => '<a/>')), MANY / 10],
  ['comments', () => `<a>${'<!---->'.repeat(MANY)}</a>`, MANY / 100],
  ['one string', () => JSON.stringify({ a: 'x'.repeat(CHARACTERS) }), CHARACTERS / 1000],
  ['one string of escapes', () => `{"a":"${'\\u202e'.repeat(MANY)}"}`, MANY / 200],
  ['one XML value', () => `<a>${'x'.repeat(CHARACTERS)}</a>`, CHARACTERS / 1000],
  ['XML in one JSON value', () => JSON.stringify({ a: `<r>${'<c/>'.repeat(MANY)}</r>` }), MANY],
];

/** What is read slice by slice shows only over several of them whether it gives way. */
const ENOUGH = 36_000;
const DIGITS = ENOUGH * 10;

const key = accessKey({ number: 1 });
const base64 = Buffer.concat([
  Buffer.from('%PDF-1.4\n'),
  Buffer.alloc(DIGITS),
  Buffer.from('%%EOF'),
]).toString('base64');

/** By who reads it: each of these takes all of it. A key costs as much as some elements. */
const particular: readonly (readonly [string, keyof typeof readers, () => string, number])[] = [
  ['keys as text', 'access_keys', () => `${key};`.repeat(ENOUGH / 4), ENOUGH],
  [
    'keys as JSON',
    'access_keys',
    () => JSON.stringify(Array.from({ length: ENOUGH / 4 }, () => key)),
    ENOUGH,
  ],
  ['keys as XML', 'service_keys', () => `<r>${`<chNFe>${key}</chNFe>`.repeat(ENOUGH / 4)}</r>`, ENOUGH],
  [
    'keys in one value',
    'access_keys',
    () => `<r>${`<chNFe>${`${key} `.repeat(9)}</chNFe>`.repeat(ENOUGH / 36)}</r>`,
    ENOUGH,
  ],
  ['base64', 'pdf', () => base64, DIGITS / 10],
  ['base64 in quotes', 'service_document', () => JSON.stringify(base64), DIGITS / 10],
  ['base64 in XML', 'pdf', () => `<r><pdf>${base64}</pdf></r>`, DIGITS / 10],
  ['hexadecimal', 'pdf', () => Buffer.from(base64, 'base64').toString('hex'), DIGITS / 10],
  ['bytes', 'pdf', () => `[37,80,68,70${',1'.repeat(DIGITS)}]`, ENOUGH],
  [
    'objects with XML in them',
    'undocumented',
    () => JSON.stringify(Array.from({ length: ENOUGH / 4 }, () => ({ x: '<a><b>1</b></a>' }))),
    ENOUGH,
  ],
  ['event records', 'records', () => `<r>${'<a>1</a>'.repeat(ENOUGH)}</r>`, ENOUGH],
  ['an event record', 'record', () => `<r>${'<a>1</a>'.repeat(ENOUGH)}</r>`, ENOUGH],
  ['a document', 'document', () => `<r>${'<a>1</a>'.repeat(ENOUGH)}</r>`, ENOUGH],
];

describe('while a long reply is read, everything else has its turns', () => {
  const kinds: Readonly<Record<string, (reply: ReplyBody) => Promise<unknown>>> = {
    'a reply of unknown form': readers.undocumented,
    'a list of documents': (reply) => readList(reply),
  };

  it.each(shapes)('%s', async (_, text, things) => {
    const whole = Buffer.from(text());
    for (const [kind, read] of Object.entries(kinds)) {
      const turns = await turnsDuring(() => read(replyOf(whole)).catch(() => {}));
      expect.soft(turns, kind).toBeGreaterThanOrEqual(Math.floor(things / MOST_IN_ONE_GO));
    }
  });

  it.each(particular)('%s, for who reads %s', async (_, kind, text, things) => {
    const reply = replyOf(Buffer.from(text()));
    const turns = await turnsDuring(() => readers[kind](reply, {}).catch(() => {}));
    expect(turns).toBeGreaterThanOrEqual(Math.floor(things / MOST_IN_ONE_GO));
  });
});
