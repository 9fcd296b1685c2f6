import { type InProcessOptions, serveInProcess } from './in-process.ts';
import { until } from './passing-time.ts';
import { startRaw } from './raw-program.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Parameters of a 2026-07-28 tool call besides its arguments. */
export interface Retry {
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

export interface ModernReply {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The built program driven line by line over stdio in the modern era, for messages that no client would send. */
export type ModernProgram = ReturnType<typeof converse>;

interface Pipe {
  send(message: object): void;
  answerTo(id: number): Promise<ModernReply>;
}

/** The envelope of every modern message: protocol version, client and capabilities. */
export const envelopeOf = (capabilities: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

function speak({ send, answerTo }: Pipe, capabilities: object) {
  let lastId = 0;
  const post = (name: string, args: Arguments, retry: Retry = {}): number => {
    lastId += 1;
    const params = { name, arguments: args, ...retry, _meta: envelopeOf(capabilities) };
    send({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params });
    return lastId;
  };
  return {
    call: (tool: string, args: Arguments, retry?: Retry) => answerTo(post(tool, args, retry)),
    /** Sends a call without waiting for its result. */
    post: (tool: string, args: Arguments) => void post(tool, args),
  };
}

/** Starts the built program for a client without forms; it is gone with the test. */
export function converse(env: Readonly<Record<string, string>>) {
  const raw = startRaw([], env);
  /** Kills the process as a crash would, and waits for its end. */
  return { ...speak(raw, {}), kill: raw.close };
}

/** A conversation with a server within this process, for a client with forms. */
export function converseInProcess(options: InProcessOptions) {
  const { transport, close } = serveInProcess(options);
  const answers = new Map<unknown, ModernReply>();
  transport.onmessage = (message) => {
    const { id, ...reply } = message as { id?: unknown } & ModernReply;
    answers.set(id, reply);
  };
  void transport.start();
  const pipe: Pipe = {
    send: (message) => void transport.send(message as never),
    async answerTo(id) {
      await until(() => answers.has(id));
      return answers.get(id) ?? {};
    },
  };
  return { ...speak(pipe, { elicitation: { form: {} } }), close };
}
