import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, inject, it } from 'vitest';
import copy from '../contract/operations.json' with { type: 'json' };

it('our copy of the contract says what the contract says', () => {
  const original = resolve(inject('samples'), '../../contract/operations.json');
  expect(copy).toEqual(JSON.parse(readFileSync(original, 'utf8')));
});
