import { existsSync, readdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../support/built-program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const isStarted = { code: 0, stderr: '' };

it.skipIf(!('enableCompileCache' in module))(
  'compiled code is kept with the person’s caches, by Node where it can',
  async () => {
    const env = { XDG_CACHE_HOME: folder.path, TMPDIR: join(folder.path, 'none') };
    expect(await runProgram(['--version'], env)).toMatchObject(isStarted);
    expect(readdirSync(join(folder.path, 'docfiscal-mcp', 'compiled'))).not.toEqual([]);
    expect(existsSync(env.TMPDIR)).toBe(false);
  },
);

it('where it cannot be kept the program starts all the same', async () => {
  const nowhere = { XDG_CACHE_HOME: '/dev/null', HOME: '/dev/null', LOCALAPPDATA: '/dev/null' };
  expect(await runProgram(['--version'], nowhere)).toMatchObject(isStarted);
});
