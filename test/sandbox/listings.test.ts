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

async function keys(name: string, parameters: Record<string, string>): Promise<string[]> {
  const xml = stringOf(await operation(sandbox, name, parameters));
  return [...texts(xml, 'ChaveNFe'), ...texts(xml, 'ChaveCTe')];
}

function keyInside(xml: string): string {
  const [, key = ''] = /Id="(?:NFe|CTe)([0-9A-Z]{44})"/.exec(xml) ?? [];
  return key;
}

describe('the companies', () => {
  it('have valid CNPJs, one of them with letters', () => {
    expect(sandbox.companies.length).toBeGreaterThanOrEqual(4);
    for (const { id } of sandbox.companies) expect(checkCnpj(id).ok).toBe(true);
    expect(sandbox.companies.map(({ id }) => id)).toContain(SIMPLES_CNPJ);
    expect(sandbox.companies[0]?.id).toBe(DEMO_CNPJ);
  });
});

describe('lists of NF-e keys', () => {
  it('come in the envelope whose root is named xml', async () => {
    const xml = stringOf(await operation(sandbox, 'Mercadoria/RetornaChaves', OCTOBER));
    const found = texts(xml, 'ChaveNFe');
    expect(xml).toMatch(
      /^<xml version="1.0"><retChavesNfe versao="1.00"><cStat>100<\/cStat><xMotivo>OK<\/xMotivo>/,
    );
    expect(text(xml, 'dhResp')).toBe('2026-11-20T12:00:00');
    expect(text(xml, 'Quantidade')).toBe(String(found.length));
    expect(found.length).toBeGreaterThan(30);
  });

  it('have no retorno and code 137 when nothing is there', async () => {
    const xml = stringOf(
      await operation(sandbox, 'Mercadoria/RetornaChaves', period('01/01/2025', '31/10/2025')),
    );
    expect(xml).toBe(
      '<xml version="1.0"><retChavesNfe versao="1.00"><cStat>137</cStat><xMotivo>Nenhum documento localizado</xMotivo>' +
        '<dhResp>2026-11-20T12:00:00</dhResp><Quantidade>0</Quantidade></retChavesNfe></xml>',
    );
  });

  it('hold valid keys of the month', async () => {
    for (const key of await keys('Mercadoria/RetornaChaves', { ...OCTOBER, cnpj: '' })) {
      expect(checkAccessKey(key)).toMatchObject({
        ok: true,
        warnings: [],
        value: { kind: 'nfe', month: '2026-10' },
      });
    }
  });

  it('take dates both ways, with and without times', async () => {
    const brazilian = await keys('Mercadoria/RetornaChaves', period('01/10/2026', '31/10/2026'));
    const iso = await keys('Mercadoria/RetornaChavesPelaEmissao', period('2026-10-01', '2026-10-31'));
    const times = { horaDe: '00:00', horaAte: '23:59:59' };
    const timed = await keys('Mercadoria/RetornaChaves', { ...OCTOBER, ...times });
    expect(iso).toEqual(brazilian);
    expect(timed).toEqual(brazilian);
  });
});

describe('lists of NF-e', () => {
  it('hold the documents of the key list, in the same order', async () => {
    const documents = await list(sandbox, 'Mercadoria/RetornaListaXml', OCTOBER);
    expect(documents.map(keyInside)).toEqual(await keys('Mercadoria/RetornaChaves', OCTOBER));
  });

  it('are split by tipo: received by the company, or issued by it', async () => {
    const name = 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo';
    const inbound = await list(sandbox, name, { ...OCTOBER, tipo: 'Entrada' });
    const outbound = await list(sandbox, name, { ...OCTOBER, tipo: 'Saída' });
    expect(inbound.length).toBeGreaterThan(10);
    expect(outbound.length).toBeGreaterThan(10);
    const isEntry = (xml: string) => text(xml, 'tpNF') === '0';
    for (const xml of inbound)
      expect(text(inside(xml, isEntry(xml) ? 'emit' : 'dest'), 'CNPJ')).toBe(DEMO_CNPJ);
    for (const xml of outbound)
      expect([text(inside(xml, 'emit'), 'CNPJ'), isEntry(xml)]).toEqual([DEMO_CNPJ, false]);
    const all = await keys('Mercadoria/RetornaChaves', OCTOBER);
    expect(new Set([...inbound, ...outbound].map(keyInside))).toEqual(new Set(all));
  });
});

describe('refusals in an envelope', () => {
  const typed = 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo';

  it.each(['Saida', 'saída', 'SAÍDA', '', 'Emitidas', 'constructor'])('tipo %j', async (tipo) => {
    const xml = stringOf(await operation(sandbox, typed, { ...OCTOBER, tipo }));
    expect(text(xml, 'cStat')).toBe('215');
    expect(xml).not.toContain('retorno');
  });
});

describe('bad dates', () => {
  it.each([
    ['31/02/2026', '31/10/2026', ''],
    ['10-31-2026', '31/10/2026', ''],
    ['', '31/10/2026', ''],
    ['01/10/2026', '31/10/2026', '25:00:00'],
    ['01/10/2026', '31/10/2026', '9h'],
    ['02/10/2026', '01/10/2026', ''],
  ])('%s to %s %s are refused', async (dataDe, dataAte, horaAte) => {
    const parameters = { cnpj: '', dataDe, horaDe: '', dataAte, horaAte };
    const { status, text: body } = await operation(sandbox, 'Mercadoria/RetornaChaves', parameters);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toHaveProperty('Message');
  });
});

describe('summaries, covers and classifications', () => {
  it('agree with the document', async () => {
    const [document = ''] = await list(sandbox, 'Mercadoria/RetornaListaXml', OCTOBER);
    const key = keyInside(document);
    const cover = stringOf(
      await operation(sandbox, 'Mercadoria/RetornaCapas', { ...period('', ''), tipo: '', capa: key }),
    );
    expect(text(cover, 'Valor')).toBe(text(document, 'vNF'));
    expect(text(cover, 'Numero')).toBe(text(document, 'nNF'));
    const products = stringOf(
      await operation(sandbox, 'Mercadoria/RetornaClassificacoesProdutos', { chaveNfe: key }),
    );
    expect(texts(products, 'NCM')).toEqual(texts(document, 'NCM'));
    expect(texts(products, 'CFOP')).toEqual(texts(document, 'CFOP'));
  });
});

describe('NFS-e', () => {
  type Identifier = Record<'numeroDocumento' | 'dataEmissaoDocumento' | 'cnpjEmissorDocumento', string>;

  async function identifiers(name: string, tipo: string): Promise<Identifier[]> {
    const xml = stringOf(await operation(sandbox, name, { ...OCTOBER, cnpj: '', tipo }));
    const numbers = texts(xml, 'NumeroNFe');
    const dates = texts(xml, 'DataEmissaoNFe');
    const issuers = texts(xml, 'CNPJ');
    return numbers.map((numeroDocumento, i) => ({
      numeroDocumento,
      dataEmissaoDocumento: dates[i] ?? '',
      cnpjEmissorDocumento: issuers[i] ?? '',
    }));
  }

  it('are listed by what a download takes', async () => {
    const listed = await identifiers('Servico/RetornaChavesPelaEmissao', 'Recebidas');
    expect(listed.length).toBeGreaterThan(15);
    for (const identifier of listed) {
      const xml = stringOf(await operation(sandbox, 'Servico/DownloadNfse', identifier));
      expect(xml).toContain(`<NFSe NumeroDocumento="${identifier.numeroDocumento}"><Conteudo><`);
      expect(xml).toContain(identifier.cnpjEmissorDocumento);
      expect(Buffer.from(text(xml, 'Pdf'), 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    }
  });

  it('come in the national and the ABRASF layout, national ones with a valid key', async () => {
    const documents = await list(sandbox, 'Servico/RetornaListaXmlPelaEmissao', { ...OCTOBER, cnpj: '' });
    const national = documents.filter((xml) => xml.includes('<infNFSe '));
    expect(national.length).toBeGreaterThan(5);
    expect(documents.filter((xml) => xml.includes('<CompNfse ')).length).toBe(
      documents.length - national.length,
    );
    expect(documents.length).toBeGreaterThan(national.length);
    for (const xml of national) {
      const [, key = ''] = /Id="NFS([0-9A-Z]{50})"/.exec(xml) ?? [];
      expect(checkNationalNfseKey(key)).toMatchObject({
        ok: true,
        warnings: [],
        value: { number: text(xml, 'nNFSe') },
      });
    }
  });
});

describe('CT-e', () => {
  const everyone = { ...OCTOBER, cnpj: '' };

  it('link notes that are there, between the same parties', async () => {
    for (const xml of await list(sandbox, 'Transporte/RetornaListaXmlPelaEmissao', everyone)) {
      for (const chaveNfe of texts(xml, 'chave')) {
        const note = stringOf(await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe }));
        expect(text(note, 'cStat')).toBe('100');
        expect(text(inside(note, 'emit'), 'CNPJ')).toBe(text(inside(xml, 'rem'), 'CNPJ'));
        expect(text(inside(note, 'dest'), 'CNPJ')).toBe(text(inside(xml, 'dest'), 'CNPJ'));
        expect(text(note, 'vNF')).toBe(text(xml, 'vCarga'));
      }
    }
  });
});
