import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RepliedWithUrl, type ReplyBody, readers } from '../../../src/clients/documents/replies/index.ts';
import { UpstreamError } from '../../../src/clients/errors.ts';
import { completeAccessKey } from '../../../src/documents/identity/keys.ts';
import { rounds } from '../../support/depth.ts';
import { sampleNfe } from './list-reply.ts';
import { readKeys, readList, replyOf, wrappings } from './reply.ts';

const all: Record<string, (reply: ReplyBody) => Promise<unknown>> = {
  ...readers,
  documents: (reply) => readList(reply),
};

const keys = Array.from({ length: 4 }, (_, i) =>
  completeAccessKey(`3526095871652300011955001${String(i + 1).padStart(9, '0')}112345678`),
);

const PREFIX_CUTS = rounds(200, 20);

/** Places to cut a text at: all of a short one, else some spread over it and the last ones. */
function cuts(length: number): number[] {
  if (length <= PREFIX_CUTS) return Array.from({ length }, (_, i) => i);
  const spread = Array.from({ length: PREFIX_CUTS }, (_, i) => Math.floor((i * length) / PREFIX_CUTS));
  return [...spread, length - 3, length - 2, length - 1];
}

describe('a cut reply is never a shorter list', () => {
  const envelope =
    `<xml version="1.0"><ret><cStat>100</cStat><Quantidade>4</Quantidade><retorno>` +
    `${keys.map((key) => `<ChaveNFe>${key}</ChaveNFe>`).join('')}</retorno></ret></xml>`;
  const documents = `<ret><cStat>100</cStat><retorno><Conteudo><![CDATA[${sampleNfe(1)}]]></Conteudo></retorno></ret>`;

  it.each([
    ['keys in XML', envelope],
    ['keys in a JSON string', JSON.stringify(keys.join(','))],
    ['keys in a JSON array', JSON.stringify(keys)],
    ['keys in the string wrapper', `<string>${keys.join(';')}</string>`],
  ])('%s', async (_, text) => {
    expect((await readKeys(replyOf(text))).keys).toEqual(keys);
    for (const length of cuts(text.length)) {
      await expect(readKeys(replyOf(text.slice(0, length)))).rejects.toBeInstanceOf(UpstreamError);
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

  it.each([
    ['documents in XML', documents],
    ['documents in a JSON string', JSON.stringify(documents)],
    ['documents in a JSON array', JSON.stringify([sampleNfe(1), sampleNfe(2)])],
  ])('%s', async (_, text) => {
    expect((await readList(replyOf(text), () => {})).count).toBeGreaterThan(0);
    for (const length of cuts(text.length)) {
      await expect(readList(replyOf(text.slice(0, length)), () => {})).rejects.toBeInstanceOf(UpstreamError);
    }
  });
});

const pieces = fc.constantFrom(
  ...'"~\\~\\u~\\ud83d~[~]~{~}~,~:~<~>~</~/>~&~&lt;~&#~;~%PDF-~%%EOF~<string>~</string>~<![CDATA['.split('~'),
  ...']]>~<?xml version="1.0"?>~<!DOCTYPE~<NFe>~<infNFe>~</NFe>~<NFSe>~<retorno>~<cStat>137</cStat>'.split(
    '~',
  ),
  ...'<Quantidade>~Sucesso~"Message":~JVBERi0~H4sI~UEsDB~https://a~0~<html>~sig=x~ ~\n~é~😀'.split('~'),
  ...[keys[0] ?? '', '\u0000', '\ufeff'],
);

const anything = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.array(pieces, { maxLength: 25 }).map((parts) => Buffer.from(parts.join(''))),
  fc.array(pieces, { maxLength: 25 }).map((parts) => Buffer.from(JSON.stringify(parts.join('')))),
  fc
    .tuple(
      fc.constantFrom([0x1f, 0x8b, 8, 0], [0x50, 0x4b, 3, 4], [0xff, 0xfe], [0xef, 0xbb, 0xbf]),
      fc.uint8Array(),
    )
    .map(([start, rest]) => Buffer.from([...start, ...rest])),
);

describe('whatever comes', () => {
  it.each(Object.keys(all))('%s gives a result, the address of one or an upstream error', async (name) => {
    await fc.assert(
      fc.asyncProperty(anything, fc.nat(300), async (bytes, cut) => {
        const result = await all[name]?.(replyOf(bytes.subarray(0, cut), bytes.subarray(cut))).catch(
          (error: unknown) => error,
        );
        if (result instanceof Error && !(result instanceof RepliedWithUrl)) {
          expect(result).toBeInstanceOf(UpstreamError);
        }
      }),
      { numRuns: rounds(400) },
    );
  });
});

describe('a list with documents that are damaged', () => {
  const notes = [1, 2, 3, 4, 5].map((number) => sampleNfe(number, 1));
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
