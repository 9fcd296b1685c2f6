/** A moment on the wall clock of the service's zone; no offset, because the wire has none. */
export interface WallClock {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `HH:mm:ss`. */
  readonly time: string;
}

/** How dates and times are written on the wire (`DFE_DATE_FORMAT`, `DFE_TIME_FORMAT`); nobody documents it. */
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
