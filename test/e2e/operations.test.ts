import { describe, expect, it } from 'vitest';
import { password, startConfigured } from '../support/configured-server.ts';
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
import { json, type Responder } from '../support/recording-upstream.ts';
import { saying, serve } from '../support/served.ts';

type Pairs = readonly (readonly [string, string])[];
type Kind = 'nfe' | 'nfse' | 'cte';

const nfeKey = accessKey({ number: 1 });
const cteKey = accessKey({ number: 1, model: '57' });
const [nfe, nfse, cte] = [nfeXml, nfseXml, cteXml].map((write) => write({ number: 1 })) as [
  string,
  string,
  string,
];
const lists = { nfe, nfse, cte } as const;
const keyLists = {
  nfe: keyListReply([nfeKey]),
  nfse: nfseListReply([1]),
  cte: keyListReply([cteKey]),
} as const;

const credentials: Pairs = [
  ['usuario', 'fiscal'],
  ['senha', password],
];
const inPeriod: Pairs = [
  ...credentials,
  ['cnpj', company],
  ['dataDe', '01/11/2026'],
  ['horaDe', '00:00:00'],
  ['dataAte', '19/11/2026'],
  ['horaAte', '18:30:00'],
];
const days = { cnpj: '11.222.333/0001-81', from: '2026-11-01', to: '2026-11-19T18:30' } as const;

/** An operation, the tool and the arguments that call it, the query that is sent, and a reply. */
type Read = readonly [path: string, tool: string, args: object, query: Pairs, reply: unknown];

/** Lists of keys and of documents: the kind, the date, whether by direction, and whether only approved ones. */
const listings: readonly (readonly [path: string, tool: string, question: string])[] = [
  ['Mercadoria/RetornaChavesPelaEmissao', 'list_document_keys', 'nfe issue'],
  ['Mercadoria/RetornaChavesPelaDataEntrada', 'list_document_keys', 'nfe entry'],
  ['Mercadoria/RetornaChaves', 'list_document_keys', 'nfe period'],
  ['Servico/RetornaChavesPelaEmissao', 'list_document_keys', 'nfse issue directed'],
  ['Servico/RetornaChavesPelaEntrada', 'list_document_keys', 'nfse entry directed'],
  ['Servico/RetornaChavesNFSeAprovadasPelaEmissao', 'list_document_keys', 'nfse issue directed approved'],
  ['Servico/RetornaChavesAprovadasPelaEntrada', 'list_document_keys', 'nfse entry directed approved'],
  ['Transporte/RetornaChavesPorTipo', 'list_document_keys', 'cte issue directed'],
  ['Mercadoria/RetornaListaXmlPelaEmissao', 'list_documents', 'nfe issue'],
  ['Mercadoria/RetornaListaXml', 'list_documents', 'nfe period'],
  ['Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', 'list_documents', 'nfe issue directed'],
  ['Mercadoria/RetornaListaXmlPelaEntradaPorTipo', 'list_documents', 'nfe entry directed'],
  ['Servico/RetornaListaXmlPelaEmissao', 'list_documents', 'nfse issue'],
  ['Servico/RetornaListaXmlPelaEntrada', 'list_documents', 'nfse entry'],
  ['Transporte/RetornaListaXmlPelaEmissao', 'list_documents', 'cte issue'],
  ['Transporte/RetornaListaXmlPelaEntrada', 'list_documents', 'cte entry'],
  ['Transporte/RetornaListaXmlPelaEmissaoPorTipo', 'list_documents', 'cte issue directed'],
  ['Transporte/RetornaListaXmlPelaEntradaPorTipo', 'list_documents', 'cte entry directed'],
];
const types = {
  inbound: { nfe: 'Entrada', nfse: 'Recebidas', cte: 'Entrada' },
  outbound: { nfe: 'Saída', nfse: 'Emitidas', cte: 'Saída' },
} as const;

const listingReads = listings.flatMap(([path, tool, question]): Read[] => {
  const [document, by, directed, approved] = question.split(' ') as [Kind, string, string?, string?];
  const reply = tool === 'list_documents' ? documentListReply([lists[document]]) : keyLists[document];
  return (directed ? (['inbound', 'outbound'] as const) : [undefined]).map((direction) => [
    ...([path, tool] as const),
    { document, ...days, by, direction, ...(approved && { approved_only: true }) },
    direction === undefined ? inPeriod : [...inPeriod, ['tipo', types[direction][document]]],
    reply,
  ]);
});

const byKey: Pairs = [...credentials, ['chaveNfe', nfeKey]];
const place: Pairs = [...credentials, ['companhia', '12'], ['estabelecimento', '3']];
const at = { company: 12, establishment: 3 };
const oldUrl = 'https://store.example/file.pdf?sv=2020&sig=abc%2Bdef%3D';
const newUrl = 'https://store.example/new';
const aNote = { document: 'nfe', key: nfeKey } as const;
const record = '<r><a>1</a></r>';
const event = `{"ChaveNFe":"${nfeKey}","TipoEvento":"210210","Motivo":""}`;

/** Every other reading operation. Source: docs/upstream-services.md, docs/tools.md. */
const otherReads: readonly Read[] = [
  ['ConsumoWS/ConectividadeWS', 'check_connection', {}, [], 'OK'],
  ['ConsumoWS/Login', 'check_connection', {}, credentials, 1],
  ['ConsumoWS/RetornaNovaUrlSaS', 'renew_sas_url', { old_url: oldUrl }, [['oldUrl', oldUrl]], newUrl],
  [
    'Mercadoria/PesquisarStatusEvento',
    'get_nfe_event_status',
    { key: nfeKey, event: 'ciencia' },
    [...credentials, ['evento', event]],
    { ChaveNFe: nfeKey, Evento: '210210', Mensagem: '135 - Evento registrado', Sucesso: 1 },
  ],
  ['Mercadoria/DownloadXml', 'get_document', { ...aNote, refresh: true }, byKey, downloadReply(nfe)],
  [
    'Mercadoria/DownloadPdfNfe',
    'get_document',
    { ...aNote, format: 'pdf' },
    byKey,
    pdfBytes.toString('base64'),
  ],
  [
    'Mercadoria/RetornaResumos',
    'list_nfe_summaries',
    { ...days, page: 3 },
    [...inPeriod, ['pagina', '3']],
    record,
  ],
  ['Mercadoria/RetornaClassificacoesProdutos', 'get_nfe_classifications', { key: nfeKey }, byKey, record],
  [
    'Mercadoria/RetornarChavesIntegracao',
    'list_integration_keys',
    { document: 'nfe', ...at },
    place,
    keyLists.nfe,
  ],
  [
    'Mercadoria/RetornaCapas',
    'list_nfe_covers',
    { ...days, direction: 'outbound' },
    [...inPeriod, ['tipo', 'Saída'], ['capa', '']],
    record,
  ],
  [
    'Servico/DownloadNfse',
    'get_document',
    { document: 'nfse', number: '007', issue_date: '2026-11-05', issuer_cnpj: '58.716.523/0001-19' },
    [
      ...credentials,
      ['numeroDocumento', '007'],
      ['dataEmissaoDocumento', '05/11/2026'],
      ['cnpjEmissorDocumento', supplier],
    ],
    downloadReply(nfseXml({ number: 7 })),
  ],
  [
    'Transporte/DownloadXml',
    'get_document',
    { document: 'cte', key: cteKey, refresh: true },
    [...credentials, ['chaveCTe', cteKey]],
    downloadReply(cte),
  ],
  [
    'Transporte/RetornarChavesIntegracao',
    'list_integration_keys',
    { document: 'cte', ...at, type: 0 },
    [...place, ['tipo', '0']],
    keyLists.cte,
  ],
];
const reads = [...listingReads, ...otherReads];

const respond: Responder = ({ path }, response) =>
  json(response, reads.find(([operation]) => path === `/API/${operation}`)?.[4]);
const service = serve({ respond });
const asked = () => service.seen.map(({ path }) => path.replace('/API/', ''));

describe('the operations that read', () => {
  it('are 31', () => expect(new Set(reads.map(([path]) => path)).size).toBe(31));

  it.each(reads)('%s, by %s %j', async (path, tool, args, query) => {
    const refresh = tool === 'list_documents' && { refresh: true };
    expect((await service.ask(tool, { ...args, ...refresh })).text).not.toBe('');
    const requests = service.seen.filter((request) => request.path === `/API/${path}`);
    // Of NFS-e the documents are divided by direction here.
    expect(requests).toMatchObject([{ method: 'GET', query, body: '' }]);
    expect(requests[0]?.headers.accept).toMatch(/json/);
  });

  it('percent-encodes as UTF-8, and sends unused parameters empty', async () => {
    await service.ask('list_nfe_covers', { ...days, direction: 'outbound' });
    expect(service.seen[0]?.rawQuery.split('&')).toEqual([
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
});

it('a path in the address goes before the operation, with one slash between', async () => {
  const envAt = (url: string) => ({ DFE_URL: `${url}/monitor/v1/` });
  await using program = await startConfigured({ respond: saying(keyLists.nfe), envAt });
  await program.call('list_document_keys', { document: 'nfe', ...days });
  expect(program.upstream.seen[0]?.path).toBe('/monitor/v1/API/Mercadoria/RetornaChavesPelaEmissao');
});

it.each([
  ['yyyy-MM-dd', 'none', ['2026-11-01', '', '2026-11-09', ''], '2026-11-05'],
  ['d/M/yyyy', 'HHmm', ['1/11/2026', '0000', '9/11/2026', '2359'], '5/11/2026'],
])('dates as %s and times as %s are sent so', async (date, time, expected, day) => {
  const env = { DFE_DATE_FORMAT: date, DFE_TIME_FORMAT: time };
  await using program = await startConfigured({ respond, env });
  const period = { document: 'nfe', from: '2026-11-01', to: '2026-11-09' };
  const listed = await program.call('list_document_keys', period);
  const note = { document: 'nfse', number: '7', issue_date: '2026-11-05', issuer_cnpj: supplier };
  await program.call('get_document', note);
  const [keysAsked, noteAsked] = program.upstream.seen;
  expect(keysAsked?.query.slice(3).map(([, value]) => value)).toEqual(expected);
  expect(keysAsked?.query.map(([name]) => name)).toEqual(inPeriod.map(([name]) => name));
  expect(noteAsked?.query[3]).toEqual(['dataEmissaoDocumento', day]);
  expect(listed.text).toContain(date);
});

describe('every question of a list', () => {
  const questions = ['list_document_keys', 'list_documents'].flatMap((tool) =>
    ['nfe', 'nfse', 'cte'].flatMap((document) =>
      ['issue', 'entry', 'period'].flatMap((by) =>
        [undefined, 'inbound', 'outbound'].flatMap((direction) =>
          (tool === 'list_documents' ? [undefined] : [undefined, true]).map((approved_only) => ({
            ...{ tool, document, by, direction, approved_only },
          })),
        ),
      ),
    ),
  );
  const pathOf = (tool: string, words: readonly unknown[]) => {
    const question = words.filter(Boolean).join(' ');
    return listings.find((one) => one[1] === tool && one[2] === question)?.[0];
  };
  async function ask(tool: string, args: object) {
    service.seen.length = 0;
    const refresh = tool === 'list_documents' && { refresh: true };
    const { isError, text } = await service.call(tool, { ...days, ...args, ...refresh });
    return { isError, text, asked: asked() };
  }

  it.each(questions)(
    '$tool $document by $by, $direction, approved $approved_only: works, or names one that does',
    async ({ tool, ...args }) => {
      const { document, by, direction, approved_only } = args;
      const words = [document, by, direction && 'directed', approved_only && 'approved'];
      const isDividedHere = tool === 'list_documents' && document === 'nfse';
      const path = pathOf(tool, isDividedHere ? [document, by] : words);
      // Goods by entry have an operation for each direction.
      const bothWays = tool === 'list_documents' && document === 'nfe' && by === 'entry' && !direction;
      const paths = bothWays ? Array(2).fill(pathOf(tool, [document, by, 'directed'])) : path && [path];
      const answer = await ask(tool, args);
      if (paths) return expect(answer, answer.text).toMatchObject({ isError: false, asked: paths });
      expect(answer).toMatchObject({ isError: true, asked: [] });
      expect(answer.text).toContain(`${tool} document=${document} by=${by}`);
      const [, nearest = ''] =
        /has no operation for this.*The nearest that works: (.*?)\. /.exec(answer.text) ?? [];
      const [named = '', ...pairs] = nearest.split(' ');
      const values = Object.fromEntries(pairs.map((pair) => pair.split('=')));
      expect(values.document).toBe(document);
      if (tool === 'list_documents' && direction !== undefined) expect(values.direction).toBe(direction);
      // The direction that is missing is named before anything else.
      if (direction === undefined && pathOf(tool, [...words, 'directed']) !== undefined)
        expect(nearest).toBe(`${tool} document=${document} by=${by} direction=inbound`);
      expect(await ask(named, values)).toMatchObject({ isError: false });
    },
  );
});
