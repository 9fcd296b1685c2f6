import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextPool } from '../../src/documents/summary/collector.ts';

describe('a text pool', () => {
  it('changes no text, whatever came before', () => {
    const text = fc.oneof(fc.constantFrom('0.00', '0.01', '5102', 'UN'), fc.string({ maxLength: 20 }));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 400 }), (texts) => {
        const pool = createTextPool();
        expect(texts.map(pool)).toEqual(texts);
      }),
    );
  });
});
