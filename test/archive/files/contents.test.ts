import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readContents } from '../../../src/archive/files/contents.ts';
import { authorisedNote } from '../../support/filed-documents.ts';
import { turnsDuring } from '../../support/turns.ts';

const MEBIBYTE = 1024 ** 2;
/** How many times as large as it is a file may become, as a ZIP of the same size. */
const RATIO = 250;

const docZip = (text: string) => `<docZip>${gzipSync(text).toString('base64')}</docZip>`;
const distribution = (...texts: string[]) => `<retDistDFeInt>${texts.join('')}</retDistDFeInt>`;
const note = (number: number, blanks = 0) => `${authorisedNote({ number })}${' '.repeat(blanks)}`;

const read = async (text: string) => await readContents(Buffer.from(text));

describe('what is packed in a file', () => {
  it('is read, however much of it there is, as long as it is what documents shrink to', async () => {
    const numbers = Array.from({ length: 50 }, (_, i) => i + 1);
    const { documents, leftOut } = await read(distribution(...numbers.map((n) => docZip(note(n)))));
    expect(documents.map(({ summary }) => summary.number)).toEqual(numbers.map(String));
    expect(leftOut).toEqual([]);
  });

  it('may not become more than a ZIP of that size: the rest is told, and what fitted is read', async () => {
    const file = distribution(...Array.from({ length: 40 }, (_, i) => docZip(note(i + 1, MEBIBYTE))));
    const { documents, leftOut } = await read(file);
    expect(documents.length).toBeGreaterThan(1);
    expect(documents.length * MEBIBYTE).toBeLessThan(file.length * RATIO);
    expect(leftOut.map(({ reason, root }) => `${reason} ${root}`)).toEqual(
      Array.from({ length: 40 - documents.length }, () => 'too_large docZip'),
    );
  });

  it('may be packed once: what is packed in it is told and not followed', async () => {
    const { documents, leftOut } = await read(
      distribution(docZip(distribution(docZip(note(1)))), docZip(note(2))),
    );
    expect(documents.map(({ summary }) => summary.number)).toEqual(['2']);
    expect(leftOut).toEqual([{ reason: 'too_deep', root: 'docZip' }]);
  });

  it('counts although the text is damaged behind it', async () => {
    const { documents, leftOut } = await read(`<retDistDFeInt>${docZip(note(1))}<a></b>`);
    expect(documents).toHaveLength(1);
    expect(leftOut).toMatchObject([{ reason: 'malformed' }]);
  });
});

it('a file with too many parts is given up; what was read of it counts', async () => {
  const { documents, leftOut } = await read(`${note(1)}${'<NFe><infNFe/></NFe>'.repeat(22_000)}${note(2)}`);
  expect(documents).toHaveLength(1);
  expect(leftOut.at(-1)).toMatchObject({ reason: 'too_large' });
  expect(leftOut.length).toBeLessThan(22_000);
});

it('while a long file is read, everything else has its turns', async () => {
  const bytes = Buffer.from(`<a>${'<b/>'.repeat(500_000)}</a>`);
  expect(await turnsDuring(() => readContents(bytes))).toBeGreaterThanOrEqual(6);
});
