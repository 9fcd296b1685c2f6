import { createInterface } from 'node:readline';
import { startProgram } from './built-program.ts';
import { until } from './passing-time.ts';

/** A line of the protocol, as parsed. */
export interface ProtocolMessage {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export type RawProgram = ReturnType<typeof startRaw>;

/** The built program over stdio, with nothing between the test and its streams. */
export function startRaw(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
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
  /** One message on one line. */
  const send = (message: object) => program.write(`${JSON.stringify(message)}\n`);
  /** The answer to a request; fails when the program ends without one. */
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
    /** The legacy handshake, answered. */
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
