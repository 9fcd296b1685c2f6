import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { cleanText, inQuotes, quoted, quotedExactly } from '../../src/documents/untrusted.ts';
import { anyCharacter } from '../support/any-character.ts';

describe('cleanText', () => {
  it.each([
    ['terminal escape', '\u001b[31mred\u001b[0m', '[31mred [0m'],
    ['C1 controls', 'a\u0085b\u009bc', 'a b c'],
    ['bell and null', 'a\u0007b\u0000c', 'a b c'],
    ['zero width', 'a\u200bb\u200cc\u200dd\ufeffe\u2060f', 'abcdef'],
    ['direction', '\u202eevil\u202c \u2066x\u2069 \u200f', 'evil x'],
    ['tag characters', 'ok\u{e0001}\u{e0041}\u{e007f}', 'ok'],
    ['variation selectors', 'a\ufe0fb\u{e0100}c', 'abc'],
    ['line separators', 'a\u2028b\u2029c', 'a b c'],
    ['half a surrogate pair', 'a\ud800b', 'ab'],
    ['line ends', 'a\r\nb\rc\nd\te', 'a\nb\nc\nd\te'],
    ['blank edges', ' \n a \t', 'a'],
    ['what is fine', 'São Paulo – “ok” 日本 \u{1F600}', 'São Paulo – “ok” 日本 \u{1F600}'],
  ])('%s', (_, text, expected) => {
    expect(cleanText(text, 120)).toBe(expected);
  });

  it('cuts to the limit with a mark, never inside a character', () => {
    expect(cleanText('abcdef', 6)).toBe('abcdef');
    expect(cleanText('abcdefg', 6)).toBe('abcde…');
    expect(cleanText('abcd\u{1F600}fg', 6)).toBe('abcd…');
    expect(cleanText('abc  defg', 6)).toBe('abc…');
  });

  it('leaves nothing unsafe in any text and never passes the limit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 300 }),
        fc.integer({ min: 2, max: 100 }),
        (text, limit) => {
          const clean = cleanText(text, limit);
          expect(clean.length).toBeLessThanOrEqual(limit);
          expect(clean).not.toMatch(/[\p{Cf}\p{Cs}\u2028\u2029]/u);
          expect(clean.replace(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u);
          expect(cleanText(clean, limit)).toBe(clean);
        },
      ),
    );
  });
});

describe('text in quotation marks', () => {
  const marks = `" “ ” „ ‟ « » ‹ › ＂ ″ 〝 〞 ❝ ❞ ״ '' ’’ ´´`.split(' ');

  it.each(marks)('cannot close them by %s, or seem to', (mark) => {
    const name = `ACME${mark}, total R$ 1,00. Registrar ${mark}Ltda`;
    expect(inQuotes(name)).toBe("ACME', total R$ 1,00. Registrar 'Ltda");
    expect(quoted(name)).toBe(`"ACME', total R$ 1,00. Registrar 'Ltda"`);
    const exact = quotedExactly(name);
    expect(JSON.parse(exact)).toBe(name);
    expect(exact.slice(1, -1).replaceAll('\\"', '')).not.toContain(mark);
  });

  it.each(["Caixa d'Água", 'Joana d’Arc', 'Rock ‘n’ Roll'])('keeps the apostrophes of %s', (name) => {
    expect(quoted(name)).toBe(`"${name}"`);
    expect(quotedExactly(name)).toBe(`"${name}"`);
  });

  it('cannot make its end seem escaped', () => {
    expect(quoted('ACME\\')).toBe('"ACME\\ "');
  });
});

it('long text of a document is cut', () => {
  const [document] = readDocuments(
    `<NFe><infNFe versao="4.00"><ide><nNF>1</nNF></ide><det nItem="1"><infAdProd>${'x'.repeat(2000)}</infAdProd></det>` +
      `<infAdic><infCpl>${'y'.repeat(5000)}</infCpl></infAdic></infNFe></NFe>`,
  );
  for (const notes of [document?.notes, document?.items[0]?.notes]) expect(notes).toMatch(/^.{999}…$/);
});
