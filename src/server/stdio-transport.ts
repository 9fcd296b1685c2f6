import { type JSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { isLarger } from '../mcp/message-size.ts';
import type { Translator } from '../messages/index.ts';
import { inputLines, LONGEST_LINE } from './input-lines.ts';
import { MOST_ELEMENTS } from './message-elements.ts';

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
    const lines = inputLines(LONGEST_LINE, (excess, id) => {
      const words =
        excess === 'bytes'
          ? translator.say('protocol.line_too_long', { bytes: LONGEST_LINE })
          : translator.say('protocol.too_many_elements', { elements: MOST_ELEMENTS });
      console.error(`docfiscal-mcp: ${words}`);
      super.send(errorAnswer(id, ProtocolErrorCode.InvalidRequest, words)).catch(() => undefined);
    });
    super(process.stdin.pipe(lines), process.stdout, { maxBufferSize: 2 * LONGEST_LINE });
    this.#translator = translator;
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
