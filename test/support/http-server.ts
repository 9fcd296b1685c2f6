import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport as CurrentTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CompanyOptions } from '../../src/company/company.ts';
import { startHttp } from '../../src/server/http/start.ts';
import { startProgram, temporaryFolder } from './built-program.ts';
import { type ClientKind, type ConnectOptions, openClient, toResult } from './clients.ts';
import { configurationOf } from './configuration.ts';
import { endsBehindTests } from './ending.ts';
import { until } from './passing-time.ts';

/** An entry of a tenants file that admits this token. */
export const member = (token: string, scopes: readonly string[] = ['documents:read']) => ({
  token_sha256: createHash('sha256').update(token).digest('hex'),
  scopes,
});

/** A tenant of one company, known by a token, for reading and manifesting. */
export const tenantOf = (id: string, token: string, company: string, settings: object) => ({
  ...{ id, companies: [company], settings },
  who: [member(token, ['documents:read', 'manifestation:write'])],
});

/** Writes a tenants file into a folder; its path. */
export function writeTenants(folder: string, tenants: readonly object[], name = 'tenants.json'): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ tenants }, null, 2));
  return path;
}

/** A request of the protocol, with a token or without. */
export function message(body: object, token?: string, more: Record<string, string> = {}) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...more,
  };
  return { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) };
}

/** Starts the server of `docfiscal-mcp http` on a free loopback port, with a data folder of its own. */
export async function startTestServer(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  surroundings: Partial<CompanyOptions> = {},
) {
  const folder = temporaryFolder();
  const environment = { DFE_DATA_DIR: folder.path, DFE_LANGUAGE: 'en', ...env };
  const configuration = configurationOf(environment, ['http', '--port', '0', ...args]);
  const server = await startHttp(configuration, { environment: {}, ...surroundings });
  const address = new URL(server.url);
  return Object.assign(server, {
    /** Connects a client of the kind, with a token or without. */
    async connect(kind: ClientKind, { token, onForm }: ConnectOptions & { token?: string } = {}) {
      const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
      const transport =
        kind === 'v1'
          ? new FirstTransport(address, { requestInit })
          : new CurrentTransport(address, { requestInit });
      return openClient(kind, transport as CurrentTransport, { onForm });
    },
    /** Sends a bare request to a path of the server. */
    request: (path: string, init?: RequestInit) => fetch(new URL(path, address), init),
    close: endsBehindTests(() => server.stop(0)),
  });
}

export type HttpProgram = Awaited<ReturnType<typeof startHttpProgram>>;

/** Starts the built program over HTTP on a port of loopback, and waits until it is ready. */
export async function startHttpProgram(port: number, env: Readonly<Record<string, string>>) {
  const program = startProgram(['http', '--port', String(port)], { DFE_LANGUAGE: 'en', ...env });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (program.hasEnded()) throw new Error(`the program ended by itself: ${program.stderr()}`);
    return (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
  });
  return {
    /** Fails with a `TypeError` if nobody listens or the connection breaks midway. */
    async call(token: string, name: string, args: object) {
      const request = { method: 'tools/call', params: { name, arguments: args } };
      const revision = { 'mcp-protocol-version': '2025-11-25' };
      const response = await fetch(`${url}/mcp`, message(request, token, revision));
      const text = await response.text();
      if (response.status !== 200) throw new Error(`status ${response.status}: ${text}`);
      const data = text.split('\n').findLast((line) => line.startsWith('data: '));
      return toResult(JSON.parse(data?.slice(6) ?? text).result);
    },
    async end(signal: NodeJS.Signals = 'SIGTERM') {
      program.signal(signal);
      await program.ended();
    },
  };
}
