import type { limitsOf } from './decoding/reading.ts';

/** Undocumented formats of dates and times on the wire (`DFE_DATE_FORMAT`, `DFE_TIME_FORMAT`). */
export interface WireFormats {
  readonly date: string;
  /** `none` sends every time empty, as one known client of the service does. */
  readonly time: string;
}

export type Direction = 'inbound' | 'outbound';

/** Inputs of all operations; each takes those of its parameters. */
export interface CallInputs {
  readonly user: string;
  readonly password: string;
  readonly oldUrl: string;
  readonly event: string;
  readonly events: string;
  readonly key: string;
  /** Company: CNPJ without mask; empty for all companies of the user. */
  readonly company: string;
  /** Moments in the service's zone: `YYYY-MM-DDTHH:mm:ss`, without offset, as on the wire. */
  readonly from: string;
  readonly to: string;
  readonly page: number;
  readonly direction: Direction;
  readonly companyNumber: number;
  readonly establishment: number;
  readonly type: number;
  readonly number: string;
  /** `YYYY-MM-DD`. */
  readonly issue_date: string;
  readonly issuer_cnpj: string;
}

/** The date of a day or moment. */
function writeDate(moment: string, format: string): string {
  const [year = '', month = '', day = ''] = moment.slice(0, 10).split('-');
  const [M, d] = [String(Number(month)), String(Number(day))];
  const parts: Readonly<Record<string, string>> = { yyyy: year, yy: year.slice(2), MM: month, M, dd: day, d };
  return format.replace(/yyyy|yy|MM|M|dd|d/g, (token) => parts[token] ?? token);
}

function writeTime(moment: string, format: string): string {
  const [HH = '', mm = '', ss = ''] = moment.slice(11).split(':');
  const parts: Readonly<Record<string, string>> = { HH, H: String(Number(HH)), mm, ss };
  return format === 'none' ? '' : format.replace(/HH|H|mm|ss/g, (token) => parts[token] ?? token);
}

/** Write a value for the wire, before percent-encoding. */
export const wire = {
  text: (value: string) => value,
  integer: (value: number) => String(value),
  date: (value: string, formats: WireFormats) => writeDate(value, formats.date),
  time: (value: string, formats: WireFormats) => writeTime(value, formats.time),
  goodsDirection: (value: Direction) => ({ inbound: 'Entrada', outbound: 'Saída' })[value],
  servicesDirection: (value: Direction) => ({ inbound: 'Recebidas', outbound: 'Emitidas' })[value],
} as const;

type Write<Value> = (value: Value, formats: WireFormats) => string;

/** A query parameter. All names are always sent: the service selects the operation by them. */
function parameter<F extends keyof CallInputs>(input: F, write: Write<CallInputs[F]>) {
  return { input, write };
}

/** The parameter groups of the contract (tax-documents, section 4). */
const credentials = { usuario: parameter('user', wire.text), senha: parameter('password', wire.text) };
const period = {
  ...credentials,
  cnpj: parameter('company', wire.text),
  dataDe: parameter('from', wire.date),
  horaDe: parameter('from', wire.time),
  dataAte: parameter('to', wire.date),
  horaAte: parameter('to', wire.time),
};
const goodsPeriod = { ...period, tipo: parameter('direction', wire.goodsDirection) };
const servicesPeriod = { ...period, tipo: parameter('direction', wire.servicesDirection) };
const nfeKey = { ...credentials, chaveNfe: parameter('key', wire.text) };
const event = { ...credentials, evento: parameter('event', wire.text) };
const place = {
  ...credentials,
  companhia: parameter('companyNumber', wire.integer),
  estabelecimento: parameter('establishment', wire.integer),
};
const events = { ...credentials, eventos: parameter('events', wire.text) };
const cteKey = { ...credentials, chaveCTe: parameter('key', wire.text) };
const pages = { ...period, pagina: parameter('page', wire.integer) };
const covers = { ...goodsPeriod, capa: parameter('key', wire.text) };
const freightPlace = { ...place, tipo: parameter('type', wire.integer) };
const serviceDocument = {
  ...credentials,
  numeroDocumento: parameter('number', wire.text),
  dataEmissaoDocumento: parameter('issue_date', wire.date),
  cnpjEmissorDocumento: parameter('issuer_cnpj', wire.text),
};

/** Content of a reply; each kind has a reader in `replies/`. */
export type ReplyKind = keyof typeof limitsOf;

type Query = Readonly<Record<string, { readonly input: keyof CallInputs; readonly write: Write<never> }>>;

/** One operation of the documents service. */
export interface Operation {
  /** Name shown to people, and path after `/API/`. */
  readonly label: string;
  readonly parameters: Query;
  readonly reply: ReplyKind;
  /** A read is a GET. A write is a POST, sent once and never retried. */
  readonly access: 'read' | 'write';
}

function read<P extends Query, R extends ReplyKind>(label: string, parameters: P, reply: R) {
  return { label, parameters, reply, access: 'read' } as const;
}

function write<P extends Query, R extends ReplyKind>(label: string, parameters: P, reply: R) {
  return { label, parameters, reply, access: 'write' } as const;
}

/** The 33 operations of the documents service, compared with test/contract/operations.ts by a test. */
export const operations = {
  connectivity: read('ConsumoWS/ConectividadeWS', {}, 'text'),
  login: read('ConsumoWS/Login', credentials, 'integer'),
  renewSasUrl: read('ConsumoWS/RetornaNovaUrlSaS', { oldUrl: parameter('oldUrl', wire.text) }, 'url'),

  nfeEventStatus: read('Mercadoria/PesquisarStatusEvento', event, 'record'),
  manifest: write('Mercadoria/RealizarManifesto', event, 'record'),
  manifestBatch: write('Mercadoria/RealizarLoteManifesto', events, 'records'),
  nfeXml: read('Mercadoria/DownloadXml', nfeKey, 'document'),
  nfePdf: read('Mercadoria/DownloadPdfNfe', nfeKey, 'pdf'),
  nfeKeys: read('Mercadoria/RetornaChaves', period, 'access_keys'),
  nfeKeysByEntry: read('Mercadoria/RetornaChavesPelaDataEntrada', period, 'access_keys'),
  nfeKeysByIssue: read('Mercadoria/RetornaChavesPelaEmissao', period, 'access_keys'),
  nfeSummaries: read('Mercadoria/RetornaResumos', pages, 'undocumented'),
  nfeClassifications: read('Mercadoria/RetornaClassificacoesProdutos', nfeKey, 'undocumented'),
  nfeList: read('Mercadoria/RetornaListaXml', period, 'documents'),
  nfeListByIssue: read('Mercadoria/RetornaListaXmlPelaEmissao', period, 'documents'),
  nfeListByIssueAndDirection: read('Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', goodsPeriod, 'documents'),
  nfeListByEntryAndDirection: read('Mercadoria/RetornaListaXmlPelaEntradaPorTipo', goodsPeriod, 'documents'),
  nfeIntegrationKeys: read('Mercadoria/RetornarChavesIntegracao', place, 'access_keys'),
  nfeCovers: read('Mercadoria/RetornaCapas', covers, 'undocumented'),

  nfseDocument: read('Servico/DownloadNfse', serviceDocument, 'service_document'),
  nfseListByEntry: read('Servico/RetornaListaXmlPelaEntrada', period, 'documents'),
  nfseListByIssue: read('Servico/RetornaListaXmlPelaEmissao', period, 'documents'),
  nfseKeysByEntry: read('Servico/RetornaChavesPelaEntrada', servicesPeriod, 'service_keys'),
  nfseKeysByIssue: read('Servico/RetornaChavesPelaEmissao', servicesPeriod, 'service_keys'),
  nfseApprovedKeysByEntry: read('Servico/RetornaChavesAprovadasPelaEntrada', servicesPeriod, 'service_keys'),
  nfseApprovedKeysByIssue: read(
    'Servico/RetornaChavesNFSeAprovadasPelaEmissao',
    servicesPeriod,
    'service_keys',
  ),

  cteKeysByDirection: read('Transporte/RetornaChavesPorTipo', goodsPeriod, 'access_keys'),
  cteListByIssue: read('Transporte/RetornaListaXmlPelaEmissao', period, 'documents'),
  cteListByIssueAndDirection: read('Transporte/RetornaListaXmlPelaEmissaoPorTipo', goodsPeriod, 'documents'),
  cteListByEntry: read('Transporte/RetornaListaXmlPelaEntrada', period, 'documents'),
  cteListByEntryAndDirection: read('Transporte/RetornaListaXmlPelaEntradaPorTipo', goodsPeriod, 'documents'),
  cteXml: read('Transporte/DownloadXml', cteKey, 'document'),
  cteIntegrationKeys: read('Transporte/RetornarChavesIntegracao', freightPlace, 'access_keys'),
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** The operations whose reply is of a kind. */
export type OperationOf<R extends ReplyKind> = {
  [N in OperationName]: (typeof operations)[N]['reply'] extends R ? N : never;
}[OperationName];

/** Inputs of an operation, except the credentials, which the client adds. */
export type InputsOf<N extends OperationName> = N extends OperationName
  ? InputsFor<(typeof operations)[N]['parameters']>
  : never;

type InputsFor<P extends Query> = Pick<CallInputs, Exclude<P[keyof P]['input'], 'user' | 'password'>>;

/** Name of an operation for people, e.g. `Mercadoria/RetornaChaves`. */
export function operationLabel(name: OperationName): string {
  return operations[name].label;
}

/** A value in a request line; the HTTP client encodes apostrophes, too. */
export function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27');
}

/** The path of a call with its query: every parameter, in the contract's order, percent-encoded. */
export function writeTarget(name: OperationName, inputs: Partial<CallInputs>, formats: WireFormats): string {
  const { label, parameters }: Operation = operations[name];
  const query = Object.entries(parameters).map(([parameterName, { input, write }]) => {
    const value = inputs[input];
    if (value === undefined) throw new TypeError(`the input ${input} is missing`);
    return `${parameterName}=${encodeValue(write(value as never, formats))}`;
  });
  return `/API/${label}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}
