import { describe, expect, it } from 'vitest';
import { NotUnderstood, Refused } from '../../../src/clients/errors.ts';
import { readInteger, readText, readUrl, replyOf } from './reply.ts';

describe('an integer', () => {
  it.each([
    ['1', 1],
    [' -7 \n', -7],
    ['"42"', 42],
    ['<int xmlns="http://schemas.microsoft.com/2003/10/Serialization/">0</int>', 0],
    ['\ufeff3', 3],
  ])('%s', async (text, expected) => {
    expect(await readInteger(replyOf(text))).toBe(expected);
  });

  it.each([['null'], [' null\n'], ['<int xmlns:i="x" i:nil="true"/>']])(
    '%s is an answer with nothing',
    async (text) => {
      expect(await readInteger(replyOf(text))).toBeUndefined();
    },
  );

  it.each([
    [''],
    ['""'],
    ['"null"'],
    ['[null]'],
    ['{}'],
    ['nullo'],
    ['true'],
    ['1.5'],
    ['1 2'],
    ['[1]x'],
    ['[1,2]'],
    ['9'.repeat(16)],
    ['<html></html>'],
  ])('%s is not understood', async (text) => {
    await expect(readInteger(replyOf(text))).rejects.toBeInstanceOf(NotUnderstood);
  });
});

describe('a short text', () => {
  it.each([
    ['"Conectado"', 'Conectado'],
    ['Serviço no ar\u0007\u202e', 'Serviço no ar'],
    ['<string xmlns="x">OK</string>', 'OK'],
    ['<ret><cStat>100</cStat><xMotivo>Serviço em operação</xMotivo></ret>', 'Serviço em operação'],
    ['""', ''],
  ])('%s', async (text, expected) => {
    expect(await readText(replyOf(text))).toBe(expected);
  });

  it('is bounded', async () => {
    const text = await readText(replyOf('a'.repeat(10_000)));
    expect(text.length).toBe(2000);
    await expect(readText(replyOf('a'.repeat(100_000)))).rejects.toMatchObject({ reason: 'too large' });
  });

  it.each([[''], ['<!DOCTYPE html><html></html>'], ['"cut'], ['<a><b>1</b><c>2</c></a>']])(
    '%s is not understood',
    async (text) => {
      await expect(readText(replyOf(text))).rejects.toBeInstanceOf(NotUnderstood);
    },
  );

  it('an HTML page is not shown', async () => {
    const page = '<!DOCTYPE html><html><body>segredo</body></html>';
    const error = await readText(replyOf(page)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reply: { kind: 'html', start: '', bytes: page.length } });
    expect(String(error)).not.toContain('segredo');
  });

  it('a refusing code is a refusal', async () => {
    const text = '<ret><cStat>999</cStat><xMotivo>Senha inválida</xMotivo></ret>';
    const error = await readText(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ refusal: { code: '999', message: 'Senha inválida' } });
  });
});

describe('an address', () => {
  const url = 'https://conta.blob.core.windows.net/nota.pdf?sv=1&sig=a%2Bb%3D';

  it.each([
    [url],
    [JSON.stringify(url)],
    [`"${url.replace('&', '\\u0026')}"`],
    [`<string>${url.replace('&', '&amp;')}</string>`],
  ])('%s', async (text) => {
    expect(await readUrl(replyOf(text))).toBe(url);
  });

  it.each([
    ['""'],
    ['nota.pdf'],
    ['ftp://a/b'],
    ['javascript:alert(1)'],
    ['https://'],
    ['https://a/b c'],
    [`${url} ${url}`],
  ])('%s is not understood, and no signature is shown', async (text) => {
    const error = await readUrl(replyOf(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotUnderstood);
    expect(JSON.stringify(error)).not.toContain('a%2Bb');
  });
});
