/** A moment on the wall clock of the service's zone; no offset, because the wire has none. */
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

/** The service's word for documents that came in or went out: goods and transport have one pair, services another. */
const directionWords = {
  goods: { inbound: 'Entrada', outbound: 'Saída' },
  services: { inbound: 'Recebidas', outbound: 'Emitidas' },
} as const;

export type Direction = 'inbound' | 'outbound';

/** Everything an operation may be asked with, in our words. Which of them an operation takes, its parameters say. */
export interface CallInputs {
  readonly user: string;
  readonly password: string;
  readonly oldUrl: string;
  readonly event: string;
  readonly events: string;
  readonly key: string;
  /** CNPJ of the company asked about, without mask; empty for all companies of the user. */
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

function put(format: string, parts: Readonly<Record<string, string>>): string {
  return format.replace(/yyyy|yy|MM|M|dd|d|HH|H|mm|ss/g, (token) => parts[token] ?? token);
}

function writeDate(date: string, format: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const parts = {
    yyyy: year,
    yy: year.slice(2),
    MM: month,
    M: String(Number(month)),
    dd: day,
    d: String(Number(day)),
  };
  return put(format, parts);
}

function writeTime(time: string, format: string): string {
  if (format === 'none') return '';
  const [hour = '', minute = '', second = ''] = time.split(':');
  return put(format, { HH: hour, H: String(Number(hour)), mm: minute, ss: second });
}

/** How a value of our vocabulary becomes text on the wire, before percent-encoding. */
export const wireTypes = {
  text: (value: string) => value,
  integer: (value: number) => String(value),
  date: (value: WallClock, formats: WireFormats) => writeDate(value.date, formats.date),
  time: (value: WallClock, formats: WireFormats) => writeTime(value.time, formats.time),
  day: (value: string, formats: WireFormats) => writeDate(value, formats.date),
  goodsDirection: (value: Direction) => directionWords.goods[value],
  servicesDirection: (value: Direction) => directionWords.services[value],
} as const;

export type WireType = keyof typeof wireTypes;

type InputOf<W extends WireType> = Parameters<(typeof wireTypes)[W]>[0];

/** The inputs a wire type can carry, by the type of their values. */
type Carried<W extends WireType> = {
  [F in keyof CallInputs]: CallInputs[F] extends InputOf<W> ? F : never;
}[keyof CallInputs];

/** One query parameter. Every parameter's name is always sent: the service chooses by names. */
export interface Parameter<F extends keyof CallInputs = keyof CallInputs> {
  readonly input: F;
  readonly type: WireType;
}

function parameter<W extends WireType, F extends Carried<W>>(input: F, type: W): Parameter<F> {
  return { input, type };
}

/** The parameter groups of the contract (tax-documents, section 4). */
export const credentials = {
  usuario: parameter('user', 'text'),
  senha: parameter('password', 'text'),
} as const;

export const period = {
  cnpj: parameter('company', 'text'),
  dataDe: parameter('from', 'date'),
  horaDe: parameter('from', 'time'),
  dataAte: parameter('to', 'date'),
  horaAte: parameter('to', 'time'),
} as const;

export const goodsDirection = { tipo: parameter('direction', 'goodsDirection') } as const;
export const servicesDirection = { tipo: parameter('direction', 'servicesDirection') } as const;
export const nfeKey = { chaveNfe: parameter('key', 'text') } as const;
export const cteKey = { chaveCTe: parameter('key', 'text') } as const;
/** Empty for all covers of a period. */
export const coverKey = { capa: parameter('key', 'text') } as const;
export const page = { pagina: parameter('page', 'integer') } as const;
export const oldUrl = { oldUrl: parameter('oldUrl', 'text') } as const;
export const event = { evento: parameter('event', 'text') } as const;
export const events = { eventos: parameter('events', 'text') } as const;
export const place = {
  companhia: parameter('companyNumber', 'integer'),
  estabelecimento: parameter('establishment', 'integer'),
} as const;
export const transportType = { tipo: parameter('type', 'integer') } as const;
export const serviceDocument = {
  numeroDocumento: parameter('number', 'text'),
  dataEmissaoDocumento: parameter('issueDate', 'day'),
  cnpjEmissorDocumento: parameter('issuer', 'text'),
} as const;

/** The inputs of these parameters, but for the credentials, which the client fills itself. */
export type InputsFor<P extends Readonly<Record<string, Parameter>>> = Pick<
  CallInputs,
  Exclude<P[keyof P]['input'], 'user' | 'password'>
>;

function writeValue({ input, type }: Parameter, inputs: Partial<CallInputs>, formats: WireFormats): string {
  const value = inputs[input];
  if (value === undefined) throw new TypeError(`the input ${input} is missing`);
  const write = wireTypes[type] as (value: unknown, formats: WireFormats) => string;
  return write(value, formats);
}

/** A value in a request line; the HTTP client encodes apostrophes, too. */
export function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27');
}

/** The query string of a call, without the question mark: every parameter, in the contract's order, percent-encoded. */
export function writeQuery(
  parameters: Readonly<Record<string, Parameter>>,
  inputs: Partial<CallInputs>,
  formats: WireFormats,
): string {
  return Object.entries(parameters)
    .map(([name, one]) => `${name}=${encodeValue(writeValue(one, inputs, formats))}`)
    .join('&');
}
