import {
  coverKey,
  credentials,
  cteKey,
  event,
  events,
  goodsDirection,
  nfeKey,
  oldUrl,
  type Parameter,
  page,
  period,
  place,
  serviceDocument,
  servicesDirection,
  transportType,
} from './parameters.ts';

/** What a reply holds: each kind has one reader in `replies/`. */
export type ReplyKind =
  | 'text'
  | 'integer'
  | 'url'
  | 'record'
  | 'records'
  | 'document'
  | 'service_document'
  | 'pdf'
  | 'access_keys'
  | 'service_keys'
  | 'documents'
  | 'undocumented';

/** One operation of the documents service. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: `/API/${string}`;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly reply: ReplyKind;
  /** A write is sent once and never again by itself. */
  readonly access: 'read' | 'write';
}

function read<const P extends Operation['parameters'], const R extends ReplyKind>(
  path: Operation['path'],
  parameters: P,
  reply: R,
) {
  return { method: 'GET', path, parameters, reply, access: 'read' } as const;
}

function write<const P extends Operation['parameters'], const R extends ReplyKind>(
  path: Operation['path'],
  parameters: P,
  reply: R,
) {
  return { method: 'POST', path, parameters, reply, access: 'write' } as const;
}

const inPeriod = { ...credentials, ...period } as const;
const goodsInPeriod = { ...inPeriod, ...goodsDirection } as const;
const servicesInPeriod = { ...inPeriod, ...servicesDirection } as const;

/** The 33 operations of the documents service, compared with test/contract/operations.json by a test. */
export const operations = {
  connectivity: read('/API/ConsumoWS/ConectividadeWS', {}, 'text'),
  login: read('/API/ConsumoWS/Login', credentials, 'integer'),
  renewSasUrl: read('/API/ConsumoWS/RetornaNovaUrlSaS', oldUrl, 'url'),

  nfeEventStatus: read('/API/Mercadoria/PesquisarStatusEvento', { ...credentials, ...event }, 'record'),
  manifest: write('/API/Mercadoria/RealizarManifesto', { ...credentials, ...event }, 'record'),
  manifestBatch: write('/API/Mercadoria/RealizarLoteManifesto', { ...credentials, ...events }, 'records'),
  nfeXml: read('/API/Mercadoria/DownloadXml', { ...credentials, ...nfeKey }, 'document'),
  nfePdf: read('/API/Mercadoria/DownloadPdfNfe', { ...credentials, ...nfeKey }, 'pdf'),
  nfeKeys: read('/API/Mercadoria/RetornaChaves', inPeriod, 'access_keys'),
  nfeKeysByEntry: read('/API/Mercadoria/RetornaChavesPelaDataEntrada', inPeriod, 'access_keys'),
  nfeKeysByIssue: read('/API/Mercadoria/RetornaChavesPelaEmissao', inPeriod, 'access_keys'),
  nfeSummaries: read('/API/Mercadoria/RetornaResumos', { ...inPeriod, ...page }, 'undocumented'),
  nfeClassifications: read(
    '/API/Mercadoria/RetornaClassificacoesProdutos',
    { ...credentials, ...nfeKey },
    'undocumented',
  ),
  nfeList: read('/API/Mercadoria/RetornaListaXml', inPeriod, 'documents'),
  nfeListByIssue: read('/API/Mercadoria/RetornaListaXmlPelaEmissao', inPeriod, 'documents'),
  nfeListByIssueAndDirection: read(
    '/API/Mercadoria/RetornaListaXmlPelaEmissaoPorTipo',
    goodsInPeriod,
    'documents',
  ),
  nfeListByEntryAndDirection: read(
    '/API/Mercadoria/RetornaListaXmlPelaEntradaPorTipo',
    goodsInPeriod,
    'documents',
  ),
  nfeIntegrationKeys: read(
    '/API/Mercadoria/RetornarChavesIntegracao',
    { ...credentials, ...place },
    'access_keys',
  ),
  nfeCovers: read('/API/Mercadoria/RetornaCapas', { ...goodsInPeriod, ...coverKey }, 'undocumented'),

  nfseDocument: read('/API/Servico/DownloadNfse', { ...credentials, ...serviceDocument }, 'service_document'),
  nfseListByEntry: read('/API/Servico/RetornaListaXmlPelaEntrada', inPeriod, 'documents'),
  nfseListByIssue: read('/API/Servico/RetornaListaXmlPelaEmissao', inPeriod, 'documents'),
  nfseKeysByEntry: read('/API/Servico/RetornaChavesPelaEntrada', servicesInPeriod, 'service_keys'),
  nfseKeysByIssue: read('/API/Servico/RetornaChavesPelaEmissao', servicesInPeriod, 'service_keys'),
  nfseApprovedKeysByEntry: read(
    '/API/Servico/RetornaChavesAprovadasPelaEntrada',
    servicesInPeriod,
    'service_keys',
  ),
  nfseApprovedKeysByIssue: read(
    '/API/Servico/RetornaChavesNFSeAprovadasPelaEmissao',
    servicesInPeriod,
    'service_keys',
  ),

  cteKeysByDirection: read('/API/Transporte/RetornaChavesPorTipo', goodsInPeriod, 'access_keys'),
  cteListByIssue: read('/API/Transporte/RetornaListaXmlPelaEmissao', inPeriod, 'documents'),
  cteListByIssueAndDirection: read(
    '/API/Transporte/RetornaListaXmlPelaEmissaoPorTipo',
    goodsInPeriod,
    'documents',
  ),
  cteListByEntry: read('/API/Transporte/RetornaListaXmlPelaEntrada', inPeriod, 'documents'),
  cteListByEntryAndDirection: read(
    '/API/Transporte/RetornaListaXmlPelaEntradaPorTipo',
    goodsInPeriod,
    'documents',
  ),
  cteXml: read('/API/Transporte/DownloadXml', { ...credentials, ...cteKey }, 'document'),
  cteIntegrationKeys: read(
    '/API/Transporte/RetornarChavesIntegracao',
    { ...credentials, ...place, ...transportType },
    'access_keys',
  ),
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** The operations whose reply is of a kind. */
export type OperationOf<R extends ReplyKind> = {
  [N in OperationName]: (typeof operations)[N]['reply'] extends R ? N : never;
}[OperationName];

/** The name a person knows an operation by, e.g. `Mercadoria/RetornaChaves`. */
export function operationLabel(name: OperationName): string {
  return operations[name].path.slice('/API/'.length);
}
