import type { ListToolsResult, ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Scope, Settings } from '../config/settings.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { type Tool, viewMeta } from '../tools/shared/definition.ts';

/** By kind: annotations, and the scope without which callers don't see the tool. */
const kinds: Readonly<Record<Tool['kind'], { readonly hints: ToolAnnotations; readonly scope: Scope }>> = {
  read: {
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    scope: 'documents:read',
  },
  save: {
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    scope: 'documents:read',
  },
  write: {
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    scope: 'manifestation:write',
  },
  replace: {
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    scope: 'account:write',
  },
};

export const scopeOf = ({ kind }: Tool): Scope => kinds[kind].scope;

export const isWriting = (tool: Tool): boolean => scopeOf(tool) !== 'documents:read';

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

/** Accepts any arguments: `listTools` advertises the real schemas, and calls are checked by them. */
const anyObject = () => ({ type: 'object' });
export const anyArguments = {
  '~standard': {
    version: 1 as const,
    vendor: 'docfiscal-mcp',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: anyObject, output: anyObject },
  },
};

/** Schemas made: over HTTP a server is created per request, and building them takes milliseconds. */
const made = new WeakMap<z.ZodObject, PortableSchema>();

function schemaOf(schema: z.ZodObject, side: 'input' | 'output'): PortableSchema {
  const known = made.get(schema) ?? portableSchema(schema, side);
  made.set(schema, known);
  return known;
}

/** Answers `tools/list`. Every tool is open-world: the service carries text by strangers. */
export function listTools(
  shown: readonly Tool[],
  translator: Translator,
  hasViews: boolean,
): ListToolsResult {
  const tools = shown.map((tool) => {
    const title = translator.tell(`tool.${tool.name}` as MessageKey, {});
    const _meta = viewMeta(tool, hasViews);
    return {
      name: tool.name,
      title,
      description: tool.description,
      annotations: { title, ...kinds[tool.kind].hints, openWorldHint: true },
      inputSchema: schemaOf(tool.input(), 'input'),
      outputSchema: schemaOf(tool.output(), 'output'),
      ...(_meta && { _meta }),
    };
  });
  return { tools: tools as unknown as ListToolsResult['tools'] };
}

/** Keywords accepted by every host; other constraints are checked when the call arrives. */
const portableKeywords = new Set(
  'type description properties required items enum maximum maxItems'.split(' '),
);

/** A JSON Schema node reduced to those keywords. */
export interface PortableSchema {
  readonly type: string;
  readonly [keyword: string]: unknown;
}

/**
 * Reduces a zod object to a JSON Schema that every host accepts: no `$schema`, `$ref`, combinators, formats,
 * patterns, defaults, `additionalProperties` or exclusive bounds. Calls are validated against the zod object itself.
 * Source: docs/hosts.md, S1 to S8.
 */
export function portableSchema(schema: z.ZodObject, side: 'input' | 'output'): PortableSchema {
  const { $schema: _, ...portable } = z.toJSONSchema(schema, {
    io: side,
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'throw',
    override({ jsonSchema }) {
      for (const keyword of Object.keys(jsonSchema)) {
        if (!portableKeywords.has(keyword)) delete jsonSchema[keyword];
      }
      if (Number(jsonSchema.maximum) >= Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return portable as PortableSchema;
}
