import { Client as CurrentClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  JsonSchemaValidatorResult,
} from '@modelcontextprotocol/sdk/validation';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { cleanEnvironment, program } from './built-program.ts';
import { endsBehindTests } from './ending.ts';

/** The clients inside hosts: the SDK's first line, and its current one in both eras of the protocol. */
export const clientKinds = ['v1', 'v2 legacy', 'v2 modern'] as const;

export type ClientKind = (typeof clientKinds)[number];

export interface Form {
  readonly message: string;
  readonly requestedSchema: unknown;
}

export interface FormAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string | number | boolean | string[]>;
}

export interface ToolResult {
  readonly isError: boolean;
  /** All text blocks, joined by newlines. */
  readonly text: string;
  readonly structured: Record<string, unknown> | undefined;
  readonly content: readonly Record<string, unknown>[];
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** A client connected to a server, wherever that runs. */
export interface Connection {
  readonly kind: ClientKind;
  listTools(): Promise<readonly Record<string, unknown>[]>;
  call(tool: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolResult>;
  readResource(uri: string): Promise<readonly Record<string, unknown>[]>;
  /** The client itself, for anything that this interface does not cover. */
  readonly raw: FirstClient | CurrentClient;
  /** Standard error so far. */
  stderr(): string;
  close(): Promise<void>;
  /** Closes it, with whatever was opened for it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A client connected to the built program over stdio. */
export interface ProgramConnection extends Connection {
  readonly pid: number;
}

export interface ConnectOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** How the person answers forms; without it the client has none. */
  readonly onForm?: (form: Form) => FormAnswer | Promise<FormAnswer>;
  /** Whether the client declares that it shows views. */
  readonly hasViews?: boolean;
  /** The client's own name; `test` unless given. */
  readonly name?: string;
}

/** What a client declares that shows views. Source: docs/views.md. */
const views = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

type CurrentClientTransport = Parameters<CurrentClient['connect']>[0];

interface AnyClient {
  connect(transport: CurrentClientTransport): Promise<void>;
  listTools(): Promise<{ tools: readonly unknown[] }>;
  callTool(...parameters: never[]): Promise<unknown>;
  readResource(parameters: { uri: string }): Promise<{ contents: readonly unknown[] }>;
  close(): Promise<void>;
}

/** The relevant fields of a tool's result. */
export function toResult(result: unknown): ToolResult {
  const { isError, content, structuredContent } = result as {
    isError?: boolean;
    content: Record<string, unknown>[];
    structuredContent?: Record<string, unknown>;
  };
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => String(text));
  return { isError: isError === true, text: texts.join('\n'), structured: structuredContent, content };
}

/** Answers a server's form by `onForm`. */
const formHandler =
  (onForm: NonNullable<ConnectOptions['onForm']>) =>
  async ({ params }: { params: { message: string; requestedSchema?: unknown } }) => {
    const { message, requestedSchema } = params;
    return { ...(await onForm({ message, requestedSchema })) };
  };

const ajv = new AjvJsonSchemaValidator();
const compiled = new Map<string, JsonSchemaValidator<unknown>>();

/** The SDK's validation of results; compiles a schema on first use, once for all clients. */
const jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    return (data) => {
      const validate = compiled.get(text) ?? ajv.getValidator(schema);
      compiled.set(text, validate);
      return validate(data) as JsonSchemaValidatorResult<T>;
    };
  },
};

function makeClient(kind: ClientKind, options: ConnectOptions): FirstClient | CurrentClient {
  const { onForm, hasViews, name = 'test' } = options;
  const information = { name, version: '1' };
  const extensions = hasViews ? { extensions: views } : {};
  if (kind === 'v1') {
    const capabilities = { ...extensions, ...(onForm && { elicitation: {} }) };
    const client = new FirstClient(information, { capabilities, jsonSchemaValidator });
    if (onForm) client.setRequestHandler(ElicitRequestSchema, formHandler(onForm));
    return client;
  }
  const client = new CurrentClient(information, {
    capabilities: { ...extensions, ...(onForm && { elicitation: { form: {} } }) },
    jsonSchemaValidator,
    ...(kind === 'v2 modern' && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  });
  if (onForm) client.setRequestHandler('elicitation/create', formHandler(onForm));
  return client;
}

/** Connects a client of the kind over a transport of either line: they are the same in form. */
export async function openClient(
  kind: ClientKind,
  transport: CurrentClientTransport,
  options: ConnectOptions = {},
): Promise<Omit<Connection, 'stderr'>> {
  const client = makeClient(kind, options);
  const any = client as unknown as AnyClient;
  await any.connect(transport);
  return {
    kind,
    raw: client,
    async listTools() {
      return (await any.listTools()).tools as Record<string, unknown>[];
    },
    async call(name, args = {}, callOptions = {}) {
      const request = { name, arguments: args };
      const result =
        client instanceof FirstClient
          ? await client.callTool(request, undefined, callOptions)
          : await client.callTool(request, callOptions);
      return toResult(result);
    },
    async readResource(uri) {
      return (await any.readResource({ uri })).contents as Record<string, unknown>[];
    },
    close: endsBehindTests(() => any.close()),
    async [Symbol.asyncDispose](this: { close(): Promise<void> }) {
      await this.close();
    },
  };
}

type Completed = { completion: { values: string[] } };

/** The values that a client is offered for an argument of a prompt, or of an address of documents. */
export async function completionsOf(
  { raw }: Pick<Connection, 'raw'>,
  of: string,
  name: string,
  value = '',
): Promise<string[]> {
  const ref = of.includes(':') ? { type: 'ref/resource', uri: of } : { type: 'ref/prompt', name: of };
  const client = raw as { complete(params: object): Promise<Completed> };
  return (await client.complete({ ref, argument: { name, value } })).completion.values;
}

/** Starts the built program and connects a client of the kind to it. */
export function connect(kind: ClientKind, options: ConnectOptions = {}): Promise<ProgramConnection> {
  const args = [program, ...(options.args ?? [])];
  return connectTo(kind, { args, env: cleanEnvironment(options.env) }, options);
}

/** The same for any program of the Node at work, named first among the arguments. */
export async function connectTo(
  kind: ClientKind,
  server: { readonly args: string[]; readonly env: Record<string, string>; readonly cwd?: string },
  options: ConnectOptions = {},
): Promise<ProgramConnection> {
  const parameters = { command: process.execPath, ...server, stderr: 'pipe' as const };
  const transport = kind === 'v1' ? new FirstTransport(parameters) : new CurrentTransport(parameters);
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const connection = await openClient(kind, transport as CurrentTransport, options);
  return { ...connection, pid: transport.pid ?? 0, stderr: () => stderr };
}
