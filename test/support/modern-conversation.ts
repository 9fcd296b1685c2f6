import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cleanEnvironment, program } from './built-program.ts';

/** What a tool call of the 2026-07-28 protocol may carry besides its arguments. */
export interface Retry {
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

export interface ModernReply {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The built program spoken to line by line, for what no client would send. */
export interface ModernConversation {
  readonly process: ChildProcess;
  call(tool: string, args: Readonly<Record<string, unknown>>, retry?: Retry): Promise<ModernReply>;
  /** Sends a call without waiting for what comes of it. */
  post(tool: string, args: Readonly<Record<string, unknown>>): void;
  /** Kills the process as a crash would, and waits for its end. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

const protocolVersion = '2026-07-28';

function envelope(hasForms: boolean) {
  return {
    'io.modelcontextprotocol/protocolVersion': protocolVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': hasForms ? { elicitation: { form: {} } } : {},
  };
}

export function converse(
  env: Readonly<Record<string, string>>,
  { hasForms = false }: { hasForms?: boolean } = {},
): ModernConversation {
  const child = spawn(process.execPath, [program], {
    env: cleanEnvironment(env),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  const waiting = new Map<number, (reply: ModernReply) => void>();
  let lastId = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, ...reply } = JSON.parse(line) as { id?: number } & ModernReply;
    if (id !== undefined) waiting.get(id)?.(reply);
  });
  child.stdin.on('error', () => undefined);

  const write = (tool: string, args: Readonly<Record<string, unknown>>, retry: Retry = {}): number => {
    lastId += 1;
    const params = { name: tool, arguments: args, ...retry, _meta: envelope(hasForms) };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params })}\n`);
    return lastId;
  };

  return {
    process: child,
    call(tool, args, retry) {
      const reply = new Promise<ModernReply>((resolve, reject) => {
        waiting.set(write(tool, args, retry), resolve);
        void ended.then(() => reject(new Error('the program ended before it answered')));
      });
      return reply;
    },
    post: (tool, args) => void write(tool, args),
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
