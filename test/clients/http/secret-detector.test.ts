import { describe, expect, it } from 'vitest';
import { createRedaction, redactCode } from '../../../src/clients/http/redact.ts';

const secret = 'Zq7 p&ss/w+rd="ç\'\\9';

const percentOf = (bytes: Uint8Array) =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const numeric = (text: string, write: (code: number) => string) =>
  text.replace(/./gu, (sign) => write(sign.codePointAt(0) ?? 0));
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const base64Of = (before: string, after: string) =>
  Buffer.from(`${before}${secret}${after}`).toString('base64');

/** Written here by other means than the program's, or by hand. */
const spelt: readonly (readonly [what: string, text: string])[] = [
  ['as it is', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  [
    'percent-encoded in small letters',
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ['percent-encoded throughout', percentOf(Buffer.from(secret))],
  ['percent-encoded in Latin-1', percentOf(Buffer.from(secret, 'latin1'))],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['percent-encoded three times', encodeURIComponent(encodeURIComponent(encodeURIComponent(secret)))],
  ['as a form', new URLSearchParams({ a: secret }).toString().slice(2)],
  ['as a form in Latin-1', 'Zq7+p%26ss%2Fw%2Brd%3D%22%E7%27%5C9'],
  ['in JSON', json(secret)],
  ['in JSON of .NET', 'Zq7 p\\u0026ss/w\\u002brd=\\u0022\\u00e7\\u0027\\\\9'],
  ['in JSON of .NET, capital', 'Zq7 p\\u0026ss/w\\u002Brd=\\u0022\\u00E7\\u0027\\\\9'],
  ['in JSON of PHP', 'Zq7 p&ss\\/w+rd=\\"\\u00e7\'\\\\9'],
  ['in JSON in JSON', json(json(secret))],
  ['in JSON of .NET in JSON', json('Zq7 p\\u0026ss/w\\u002brd=\\u0022\\u00e7\\u0027\\\\9')],
  ['in a script', 'Zq7 p\\x26ss/w\\x2brd=\\"\\xe7\\\'\\\\9'],
  ['in markup', 'Zq7 p&amp;ss/w+rd=&quot;ç&apos;\\9'],
  ['in markup of .NET', 'Zq7 p&amp;ss/w+rd=&quot;&#231;&#39;\\9'],
  ['in markup in markup', 'Zq7 p&amp;amp;ss/w+rd=&amp;quot;&amp;#231;&amp;#39;\\9'],
  ['in decimal entities', numeric(secret, (code) => `&#${code};`)],
  ['in hexadecimal entities', numeric(secret, (code) => `&#x${code.toString(16)};`)],
  ['in capital hexadecimal entities', numeric(secret, (code) => `&#X${code.toString(16).toUpperCase()};`)],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ['in capital hexadecimal', Buffer.from(secret).toString('hex').toUpperCase()],
  ['in hexadecimal of Latin-1', Buffer.from(secret, 'latin1').toString('hex')],
  ['in a dump', (Buffer.from(secret).toString('hex').match(/../g) ?? []).join(' ')],
  ['with its blank doubled', secret.replace(' ', '  ')],
  ['with its blank a line break', secret.replace(' ', '\r\n')],
];

const alignments = ['', 'u', 'us', 'user:'].flatMap((before) =>
  ['', '&', '\r\n', '"}'].map((after) => [before, after] as const),
);

const withheld = '***';

describe('a text in which a long secret is', () => {
  it.each(spelt)('is withheld where it is %s', (_what, text) => {
    expect(createRedaction([secret]).hide(`before ${text} after`)).toBe(withheld);
    expect(createRedaction([secret]).redact(`before ${text} after`)).toBe(withheld);
  });

  it.each(alignments)('is withheld where it is in base64 after %j and before %j', (before, after) => {
    for (const text of [
      base64Of(before, after),
      Buffer.from(`${before}${secret}${after}`).toString('base64url'),
    ]) {
      for (const written of [text, encodeURIComponent(text), json(text).replaceAll('/', '\\/')]) {
        expect(createRedaction([secret]).hide(`see ${written}.`), written).toBe(withheld);
      }
    }
  });

  it.each([
    ['of an encoded secret', encodeURIComponent(secret)],
    ['of a form', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['of JSON', json(secret)],
  ])('is withheld where it is in base64 %s', (_what, text) => {
    const written = Buffer.from(`{"password":"${text}"}`).toString('base64');
    expect(createRedaction([secret]).hide(written)).toBe(withheld);
  });

  it('is withheld also where a part of a very long one was cut off', () => {
    const long = Array.from({ length: 40 }, (_, index) => `part${index}x%&`).join('-');
    const hide = createRedaction([long]).hide;
    for (const text of [
      long,
      encodeURIComponent(long),
      long.slice(0, 200),
      Buffer.from(long).toString('base64'),
    ]) {
      expect(hide(`[${text}]`)).toBe(withheld);
    }
  });

  it('stays as it is without one, also what is encoded', () => {
    const text = `a nota ${encodeURIComponent('São Paulo & Cia')} &quot;100%&quot; ${Buffer.from('outro texto qualquer').toString('base64')}`;
    expect(createRedaction([secret]).hide(text)).toBe(text);
    expect(createRedaction([secret, '', '$&']).redact('a nota 35-7 não foi encontrada')).toBe(
      'a nota 35-7 não foi encontrada',
    );
  });
});

describe('a secret under eight characters', () => {
  it.each([
    ['o valor "nota12" não vale'],
    ['x=nota12&y=1'],
    ['x%3Dnota12%26y'],
    ['&quot;nota12&quot;'],
    ['nota12'],
    ['<Senha>nota12</Senha>'],
    ['a senha nota12 não vale'],
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
  it.each([
    ['as it is', `https://files.example/a?sv=1&sig=${encodeURIComponent(signature)}&se=2`],
    ['not encoded', `?sv=1&sig=${signature}`],
    [
      'in an encoded address',
      encodeURIComponent(`https://files.example/a?sig=${encodeURIComponent(signature)}`),
    ],
    ['in markup', `?sv=1&amp;sig=${encodeURIComponent(signature)}&amp;se=2`],
    ['in JSON of .NET', `?sv=1\\u0026sig\\u003d${encodeURIComponent(signature)}`],
  ])('is taken out %s though nobody knows it', (_what, text) => {
    const hidden = createRedaction([]).hide(text);
    expect(hidden).not.toMatch(/dEf90123/);
    expect(hidden).toContain('***');
  });

  it('is not what only ends so', () => {
    expect(createRedaction([]).hide('design=modern')).toBe('design=modern');
  });
});

describe('a secret that has a script’s escape in it', () => {
  const secret = '}}*8*!"_&> >.Z+.Ã\\X80!&%';
  it.each([
    ['in a form', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['percent-encoded', encodeURIComponent(secret)],
    ['as JSON', JSON.stringify(secret)],
    ['as it is', secret],
  ])('is found %s', (_, text) => {
    expect(createRedaction([secret]).hide(`antes (${text}) depois`)).toBe('***');
  });
});
