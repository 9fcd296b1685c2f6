import { createInterface } from 'node:readline';
import { type RunningProgram, startProgram } from './built-program.ts';
import { until } from './passing-time.ts';

/** A line of the protocol, as parsed. */
export interface ProtocolMessage {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The built program over stdio, with nothing between the test and its streams. */
export interface RawProgram extends RunningProgram {
  /** One message on one line. */
  send(message: object): void;
  /** The legacy handshake, answered. */
  initialize(): Promise<ProtocolMessage>;
  /** The answer to a request; fails when the program ends without one. */
  answerTo(id: number | string): Promise<ProtocolMessage>;
}

export function startRaw(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): RawProgram {
  const program = startProgram(args, env);
  const answers = new Map<unknown, ProtocolMessage>();
  let noProtocol: unknown;
  createInterface({ input: program.output }).on('line', (line) => {
    try {
      const message: ProtocolMessage = JSON.parse(line);
      if (!answers.has(message.id)) answers.set(message.id, message);
    } catch (error) {
      noProtocol ??= error;
    }
  });
  const send = (message: object) => program.write(`${JSON.stringify(message)}\n`);
  async function answerTo(id: number | string): Promise<ProtocolMessage> {
    await until(() => {
      if (noProtocol !== undefined) throw noProtocol;
      if (program.hasEnded() && !answers.has(id))
        throw new Error(`it ended without an answer: ${program.stderr()}`);
      return answers.has(id);
    });
    return answers.get(id) ?? {};
  }
  return {
    ...program,
    send,
    answerTo,
    async initialize() {
      const clientInfo = { name: 'test', version: '1' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      send({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
      const answer = await answerTo('hello');
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return answer;
    },
  };
}
