import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The built program, and the SDK's own server with one tool, which bench/run.mjs bundles beside the benchmark. */
export const program = resolve('dist/docfiscal-mcp.cjs');
export const sdkServer = join(dirname(process.argv[1] ?? ''), 'sdk-server.cjs');

/** A figure, lower is better. */
export interface Finding {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly yardstick?: number;
  /** What the yardstick is. */
  readonly beside?: string;
  /** In the figure's unit. */
  readonly most?: number;
}

const shown = (value: number) =>
  value.toLocaleString('en', { maximumSignificantDigits: value < 1000 ? 3 : 4 });

/** Prints a figure beside its yardstick and its limit. */
export function report({ what, unit, ours, yardstick, beside, most }: Finding): void {
  const cells = [what, `${shown(ours)} ${unit}`];
  if (yardstick !== undefined) {
    cells.push(`${shown(yardstick)} ${unit}, ${beside}`, `ratio ${(ours / yardstick).toFixed(2)}`);
  }
  if (most !== undefined) cells.push(`at most ${shown(most)} ${unit}${ours <= most ? '' : ': NO'}`);
  console.log(cells.join(' | '));
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Milliseconds of processor time of all threads, which other programs on the machine don't lengthen. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Memory of a process in megabytes: current (`VmRSS`) or peak (`VmHWM`). */
export function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] =
    new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Milliseconds that the main thread of a process has computed. */
export function computedBy(pid: number | undefined): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Milliseconds of processor time of all threads of another process. */
export function processorOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // Ticks of 10 ms: utime and stime.
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Runs `work` with a folder that is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a program of Node that prints its address. */
export async function serve(
  args: readonly string[],
  env = process.env,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  let words = '';
  const url = await new Promise<string>((found, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        words = `${words}${data}`.slice(-2_000);
        const [address] = /http:\/\/\S+/.exec(words) ?? [];
        if (address !== undefined) found(address);
      });
    }
    child.once('exit', (code) => failed(new Error(`${args.join(' ')} ended with ${code}: ${words}`)));
  });
  return { url, child };
}

const clientInfo = { name: 'bench', version: '1' };
export const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};

export interface Request {
  readonly method: string;
  readonly params?: object;
}

export interface Reply {
  readonly result?: { readonly structuredContent?: unknown };
  readonly error?: { readonly message: string };
}

/** A program that speaks MCP over standard input and output. */
export interface Spoken {
  readonly pid: number | undefined;
  ask(request: Request): Promise<Reply>;
  end(): Promise<unknown>;
}

/** Starts a program of Node to speak with. */
export function speakTo(args: readonly string[], env = process.env): Spoken {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
  const waiting = new Map<number, (reply: Reply) => void>();
  const ended = once(child, 'exit');
  let [rest, last] = ['', 0];
  child.stdout.on('data', (data) => {
    const lines = `${rest}${data}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const reply = JSON.parse(line);
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
    }
  });
  return {
    pid: child.pid,
    ask(request) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        void ended.then(() => reject(new Error(`ended without an answer to ${request.method}`)));
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
      });
    },
    end() {
      child.stdin.end();
      return ended;
    },
  };
}
