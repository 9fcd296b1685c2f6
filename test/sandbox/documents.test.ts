import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { duringTests } from '../support/during-tests.ts';
import {
  call,
  DEMO_CNPJ,
  inside,
  LARGE_CNPJ,
  list,
  operation,
  period,
  stringOf,
  text,
  texts,
} from './calls.ts';

const sandbox = duringTests(() =>
  startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') }),
);

const OCTOBER = period('01/10/2026', '31/10/2026');
const KEYS = 'Mercadoria/RetornaChaves';
const LIST = 'Mercadoria/RetornaListaXml';
const BY_TYPE = 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo';
const ask = async (name: string, parameters: Record<string, string>) =>
  stringOf(await operation(sandbox, name, parameters));
const keys = async (name: string, parameters: Record<string, string>) =>
  texts(await ask(name, parameters), 'ChaveNFe');
const keyInside = (xml: string) => /Id="(?:NFe|CTe)([0-9A-Z]{44})"/.exec(xml)?.[1] ?? '';

describe('lists of NF-e', () => {
  it('of keys come in the envelope whose root is named xml, and have code 137 when nothing is there', async () => {
    const head = (code: string, reason: string, count: number) =>
      `<xml version="1.0"><retChavesNfe versao="1.00"><cStat>${code}</cStat><xMotivo>${reason}</xMotivo>` +
      `<dhResp>2026-12-31T23:59:59</dhResp><Quantidade>${count}</Quantidade>`;
    const xml = await ask(KEYS, OCTOBER);
    const found = texts(xml, 'ChaveNFe').length;
    expect(found).toBeGreaterThan(30);
    expect(xml.startsWith(`${head('100', 'OK', found)}<retorno><ChaveNFe>`)).toBe(true);
    expect(await ask(KEYS, period('01/01/2025', '31/10/2025'))).toBe(
      `${head('137', 'Nenhum documento localizado', 0)}</retChavesNfe></xml>`,
    );
  });

  it('have the keys of the month, and the documents of the key list in the same order', async () => {
    const found = await keys(KEYS, OCTOBER);
    for (const key of found) expect(key.slice(2, 6)).toBe('2610');
    expect((await list(sandbox, LIST, OCTOBER)).map(keyInside)).toEqual(found);
    // Dates may be written both ways, with and without times.
    const iso = period('2026-10-01', '2026-10-31');
    for (const same of [iso, { ...OCTOBER, horaDe: '00:00', horaAte: '23:59:59' }])
      expect(await keys('Mercadoria/RetornaChavesPelaEmissao', same)).toEqual(found);
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

  it.each(['Saida', '', 'constructor'])('refuse tipo %j in an envelope', async (tipo) => {
    const xml = await ask(BY_TYPE, { ...OCTOBER, tipo });
    expect([text(xml, 'cStat'), xml.includes('retorno')]).toEqual(['215', false]);
  });

  it.each([
    ['31/02/2026', '31/10/2026', ''],
    ['', '31/10/2026', ''],
    ['2026-10-1', '31/10/2026', ''],
    ['01/10/2026', '31/10/2026', '9h'],
    ['02/10/2026', '01/10/2026', ''],
  ])('refuse %s to %s %s', async (from, to, horaAte) => {
    const { status, text } = await operation(sandbox, KEYS, { ...period(from, to, ''), horaAte });
    expect([status, JSON.parse(text)]).toEqual([400, { Message: expect.any(String) }]);
  });
});

it('NFS-e are listed by the arguments of a download: no two share number, date and issuer', async () => {
  const year = period('01/01/2026', '31/12/2026');
  const all = [];
  for (const tipo of ['Emitidas', 'Recebidas'])
    all.push(...(await ask('Servico/RetornaChavesPelaEmissao', { ...year, tipo })).split('<NFSe>').slice(1));
  expect([new Set(all).size, all.length > 100]).toEqual([all.length, true]);
  for (const one of all.slice(0, 20)) {
    const numeroDocumento = text(one, 'NumeroNFe');
    const dataEmissaoDocumento = text(one, 'DataEmissaoNFe');
    const cnpjEmissorDocumento = text(one, 'CNPJ');
    const named = { numeroDocumento, dataEmissaoDocumento, cnpjEmissorDocumento };
    const note = await ask('Servico/DownloadNfse', named);
    expect(note).toContain(`<NFSe NumeroDocumento="${numeroDocumento}"><Conteudo><`);
    expect(note).toContain(cnpjEmissorDocumento);
    expect(Buffer.from(text(note, 'Pdf'), 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  }
});

it('CT-e link notes that are there, between the same parties', async () => {
  for (const xml of await list(sandbox, 'Transporte/RetornaListaXmlPelaEmissao', OCTOBER)) {
    const note = await ask('Mercadoria/DownloadXml', { chaveNfe: text(xml, 'chave') });
    const carried = ['rem', 'dest'].map((party) => text(inside(xml, party), 'CNPJ'));
    const sold = ['emit', 'dest'].map((party) => text(inside(note, party), 'CNPJ'));
    expect([text(note, 'cStat'), sold, text(note, 'vNF')]).toEqual(['100', carried, text(xml, 'vCarga')]);
  }
});

describe('a long list', () => {
  const BYTES = 3 * 1_048_576;
  async function begin(parameters: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    const query = new URLSearchParams({ usuario: 'demo', senha: 'demo', ...parameters });
    const [response] = await once(get(`${sandbox.url}/API/${LIST}?${query}`), 'response');
    return response as IncomingMessage;
  }
  const month = { ...OCTOBER, cnpj: LARGE_CNPJ };

  it('is written while it is read, and leaves other requests their turn', async () => {
    const long = await begin(month);
    expect(long.headers['content-length']).toBeUndefined();
    await once(long, 'readable');
    for (let i = 0; i < 4; i++)
      expect((await keys(KEYS, period('14/10/2026', '14/10/2026'))).length).toBeGreaterThan(0);
    expect(long.readableEnded).toBe(false);
    long.destroy();
  });

  it('ends early by a fault', async () => {
    const body = JSON.stringify({ truncateBytes: BYTES });
    expect((await call(sandbox, '/__sandbox/faults', { method: 'POST', body })).status).toBe(204);
    const response = await begin(month);
    expect(response.headers['content-length']).toBe(String(BYTES));
    let length = 0;
    for await (const chunk of response) length += Buffer.from(chunk).length;
    expect(length).toBe(BYTES);
  });
});
