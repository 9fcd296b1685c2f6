import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { WebSocket } from 'undici';

type Values = Readonly<Record<string, unknown>>;

/** A debugger's conversation with a process that was started with `--inspect-brk`. */
export interface Debugging {
  send(method: string, params?: Values): Promise<Values>;
  /** What the next event of a name tells. */
  next(event: string): Promise<Values>;
  close(): void;
}

function addressOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('close', () => reject(new Error(`it ended without a debugger: ${text}`)));
    child.stderr.on('data', (chunk) => {
      text += chunk;
      const address = /Debugger listening on (ws:\S+)/.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

export async function debugging(child: ChildProcessWithoutNullStreams): Promise<Debugging> {
  const socket = new WebSocket(await addressOf(child));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const waiting = new Map<number | string, (told: Values) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, result, error, params } = JSON.parse(data);
    const told = waiting.get(id ?? method);
    waiting.delete(id ?? method);
    told?.(id === undefined ? params : (result ?? error));
  });
  const told = (by: number | string) => new Promise<Values>((resolve) => waiting.set(by, resolve));
  let calls = 0;
  return {
    send(method, params = {}) {
      calls += 1;
      const answer = told(calls);
      socket.send(JSON.stringify({ id: calls, method, params }));
      return answer;
    },
    next: told,
    close: () => socket.close(),
  };
}
