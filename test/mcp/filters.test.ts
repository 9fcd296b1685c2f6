import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { filterShape } from '../../src/mcp/filters.ts';

const filters = z.strictObject(filterShape());

describe('the recipient of a filter', () => {
  it.each([
    ['11.222.333/0001-81', '11222333000181'],
    ['52998224725', '52998224725'],
    // Abroad: to the letter, as files have it.
    ['GB-123.456/7', 'GB-123.456/7'],
    [' us 12-3456789 ', 'us 12-3456789'],
    ['PASS4567', 'PASS4567'],
  ])('%s is looked for as %s', (text, id) => {
    expect(filters.parse({ recipient: text }).recipient).toBe(id);
  });

  it.each([
    '11222333000182',
    '11.222.333/0001-82',
    '529.982.247-26',
    '12ABC34501DE36',
    'ABC',
    'X'.repeat(41),
    'A\tBCDE',
  ])('%s is nobody', (text) => {
    expect(filters.safeParse({ recipient: text }).success).toBe(false);
  });

  it('abroad is no issuer of a question', () => {
    expect(filters.safeParse({ issuer: 'GB-123.456/7' }).success).toBe(false);
  });
});
