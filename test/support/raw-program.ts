import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cleanEnvironment, program } from './built-program.ts';
import { until } from './passing-time.ts';

/** A line of the protocol, as parsed. */
export interface ProtocolMessage {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The built program, with nothing between the test and its streams. */
export interface RawProgram {
  /** Bytes as they are, e.g. half a message. */
  write(bytes: string | Uint8Array): void;
  /** One message on one line. */
  send(message: object): void;
  /** The legacy handshake, answered. */
  initialize(): Promise<ProtocolMessage>;
  /** The answer to a request; fails when the program ends without one. */
  answerTo(id: number | string): Promise<ProtocolMessage>;
  /** Everything on standard output so far. */
  stdout(): string;
  stderr(): string;
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  /** Its exit code. */
  ended(): Promise<number | null>;
  /** Ends it, if it still runs. */
  close(): Promise<void>;
}

export function startRaw(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): RawProgram {
  const child = spawn(process.execPath, [program, ...args], { env: cleanEnvironment(env) });
  const exit = once(child, 'close') as Promise<[number | null]>;
  const chunks: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const answers = new Map<unknown, ProtocolMessage>();
  const lines = createInterface({ input: child.stdout });
  let noProtocol: unknown;
  lines.on('line', (line) => {
    try {
      const message: ProtocolMessage = JSON.parse(line);
      if (!answers.has(message.id)) answers.set(message.id, message);
    } catch (error) {
      noProtocol ??= error;
    }
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  // Writing to a program that has ended is no mistake of the test.
  child.stdin.on('error', () => undefined);
  const stdout = () => Buffer.concat(chunks).toString();

  const raw: RawProgram = {
    write: (bytes) => void child.stdin.write(bytes),
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    async initialize() {
      raw.send({
        jsonrpc: '2.0',
        id: 'hello',
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      });
      const answer = await raw.answerTo('hello');
      raw.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return answer;
    },
    async answerTo(id) {
      let answer: ProtocolMessage | undefined;
      await until(() => {
        if (noProtocol !== undefined) throw noProtocol;
        answer = answers.get(id);
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        if (answer === undefined && hasEnded) throw new Error(`it ended without an answer: ${stderr}`);
        return answer !== undefined;
      });
      return answer ?? {};
    },
    stdout,
    stderr: () => stderr,
    endInput: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
    async ended() {
      const [code] = await exit;
      return code;
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exit;
    },
  };
  return raw;
}
