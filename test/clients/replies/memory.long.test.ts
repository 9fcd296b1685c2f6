import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'docfiscal-replies-'));
const program = join(folder, 'read-list-reply.mjs');

const MEBIBYTE = 1024 * 1024;
/** A month of a large company, of more bytes than may be held. */
const DOCUMENTS = 10_500;
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

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a list reply of hundreds of megabytes is read in a process that stays small', () => {
  it.each(['json', 'wrapper', 'side-by-side'])(
    '%s',
    async (wrapping) => {
      const { stdout } = await run(process.execPath, [program, wrapping, String(DOCUMENTS)]);
      const { sent, peak, ...read } = JSON.parse(stdout);
      expect(sent).toBeGreaterThan(LARGEST_PEAK);
      expect(read).toEqual({ count: DOCUMENTS, handedOver: DOCUMENTS });
      expect(peak).toBeLessThan(LARGEST_PEAK);
    },
    PATIENCE,
  );
});
