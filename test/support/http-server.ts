import { StreamableHTTPClientTransport as CurrentTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CompanyOptions } from '../../src/company/company.ts';
import { readCommandLine } from '../../src/config/command-line.ts';
import { configure } from '../../src/config/configure.ts';
import { type HttpServer, startHttp } from '../../src/server/http/start.ts';
import { temporaryFolder } from './built-program.ts';
import { type ClientKind, type Connection, type ConnectOptions, openClient } from './clients.ts';

/** A server over HTTP within this process, with a data folder of its own. */
export interface TestServer extends HttpServer {
  /** Connects a client of the kind, with a token or without. */
  connect(
    kind: ClientKind,
    options?: ConnectOptions & { token?: string },
  ): Promise<Omit<Connection, 'stderr'>>;
  /** Sends a bare request to a path of the server. */
  request(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Starts what `docfiscal-mcp http` starts, on a free port of loopback. */
export async function startTestServer(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  surroundings: Partial<CompanyOptions> = {},
): Promise<TestServer> {
  const folder = temporaryFolder();
  const line = readCommandLine(['http', '--port', '0', ...args]);
  const environment = { DFE_DATA_DIR: folder.path, DFE_LANGUAGE: 'en', ...env };
  const configured = configure(line.flags, environment);
  if (!configured.ok || line.problems.length > 0) throw new Error('bad settings');
  const { settings } = configured.configuration;
  const server = await startHttp(
    { settings, flags: line.flags, env: environment },
    { environment: {}, ...surroundings },
  );
  const address = new URL(server.url);
  return {
    url: server.url,
    isOpen: server.isOpen,
    get active() {
      return server.active;
    },
    withoutPassword: () => server.withoutPassword(),
    reload: () => server.reload(),
    stop: (graceMs) => server.stop(graceMs),
    async connect(kind, { token, onForm } = {}) {
      const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
      const transport =
        kind === 'v1'
          ? new FirstTransport(address, { requestInit })
          : new CurrentTransport(address, { requestInit });
      return openClient(kind, transport as CurrentTransport, { onForm });
    },
    request: (path, init) => fetch(new URL(path, address), init),
    async close() {
      await server.stop(0);
      folder.remove();
    },
  };
}
