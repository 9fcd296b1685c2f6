import { expect, it } from 'vitest';
import { createTranslator } from '../../../src/messages/index.ts';
import { certificateWords, contentWords, signerWords } from '../../../src/tools/shared/authenticity.ts';
import { supplier } from '../../support/documents.ts';

const english = createTranslator('en');
const named = { name: 'ACME "LTDA"', id: supplier, chain: 'not_checked' } as const;
const who = `"ACME 'LTDA'", 58.716.523/0001-19`;

it.each([
  [contentWords({ result: 'unchanged' }, english), 'unchanged since it was signed'],
  [
    contentWords({ result: 'changed', reason: 'signature' }, english),
    '⚠ not what was signed (the signature was not made with this certificate)',
  ],
  [
    contentWords({ result: 'unknown' }, english),
    'whether it was changed cannot be determined (no signature); that does not make it false',
  ],
  [
    signerWords({ ...named, result: 'matches' }, english),
    `${who}, the issuer or another of its establishments`,
  ],
  [
    signerWords({ ...named, result: 'matches', by: 'national' }, english),
    `${who}, the national NFS-e server`,
  ],
  [signerWords({ ...named, result: 'differs' }, english), `⚠ ${who}, not the issuer`],
  [
    signerWords({ ...named, result: 'unknown' }, english),
    `${who}; whether this is who should have signed cannot be determined`,
  ],
  [
    signerWords({ result: 'unknown', chain: 'not_checked' }, english),
    'the certificate does not say whose it is',
  ],
  [certificateWords({ ...named, result: 'matches' }, english), 'certificate chain not checked'],
  [
    certificateWords({ result: 'matches', valid_at_issue: false, chain: 'untrusted' }, english),
    '⚠ certificate not valid at issue, ⚠ untrusted certificate chain',
  ],
])('authenticity in words: %s', (words, expected) => expect(words).toBe(expected));
