import { describe, expect, it } from 'vitest';
import { sampleBytes, sampleText } from '../../documents/samples.ts';
import { readDocument, readKeys, readList, replyOf } from './reply.ts';

describe('documents in the envelopes of the service', () => {
  const note = () => sampleText('nfe/nfe-derivada-cnpj-alfanumerico.xml');

  it.each(['aninhado', 'cdata', 'escapado'])('retDownloadNFe %s', async (form) => {
    const reply = replyOf(sampleBytes(`vendor-envelopes/retDownloadNFe-${form}.xml`));
    const document = await readDocument(reply);
    expect(document.xml).toBe(note().slice(note().indexOf('<nfeProc')).trim());
    expect(document.summary).toMatchObject({
      kind: 'nfe',
      key: '26180812ABC34501DE35550010000016871192213331',
      number: '1687',
      status: 'authorized',
      issuer: { id: '12ABC34501DE35' },
    });
    expect(document.checks).toEqual({ integrity: '1', sefaz: '1', registration: '-' });
  });

  it('a file in ISO-8859-1', async () => {
    const bytes = sampleBytes('nfe/nfe-derivada-iso-8859-1.xml');
    const { xml, summary } = await readDocument(replyOf(bytes));
    expect(summary.key).toBe('35180834128745000152550010000476781421693968');
    const text = new TextDecoder('latin1').decode(bytes);
    expect(xml).toBe(text.slice(text.indexOf('<nfeProc')).trim());
  });

  it('a list of NFS-e in one file', async () => {
    const kinds: string[] = [];
    const reply = replyOf(sampleBytes('nfse/prodam-sp-RetornoConsulta.xml'));
    const list = await readList(reply, ({ summary }) => void kinds.push(summary.kind));
    expect(list.count).toBe(2);
    expect(kinds).toEqual(['nfse', 'nfse']);
  });
});

describe('key lists in the envelopes of the service', () => {
  const keys = [
    '26180875335849000115550010000016871192213331',
    '35260712ABC34501DE35550010000001231102030403',
    '35180834128745000152550010000476781421693968',
  ];
  const identifiers = [
    { number: '1021', issue_date: '2026-08-30', issuer_cnpj: '11222333000181' },
    { number: '77', issue_date: '2026-08-31', issuer_cnpj: '12ABC34501DE35' },
  ];
  it.each([
    ['Nfe-raiz-xml.xml', { keys, identifiers: [] }],
    ['Nfe-json-quoted.txt', { keys, identifiers: [] }],
    ['Nfe-vazio.xml', { keys: [], identifiers: [] }],
    ['Nfse.xml', { keys: [], identifiers }],
  ])('retChaves%s', async (name, found) => {
    const list = await readKeys(replyOf(sampleBytes(`vendor-envelopes/retChaves${name}`)));
    expect(list).toEqual({ ...found, rejected: [], warnings: [] });
  });
});
