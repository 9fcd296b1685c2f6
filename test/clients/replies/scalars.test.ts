import { describe, expect, it } from 'vitest';
import {
  misunderstands,
  misunderstood,
  readInteger,
  readText,
  readUrl,
  refuses,
  replyOf,
  understands,
} from './reply.ts';

const page = '<!DOCTYPE html><html><body>segredo</body></html>';

describe('an integer', () => {
  understands(readInteger, [
    [1, '1'],
    [-7, ' -7 \n'],
    [42, '"42"'],
    [0, '<int xmlns="http://schemas.microsoft.com/2003/10/Serialization/">0</int>'],
    [3, '\ufeff3'],
    [undefined, 'null', ' null\n', '<int xmlns:i="x" i:nil="true"/>'],
  ]);

  misunderstands(readInteger, {
    empty: [''],
    'not an integer': ['""', '"null"', 'nullo', 'true', '1.5', '1 2', '9'.repeat(16)],
    'nothing recognised': ['[null]', '{}'],
    'several values': ['[1,2]'],
    'broken json': ['[1]x'],
    'html page': [page],
  });
});

describe('a short text', () => {
  understands(readText, [
    ['Conectado', '"Conectado"'],
    ['Serviço no ar', 'Serviço no ar\u0007\u202e'],
    ['OK', '<string xmlns="x">OK</string>'],
    ['Serviço em operação', '<ret><cStat>100</cStat><xMotivo>Serviço em operação</xMotivo></ret>'],
    ['', '""'],
    [`${'a'.repeat(1999)}…`, 'a'.repeat(10_000)],
  ]);
  misunderstands(readText, {
    empty: [''],
    truncated: ['"cut'],
    'several values': ['<a><b>1</b><c>2</c></a>'],
    'too large': ['a'.repeat(100_000)],
  });
  refuses(readText, [
    [
      { code: '999', message: 'Senha inválida' },
      '<ret><cStat>999</cStat><xMotivo>Senha inválida</xMotivo></ret>',
    ],
  ]);

  it('an HTML page is not shown', async () => {
    const error = await readText(replyOf(page)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reply: { kind: 'html', start: '', bytes: page.length } });
    expect(String(error)).not.toContain('segredo');
  });
});

describe('an address', () => {
  const url = 'https://conta.blob.core.windows.net/nota.pdf?sv=1&sig=a%2Bb%3D';
  understands(readUrl, [
    [url, url, JSON.stringify(url), `"${url.replace('&', '\\u0026')}"`],
    [url, `<string>${url.replace('&', '&amp;')}</string>`],
  ]);
  misunderstands(readUrl, {
    'not a url': ['""', 'nota.pdf', 'ftp://a/b', 'javascript:alert(1)', 'https://', 'https://a/b c'],
  });

  it('that is not understood shows no signature', async () => {
    const reading = readUrl(replyOf(`${url} ${url}`));
    expect(JSON.stringify(await reading.catch((thrown: unknown) => thrown))).not.toContain('a%2Bb');
    expect(await misunderstood(reading)).toBe('not a url');
  });
});
