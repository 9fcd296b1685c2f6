import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { portableSchema } from '../../src/server/catalogue.ts';
import { tools } from '../../src/tools/index.ts';

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

/** Every node of a schema, with its place. */
function* nodesOf(node: unknown, place: string): Generator<[string, Record<string, unknown>]> {
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return;
  const schema = node as Record<string, unknown>;
  yield [place, schema];
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    yield* nodesOf(child, `${place}.${name}`);
  if (schema.items !== undefined) yield* nodesOf(schema.items, `${place}[]`);
}

const allowed = new Set([
  'type',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'maximum',
  'maxItems',
]);

describe.each(tools)('the schemas of $name', ({ input, output }) => {
  it.each([
    ['input', input()],
    ['output', output()],
  ] as const)('%s: objects at the top, and nothing but plain keywords below', (side, schema) => {
    const json = portableSchema(schema, side);
    expect(json.type).toBe('object');
    for (const [place, node] of nodesOf(json, side)) {
      for (const keyword of Object.keys(node)) expect(allowed, `${place}: ${keyword}`).toContain(keyword);
      if ('enum' in node) expect(node.type, place).toBe('string');
      const required = (node.required ?? []) as string[];
      expect(Object.keys(node.properties ?? {}), place).toEqual(expect.arrayContaining(required));
    }
  });

  it('input: every node has a type', () => {
    for (const [place, node] of nodesOf(portableSchema(input(), 'input'), 'input')) {
      expect(node.type, place).toEqual(expect.any(String));
    }
  });
});
