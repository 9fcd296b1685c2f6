import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { portableSchema } from '../../src/server/catalogue.ts';

describe('a schema for every host', () => {
  it('keeps what hosts understand', () => {
    const schema = z.strictObject({
      document: z.enum(['nfe', 'cte']).describe('Document kind'),
      keys: z.array(z.string()).max(500),
      limit: z.int().min(1).max(200).default(50),
      format: z.string().optional(),
    });
    expect(portableSchema(schema, 'input')).toEqual({
      type: 'object',
      properties: {
        document: { type: 'string', enum: ['nfe', 'cte'], description: 'Document kind' },
        keys: { type: 'array', items: { type: 'string' }, maxItems: 500 },
        limit: { type: 'integer', maximum: 200 },
        format: { type: 'string' },
      },
      required: ['document', 'keys'],
    });
  });

  it('names a property like a keyword, and drops the keyword', () => {
    const schema = z.object({ pattern: z.string().regex(/^a$/), default: z.string().default('x') });
    expect(portableSchema(schema, 'input')).toEqual({
      type: 'object',
      properties: { pattern: { type: 'string' }, default: { type: 'string' } },
      required: ['pattern'],
    });
  });

  it('drops the bounds that only say that a number is whole', () => {
    const { properties } = portableSchema(z.object({ count: z.int() }), 'output');
    expect(properties).toEqual({ count: { type: 'integer' } });
  });
});
