import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnvironment, program } from './built-program.ts';
import { type ToolResult, toResult } from './clients.ts';

/** The built program over HTTP, on a port of loopback. */
export interface HttpProgram {
  /** Fails with a `TypeError` if nobody listens or the connection breaks midway. */
  call(token: string, tool: string, args: object): Promise<ToolResult>;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** A tenant of one company, known by a token. */
export const tenantOf = (id: string, token: string, company: string, settings: object) => ({
  id,
  who: [
    {
      token_sha256: createHash('sha256').update(token).digest('hex'),
      scopes: ['documents:read', 'manifestation:write'],
    },
  ],
  companies: [company],
  settings,
});

/** Starts it, and waits until it is ready. */
export async function startHttpProgram(
  port: number,
  env: Readonly<Record<string, string>>,
): Promise<HttpProgram> {
  const child: ChildProcess = spawn(process.execPath, [program, 'http', '--port', String(port)], {
    env: cleanEnvironment({ DFE_LANGUAGE: 'en', ...env }),
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('the program ended by itself');
    await sleep(50);
  }
  return {
    async call(token, name, args) {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args },
        }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`status ${response.status}: ${text}`);
      const data = text.split('\n').findLast((line) => line.startsWith('data: '));
      return toResult(JSON.parse(data?.slice(6) ?? text).result);
    },
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}
