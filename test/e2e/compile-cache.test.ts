import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../support/built-program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

// The folder stands elsewhere on other systems, in the home that a test should not write to.
const isElsewhere = ['win32', 'darwin'].includes(process.platform);

it.skipIf(isElsewhere)('compiled code is kept with the person’s caches where Node can keep it', async () => {
  const env = { XDG_CACHE_HOME: folder.path, TMPDIR: join(folder.path, 'none') };
  expect(await runProgram(['--version'], env)).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(folder.path, 'docfiscal-mcp'))).toBe('enableCompileCache' in module);
  expect(existsSync(env.TMPDIR)).toBe(false);
});

it('where it cannot be kept the program starts all the same', async () => {
  const env = { XDG_CACHE_HOME: '/dev/null', HOME: '/dev/null', LOCALAPPDATA: '/dev/null' };
  expect(await runProgram(['--version'], env)).toMatchObject({ code: 0, stderr: '' });
});
