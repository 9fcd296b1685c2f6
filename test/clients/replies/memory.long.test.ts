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
/** Of each form: a month of the largest companies, and of others half of it, more than may be held. */
const sizes = { json: 441 * MEBIBYTE, wrapper: 220 * MEBIBYTE, 'side-by-side': 220 * MEBIBYTE };
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
  it.each(Object.entries(sizes))(
    '%s',
    async (wrapping, size) => {
      const { stdout } = await run(process.execPath, [program, wrapping, String(size)]);
      const { sent, documents, count, handedOver, peak } = JSON.parse(stdout);
      expect(sent).toBeGreaterThanOrEqual(size);
      expect(count).toBe(documents);
      expect(handedOver).toBe(documents);
      expect(peak).toBeLessThan(LARGEST_PEAK);
    },
    PATIENCE,
  );
});
