import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConfiguredServer, password, startConfigured } from '../support/configured-server.ts';
import {
  accessKey,
  company,
  cteXml,
  documentListReply,
  downloadReply,
  keyListReply,
  nfeXml,
  nfseListReply,
  nfseXml,
  pdfBytes,
  supplier,
} from '../support/documents.ts';
import { json, type SeenRequest } from '../support/recording-upstream.ts';

const nfeKey = accessKey({ number: 1 });
const cteKey = accessKey({ number: 1, model: '57' });
const nfes = documentListReply([nfeXml({ number: 1 })]);
const ctes = documentListReply([cteXml({ number: 1 })]);
const nfses = documentListReply([nfseXml({ number: 1 })]);
const oldUrl = 'https://store.example/file.pdf?sv=2020&sig=abc%2Bdef%3D';

type Pairs = readonly (readonly [string, string])[];

const credentials: Pairs = [
  ['usuario', 'fiscal'],
  ['senha', password],
];
const period: Pairs = [
  ['cnpj', company],
  ['dataDe', '01/11/2026'],
  ['horaDe', '00:00:00'],
  ['dataAte', '19/11/2026'],
  ['horaAte', '18:30:00'],
];
const inPeriod: Pairs = [...credentials, ...period];
const days = { cnpj: '11.222.333/0001-81', from: '2026-11-01', to: '2026-11-19T18:30' } as const;

interface ReadCase {
  readonly path: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly query: Pairs;
  readonly reply: unknown;
}

const withType = (value: string): Pairs => [...inPeriod, ['tipo', value]];
const keys = (document: string, more: object = {}) => ({
  tool: 'list_document_keys',
  args: { document, ...days, ...more },
  reply: document === 'nfse' ? nfseListReply([1]) : keyListReply([document === 'cte' ? cteKey : nfeKey]),
});
const list = (document: string, more: object = {}) => ({
  tool: 'list_documents',
  args: { document, ...days, ...more },
  reply: { nfe: nfes, nfse: nfses, cte: ctes }[document],
});
const inbound = { direction: 'inbound' };
const outbound = { direction: 'outbound' };
const entry = { by: 'entry' };

/** Every reading operation, by the tool that calls it. Source: docs/upstream-services.md, docs/tools.md. */
const reads: readonly ReadCase[] = [
  { path: '/API/ConsumoWS/ConectividadeWS', tool: 'check_connection', args: {}, query: [], reply: 'OK' },
  { path: '/API/ConsumoWS/Login', tool: 'check_connection', args: {}, query: credentials, reply: 1 },
  {
    path: '/API/ConsumoWS/RetornaNovaUrlSaS',
    tool: 'renew_sas_url',
    args: { old_url: oldUrl },
    query: [['oldUrl', oldUrl]],
    reply: 'https://store.example/file.pdf?sv=2026&sig=new',
  },
  {
    path: '/API/Mercadoria/PesquisarStatusEvento',
    tool: 'get_nfe_event_status',
    args: { key: nfeKey, event: 'ciencia' },
    query: [...credentials, ['evento', `{"ChaveNFe":"${nfeKey}","TipoEvento":"210210","Motivo":""}`]],
    reply: {
      ChaveNFe: nfeKey,
      Evento: '210210',
      Mensagem: '135 - Evento registrado',
      Sucesso: 1,
      Usuario: 'x',
    },
  },
  {
    path: '/API/Mercadoria/DownloadXml',
    tool: 'get_document',
    args: { document: 'nfe', key: nfeKey, refresh: true },
    query: [...credentials, ['chaveNfe', nfeKey]],
    reply: downloadReply(nfeXml({ number: 1 })),
  },
  {
    path: '/API/Mercadoria/DownloadPdfNfe',
    tool: 'get_document',
    args: { document: 'nfe', key: nfeKey, format: 'pdf' },
    query: [...credentials, ['chaveNfe', nfeKey]],
    reply: pdfBytes.toString('base64'),
  },
  { path: '/API/Mercadoria/RetornaChaves', ...keys('nfe', { by: 'period' }), query: inPeriod },
  { path: '/API/Mercadoria/RetornaChavesPelaDataEntrada', ...keys('nfe', entry), query: inPeriod },
  { path: '/API/Mercadoria/RetornaChavesPelaEmissao', ...keys('nfe'), query: inPeriod },
  {
    path: '/API/Mercadoria/RetornaResumos',
    tool: 'list_nfe_summaries',
    args: { ...days, page: 3 },
    query: [...inPeriod, ['pagina', '3']],
    reply: '<resumos><resumo><numero>1</numero></resumo></resumos>',
  },
  {
    path: '/API/Mercadoria/RetornaClassificacoesProdutos',
    tool: 'get_nfe_classifications',
    args: { key: nfeKey },
    query: [...credentials, ['chaveNfe', nfeKey]],
    reply: '<classificacoes><produto><codigo>1</codigo></produto></classificacoes>',
  },
  { path: '/API/Mercadoria/RetornaListaXml', ...list('nfe', { by: 'period' }), query: inPeriod },
  { path: '/API/Mercadoria/RetornaListaXmlPelaEmissao', ...list('nfe'), query: inPeriod },
  {
    path: '/API/Mercadoria/RetornaListaXmlPelaEmissaoPorTipo',
    ...list('nfe', outbound),
    query: withType('Saída'),
  },
  {
    path: '/API/Mercadoria/RetornaListaXmlPelaEntradaPorTipo',
    ...list('nfe', { ...entry, ...inbound }),
    query: withType('Entrada'),
  },
  {
    path: '/API/Mercadoria/RetornarChavesIntegracao',
    tool: 'list_integration_keys',
    args: { document: 'nfe', company: 12, establishment: 3 },
    query: [...credentials, ['companhia', '12'], ['estabelecimento', '3']],
    reply: keyListReply([nfeKey]),
  },
  {
    path: '/API/Mercadoria/RetornaCapas',
    tool: 'list_nfe_covers',
    args: { ...days, ...outbound },
    query: [...withType('Saída'), ['capa', '']],
    reply: '<capas><capa><numero>1</numero></capa></capas>',
  },
  {
    path: '/API/Servico/DownloadNfse',
    tool: 'get_document',
    args: { document: 'nfse', number: '007', issue_date: '2026-11-05', issuer_cnpj: '58.716.523/0001-19' },
    query: [
      ...credentials,
      ['numeroDocumento', '007'],
      ['dataEmissaoDocumento', '05/11/2026'],
      ['cnpjEmissorDocumento', supplier],
    ],
    reply: downloadReply(nfseXml({ number: 7 })),
  },
  { path: '/API/Servico/RetornaListaXmlPelaEntrada', ...list('nfse', entry), query: inPeriod },
  { path: '/API/Servico/RetornaListaXmlPelaEmissao', ...list('nfse'), query: inPeriod },
  {
    path: '/API/Servico/RetornaChavesPelaEntrada',
    ...keys('nfse', { ...entry, ...inbound }),
    query: withType('Recebidas'),
  },
  { path: '/API/Servico/RetornaChavesPelaEmissao', ...keys('nfse', outbound), query: withType('Emitidas') },
  {
    path: '/API/Servico/RetornaChavesAprovadasPelaEntrada',
    ...keys('nfse', { ...entry, ...outbound, approved_only: true }),
    query: withType('Emitidas'),
  },
  {
    path: '/API/Servico/RetornaChavesNFSeAprovadasPelaEmissao',
    ...keys('nfse', { ...inbound, approved_only: true }),
    query: withType('Recebidas'),
  },
  { path: '/API/Transporte/RetornaChavesPorTipo', ...keys('cte', outbound), query: withType('Saída') },
  { path: '/API/Transporte/RetornaListaXmlPelaEmissao', ...list('cte'), query: inPeriod },
  {
    path: '/API/Transporte/RetornaListaXmlPelaEmissaoPorTipo',
    ...list('cte', outbound),
    query: withType('Saída'),
  },
  { path: '/API/Transporte/RetornaListaXmlPelaEntrada', ...list('cte', entry), query: inPeriod },
  {
    path: '/API/Transporte/RetornaListaXmlPelaEntradaPorTipo',
    ...list('cte', { ...entry, ...inbound }),
    query: withType('Entrada'),
  },
  {
    path: '/API/Transporte/DownloadXml',
    tool: 'get_document',
    args: { document: 'cte', key: cteKey, refresh: true },
    query: [...credentials, ['chaveCTe', cteKey]],
    reply: downloadReply(cteXml({ number: 1 })),
  },
  {
    path: '/API/Transporte/RetornarChavesIntegracao',
    tool: 'list_integration_keys',
    args: { document: 'cte', company: 12, establishment: 3, type: 0 },
    query: [...credentials, ['companhia', '12'], ['estabelecimento', '3'], ['tipo', '0']],
    reply: keyListReply([cteKey]),
  },
];

function answer(request: SeenRequest, response: ServerResponse): void {
  json(response, reads.find(({ path }) => path === request.path)?.reply);
}

describe('the operations that read', () => {
  let program: ConfiguredServer;

  beforeAll(async () => {
    program = await startConfigured({ respond: answer });
  });
  afterAll(() => program.close());
  beforeEach(() => {
    program.upstream.seen.length = 0;
  });

  it('are 31', () => {
    expect(new Set(reads.map(({ path }) => path)).size).toBe(31);
  });

  it.each(reads)('$path', async ({ path, tool, args, query }) => {
    const result = await program.call(tool, args);
    expect(result.text).not.toBe('');
    expect(result.isError, result.text).toBe(false);
    const asked = program.upstream.seen.filter((request) => request.path === path);
    expect(asked).toHaveLength(1);
    const [request] = asked;
    expect(request).toMatchObject({ method: 'GET', query, body: '' });
    expect(request?.headers.accept).toMatch(/json/);
  });

  it('percent-encodes as UTF-8, and sends unused parameters empty', async () => {
    await program.call('list_nfe_covers', { ...days, ...outbound });
    const raw = program.upstream.seen[0]?.rawQuery ?? '';
    expect(raw.split('&')).toEqual([
      'usuario=fiscal',
      'senha=S3nh%40-secreta%26x%3D1',
      `cnpj=${company}`,
      'dataDe=01%2F11%2F2026',
      'horaDe=00%3A00%3A00',
      'dataAte=19%2F11%2F2026',
      'horaAte=18%3A30%3A00',
      'tipo=Sa%C3%ADda',
      'capa=',
    ]);
  });

  it('ends a bare last day at its last second, and asks about the configured company', async () => {
    await program.call('list_document_keys', {
      document: 'nfe',
      from: '2026-11-01T08:05:09',
      to: '2026-11-01T23:00',
    });
    await program.call('list_document_keys', { document: 'nfe', from: '2026-11-01', to: '2026-11-30' });
    expect(program.upstream.seen.map(({ query }) => query.slice(2).map(([, value]) => value))).toEqual([
      [company, '01/11/2026', '08:05:09', '01/11/2026', '23:00:00'],
      [company, '01/11/2026', '00:00:00', '30/11/2026', '23:59:59'],
    ]);
  });
});

describe('an address with a path', () => {
  let program: ConfiguredServer | undefined;

  afterEach(async () => {
    await program?.close();
    program = undefined;
  });

  it('goes before the operation, with one slash between', async () => {
    program = await startConfigured({
      respond: (_request, response) => json(response, keyListReply([nfeKey])),
      envAt: (url) => ({ DFE_URL: `${url}/monitor/v1/` }),
    });
    await program.call('list_document_keys', { document: 'nfe', ...days });
    expect(program.upstream.seen[0]?.path).toBe('/monitor/v1/API/Mercadoria/RetornaChavesPelaEmissao');
  });
});

describe('other formats of dates and times', () => {
  let program: ConfiguredServer | undefined;

  afterEach(async () => {
    await program?.close();
    program = undefined;
  });

  it.each([
    { date: 'yyyy-MM-dd', time: 'none', expected: ['2026-11-01', '', '2026-11-09', ''], day: '2026-11-05' },
    {
      date: 'd/M/yyyy',
      time: 'HHmm',
      expected: ['1/11/2026', '0000', '9/11/2026', '2359'],
      day: '5/11/2026',
    },
  ])('$date and $time', async ({ date, time, expected, day }) => {
    program = await startConfigured({
      respond: answer,
      env: { DFE_DATE_FORMAT: date, DFE_TIME_FORMAT: time },
    });
    const listed = await program.call('list_document_keys', {
      document: 'nfe',
      from: '2026-11-01',
      to: '2026-11-09',
    });
    await program.call('get_document', {
      document: 'nfse',
      number: '7',
      issue_date: '2026-11-05',
      issuer_cnpj: supplier,
    });
    const [keysAsked, noteAsked] = program.upstream.seen;
    expect(keysAsked?.query.slice(3).map(([, value]) => value)).toEqual(expected);
    expect(keysAsked?.query.map(([name]) => name)).toEqual(inPeriod.map(([name]) => name));
    expect(noteAsked?.query[3]).toEqual(['dataEmissaoDocumento', day]);
    expect(listed.text).toContain(date);
  });
});
