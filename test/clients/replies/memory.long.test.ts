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
const REPLY_SIZE = 441 * MEBIBYTE;
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

describe('a list reply of 441 MB is read in a process that stays small', () => {
  it.each(['json', 'wrapper', 'side-by-side'])(
    '%s',
    async (wrapping) => {
      const { stdout } = await run(process.execPath, [program, wrapping, String(REPLY_SIZE)]);
      const { sent, documents, count, handedOver, peak } = JSON.parse(stdout);
      expect(sent).toBeGreaterThanOrEqual(REPLY_SIZE);
      expect(count).toBe(documents);
      expect(handedOver).toBe(documents);
      expect(peak).toBeLessThan(LARGEST_PEAK);
    },
    PATIENCE,
  );
});
