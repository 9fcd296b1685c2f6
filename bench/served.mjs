// A program that serves over HTTP and says its address on standard error.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const kept = 2_000;

/**
 * Starts a program of Node and waits until it says where it serves; `ms` is how long that took, `cpu` what its main
 * thread has computed. A program that ends before `stop` is an error, with its last words, of whatever is done with it.
 */
export async function serve(args, env, ipc = false) {
  const began = performance.now();
  const stdio = ['ignore', 'ignore', 'pipe', ...(ipc ? ['ipc'] : [])];
  const child = spawn(process.execPath, args, { env, stdio });
  const leave = () => child.kill('SIGKILL');
  process.once('exit', leave);
  let told = '';
  let isStopped = false;
  const ended = once(child, 'close').then(([code, signal]) => {
    process.off('exit', leave);
    if (isStopped) return;
    throw new Error(`${args.join(' ')} ended with ${signal ?? code}: ${told}`);
  });
  // Whoever waits is told; the process is not ended for it in the midst of what has to be put away.
  ended.catch(() => undefined);
  const url = await Promise.race([
    ended,
    new Promise((resolve) => {
      child.stderr.on('data', (data) => {
        told = `${told}${data}`.slice(-kept);
        const [address] = /http:\/\/\S+/.exec(told) ?? [];
        if (address !== undefined) resolve(address);
      });
    }),
  ]);
  const ms = performance.now() - began;
  const { pid } = child;
  return {
    url,
    ms,
    /** What `work` gives; where the program has ended meanwhile, that is the error. */
    async during(work) {
      try {
        return await Promise.race([work(), ended]);
      } catch (error) {
        if (child.exitCode !== null || child.signalCode !== null) await ended;
        throw error;
      }
    },
    cpu: () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    /** The answer to a message over the channel. */
    async tell(message) {
      const answer = once(child, 'message');
      child.send(message);
      const [told] = await Promise.race([answer, ended]);
      return told;
    },
    async stop() {
      isStopped = true;
      child.kill();
      await ended;
    },
  };
}
