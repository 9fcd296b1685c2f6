import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import {
  CARRIER_CNPJ,
  DEMO_CNPJ,
  LARGE_CNPJ,
  operation,
  period,
  SIMPLES_CNPJ,
  stringOf,
  texts,
} from './calls.ts';

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

const SMALL_COMPANIES = [DEMO_CNPJ, '07391455000124', SIMPLES_CNPJ, CARRIER_CNPJ];

const LISTS = [
  'Mercadoria/RetornaListaXml',
  'Servico/RetornaListaXmlPelaEmissao',
  'Transporte/RetornaListaXmlPelaEntrada',
];

/** What the lists of the third quarter are: those of NFS-e since the sandbox was made. */
const THIRD_QUARTER = [
  'e4df94455d0fb665939201199c405a1a68db41265b8485a7510b18313f17400c',
  '0b7132b81f8db6ae42b40c70b74464333b0a536a56d97a6edde626050200af00',
  'f02dce2e0ee4d28dd617fbe3525b6f044f3062f29fe1574ad800b4c8b5eb5c88',
];

async function quarter(sandbox: Sandbox, cnpj = ''): Promise<string[]> {
  const hashes = [];
  for (const name of LISTS) {
    hashes.push(sha256((await operation(sandbox, name, period('01/07/2026', '30/09/2026', cnpj))).text));
  }
  return hashes;
}

async function quarterOfEach(sandbox: Sandbox): Promise<string[]> {
  const hashes = [];
  for (const cnpj of SMALL_COMPANIES) hashes.push(...(await quarter(sandbox, cnpj)));
  return hashes;
}

it('two sandboxes of one seed hold the same bytes, one of another seed does not', async () => {
  const one = await withSandbox({}, quarter);
  const two = await withSandbox({ seed: 'docfiscal' }, quarter);
  const other = await withSandbox({ seed: 'another' }, quarter);
  expect(one).toEqual(THIRD_QUARTER);
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

it('a known document stays as it is', async () => {
  const chaveNfe = '35261122617598000103550010000206041792226472';
  const xml = await withSandbox({}, async (sandbox) =>
    stringOf(await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe })),
  );
  expect(sha256(xml)).toBe('042eab26985fda32fdcaa3e2aa7d03564682e5f035f632fb03bc882007107b16');
});

it('the large company changes nothing of the others', async () => {
  const without = await withSandbox({}, quarterOfEach);
  const beside = await withSandbox({ large: true }, quarterOfEach);
  expect(beside).toEqual(without);
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
