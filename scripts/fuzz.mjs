// Tries hostile and damaged input for a given time: `npm run fuzz -- --minutes 10 [--seed 1]`. The cases are in
// test/fuzz; a fault names the seed that reproduces it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string' } },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 1e9));
console.log(`seed ${seed}, ${values.minutes} minutes`);
const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'long', 'test/fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_MINUTES: values.minutes, FUZZ_SEED: seed },
});
process.exitCode = status ?? 1;
