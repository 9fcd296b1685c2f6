import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

type ReadCase = readonly [path: string, tool: string, args: object, query: Pairs, reply: unknown];

const inbound = { direction: 'inbound' };
const outbound = { direction: 'outbound' };
const entry = { by: 'entry' };
const withType = (value: string): Pairs => [...inPeriod, ['tipo', value]];
const lists = { nfe: nfes, nfse: nfses, cte: ctes } as const;
type Kind = keyof typeof lists;

const keys = (path: string, document: Kind, more: object, query = inPeriod): ReadCase => {
  const reply =
    document === 'nfse' ? nfseListReply([1]) : keyListReply([document === 'cte' ? cteKey : nfeKey]);
  return [path, 'list_document_keys', { document, ...days, ...more }, query, reply];
};
const list = (path: string, document: Kind, more: object, query = inPeriod): ReadCase => [
  path,
  'list_documents',
  { document, ...days, ...more },
  query,
  lists[document],
];
const get = (path: string, args: object, query: Pairs, reply: unknown): ReadCase => [
  path,
  'get_document',
  args,
  [...credentials, ...query],
  reply,
];
const download = downloadReply(nfeXml({ number: 1 }));
const registered = { ChaveNFe: nfeKey, Evento: '210210', Mensagem: '135 - Evento registrado', Sucesso: 1 };
const event = `{"ChaveNFe":"${nfeKey}","TipoEvento":"210210","Motivo":""}`;
const place: Pairs = [...credentials, ['companhia', '12'], ['estabelecimento', '3']];
const at = { company: 12, establishment: 3 };
const note = { document: 'nfse', number: '007', issue_date: '2026-11-05', issuer_cnpj: '58.716.523/0001-19' };
const named: Pairs = [
  ['numeroDocumento', '007'],
  ['dataEmissaoDocumento', '05/11/2026'],
  ['cnpjEmissorDocumento', supplier],
];
const byKey: Pairs = [['chaveNfe', nfeKey]];
const approved = { approved_only: true };

/** Every reading operation, by the tool that calls it. Source: docs/upstream-services.md, docs/tools.md. */
const reads: readonly ReadCase[] = [
  ['ConsumoWS/ConectividadeWS', 'check_connection', {}, [], 'OK'],
  ['ConsumoWS/Login', 'check_connection', {}, credentials, 1],
  [
    'ConsumoWS/RetornaNovaUrlSaS',
    'renew_sas_url',
    { old_url: oldUrl },
    [['oldUrl', oldUrl]],
    'https://store.example/new',
  ],
  [
    'Mercadoria/PesquisarStatusEvento',
    'get_nfe_event_status',
    { key: nfeKey, event: 'ciencia' },
    [...credentials, ['evento', event]],
    registered,
  ],
  get('Mercadoria/DownloadXml', { document: 'nfe', key: nfeKey, refresh: true }, byKey, download),
  get(
    'Mercadoria/DownloadPdfNfe',
    { document: 'nfe', key: nfeKey, format: 'pdf' },
    byKey,
    pdfBytes.toString('base64'),
  ),
  keys('Mercadoria/RetornaChaves', 'nfe', { by: 'period' }),
  keys('Mercadoria/RetornaChavesPelaDataEntrada', 'nfe', entry),
  keys('Mercadoria/RetornaChavesPelaEmissao', 'nfe', {}),
  [
    'Mercadoria/RetornaResumos',
    'list_nfe_summaries',
    { ...days, page: 3 },
    [...inPeriod, ['pagina', '3']],
    '<r><a>1</a></r>',
  ],
  [
    'Mercadoria/RetornaClassificacoesProdutos',
    'get_nfe_classifications',
    { key: nfeKey },
    [...credentials, ...byKey],
    '<classificacoes><produto><codigo>1</codigo></produto></classificacoes>',
  ],
  list('Mercadoria/RetornaListaXml', 'nfe', { by: 'period' }),
  list('Mercadoria/RetornaListaXmlPelaEmissao', 'nfe', {}),
  list('Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', 'nfe', outbound, withType('Saída')),
  list('Mercadoria/RetornaListaXmlPelaEntradaPorTipo', 'nfe', { ...entry, ...inbound }, withType('Entrada')),
  [
    'Mercadoria/RetornarChavesIntegracao',
    'list_integration_keys',
    { document: 'nfe', ...at },
    place,
    keyListReply([nfeKey]),
  ],
  [
    'Mercadoria/RetornaCapas',
    'list_nfe_covers',
    { ...days, ...outbound },
    [...withType('Saída'), ['capa', '']],
    '<capas><capa><numero>1</numero></capa></capas>',
  ],
  get('Servico/DownloadNfse', note, named, downloadReply(nfseXml({ number: 7 }))),
  list('Servico/RetornaListaXmlPelaEntrada', 'nfse', entry),
  list('Servico/RetornaListaXmlPelaEmissao', 'nfse', {}),
  keys('Servico/RetornaChavesPelaEntrada', 'nfse', { ...entry, ...inbound }, withType('Recebidas')),
  keys('Servico/RetornaChavesPelaEmissao', 'nfse', outbound, withType('Emitidas')),
  keys(
    'Servico/RetornaChavesAprovadasPelaEntrada',
    'nfse',
    { ...entry, ...outbound, ...approved },
    withType('Emitidas'),
  ),
  keys(
    'Servico/RetornaChavesNFSeAprovadasPelaEmissao',
    'nfse',
    { ...inbound, ...approved },
    withType('Recebidas'),
  ),
  keys('Transporte/RetornaChavesPorTipo', 'cte', outbound, withType('Saída')),
  list('Transporte/RetornaListaXmlPelaEmissao', 'cte', {}),
  list('Transporte/RetornaListaXmlPelaEmissaoPorTipo', 'cte', outbound, withType('Saída')),
  list('Transporte/RetornaListaXmlPelaEntrada', 'cte', entry),
  list('Transporte/RetornaListaXmlPelaEntradaPorTipo', 'cte', { ...entry, ...inbound }, withType('Entrada')),
  get(
    'Transporte/DownloadXml',
    { document: 'cte', key: cteKey, refresh: true },
    [['chaveCTe', cteKey]],
    downloadReply(cteXml({ number: 1 })),
  ),
  [
    'Transporte/RetornarChavesIntegracao',
    'list_integration_keys',
    { document: 'cte', ...at, type: 0 },
    [...place, ['tipo', '0']],
    keyListReply([cteKey]),
  ],
];

function answer(request: SeenRequest, response: ServerResponse): void {
  json(response, reads.find(([path]) => request.path === `/API/${path}`)?.[4]);
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
    expect(new Set(reads.map(([path]) => path)).size).toBe(31);
  });

  it.each(reads)('%s, by %s %j', async (path, tool, args, query) => {
    const result = await program.call(tool, { ...args });
    expect(result.text).not.toBe('');
    expect(result.isError, result.text).toBe(false);
    const asked = program.upstream.seen.filter((request) => request.path === `/API/${path}`);
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
  it('goes before the operation, with one slash between', async () => {
    await using program = await startConfigured({
      respond: (_request, response) => json(response, keyListReply([nfeKey])),
      envAt: (url) => ({ DFE_URL: `${url}/monitor/v1/` }),
    });
    await program.call('list_document_keys', { document: 'nfe', ...days });
    expect(program.upstream.seen[0]?.path).toBe('/monitor/v1/API/Mercadoria/RetornaChavesPelaEmissao');
  });
});

describe('other formats of dates and times', () => {
  it.each([
    { date: 'yyyy-MM-dd', time: 'none', expected: ['2026-11-01', '', '2026-11-09', ''], day: '2026-11-05' },
    {
      date: 'd/M/yyyy',
      time: 'HHmm',
      expected: ['1/11/2026', '0000', '9/11/2026', '2359'],
      day: '5/11/2026',
    },
  ])('$date and $time', async ({ date, time, expected, day }) => {
    await using program = await startConfigured({
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
