import * as z from 'zod';

/** Keywords accepted by every host; other constraints are checked when the call arrives. */
const portableKeywords = new Set([
  'type',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'maximum',
  'maxItems',
]);

/** A JSON Schema node reduced to those keywords. */
export interface PortableSchema {
  readonly type: string;
  readonly [keyword: string]: unknown;
}

function project(node: unknown): unknown {
  if (Array.isArray(node) || node === null || typeof node !== 'object') return node;
  const kept = Object.entries(node).flatMap(([keyword, value]): [string, unknown][] => {
    if (!portableKeywords.has(keyword)) return [];
    if (keyword === 'properties' && value !== null && typeof value === 'object') {
      return [
        [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, project(one)]))],
      ];
    }
    return [[keyword, keyword === 'items' ? project(value) : value]];
  });
  const unbounded = kept.filter(
    ([keyword, value]) => !(keyword === 'maximum' && Math.abs(Number(value)) >= Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(unbounded);
}

/**
 * Reduces a zod object to a JSON Schema that every host accepts: no `$schema`, `$ref`, combinators, formats,
 * patterns, defaults, `additionalProperties` or exclusive bounds. Calls are validated against the zod object itself.
 * Source: docs/hosts.md, S1 to S8.
 */
export function portableSchema(schema: z.ZodObject, side: 'input' | 'output'): PortableSchema {
  const full = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'throw',
  });
  return project(full) as PortableSchema;
}
