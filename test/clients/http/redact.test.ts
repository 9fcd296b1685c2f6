import { describe, expect, it } from 'vitest';
import { createRedaction, redactIdentifiers, redactSecrets } from '../../../src/clients/http/redact.ts';
import { cleanMessage } from '../../../src/writes/journal.ts';

describe('what looks like a secret', () => {
  it.each([
    ['senha=abc123 inválida', 'senha=*** inválida'],
    ['Senha = abc123; tente', 'Senha = ***; tente'],
    ['?usuario=joao&senha=x%40y&cnpj=1', '?usuario=***&senha=***&cnpj=1'],
    ['blob?sv=2020&sig=AbC%2Bd%3D', 'blob?sv=2020&sig=***'],
    ['client_secret=s3cr3t&scope=x', 'client_secret=***&scope=x'],
    ['{"password":"p\\"w","user":"u"}', '{"password":"***","user":"***"}'],
    ['{"access_token" : "abc', '{"access_token" : "***"'],
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer ***'],
    ['invalid basic dXNlcjpwYXNz', 'invalid basic ***'],
    ['token eyJhbGciOi.eyJzdWIi.c2ln expired', 'token *** expired'],
    ['licenseKey=1A2B', 'licenseKey=***'],
    ['at https://h.test/a/b?x=1&y=2 now', 'at https://h.test/a/b now'],
    ["URI 'http://h.test:80/a?senha=q'.", "URI 'http://h.test:80/a'."],
    ['http://joao:pw@h.test/a', 'http://h.test/a'],
  ])('%s', (before, after) => {
    expect(redactSecrets(before)).toBe(after);
  });

  it.each([
    'A nota não foi encontrada.',
    'user not found',
    'No action was found on the controller',
    'passed=true',
    'design=modern',
    'the basic rule',
    'https://h.test/path',
  ])('not: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});

/** Quadratic work on these would go on for longer than a test may. */
describe('a megabyte of what patterns stumble over', () => {
  const size = 1_000_000;
  const redact = createRedaction(['p&ss w/+rd"', 'short']).redact;

  it.each([
    ['blanks', ' '],
    ['beginnings of tokens', '-eyJ'],
    ['addresses', 'http://'],
    ['names of secrets', 'senha '],
    ['quoted names of secrets', '"senha" '],
    ['schemes', 'bearer '],
    ['mail addresses', 'a.b@'],
    ['digits', '1'],
    ['percent codes', '%25'],
    ['ampersands', '&amp;'],
    ['backslashes', '\\'],
    ['beginnings of a secret', 'p&ss w/'],
  ])('is read in the time it takes to read it: %s', (_what, part) => {
    const text = part.repeat(size / part.length);
    expect(typeof redactIdentifiers(redact(text))).toBe('string');
    expect(cleanMessage(text).length).toBeLessThanOrEqual(300);
  });
});
