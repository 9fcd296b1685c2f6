import type { ListToolsResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Scope } from '../config/access.ts';
import type { Settings } from '../config/settings.ts';
import type { MessageKey, Translator } from '../messages/index.ts';
import { once, type Tool } from '../tools/shared/definition.ts';
import { viewMeta } from '../tools/shared/views.ts';
import { portableSchema } from './portable-schema.ts';

/** Hints follow from what a tool does; every tool reaches a service that carries text by strangers. */
const hints: Readonly<Record<Tool['kind'], ToolAnnotations>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  save: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};

/** Whether a tool changes something upstream. */
export function isWriting({ kind }: Tool): boolean {
  return kind === 'write' || kind === 'replace';
}

/** What may be done with a tool: a caller without the scope is challenged for it and not shown the tool. */
export function scopeOf({ kind }: Tool): Scope {
  if (kind === 'write') return 'manifestation:write';
  return kind === 'replace' ? 'account:write' : 'documents:read';
}

/** Why a configuration leaves a tool out: it is of no chosen group, or writes where nothing may be written. */
export function reasonAgainst(
  tool: Tool,
  { readOnly, toolsets }: Pick<Settings, 'readOnly' | 'toolsets'>,
): 'failure.read_only' | 'failure.other_toolset' | undefined {
  if (readOnly && isWriting(tool)) return 'failure.read_only';
  return toolsets.includes(tool.group) ? undefined : 'failure.other_toolset';
}

/** The tools that a caller is shown: those that the configuration has and its scopes allow. */
export function shownTools(
  tools: readonly Tool[],
  settings: Pick<Settings, 'readOnly' | 'toolsets'>,
  scopes: readonly Scope[],
): readonly Tool[] {
  return tools.filter(
    (tool) => reasonAgainst(tool, settings) === undefined && scopes.includes(scopeOf(tool)),
  );
}

/** What the SDK wants of a schema: the advertised JSON Schema, and a check, which is ours and done elsewhere. */
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

/** All that the SDK asks of it when a tool is called; the whole of it is listed below. */
const outputSchema = advertised(() => ({ type: 'object' }));

function makeSchemas(tool: Tool) {
  return {
    input: once(() => portableSchema(tool.input(), 'input')),
    output: once(() => portableSchema(tool.output(), 'output')),
  };
}

/** Schemas by tool: over HTTP a server is made for every request, and they take milliseconds to make. */
const made = new WeakMap<Tool, ReturnType<typeof makeSchemas>>();

function schemasOf(tool: Tool): ReturnType<typeof makeSchemas> {
  const schemas = made.get(tool) ?? makeSchemas(tool);
  made.set(tool, schemas);
  return schemas;
}

function headingOf({ name, description, kind }: Tool, translator: Translator) {
  const title = translator.tell(`tool.${name}` as MessageKey, {});
  return { title, description, annotations: { title, ...hints[kind] } };
}

/** A tool as it is registered. */
export function registrationOf(tool: Tool, translator: Translator) {
  return { ...headingOf(tool, translator), inputSchema: advertised(schemasOf(tool).input), outputSchema };
}

/** The answer to `tools/list`. */
export function listTools(
  shown: readonly Tool[],
  translator: Translator,
  hasViews: boolean,
): ListToolsResult {
  const tools = shown.map((tool) => {
    const { input, output } = schemasOf(tool);
    const _meta = viewMeta(tool, hasViews);
    const schemas = { inputSchema: input(), outputSchema: output() };
    return { name: tool.name, ...headingOf(tool, translator), ...schemas, ...(_meta && { _meta }) };
  });
  return { tools: tools as unknown as ListToolsResult['tools'] };
}
