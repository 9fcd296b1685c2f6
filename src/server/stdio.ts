import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CompanyResolver } from '../company/company-resolver.ts';
import type { Tool } from '../tools/shared/definition.ts';
import { createServer, withVisiblePrototype } from './server.ts';

/** Bytes of one input line: as much as hosts accept in an answer, which a call may quote. */
const LONGEST_LINE = 8_000_000;

/** Makes an argument `__proto__` visible. */
class StandardStreams extends StdioServerTransport {
  override async start(): Promise<void> {
    const handle = this.onmessage;
    this.onmessage = (message, ...more) => handle?.(withVisiblePrototype(message), ...more);
    return super.start();
  }
}

/** Time for calls under way before the process exits. */
const LONGEST_FAREWELL_MS = 500;

/**
 * Serves MCP over stdio until the input ends or a signal arrives, then exits, with a short grace for calls under way.
 */
export function runStdio(
  resolver: CompanyResolver,
  close: () => Promise<void>,
  tools?: readonly Tool[],
): void {
  let isEnding = false;
  const options = { maxBufferSize: LONGEST_LINE };
  const handle = serveStdio(() => createServer(resolver, { tools }), {
    transport: new StandardStreams(process.stdin, process.stdout, options),
    onerror: (error) => {
      // The SDK's messages may quote input, which may hold personal data.
      console.error(`docfiscal-mcp: ${error.name} in the protocol`);
      // The transport closes itself.
      if (/exceeded maximum size/.test(error.message)) {
        console.error(resolver.translator.say('protocol.line_too_long', { bytes: LONGEST_LINE }));
        end(1);
      }
    },
  });

  const end = (code: number): void => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(code), LONGEST_FAREWELL_MS).unref();
    Promise.allSettled([handle.close(), close()]).then(
      () => process.exit(code),
      () => process.exit(code),
    );
  };

  process.stdin.once('end', () => end(0));
  process.stdin.once('close', () => end(0));
  process.stdout.once('error', () => end(0));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => end(0));
}
