import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CompanyResolver } from '../company/company-resolver.ts';
import type { Tool } from '../tools/shared/definition.ts';
import { createServer } from './server.ts';
import { BoundedStdio } from './stdio-transport.ts';

/** What has to go with the server: services, embedded sandboxes and the like. */
export type Closing = () => Promise<void>;

/** A call under way gets this long to let go before the process ends without it. */
const LONGEST_FAREWELL_MS = 500;

/**
 * Serves MCP over standard input and output until the input ends or the process is told to stop; then ends the
 * process, with calls under way or without.
 */
export function runStdio(resolver: CompanyResolver, close: Closing, tools?: readonly Tool[]): void {
  let isEnding = false;
  const transport = new BoundedStdio(resolver.translator);
  const handle = serveStdio(() => createServer(resolver, { tools }), {
    transport,
    onerror: reportProtocolError,
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

/** The SDK's reports may quote what came in, which may hold personal data: only their kind is reported. */
function reportProtocolError(error: Error): void {
  console.error(`docfiscal-mcp: ${error.name} in the protocol`);
}
