import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAccessKey, checkNationalNfseKey } from '../../src/documents/identity/keys.ts';
import { checkCnpj } from '../../src/documents/identity/tax-ids.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { DEMO_CNPJ, inside, list, operation, period, SIMPLES_CNPJ, stringOf, text, texts } from './calls.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startNovemberSandbox();
});
afterAll(() => sandbox.close());

const OCTOBER = period('01/10/2026', '31/10/2026');
const KEYS = 'Mercadoria/RetornaChaves';
const LIST = 'Mercadoria/RetornaListaXml';
const BY_TYPE = 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo';
const ask = async (name: string, parameters: Record<string, string>) =>
  stringOf(await operation(sandbox, name, parameters));
const keys = async (name: string, parameters: Record<string, string>) =>
  texts(await ask(name, parameters), 'ChaveNFe');
const keyInside = (xml: string) => /Id="(?:NFe|CTe)([0-9A-Z]{44})"/.exec(xml)?.[1] ?? '';

it('the companies have valid CNPJs, one of them with letters', () => {
  const ids = sandbox.companies.map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(4);
  expect(ids.filter((id) => !checkCnpj(id).ok)).toEqual([]);
  expect([ids[0], ids.includes(SIMPLES_CNPJ)]).toEqual([DEMO_CNPJ, true]);
});

describe('lists of NF-e', () => {
  it('of keys come in the envelope whose root is named xml, and have code 137 when nothing is there', async () => {
    const xml = await ask(KEYS, OCTOBER);
    const found = texts(xml, 'ChaveNFe');
    expect(xml).toMatch(
      /^<xml version="1.0"><retChavesNfe versao="1.00"><cStat>100<\/cStat><xMotivo>OK<\/xMotivo>/,
    );
    expect([text(xml, 'dhResp'), text(xml, 'Quantidade')]).toEqual([
      '2026-11-20T12:00:00',
      String(found.length),
    ]);
    expect(found.length).toBeGreaterThan(30);
    expect(await ask(KEYS, period('01/01/2025', '31/10/2025'))).toBe(
      '<xml version="1.0"><retChavesNfe versao="1.00"><cStat>137</cStat><xMotivo>Nenhum documento localizado</xMotivo>' +
        '<dhResp>2026-11-20T12:00:00</dhResp><Quantidade>0</Quantidade></retChavesNfe></xml>',
    );
  });

  it('hold valid keys of the month, and the documents of the key list in the same order', async () => {
    for (const key of await keys(KEYS, { ...OCTOBER, cnpj: '' })) {
      const value = { kind: 'nfe', month: '2026-10' };
      expect(checkAccessKey(key)).toMatchObject({ ok: true, warnings: [], value });
    }
    expect((await list(sandbox, LIST, OCTOBER)).map(keyInside)).toEqual(await keys(KEYS, OCTOBER));
  });

  it('take dates both ways, with and without times', async () => {
    const brazilian = await keys(KEYS, OCTOBER);
    for (const other of [
      await keys('Mercadoria/RetornaChavesPelaEmissao', period('2026-10-01', '2026-10-31')),
      await keys(KEYS, { ...OCTOBER, horaDe: '00:00', horaAte: '23:59:59' }),
    ])
      expect(other).toEqual(brazilian);
  });

  it('are split by tipo: received by the company, or issued by it', async () => {
    const inbound = await list(sandbox, BY_TYPE, { ...OCTOBER, tipo: 'Entrada' });
    const outbound = await list(sandbox, BY_TYPE, { ...OCTOBER, tipo: 'Saída' });
    const isEntry = (xml: string) => text(xml, 'tpNF') === '0';
    for (const xml of inbound)
      expect(text(inside(xml, isEntry(xml) ? 'emit' : 'dest'), 'CNPJ')).toBe(DEMO_CNPJ);
    for (const xml of outbound)
      expect([text(inside(xml, 'emit'), 'CNPJ'), isEntry(xml)]).toEqual([DEMO_CNPJ, false]);
    expect(Math.min(inbound.length, outbound.length)).toBeGreaterThan(10);
    const all = new Set([...inbound, ...outbound].map(keyInside));
    expect(all).toEqual(new Set(await keys(KEYS, OCTOBER)));
  });

  it.each(['Saida', 'saída', 'SAÍDA', '', 'Emitidas', 'constructor'])(
    'refuse tipo %j in an envelope',
    async (tipo) => {
      const xml = await ask(BY_TYPE, { ...OCTOBER, tipo });
      expect(text(xml, 'cStat')).toBe('215');
      expect(xml).not.toContain('retorno');
    },
  );

  it.each([
    ['31/02/2026', '31/10/2026', ''],
    ['10-31-2026', '31/10/2026', ''],
    ['', '31/10/2026', ''],
    ['01/10/2026', '31/10/2026', '25:00:00'],
    ['01/10/2026', '31/10/2026', '9h'],
    ['02/10/2026', '01/10/2026', ''],
  ])('refuse %s to %s %s', async (from, to, horaAte) => {
    const { status, text: body } = await operation(sandbox, KEYS, { ...period(from, to, ''), horaAte });
    expect(status).toBe(400);
    expect(JSON.parse(body)).toHaveProperty('Message');
  });

  it('agree with covers and classifications', async () => {
    const [document = ''] = await list(sandbox, LIST, OCTOBER);
    const key = keyInside(document);
    const cover = await ask('Mercadoria/RetornaCapas', { ...period('', ''), tipo: '', capa: key });
    expect([text(cover, 'Valor'), text(cover, 'Numero')]).toEqual([
      text(document, 'vNF'),
      text(document, 'nNF'),
    ]);
    const products = await ask('Mercadoria/RetornaClassificacoesProdutos', { chaveNfe: key });
    for (const name of ['NCM', 'CFOP']) expect(texts(products, name)).toEqual(texts(document, name));
  });
});

describe('NFS-e', () => {
  const everyone = { ...OCTOBER, cnpj: '' };

  it('are listed by what a download takes', async () => {
    const xml = await ask('Servico/RetornaChavesPelaEmissao', { ...everyone, tipo: 'Recebidas' });
    const [dates, issuers] = [texts(xml, 'DataEmissaoNFe'), texts(xml, 'CNPJ')];
    const numbers = texts(xml, 'NumeroNFe');
    expect(numbers.length).toBeGreaterThan(15);
    for (const [i, numeroDocumento] of numbers.entries()) {
      const [dataEmissaoDocumento = '', cnpjEmissorDocumento = ''] = [dates[i], issuers[i]];
      const named = { numeroDocumento, dataEmissaoDocumento, cnpjEmissorDocumento };
      const note = await ask('Servico/DownloadNfse', named);
      expect(note).toContain(`<NFSe NumeroDocumento="${numeroDocumento}"><Conteudo><`);
      expect(note).toContain(cnpjEmissorDocumento);
      expect(Buffer.from(text(note, 'Pdf'), 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    }
  });

  it('come in the national and the ABRASF layout, national ones with a valid key', async () => {
    const documents = await list(sandbox, 'Servico/RetornaListaXmlPelaEmissao', everyone);
    const national = documents.filter((xml) => xml.includes('<infNFSe '));
    const ofTowns = documents.filter((xml) => xml.includes('<CompNfse '));
    expect(national.length).toBeGreaterThan(5);
    expect(ofTowns.length).toBeGreaterThan(0);
    expect(documents.length).toBe(national.length + ofTowns.length);
    for (const xml of national) {
      const [, key = ''] = /Id="NFS([0-9A-Z]{50})"/.exec(xml) ?? [];
      const value = { number: text(xml, 'nNFSe') };
      expect(checkNationalNfseKey(key)).toMatchObject({ ok: true, warnings: [], value });
    }
  });

  it('CT-e link notes that are there, between the same parties', async () => {
    for (const xml of await list(sandbox, 'Transporte/RetornaListaXmlPelaEmissao', everyone))
      for (const chaveNfe of texts(xml, 'chave')) {
        const note = await ask('Mercadoria/DownloadXml', { chaveNfe });
        const [sender, recipient] = [text(inside(xml, 'rem'), 'CNPJ'), text(inside(xml, 'dest'), 'CNPJ')];
        expect([
          text(note, 'cStat'),
          text(inside(note, 'emit'), 'CNPJ'),
          text(inside(note, 'dest'), 'CNPJ'),
          text(note, 'vNF'),
        ]).toEqual(['100', sender, recipient, text(xml, 'vCarga')]);
      }
  });
});
