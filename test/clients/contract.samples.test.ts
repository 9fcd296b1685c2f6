import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, inject, it } from 'vitest';
import { accountOperations, documentOperations } from '../contract/operations.ts';

it('our copy of the contract says what the contract says', () => {
  const file = resolve(inject('samples'), '../../contract/operations.json');
  const original = JSON.parse(readFileSync(file, 'utf8'));
  const documents = documentOperations.map(({ parameters: query, ...one }) => ({ ...one, query }));
  expect(original['tax-documents']).toMatchObject(documents);
  const account = accountOperations.map(({ parameters, ...one }) => ({ ...one, pathParameters: parameters }));
  expect(original['company-settings-and-subscriptions']).toMatchObject(account);
});
