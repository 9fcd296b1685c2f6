// A program spoken to over standard input and output, a request at a time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
};

/** Milliseconds that all threads of a process have computed; undefined where the system does not tell. */
function computed(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

/**
 * Starts a program of Node; `ask` gives the answer to a request, `cpu` what the program has computed, in ms. With a
 * `channel`, `tell` gives the answer to a message that goes over it (bench/measured-from-inside.cjs).
 */
export function speakTo(args, env = process.env, channel = undefined) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore', channel], env });
  const waiting = new Map();
  let rest = '';
  child.stdout.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const answer = JSON.parse(line);
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    }
  });
  let id = 0;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    ask(request) {
      id += 1;
      return new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        void ended.then(() => reject(new Error(`ended without an answer to ${request.method}`)));
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
      });
    },
    tell(message) {
      const answer = once(child, 'message').then(([one]) => one);
      child.send(message);
      return answer;
    },
    notify: (method) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`),
    pid: child.pid,
    cpu: () => computed(child.pid),
    end() {
      child.stdin.end();
      return ended;
    },
  };
}
