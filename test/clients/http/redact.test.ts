import { describe, expect, it } from 'vitest';
import {
  createRedaction,
  redactCode,
  redactIdentifiers,
  redactSecrets,
  secretsOf,
  sketchReply,
} from '../../../src/clients/http/redact.ts';
import { cleanMessage } from '../../../src/writes/journal.ts';
import { call } from '../../support/service-call.ts';
import { spellings } from '../../support/spellings.ts';

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
])('a probable secret is redacted: %s', (before, after) => {
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
])('no probable secret: %s', (text) => {
  expect(redactSecrets(text)).toBe(text);
});

it.each([
  ['chave 35170458716523000119550010000000121000123458.', 'chave 3517…3458.'],
  ['NFe35260712ABC34501DE35550010000001231102030403', 'NFe3526…0403'],
  ['58716523000119 e 12ABC34501DE35', '58…19 e 12…35'],
  ['58.716.523/0001-19', '58…19'],
  ['529.982.247-25', '52…25'],
  ['52998224725', '52…25'],
  ['fulano@empresa.com.br', '…@…'],
  ['<retChavesNfe versao="1.00"><cStat>100</cStat>', '<retChavesNfe versao="1.00"><cStat>100</cStat>'],
  ['2026-09-01T10:00:00', '2026-09-01T10:00:00'],
  ['MINISTERIODAFAZENDA', 'MINISTERIODAFAZENDA'],
])('identifiers are shortened: %s', (text, expected) => {
  expect(redactIdentifiers(text)).toBe(expected);
});

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
])('the sketch of a reply %j', (text, kind, start) => {
  const bytes = Buffer.from(text);
  expect(sketchReply(bytes, bytes.length, redactSecrets)).toEqual({ kind, bytes: bytes.length, start });
});

it('the sketch of a reply shows 80 characters at most', () => {
  const bytes = Buffer.from('x'.repeat(1000));
  const shown = { kind: 'text', bytes: 5000, start: 'x'.repeat(80) };
  expect(sketchReply(bytes, 5000, redactSecrets)).toEqual(shown);
});

describe('the secrets of a call', () => {
  const signed = 'https://b.test/x?sv=1&sig=a%2Bb%3D';
  const pair = Buffer.from('user:se:cret').toString('base64');
  it.each<[url: string, headers: Record<string, string>, secrets: string[]]>([
    ['https://h.test/a?usuario=joao&senha=p%40ss', {}, ['p@ss']],
    [signed, {}, ['a+b=']],
    [`https://h.test/a?oldUrl=${encodeURIComponent(signed)}`, {}, ['a+b=']],
    ['https://h.test/', { authorization: 'Bearer abc.def' }, ['abc.def']],
    ['https://h.test/', { Authorization: 'plain-key' }, ['plain-key']],
    ['https://h.test/', { authorization: `Basic ${pair}` }, [pair, 'user:se:cret', 'se:cret']],
    ['https://h.test/a?cnpj=48152036000117', { accept: 'x' }, []],
  ])('of %s with %j', (url, headers, secrets) => {
    expect(secretsOf({ ...call, url, headers })).toEqual(secrets);
  });
});

const secret = 'Zq7 p&ss/w+rd="ç\'\\9';

const withheld = '***';
const { hide, redact } = createRedaction([secret]);

describe('a text in which a long secret is', () => {
  const { 'with invisible characters in it': _, ...visible } = spellings;
  it.each(Object.entries(visible))('is withheld where it is %s', (_what, write) => {
    const text = write(secret);
    expect(hide(`before ${text} after`), text).toBe(withheld);
    expect(redact(`before ${text}.`), text).toBe(withheld);
  });

  // Other blanks and casing, the slashes that PHP escapes, and single bytes.
  it.each([
    Buffer.from(secret).toString('hex').replace(/../g, '$& ').trim(),
    ...['Zq7  p&ss/w+rd="ç\'\\9', 'Zq7\r\np&ss/w+rd="ç\'\\9', 'Zq7+p%26ss%2Fw%2Brd%3D%22%E7%27%5C9'],
    ...['Zq7 p&ss\\/w+rd=\\"\\u00e7\'\\\\9', 'Zq7 p\\u0026ss/w\\u002Brd=\\u0022\\u00E7\\u0027\\\\9'],
    'Zq7 p&#X26;ss/w+rd=&#X22;&#XE7;&#39;\\9',
  ])('is withheld where it is written %s', (text) => expect(hide(`before ${text} after`)).toBe(withheld));

  it.each([
    ['in numeric entities', 'percent-encoded', 'in JSON of .NET', 'in hexadecimal entities', 'in a script'],
    ['in hexadecimal entities', ...Array.from({ length: 8 }, () => 'percent-encoded')],
  ])('is withheld where it is %s and %s and so on', (...ways) => {
    const text = ways.reduce((written, way) => spellings[way]?.(written) ?? '', secret);
    expect(hide(`before ${text} after`), text).toBe(withheld);
  });

  it('is withheld also where a part of a very long one was cut off', () => {
    const long = Array.from({ length: 40 }, (_, index) => `part${index}x%&`).join('-');
    const cut = long.slice(0, 200);
    for (const text of [long, encodeURIComponent(long), cut, Buffer.from(long).toString('base64')]) {
      expect(createRedaction([long]).hide(`[${text}]`)).toBe(withheld);
    }
  });

  it('stays as it is without one, also what is encoded', () => {
    const text = `a nota ${encodeURIComponent('São Paulo & Cia')} &quot;100%&quot; ${Buffer.from('outro texto qualquer').toString('base64')}`;
    expect(hide(text)).toBe(text);
    expect(createRedaction([secret, '', '$&']).redact('a nota 35-7 não foi encontrada')).toBe(
      'a nota 35-7 não foi encontrada',
    );
  });
});

describe('a secret under eight characters', () => {
  it.each([
    ...['o valor "nota12" não vale', 'x=nota12&y=1', 'x%3Dnota12%26y', '&quot;nota12&quot;', 'nota12'],
    ...['<Senha>nota12</Senha>', 'a senha nota12 não vale'],
  ])('withholds words of the service: %s', (text) => {
    expect(createRedaction(['nota12']).redact(text)).toBe(withheld);
  });

  it.each([
    ['nota12', 'nota123'],
    ['nota12', 'anota12'],
    ['nota12', 'R$ nota12,50'],
    ['nota12', 'conta nota12-7'],
    ['nota12', 'chave 35nota1290'],
    ['1234', 'total 1234,56 e 12345'],
    ['a', 'a nota a pagar'],
    ['uma', 'uma nota, e mais uma.'],
    ['135', '135 - Evento registrado e vinculado a NF-e'],
  ])('%s leaves them where it is only part of something else: %s', (short, text) => {
    expect(createRedaction([short]).redact(text)).toBe(text);
  });

  it('counts as a value with one or three letters, too', () => {
    for (const text of ['x="uma"', 'y=uma', 'z: uma'])
      expect(createRedaction(['uma']).redact(text)).toBe(withheld);
  });

  it.each(['135', 'nota12', '10.00'])('leaves the value %s of a document', (value) => {
    expect(createRedaction(['135', 'nota12', '10.00']).hide(value)).toBe(value);
  });

  it('leaves status codes, and no other code', () => {
    const redact = createRedaction(['135', 'Conflict']).redact;
    expect([redactCode('135', redact), redactCode('Conflict', redact)]).toEqual(['135', withheld]);
  });
});

describe('the signature of a shared-access address', () => {
  const signature = 'Ab/c+dEf9012345678901234567890123456789abcd=';
  const encoded = encodeURIComponent(signature);
  const address = `https://files.example/a?sv=1&sig=${encoded}&se=2`;
  it.each([
    ...[address, `?sv=1&sig=${signature}`, encodeURIComponent(address)],
    ...[`?sv=1&amp;sig=${encoded}&amp;se=2`, `?sv=1\\u0026sig\\u003d${encoded}`],
  ])('is taken out though nobody knows it: %s', (text) => {
    const hidden = createRedaction([]).hide(text);
    expect(hidden).not.toMatch(/dEf90123/);
    expect(hidden).toContain('***');
  });

  it('is not what only ends so', () => {
    expect(createRedaction([]).hide('design=modern')).toBe('design=modern');
  });
});

it.each(['as a form', 'percent-encoded', 'in JSON'])('a secret with an escape in it is found %s', (name) => {
  const script = '}}*8*!"_&> >.Z+.Ã\\X80!&%';
  const text = spellings[name]?.(script) ?? '';
  expect(createRedaction([script]).hide(`antes (${text}) depois`), text).toBe(withheld);
});

/** Quadratic work on these would go on for longer than a test may. */
it.each([
  ...[' ', '-eyJ', 'http://', 'senha ', '"senha" ', 'bearer ', 'a.b@', '1', '%25', '&amp;', '\\', 'p&ss w/'],
])('a megabyte of %j is redacted in the time it takes to read it', (part) => {
  const text = part.repeat(1_000_000 / part.length);
  const { redact } = createRedaction(['p&ss w/+rd"', 'short']);
  expect(typeof redactIdentifiers(redact(text))).toBe('string');
  expect(cleanMessage(text).length).toBeLessThanOrEqual(300);
});
