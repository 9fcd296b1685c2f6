import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../scripts/kill-test.mjs');

it('a few kills at random moments leave every write that arrived named, and none sent twice', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--kills', '6', '--seed', '1']);
  expect(stdout).toMatch(/every write that arrived is named, none arrived twice/);
});
