import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReplyBody } from '../../../src/clients/documents/replies/index.ts';
import { UpstreamError } from '../../../src/clients/errors.ts';
import { isLong, rounds } from '../../support/depth.ts';
import { accessKeys, nfeXml, pdfBytes } from '../../support/documents.ts';
import {
  byteByByte,
  cdata,
  cutEverywhere,
  DECLARATION,
  escaped,
  event,
  KEY,
  note,
  OTHER_KEY,
  outcome,
  place,
  readDocument,
  readKeys,
  readList,
  readPdf,
  replyOf,
  wrappings,
} from './reply.ts';

type Read = (reply: ReplyBody) => Promise<unknown>;

const keys = accessKeys(4);

/** Places to cut a text at: all of a short one, else some spread over it and the last ones. */
function cuts(length: number): number[] {
  const most = Math.min(length, rounds(200, 20));
  const spread = Array.from({ length: most }, (_, i) => Math.floor((i * length) / most));
  return [...new Set([...spread, length - 3, length - 2, length - 1])];
}

const FIRST = note(KEY);
const BROKEN = FIRST.replace('</emit>', '</dest>');
const inEnvelope = (content: string) => `<ret><cStat>100</cStat><retorno>${content}</retorno></ret>`;

describe('a cut reply is never a shorter list', () => {
  const documents = inEnvelope(place(cdata(nfeXml({ number: 1 }))));
  it.each<[what: string, read: Read, text: string]>([
    [
      'keys in XML',
      readKeys,
      `<xml>${inEnvelope(keys.map((key) => `<ChaveNFe>${key}</ChaveNFe>`).join(''))}</xml>`,
    ],
    ['keys in a JSON string', readKeys, JSON.stringify(keys.join(','))],
    ['keys in a JSON array', readKeys, JSON.stringify(keys)],
    ['keys in the string wrapper', readKeys, `<string>${keys.join(';')}</string>`],
    ['documents in XML', readList, documents],
    ['documents in a JSON string', readList, JSON.stringify(documents)],
    ['documents in a JSON array', readList, JSON.stringify([nfeXml({ number: 1 }), nfeXml({ number: 2 })])],
  ])('%s', async (_, read, text) => {
    expect(await read(replyOf(text))).toMatchObject(read === readKeys ? { keys } : { unreadable: [] });
    for (const length of cuts(text.length)) {
      await expect(read(replyOf(text.slice(0, length)))).rejects.toBeInstanceOf(UpstreamError);
    }
  });

  it('keys in bare text, but for a cut between two keys, which leaves no trace', async () => {
    const text = keys.join(';');
    for (let length = 1; length < text.length; length++) {
      const isBetween = length % 45 === 0 || length % 45 === 44;
      const result = await readKeys(replyOf(text.slice(0, length))).catch((error: unknown) => error);
      if (isBetween) expect(result).toMatchObject({ keys: keys.slice(0, Math.floor((length + 1) / 45)) });
      else expect(result).toBeInstanceOf(UpstreamError);
    }
  });
});

const base64 = pdfBytes.toString('base64');
const list = inEnvelope(
  `${FIRST}${BROKEN}${place(cdata(BROKEN))}<Propria><Item><Valor>5</Valor></Item></Propria>${note(OTHER_KEY)}`,
);
const amongEntities = `&lt;ret&gt;&lt;ChaveNFe&gt;${KEY}&lt;/ChaveNFe&gt;&#60;x&#x3E;á&amp;amp;😀&lt;/x&gt;&lt;/ret&gt;`;

it.each<[what: string, read: Read, content: string | Buffer, every: number]>([
  ['a document in CDATA', readDocument, inEnvelope(place(cdata(DECLARATION + FIRST))), 3],
  [
    'a document in JSON with escapes',
    readDocument,
    JSON.stringify(FIRST).replaceAll('<', '\\u003c').replace('😀', '\\ud83d\\ude00'),
    3,
  ],
  ['a document in the string wrapper', readDocument, `<string>${escaped(FIRST)}</string>`, 3],
  ['an event and a document', readDocument, `${DECLARATION}${event(KEY)}\n${DECLARATION}${FIRST}`, 3],
  ['a list with broken and unknown documents', readList, list, 7],
  ['keys in bare text', readKeys, `${KEY},${OTHER_KEY};`, 1],
  ['keys in a JSON array', readKeys, `["${KEY}", "${OTHER_KEY}"]`, 1],
  ['keys among entities', readKeys, `<string>${amongEntities}</string>`, 1],
  ['an error', readKeys, '{"Message":"Não é possível 😀"}', 1],
  ['a PDF', readPdf, pdfBytes, 1],
  ['a PDF as base64 in JSON', readPdf, JSON.stringify(base64), 1],
  ['a PDF in gzip', readPdf, gzipSync(pdfBytes), 1],
  ['a PDF in an envelope', readPdf, inEnvelope(`<Pdf>${base64}</Pdf>`), 1],
])('%s reads the same wherever it comes apart', async (_, read, content, every) => {
  const whole = await outcome(read(replyOf(content)));
  expect(whole).toHaveProperty(content.includes('Message') ? 'refusal' : 'value');
  expect(await outcome(read(byteByByte(content)))).toEqual(whole);
  for (const reply of cutEverywhere(content, isLong ? 1 : every)) {
    expect(await outcome(read(reply))).toEqual(whole);
  }
});

describe('a list with documents that are damaged', () => {
  const notes = [1, 2, 3, 4, 5].map((number) => nfeXml({ number }));
  const keyOf = (note: string) => /Id="NFe(\d{44})"/.exec(note)?.[1];
  /** A place in a document, how much of it goes there, and what comes instead. */
  const damages = fc.array(
    fc.record({
      which: fc.nat(4),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.constantFrom(0, 1, 7, 80, 400),
      instead: fc.constantFrom('', '<', '>', '&', '</x>', '<x>', '</NFe>', '</nfeProc>', '"', ' '),
    }),
    { minLength: 1, maxLength: 3 },
  );

  it.each(wrappings)('$name, never says less than that something is missing', async ({ wrap, isolates }) => {
    await fc.assert(
      fc.asyncProperty(damages, async (all) => {
        const texts = [...notes];
        for (const { which, at, length, instead } of all) {
          const text = texts[which] ?? '';
          const start = Math.floor(at * text.length);
          texts[which] = text.slice(0, start) + instead + text.slice(start + length);
        }
        const given: (string | undefined)[] = [];
        const outcome = await readList(replyOf(wrap(texts)), ({ summary }) => {
          given.push(summary.key);
        }).catch((error: unknown) => error);
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(UpstreamError);
          return;
        }
        const { unreadable } = outcome as Awaited<ReturnType<typeof readList>>;
        if (unreadable.length === 0) expect(given).toHaveLength(texts.length);
        else expect(given.length + unreadable.length).toBeGreaterThan(0);
        const whole = notes.filter((note, i) => texts[i] === note).map(keyOf);
        if (isolates === true) expect(given).toEqual(expect.arrayContaining(whole));
      }),
      { numRuns: rounds(300, 30) },
    );
  });
});
