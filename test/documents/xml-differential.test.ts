import { expect, it } from 'vitest';
import { generateNotes } from '../../bench/generated-notes.ts';
import { createDocumentReader } from '../../src/documents/summary/read-document.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { createXmlReader, XmlError, type XmlHandler } from '../../src/documents/xml/xml.ts';
import { createRandom } from '../fuzz/random.ts';
import { rounds } from '../support/depth.ts';
import { note } from './inline-notes.ts';
import { mutated } from './mutations.ts';
import { recordEvents } from './recorded-events.ts';
import { samplePaths, sampleText } from './samples.ts';
import { readWithSaxes } from './saxes-oracle.ts';

const REFUSED = 'refused';

function readWithOurs(pieces: readonly string[], events: XmlHandler): void {
  const reader = createXmlReader(events);
  for (const piece of pieces) reader.write(piece);
  reader.end();
}

/** Content of a text, or its refusal. */
function linesOrRefused(read: (events: XmlHandler) => void): string[] | typeof REFUSED {
  const { events, lines } = recordEvents();
  try {
    read(events);
  } catch {
    return REFUSED;
  }
  return lines;
}

/** Content of a text up to its end or error, and the error. */
function courseOf(pieces: readonly string[]): string[] {
  const { events, lines } = recordEvents();
  try {
    readWithOurs(pieces, events);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    lines.push(error.message);
  }
  return lines;
}

function summariesOrRefused(read: (events: XmlHandler) => void): DocumentSummary[] | typeof REFUSED {
  const documents: DocumentSummary[] = [];
  try {
    read(createDocumentReader((document) => documents.push(document)));
  } catch {
    return REFUSED;
  }
  return documents;
}

const features =
  '\ufeff<?xml version="1.0" encoding="utf-8" standalone=\'yes\' ?>\r\n<!-- c - d --><?x y?><n:a xmlns:n="urn:x" ' +
  'x="1 &lt;&#10; 2" n:y=\'\u{1F600}"\'\r\n\t>caf\u00e9 &amp;&#186;&#x1f600;]] ><![CDATA[<raw> ]] ]&amp;]]]>\r\n\r' +
  '<b/><b ></b\t><\u00e7\u{10000} z=""/>\t<c>1<d>2</d>\n\t<n:d>3</n:d>4<d></d><d> </d></c></n:a  >\n<!-- end -->';

const small = generateNotes(40, 3).filter((xml) => xml.length < 9000);

it.each<[string, readonly string[], number]>([
  ['all of XML in little', [features], 30_000],
  ['an inline note', [note()], 10_000],
  ['generated notes', small, 6000],
  [
    'samples',
    samplePaths()
      .filter((path) => path.endsWith('.xml'))
      .map(sampleText),
    4000,
  ],
])('%s, damaged, are refused or understood as by saxes', (_, texts, all) => {
  const count = rounds(all);
  const dice = createRandom(count).below;
  let understood = 0;
  for (let i = 0; i < count && texts.length > 0; i++) {
    const text = mutated(texts[dice(texts.length)] ?? '', dice);
    const ours = linesOrRefused((events) => readWithOurs([text], events));
    const theirs = linesOrRefused((events) => readWithSaxes(text, events));
    if (ours === REFUSED || theirs === REFUSED) expect([ours, text]).toEqual([theirs, text]);
    else if (ours.join('\n') !== theirs.join('\n')) expect([ours, text]).toEqual([theirs, text]);
    else understood++;
  }
  if (texts.length > 0) expect(understood).toBeGreaterThan(count / 50);
});

it('damaged notes have the same summaries as by saxes', () => {
  const dice = createRandom(7).below;
  for (let i = 0; i < rounds(4000); i++) {
    const text = mutated(small[dice(small.length)] ?? '', dice);
    const ours = summariesOrRefused((events) => readWithOurs([text], events));
    if (ours === REFUSED) continue;
    expect(ours).toEqual(summariesOrRefused((events) => readWithSaxes(text, events)));
  }
});

it('a damaged text gives the same events and error in one piece, two or single characters', () => {
  const dice = createRandom(11).below;
  for (let i = 0; i < rounds(10_000); i++) {
    const text = mutated(features, dice);
    const cut = dice(text.length);
    const whole = courseOf([text]);
    expect([courseOf([text.slice(0, cut), text.slice(cut)]), text]).toEqual([whole, text]);
    expect([courseOf(text.split('')), text]).toEqual([whole, text]);
  }
});
