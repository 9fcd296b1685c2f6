import type { CallToolResult, ClientCapabilities, ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Answer, CallContext, Plan } from '../../company/call-context.ts';
import type { Settings, Toolset } from '../../config/settings.ts';
import { asLine } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import type { Page } from '../../page/page.ts';
import { shared } from './parameters.ts';

/** `document`: one document; `period`: an answer about many. */
export const views = ['document', 'period'] as const;

export type View = (typeof views)[number];

export interface ToolAnswer<Output> extends Answer<Output> {
  readonly attachments?: readonly ContentBlock[];
  /** Data for the view only; not shown to the model. */
  readonly forView?: Readonly<Record<string, unknown>> | undefined;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly group: Toolset;
  /** English, for the model. Titles are in the catalogue under `tool.<name>`. */
  readonly description: string;
  /** Lazy: building all schemas would slow the start. */
  readonly input: () => Input;
  readonly output: () => Output;
  readonly view?: View;
}

/** A tool without upstream changes; `save` writes a file of the user's. */
export interface ReadTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject>
  extends Definition<Input, Output> {
  readonly kind: 'read' | 'save';
  run(args: z.output<Input>, context: CallContext): Promise<ToolAnswer<z.input<Output>>>;
}

/** A tool with upstream changes; `replace` sets a whole object and is idempotent. */
export interface WriteTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject>
  extends Definition<Input, Output> {
  readonly kind: 'write' | 'replace';
  plan(args: z.output<Input>, context: CallContext): Promise<Plan<z.input<Output>>>;
}

export type Tool = ReadTool | WriteTool;

/** Optional texts of an output, by name. */
export function texts<const Name extends string>(...names: readonly Name[]) {
  const shape = names.map((name) => [name, z.string().optional()]);
  return Object.fromEntries(shape) as Record<Name, z.ZodOptional<z.ZodString>>;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Declares a reading tool, or one that saves; annotations, filtering and error handling follow from the kind. */
export function readTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: Omit<ReadTool<I, O>, 'kind'> & Partial<Pick<ReadTool, 'kind'>>,
): ReadTool {
  return { kind: 'read', ...tool, input: once(tool.input), output: once(tool.output) } as unknown as ReadTool;
}

/** Declares a writing tool; preview, confirmation, filtering and error handling follow from the kind. */
export function writeTool<I extends z.ZodObject, O extends z.ZodObject>(tool: WriteTool<I, O>): WriteTool {
  return { ...tool, input: once(tool.input), output: once(tool.output) } as unknown as WriteTool;
}

/** Adds a `cnpj` argument to a tool, for servers of several companies. */
export function withCompany(tool: Tool): Tool {
  const input = once(() => {
    const own = tool.input();
    return 'cnpj' in own.shape
      ? own
      : own.safeExtend({ cnpj: shared.cnpj().describe('CNPJ of the company it is for') });
  });
  const ownArguments = <Args extends object>(args: Args): Args => {
    if ('cnpj' in tool.input().shape) return args;
    const { cnpj: _, ...others } = args as Args & { cnpj?: unknown };
    return others as Args;
  };
  return 'run' in tool
    ? { ...tool, input, run: (args, context) => tool.run(ownArguments(args), context) }
    : { ...tool, input, plan: (args, context) => tool.plan(ownArguments(args), context) };
}

/** MIME type that identifies a view. Source: docs/views.md. */
export const VIEW_TYPE = 'text/html;profile=mcp-app';

const VIEW_DATA = 'docfiscal/view';

/** Capability of clients that show views. */
const EXTENSION = 'io.modelcontextprotocol/ui';

/** Hosts that declare views but leave those of local servers blank. Source: docs/views.md, Hosts. */
const leavesBlank: ReadonlySet<string | undefined> = new Set(['claude-ai']);

export interface CallingClient {
  readonly capabilities: ClientCapabilities | undefined;
  readonly name: string | undefined;
  /** Started this process and uses stdio. */
  readonly isLocal: boolean;
  /** Protocol revision, a date; dates compare as text. */
  readonly revision: string;
}

/** Whether this client gets views: by `DFE_APPS`, otherwise by its capability. */
export function isShownViews(setting: Settings['apps'], client: CallingClient): boolean {
  if (setting !== 'auto') return setting === 'on';
  const declared = client.capabilities?.extensions?.[EXTENSION] as { mimeTypes?: unknown } | undefined;
  const hasViews = Array.isArray(declared?.mimeTypes) && declared.mimeTypes.includes(VIEW_TYPE);
  return hasViews && !(client.isLocal && leavesBlank.has(client.name));
}

/** View metadata of a listed tool; writing and saving tools are for the model only. Both names are in use. */
export function viewMeta(
  { kind, view }: { readonly kind: string; readonly view?: View },
  hasViews: boolean,
): Record<string, unknown> | undefined {
  if (kind !== 'read') return { ui: { visibility: ['model'] } };
  if (view === undefined || !hasViews) return undefined;
  const resourceUri = `ui://docfiscal/${view}.html`;
  return { ui: { resourceUri, visibility: ['model', 'app'] }, 'ui/resourceUri': resourceUri };
}

/** An answer's page for its view; undefined for clients that show none, which load nothing of it. */
export async function pageForView({ hasViews }: { readonly hasViews: boolean }, make: () => Promise<Page>) {
  return hasViews ? { page: await make() } : undefined;
}

/** Characters of an answer's text; hosts truncate longer ones. Source: docs/hosts.md, Results. */
const LONGEST_TEXT = 50_000;

export type Sentence = string | false | undefined;

/** The sentences that apply; the others are `false` or undefined. */
export function sentences(...all: readonly (Sentence | readonly Sentence[])[]): string[] {
  return all.flat().filter((one): one is string => typeof one === 'string');
}

/** Joins the first names, and says how many of `count` are left. */
export function firstOf(names: readonly string[], most: number, separator = '; ', count = names.length) {
  const shown = names.slice(0, most);
  const rest = count - shown.length;
  return [...shown, ...(rest > 0 ? [`… +${rest}`] : [])].join(separator);
}

/** Joins lines into the text of an answer; flattens each, so that foreign text can't add lines. */
export function textOf(lines: readonly string[]): string {
  return lines.map(asLine).join('\n');
}

/** Truncates a text to the hosts' limit at a line break, with a sentence that says so. */
export function withinLimit(text: string, cut: string): string {
  if (text.length < LONGEST_TEXT) return text;
  const sentence = `\n${cut}`;
  const head = text.slice(0, LONGEST_TEXT - sentence.length - 1);
  const end = head.lastIndexOf('\n');
  return `${end > 0 ? head.slice(0, end) : head}${sentence}`;
}

/** Builds a protocol result: structured data, text, links and files. */
export function answerResult(
  { structured, text, attachments = [], forView }: ToolAnswer<object>,
  translator: Translator,
): CallToolResult {
  return {
    structuredContent: { ...structured },
    content: [
      { type: 'text', text: withinLimit(textOf(text), translator.say('answer.text_cut')) },
      ...attachments,
    ],
    ...(forView !== undefined && { _meta: { [VIEW_DATA]: forView } }),
  };
}

/** First revision with resource links in results, and forms. */
export const LINKS_AND_FORMS = '2025-06-18';

/** Adapts a result to the negotiated revision: older clients get resource links as text. */
export function inRevision<Result extends CallToolResult>(result: Result, revision: string): Result {
  if (revision >= LINKS_AND_FORMS) return result;
  const uris = result.content.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : []));
  const texts = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const unnamed = uris.filter((uri) => !texts.includes(uri));
  const content = result.content.filter(({ type }) => type !== 'resource_link');
  if (unnamed.length > 0) content.push({ type: 'text', text: unnamed.join('\n') });
  return { ...result, content };
}
