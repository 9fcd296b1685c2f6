import { describe, expect, it } from 'vitest';
import { firstOf, textOf } from '../../../src/tools/shared/definition.ts';

describe('the text of an answer', () => {
  it.each([
    ['line breaks', 'a\nb\r\nc'],
    ['separators of lines and paragraphs', 'a\u2028b\u2029c\u0085d\u000be'],
    ['codes of a terminal', 'a\u001b[2Kb\u009b31m'],
    ['turned and hidden text', 'a\u202eb\u2066\u200b\u{e0041}\ufe0fc'],
  ])('has as many lines as it was given, although one of them has %s', (_, line) => {
    const text = textOf(['first', `  ${line}`, 'last']);
    expect(text.split('\n')).toEqual(['first', expect.stringMatching(/^ {2}a/), 'last']);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/u);
  });

  it('is what it was given where nothing is hidden in it', () => {
    expect(textOf(['Ação – "x" 10,00', '', '  recuado'])).toBe('Ação – "x" 10,00\n\n  recuado');
  });
});

describe('a shortened list of names', () => {
  it.each([
    [['a', 'b'], 2, 'a; b'],
    [['a', 'b', 'c'], 5, 'a; b; … +3'],
    [['a', 'b', 'c'], 3, 'a; b; … +1'],
    [[], 0, ''],
  ])('of %j, %d in all, ends with the number left out', (names, count, expected) => {
    expect(firstOf(names, 2, '; ', count)).toBe(expected);
  });
});
