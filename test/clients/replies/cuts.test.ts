import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { ReplyBody } from '../../../src/clients/documents/replies/index.ts';
import { isLong } from '../../support/depth.ts';
import { pdfBytes } from '../../support/documents.ts';
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
} from './reply.ts';

const FIRST = note(KEY);
const BROKEN = FIRST.replace('</emit>', '</dest>');
const base64 = pdfBytes.toString('base64');
const inEnvelope = (content: string) => `<ret><cStat>100</cStat><retorno>${content}</retorno></ret>`;
const list = inEnvelope(
  `${FIRST}${BROKEN}${place(cdata(BROKEN))}<Propria><Item><Valor>5</Valor></Item></Propria>${note(OTHER_KEY)}`,
);

type Read = (reply: ReplyBody) => Promise<unknown>;

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
  [
    'keys among entities',
    readKeys,
    `<string>&lt;ret&gt;&lt;ChaveNFe&gt;${KEY}&lt;/ChaveNFe&gt;&#60;x&#x3E;á&amp;amp;😀&lt;/x&gt;&lt;/ret&gt;</string>`,
    1,
  ],
  ['an error', readKeys, '{"Message":"Não é possível 😀"}', 1],
  ['a PDF', readPdf, pdfBytes, 1],
  ['a PDF as base64 in JSON', readPdf, JSON.stringify(base64), 1],
  ['a PDF in gzip', readPdf, gzipSync(pdfBytes), 1],
  ['a PDF in an envelope', readPdf, inEnvelope(`<Pdf>${base64}</Pdf>`), 1],
])('%s reads the same wherever it is cut', async (_, read, content, every) => {
  const whole = await outcome(read(replyOf(content)));
  expect(whole).toHaveProperty(content.includes('Message') ? 'refusal' : 'value');
  expect(await outcome(read(byteByByte(content)))).toEqual(whole);
  for (const reply of cutEverywhere(content, isLong ? 1 : every)) {
    expect(await outcome(read(reply))).toEqual(whole);
  }
});
