import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/built-program.ts';

const run = promisify(execFile);
const folder = temporaryFolder().path;
const program = join(folder, 'read-list-reply.mjs');

const MEBIBYTE = 1024 * 1024;
/** Of each form so many that they are more bytes than may be held. */
const documents = { json: 10_500, wrapper: 6_500, 'side-by-side': 10_500 };
const LARGEST_PEAK = 200 * MEBIBYTE;
/** A bound against hanging, far above what it takes. */
const PATIENCE = 240_000;

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'read-list-reply.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});

it.each(Object.entries(documents))(
  'a huge list reply is read in bounded memory: %s',
  async (wrapping, number) => {
    const { stdout } = await run(process.execPath, [program, wrapping, String(number)]);
    const { sent, peak, ...read } = JSON.parse(stdout);
    expect(sent).toBeGreaterThan(LARGEST_PEAK);
    expect(read).toEqual({ count: number, handedOver: number });
    expect(peak).toBeLessThan(LARGEST_PEAK);
  },
  PATIENCE,
);
