import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const script = `
const realSetTimeout = globalThis.setTimeout;
globalThis.setTimeout = (work, delay, ...rest) => realSetTimeout(work, delay >= 300_000 ? 200 : delay, ...rest);
`;

/** Environment of a process whose waits of five minutes and more take a fifth of a second. */
export function shortWaits(folder: string): Record<string, string> {
  const path = join(folder, 'short-waits.cjs');
  writeFileSync(path, script);
  return { NODE_OPTIONS: `--require ${path}` };
}
