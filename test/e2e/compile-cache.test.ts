import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../support/built-program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

// The folder stands elsewhere on other systems, in the home that a test should not write to.
const isElsewhere = ['win32', 'darwin'].includes(process.platform);

const kept = join(folder.path, 'docfiscal-mcp');
const env = { XDG_CACHE_HOME: folder.path, TMPDIR: join(folder.path, 'none') };
const isStarted = { code: 0, stderr: '' };

beforeAll(async () => {
  expect(await runProgram(['--version'], env)).toMatchObject(isStarted);
});

it.skipIf(isElsewhere)('compiled code is kept with the person’s caches', () => {
  expect(readdirSync(kept)).not.toEqual([]);
  expect(existsSync(env.TMPDIR)).toBe(false);
});

describe.skipIf(isElsewhere || 'enableCompileCache' in module)(
  'what the program keeps where Node doesn’t',
  () => {
    const file = join(kept, `start-${process.version}-${process.arch}`);

    it('is the person’s own and not made again', async () => {
      const { mtimeMs, mode, ino } = statSync(file);
      expect([mode & 0o777, statSync(kept).mode & 0o777]).toEqual([0o600, 0o700]);
      expect(await runProgram(['--version'], env)).toMatchObject(isStarted);
      expect(statSync(file)).toMatchObject({ mtimeMs, ino });
      expect(readdirSync(kept)).toEqual([basename(file)]);
    });

    it.each([
      ['of another build', (code: Buffer) => Buffer.concat([Buffer.from('/other'), code])],
      [
        'damaged by one bit',
        (code: Buffer) => code.map((byte, at) => (at === code.length - 1 ? byte ^ 1 : byte)),
      ],
      ['cut short', (code: Buffer) => code.subarray(0, code.length / 2)],
    ])('is passed over and made anew when it is %s', async (_, spoilt) => {
      const spoiled = spoilt(readFileSync(file));
      writeFileSync(file, spoiled);
      expect(await runProgram(['--version'], env)).toMatchObject(isStarted);
      expect(readFileSync(file).equals(spoiled)).toBe(false);
      expect(readFileSync(file).length).toBeGreaterThan(100_000);
    });

    it('is nothing where Node’s own switch is off', async () => {
      const off = { XDG_CACHE_HOME: join(folder.path, 'off'), NODE_DISABLE_COMPILE_CACHE: '1' };
      expect(await runProgram(['--version'], off)).toMatchObject(isStarted);
      expect(existsSync(off.XDG_CACHE_HOME)).toBe(false);
    });
  },
);

it('where it cannot be kept the program starts all the same', async () => {
  const nowhere = { XDG_CACHE_HOME: '/dev/null', HOME: '/dev/null', LOCALAPPDATA: '/dev/null' };
  expect(await runProgram(['--version'], nowhere)).toMatchObject(isStarted);
});
