import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { operation, period, stringOf, texts } from './calls.ts';

async function withSandbox<T>(options: SandboxOptions, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startSandbox(options);
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

async function quarter(sandbox: Sandbox): Promise<string[]> {
  const hashes = [];
  for (const name of LISTS) {
    hashes.push(sha256((await operation(sandbox, name, period('01/07/2026', '30/09/2026', ''))).text));
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

it('a known document stays as it is', async () => {
  const chaveNfe = '35261122617598000103550010000206041792226472';
  const xml = await withSandbox({}, async (sandbox) =>
    stringOf(await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe })),
  );
  expect(sha256(xml)).toBe('4b25e03f43fa2f6de55bd30434f38de5fc8a63075ab3607604a72c1b82d4ba10');
});
