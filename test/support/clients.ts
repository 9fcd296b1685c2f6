import { Client as CurrentClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { cleanEnvironment, program } from './built-program.ts';

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

/** A client connected to the built program over stdio. */
export interface Connection {
  readonly kind: ClientKind;
  readonly pid: number;
  listTools(): Promise<readonly Record<string, unknown>[]>;
  call(tool: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolResult>;
  readResource(uri: string): Promise<readonly Record<string, unknown>[]>;
  /** The client itself, for what this interface does not cover. */
  readonly raw: FirstClient | CurrentClient;
  /** What the program wrote on standard error so far. */
  stderr(): string;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** How the person answers forms; without it the client has none. */
  readonly onForm?: (form: Form) => FormAnswer | Promise<FormAnswer>;
}

interface AnyClient {
  listTools(): Promise<{ tools: readonly unknown[] }>;
  callTool(...parameters: never[]): Promise<unknown>;
  readResource(parameters: { uri: string }): Promise<{ contents: readonly unknown[] }>;
  close(): Promise<void>;
}

function toResult(result: unknown): ToolResult {
  const { isError, content, structuredContent } = result as {
    isError?: boolean;
    content: Record<string, unknown>[];
    structuredContent?: Record<string, unknown>;
  };
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => String(text));
  return { isError: isError === true, text: texts.join('\n'), structured: structuredContent, content };
}

async function connectFirst(
  parameters: Parameters<typeof makeTransport>[0],
  onForm: ConnectOptions['onForm'],
) {
  const client = new FirstClient(
    { name: 'test', version: '1' },
    { capabilities: onForm ? { elicitation: {} } : {} },
  );
  if (onForm) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const { message } = params;
      const requestedSchema = 'requestedSchema' in params ? params.requestedSchema : undefined;
      return { ...(await onForm({ message, requestedSchema })) };
    });
  }
  const transport = new FirstTransport({ ...parameters, stderr: 'pipe' });
  return { client, transport, connect: () => client.connect(transport) };
}

function makeTransport(parameters: { command: string; args: string[]; env: Record<string, string> }) {
  return new CurrentTransport({ ...parameters, stderr: 'pipe' });
}

async function connectCurrent(
  parameters: Parameters<typeof makeTransport>[0],
  isModern: boolean,
  onForm: ConnectOptions['onForm'],
) {
  const client = new CurrentClient(
    { name: 'test', version: '1' },
    {
      capabilities: onForm ? { elicitation: { form: {} } } : {},
      ...(isModern && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  if (onForm) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { message } = params;
      const requestedSchema = 'requestedSchema' in params ? params.requestedSchema : undefined;
      return { ...(await onForm({ message, requestedSchema })) };
    });
  }
  const transport = makeTransport(parameters);
  return { client, transport, connect: () => client.connect(transport) };
}

/** Starts the built program and connects a client of the kind to it. */
export async function connect(kind: ClientKind, options: ConnectOptions = {}): Promise<Connection> {
  const parameters = {
    command: process.execPath,
    args: [program, ...(options.args ?? [])],
    env: cleanEnvironment(options.env),
  };
  const {
    client,
    transport,
    connect: open,
  } = kind === 'v1'
    ? await connectFirst(parameters, options.onForm)
    : await connectCurrent(parameters, kind === 'v2 modern', options.onForm);
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await open();
  const any = client as unknown as AnyClient;
  return {
    kind,
    pid: transport.pid ?? 0,
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
    stderr: () => stderr,
    close: () => any.close(),
  };
}
