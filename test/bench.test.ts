import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const wrapper = new URL('../bench/to-the-end.mjs', import.meta.url);

/** Runs a benchmark that does `work`, and sends it a signal once it has said anything. */
async function run(work: string, signal?: NodeJS.Signals): Promise<{ code: number; told: string }> {
  const script = `import { toTheEnd } from '${wrapper}';\nawait toTheEnd(async () => { ${work} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, 'a-benchmark']);
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      told += data;
    });
  if (signal !== undefined) {
    await once(child.stdout, 'data');
    child.kill(signal);
  }
  const [code] = await once(child, 'close');
  return { code, told };
}

it.each<[string, string, NodeJS.Signals | undefined, RegExp]>([
  ['waits for what never comes', 'await new Promise(() => {});', undefined, /nothing was left to wait for/],
  ['fails', 'throw new Error("no answer");', undefined, /no answer/],
  [
    'fails and has left something that goes on',
    'setInterval(() => {}, 1000); throw new Error("no answer");',
    undefined,
    /no answer/,
  ],
  [
    'is ended by a signal',
    'setInterval(() => {}, 1000); console.log("begun"); await new Promise(() => {});',
    'SIGHUP',
    /ended by SIGHUP/,
  ],
])('a benchmark that %s says so and fails', async (_, work, signal, words) => {
  if (signal !== undefined && process.platform === 'win32') return;
  const { code, told } = await run(work, signal);
  expect(told).toMatch(words);
  expect(code).toBeGreaterThan(0);
});

it('a benchmark that is done ends in peace', async () => {
  expect(await run('console.log("1 ms");')).toEqual({ code: 0, told: '1 ms\n' });
});
