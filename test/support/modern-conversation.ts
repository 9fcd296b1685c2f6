import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cleanEnvironment, program } from './built-program.ts';
import { type InProcessOptions, serveInProcess } from './in-process.ts';

/** What a tool call of the 2026-07-28 protocol may carry besides its arguments. */
export interface Retry {
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

export interface ModernReply {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server spoken to line by line in the modern era, for what no client would send. */
export interface ModernConversation {
  call(tool: string, args: Readonly<Record<string, unknown>>, retry?: Retry): Promise<ModernReply>;
  /** Sends a call without waiting for what comes of it. */
  post(tool: string, args: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

/** The same with the built program, over stdio. */
export interface ModernProgram extends ModernConversation {
  /** Kills the process as a crash would, and waits for its end. */
  kill(): Promise<void>;
}

export interface ModernOptions {
  readonly hasForms?: boolean;
}

const protocolVersion = '2026-07-28';

function envelope(hasForms: boolean) {
  return {
    'io.modelcontextprotocol/protocolVersion': protocolVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': hasForms ? { elicitation: { form: {} } } : {},
  };
}

interface Line {
  readonly id?: unknown;
}

/** Calls and their answers, over whatever carries messages there; `heard` takes the messages that come back. */
function speak(carry: (message: object) => void, { hasForms = false }: ModernOptions) {
  const waiting = new Map<unknown, { resolve(reply: ModernReply): void; reject(error: Error): void }>();
  let lastId = 0;
  const write = (tool: string, args: Readonly<Record<string, unknown>>, retry: Retry = {}): number => {
    lastId += 1;
    const params = { name: tool, arguments: args, ...retry, _meta: envelope(hasForms) };
    carry({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params });
    return lastId;
  };
  return {
    heard: ({ id, ...reply }: Line & ModernReply) => waiting.get(id)?.resolve(reply),
    ended: () => {
      for (const { reject } of waiting.values()) reject(new Error('the server ended before it answered'));
    },
    call: (tool: string, args: Readonly<Record<string, unknown>>, retry?: Retry) =>
      new Promise<ModernReply>((resolve, reject) => {
        // The answer may come before the message counts as sent.
        waiting.set(lastId + 1, { resolve, reject });
        write(tool, args, retry);
      }),
    post: (tool: string, args: Readonly<Record<string, unknown>>) => void write(tool, args),
  };
}

export function converse(env: Readonly<Record<string, string>>, options: ModernOptions = {}): ModernProgram {
  const child = spawn(process.execPath, [program], {
    env: cleanEnvironment(env),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  const {
    heard,
    call,
    post,
    ended: endWaiting,
  } = speak((message) => void child.stdin.write(`${JSON.stringify(message)}\n`), options);
  createInterface({ input: child.stdout }).on('line', (line) => heard(JSON.parse(line)));
  child.stdin.on('error', () => undefined);
  void ended.then(endWaiting);
  return {
    call,
    post,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** The same conversation with a server within this process. */
export function converseInProcess(options: InProcessOptions, modern: ModernOptions = {}): ModernConversation {
  const { transport, close } = serveInProcess(options);
  const { heard, call, post, ended } = speak((message) => void transport.send(message as never), modern);
  transport.onmessage = (message) => void heard(message as Line & ModernReply);
  void transport.start();
  return {
    call,
    post,
    async close() {
      await close();
      ended();
    },
  };
}
