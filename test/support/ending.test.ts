import { beforeAll, expect, it } from 'vitest';
import { endFile, endsBehindTests } from './ending.ts';

const ended: string[] = [];
beforeAll(() => {
  endsBehindTests(() => ended.push('first'));
  endsBehindTests(() => Promise.reject(new Error('stuck')));
  endsBehindTests(() => ended.push('last'));
});

it('all that the tests of a file have shared is ended, and the file fails where something does not end', async () => {
  await expect(endFile()).rejects.toThrow('stuck');
  expect(ended).toEqual(['last', 'first']);
});
