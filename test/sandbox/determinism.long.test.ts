import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { LARGE_CNPJ, operation, period, stringOf, texts } from './calls.ts';

async function withSandbox<T>(options: SandboxOptions, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startNovemberSandbox(options);
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const LISTS = [
  'Mercadoria/RetornaListaXml',
  'Servico/RetornaListaXmlPelaEmissao',
  'Transporte/RetornaListaXmlPelaEntrada',
];

async function quarter(sandbox: Sandbox, cnpj = ''): Promise<string[]> {
  const hashes = [];
  for (const name of LISTS) {
    hashes.push(sha256((await operation(sandbox, name, period('01/07/2026', '30/09/2026', cnpj))).text));
  }
  return hashes;
}

it('two sandboxes of one seed hold the same bytes, one of another seed does not', async () => {
  const one = await withSandbox({}, quarter);
  const two = await withSandbox({ seed: 'docfiscal' }, quarter);
  const other = await withSandbox({ seed: 'another' }, quarter);
  expect(two).toEqual(one);
  for (const hash of other) expect(one).not.toContain(hash);
});

it('a document looked up by key in a fresh sandbox is the one that was listed', async () => {
  const day = period('14/10/2026', '14/10/2026');
  const listed = await withSandbox({}, async (sandbox) =>
    stringOf(await operation(sandbox, 'Mercadoria/RetornaListaXml', day)),
  );
  const [chaveNfe = ''] = texts(listed, 'chNFe');
  const alone = await withSandbox({}, async (sandbox) =>
    stringOf(await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe })),
  );
  const [, content = ''] = /<Conteudo><!\[CDATA\[(.*?)\]\]>/s.exec(alone) ?? [];
  expect(content).toContain(`Id="NFe${chaveNfe}"`);
  expect(listed).toContain(content);
});

it('the large company has the same bytes in every sandbox of one seed', async () => {
  const day = (sandbox: Sandbox) =>
    operation(sandbox, 'Mercadoria/RetornaListaXml', period('14/10/2026', '14/10/2026', LARGE_CNPJ));
  const one = await withSandbox({ large: true }, day);
  const two = await withSandbox({ large: true }, async (sandbox) => {
    await operation(sandbox, 'Transporte/RetornaListaXmlPelaEmissao', period('10/10/2026', '20/10/2026', ''));
    return day(sandbox);
  });
  expect(two.text.length).toBeGreaterThan(1_000_000);
  expect(two.text === one.text).toBe(true);
});
