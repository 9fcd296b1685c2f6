import { type JSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Translator } from '../messages/index.ts';
import { boundedLines } from './bounded-lines.ts';
import { isLarger } from './message-size.ts';
import { withVisiblePrototype } from './prototype-argument.ts';

/** Bytes of one line of input: as much as a message of ours may have. */
const LONGEST_LINE = 8_000_000;

/** An error about a request whose id is not known has none. Source: JSON-RPC 2.0, section 5. */
function errorAnswer(id: string | number | undefined, code: number, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } } as unknown as JSONRPCMessage;
}

/** Ids of hosts are short; one that is not would make the answer as large as what it answers. */
const LONGEST_ID = 256;

/** Messages over standard input and output, none of them larger than a host or this program takes. */
export class BoundedStdio extends StdioServerTransport {
  readonly #translator: Translator;

  constructor(translator: Translator) {
    const lines = boundedLines(LONGEST_LINE, (id) => {
      const words = translator.say('protocol.line_too_long', { bytes: LONGEST_LINE });
      console.error(`docfiscal-mcp: ${words}`);
      super.send(errorAnswer(id, ProtocolErrorCode.InvalidRequest, words)).catch(() => undefined);
    });
    super(process.stdin.pipe(lines), process.stdout, { maxBufferSize: 2 * LONGEST_LINE });
    this.#translator = translator;
  }

  override async start(): Promise<void> {
    const handle = this.onmessage;
    this.onmessage = (message, ...more) => handle?.(withVisiblePrototype(message), ...more);
    return super.start();
  }

  /** @throws Error for a request of ours that is too large: who asks finds another way */
  override async send(message: JSONRPCMessage): Promise<void> {
    if (!isLarger(message)) return super.send(message);
    if ('method' in message) throw new Error('the message is too large');
    const id = 'id' in message && String(message.id).length <= LONGEST_ID ? message.id : undefined;
    const words = this.#translator.say('failure.answer_too_large');
    return super.send(errorAnswer(id ?? undefined, ProtocolErrorCode.InternalError, words));
  }
}
