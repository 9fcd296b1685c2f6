import { expect, it } from 'vitest';
import { redactSecrets, sketchReply } from '../../../src/clients/http/redact.ts';

it.each([
  ['', 'empty', ''],
  ['<!DOCTYPE html><html><body>segredo', 'html', ''],
  ['%PDF-1.7 ...', 'pdf', ''],
  ['\u0000\u0001\u0002', 'binary', ''],
  ['<?xml version="1.0"?><retFoo><a/>', 'xml <retFoo>', '<?xml version="1.0"?><retFoo><a/>'],
  ['{"a":1}', 'json object', '{"a":1}'],
  [' [1]', 'json array', '[1]'],
  ['"texto"', 'json string', '"texto"'],
  ['ok\r\nsenha=abc', 'text', 'ok senha=***'],
  ['a\u202eb', 'text', 'ab'],
])('%j', (text, kind, start) => {
  const bytes = Buffer.from(text);
  expect(sketchReply(bytes, bytes.length, redactSecrets)).toEqual({ kind, bytes: bytes.length, start });
});

it('shows 80 characters at most', () => {
  const bytes = Buffer.from('x'.repeat(1000));
  expect(sketchReply(bytes, 5000, redactSecrets)).toEqual({
    kind: 'text',
    bytes: 5000,
    start: 'x'.repeat(80),
  });
});
