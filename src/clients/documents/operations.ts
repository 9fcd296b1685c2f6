import type { limitsOf } from './decoding/reading.ts';

/** Wall-clock time in the service's zone; without offset, as on the wire. */
export interface WallClock {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `HH:mm:ss`. */
  readonly time: string;
}

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
  readonly from: WallClock;
  readonly to: WallClock;
  readonly page: number;
  readonly direction: Direction;
  readonly companyNumber: number;
  readonly establishment: number;
  readonly type: number;
  readonly number: string;
  /** `YYYY-MM-DD`. */
  readonly issueDate: string;
  readonly issuer: string;
}

function writeDate(date: string, format: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const [M, d] = [String(Number(month)), String(Number(day))];
  const parts: Readonly<Record<string, string>> = { yyyy: year, yy: year.slice(2), MM: month, M, dd: day, d };
  return format.replace(/yyyy|yy|MM|M|dd|d/g, (token) => parts[token] ?? token);
}

function writeTime(time: string, format: string): string {
  const [HH = '', mm = '', ss = ''] = time.split(':');
  const parts: Readonly<Record<string, string>> = { HH, H: String(Number(HH)), mm, ss };
  return format === 'none' ? '' : format.replace(/HH|H|mm|ss/g, (token) => parts[token] ?? token);
}

/** Serialise inputs for the wire, before percent-encoding. */
export const wireTypes = {
  text: (value: string) => value,
  integer: (value: number) => String(value),
  date: (value: WallClock, formats: WireFormats) => writeDate(value.date, formats.date),
  time: (value: WallClock, formats: WireFormats) => writeTime(value.time, formats.time),
  day: (value: string, formats: WireFormats) => writeDate(value, formats.date),
  goodsDirection: (value: Direction) => ({ inbound: 'Entrada', outbound: 'Saída' })[value],
  servicesDirection: (value: Direction) => ({ inbound: 'Recebidas', outbound: 'Emitidas' })[value],
} as const;

export type WireType = keyof typeof wireTypes;

/** A query parameter. All names are always sent: the service selects the operation by them. */
interface Parameter<F extends keyof CallInputs = keyof CallInputs> {
  readonly input: F;
  readonly type: WireType;
}

/** Inputs that a wire type can serialise. */
type Carried<W extends WireType> = {
  [F in keyof CallInputs]: CallInputs[F] extends Parameters<(typeof wireTypes)[W]>[0] ? F : never;
}[keyof CallInputs];

function parameter<W extends WireType, F extends Carried<W>>(input: F, type: W): Parameter<F> {
  return { input, type };
}

/** The parameter groups of the contract (tax-documents, section 4). */
const credentials = {
  usuario: parameter('user', 'text'),
  senha: parameter('password', 'text'),
} as const;
const inPeriod = {
  ...credentials,
  cnpj: parameter('company', 'text'),
  dataDe: parameter('from', 'date'),
  horaDe: parameter('from', 'time'),
  dataAte: parameter('to', 'date'),
  horaAte: parameter('to', 'time'),
} as const;
const goodsInPeriod = { ...inPeriod, tipo: parameter('direction', 'goodsDirection') } as const;
const servicesInPeriod = { ...inPeriod, tipo: parameter('direction', 'servicesDirection') } as const;
const nfeKey = { ...credentials, chaveNfe: parameter('key', 'text') } as const;
const cteKey = { ...credentials, chaveCTe: parameter('key', 'text') } as const;
const event = { ...credentials, evento: parameter('event', 'text') } as const;
const events = { ...credentials, eventos: parameter('events', 'text') } as const;
const place = {
  ...credentials,
  companhia: parameter('companyNumber', 'integer'),
  estabelecimento: parameter('establishment', 'integer'),
} as const;
const serviceDocument = {
  ...credentials,
  numeroDocumento: parameter('number', 'text'),
  dataEmissaoDocumento: parameter('issueDate', 'day'),
  cnpjEmissorDocumento: parameter('issuer', 'text'),
} as const;

/** Content of a reply; each kind has a reader in `replies/`. */
export type ReplyKind = keyof typeof limitsOf;

/** One operation of the documents service. */
export interface Operation {
  /** Name shown to people, and path after `/API/`. */
  readonly label: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly reply: ReplyKind;
  /** A read is a GET. A write is a POST, sent once and never retried. */
  readonly access: 'read' | 'write';
}

/** Describes the operations of one area. */
function area(areaName: string) {
  return function operation<
    const P extends Operation['parameters'],
    const R extends ReplyKind,
    const A extends Operation['access'] = 'read',
  >(name: string, parameters: P, reply: R, access: A = 'read' as A) {
    return { label: `${areaName}/${name}`, parameters, reply, access } as const;
  };
}

const connection = area('ConsumoWS');
const goods = area('Mercadoria');
const services = area('Servico');
const freight = area('Transporte');

/** The 33 operations of the documents service, compared with test/contract/operations.ts by a test. */
export const operations = {
  connectivity: connection('ConectividadeWS', {}, 'text'),
  login: connection('Login', credentials, 'integer'),
  renewSasUrl: connection('RetornaNovaUrlSaS', { oldUrl: parameter('oldUrl', 'text') }, 'url'),

  nfeEventStatus: goods('PesquisarStatusEvento', event, 'record'),
  manifest: goods('RealizarManifesto', event, 'record', 'write'),
  manifestBatch: goods('RealizarLoteManifesto', events, 'records', 'write'),
  nfeXml: goods('DownloadXml', nfeKey, 'document'),
  nfePdf: goods('DownloadPdfNfe', nfeKey, 'pdf'),
  nfeKeys: goods('RetornaChaves', inPeriod, 'access_keys'),
  nfeKeysByEntry: goods('RetornaChavesPelaDataEntrada', inPeriod, 'access_keys'),
  nfeKeysByIssue: goods('RetornaChavesPelaEmissao', inPeriod, 'access_keys'),
  nfeSummaries: goods(
    'RetornaResumos',
    { ...inPeriod, pagina: parameter('page', 'integer') },
    'undocumented',
  ),
  nfeClassifications: goods('RetornaClassificacoesProdutos', nfeKey, 'undocumented'),
  nfeList: goods('RetornaListaXml', inPeriod, 'documents'),
  nfeListByIssue: goods('RetornaListaXmlPelaEmissao', inPeriod, 'documents'),
  nfeListByIssueAndDirection: goods('RetornaListaXmlPelaEmissaoPorTipo', goodsInPeriod, 'documents'),
  nfeListByEntryAndDirection: goods('RetornaListaXmlPelaEntradaPorTipo', goodsInPeriod, 'documents'),
  nfeIntegrationKeys: goods('RetornarChavesIntegracao', place, 'access_keys'),
  nfeCovers: goods('RetornaCapas', { ...goodsInPeriod, capa: parameter('key', 'text') }, 'undocumented'),

  nfseDocument: services('DownloadNfse', serviceDocument, 'service_document'),
  nfseListByEntry: services('RetornaListaXmlPelaEntrada', inPeriod, 'documents'),
  nfseListByIssue: services('RetornaListaXmlPelaEmissao', inPeriod, 'documents'),
  nfseKeysByEntry: services('RetornaChavesPelaEntrada', servicesInPeriod, 'service_keys'),
  nfseKeysByIssue: services('RetornaChavesPelaEmissao', servicesInPeriod, 'service_keys'),
  nfseApprovedKeysByEntry: services('RetornaChavesAprovadasPelaEntrada', servicesInPeriod, 'service_keys'),
  nfseApprovedKeysByIssue: services(
    'RetornaChavesNFSeAprovadasPelaEmissao',
    servicesInPeriod,
    'service_keys',
  ),

  cteKeysByDirection: freight('RetornaChavesPorTipo', goodsInPeriod, 'access_keys'),
  cteListByIssue: freight('RetornaListaXmlPelaEmissao', inPeriod, 'documents'),
  cteListByIssueAndDirection: freight('RetornaListaXmlPelaEmissaoPorTipo', goodsInPeriod, 'documents'),
  cteListByEntry: freight('RetornaListaXmlPelaEntrada', inPeriod, 'documents'),
  cteListByEntryAndDirection: freight('RetornaListaXmlPelaEntradaPorTipo', goodsInPeriod, 'documents'),
  cteXml: freight('DownloadXml', cteKey, 'document'),
  cteIntegrationKeys: freight(
    'RetornarChavesIntegracao',
    { ...place, tipo: parameter('type', 'integer') },
    'access_keys',
  ),
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

type InputsFor<P extends Operation['parameters']> = Pick<
  CallInputs,
  Exclude<P[keyof P]['input'], 'user' | 'password'>
>;

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
  const query = Object.entries(parameters).map(([parameterName, { input, type }]) => {
    const value = inputs[input];
    if (value === undefined) throw new TypeError(`the input ${input} is missing`);
    const write = wireTypes[type] as (value: unknown, formats: WireFormats) => string;
    return `${parameterName}=${encodeValue(write(value, formats))}`;
  });
  return `/API/${label}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}
