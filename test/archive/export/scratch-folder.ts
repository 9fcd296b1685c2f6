import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder of the test's own, removed after it. */
export function scratchFolder(): { path: () => string } {
  let path = '';
  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), 'docfiscal-export-'));
  });
  afterAll(() => rm(path, { recursive: true, force: true }));
  return { path: () => path };
}
