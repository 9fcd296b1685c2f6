import { beforeAll, expect, it } from 'vitest';
import { endFile, endsBehindTests } from './ending.ts';

const ended: string[] = [];
beforeAll(() => {
  endsBehindTests(() => ended.push('first'));
  endsBehindTests(() => Promise.reject(new Error('stuck')));
  endsBehindTests(() => ended.push('last'));
});

it('everything shared by the tests of a file is ended, and the file fails if an end fails', async () => {
  await expect(endFile()).rejects.toThrow('stuck');
  expect(ended).toEqual(['last', 'first']);
});
