import type { ListToolsResult, ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Scope, Settings } from '../config/settings.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { type Tool, viewMeta } from '../tools/shared/definition.ts';

/** Annotations by kind. Every tool is open-world: the service carries text by strangers. */
const hints: Readonly<Record<Tool['kind'], ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  save: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};

export function isWriting({ kind }: Tool): boolean {
  return kind === 'write' || kind === 'replace';
}

/** Scope a tool needs; callers without it don't see the tool. */
export function scopeOf({ kind }: Tool): Scope {
  if (kind === 'write') return 'manifestation:write';
  return kind === 'replace' ? 'account:write' : 'documents:read';
}

/** Why a configuration excludes a tool: its group is not chosen, or it writes in read-only mode. */
export function reasonAgainst(
  tool: Tool,
  { readOnly, toolsets }: Pick<Settings, 'readOnly' | 'toolsets'>,
): 'failure.read_only' | 'failure.other_toolset' | undefined {
  if (readOnly && isWriting(tool)) return 'failure.read_only';
  return toolsets.includes(tool.group) ? undefined : 'failure.other_toolset';
}

export function shownTools(
  tools: readonly Tool[],
  settings: Pick<Settings, 'readOnly' | 'toolsets'>,
  scopes: readonly Scope[],
): readonly Tool[] {
  return tools.filter(
    (tool) => reasonAgainst(tool, settings) === undefined && scopes.includes(scopeOf(tool)),
  );
}

/** A schema for the SDK: JSON Schema only, since arguments are validated elsewhere. */
function advertised(schema: () => Record<string, unknown>) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'docfiscal-mcp',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}

/** Placeholder for the SDK's registration; `listTools` returns the real schema. */
const outputSchema = advertised(() => ({ type: 'object' }));

/** Schemas made: over HTTP a server is created per request, and building them takes milliseconds. */
const made = new WeakMap<z.ZodObject, PortableSchema>();

function schemaOf(schema: z.ZodObject, side: 'input' | 'output'): PortableSchema {
  const known = made.get(schema) ?? portableSchema(schema, side);
  made.set(schema, known);
  return known;
}

function headingOf({ name, description, kind }: Tool, translator: Translator) {
  const title = translator.tell(`tool.${name}` as MessageKey, {});
  return { title, description, annotations: { title, ...hints[kind] } };
}

export function registrationOf(tool: Tool, translator: Translator) {
  return {
    ...headingOf(tool, translator),
    inputSchema: advertised(() => schemaOf(tool.input(), 'input')),
    outputSchema,
  };
}

export function listTools(
  shown: readonly Tool[],
  translator: Translator,
  hasViews: boolean,
): ListToolsResult {
  const tools = shown.map((tool) => {
    const _meta = viewMeta(tool, hasViews);
    const schemas = {
      inputSchema: schemaOf(tool.input(), 'input'),
      outputSchema: schemaOf(tool.output(), 'output'),
    };
    return { name: tool.name, ...headingOf(tool, translator), ...schemas, ...(_meta && { _meta }) };
  });
  return { tools: tools as unknown as ListToolsResult['tools'] };
}

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
