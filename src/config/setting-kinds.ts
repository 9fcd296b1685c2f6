import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inspect } from 'node:util';
import * as z from 'zod';
import { checkCnpj } from '../documents/identity/tax-ids.ts';
import type { Message } from '../messages/message.ts';
import type { Expected } from './problem.ts';

// Compiling a check for every schema pays after thousands of calls; here it would only delay the start. Settings are the
// first that is loaded, so that it holds for the schemas of the SDK, too.
z.config({ jitless: true });

export interface Declared<S extends z.ZodType = z.ZodType> {
  /** Its environment variable; where it is not a secret, its flag has the same name: `DFE_READ_ONLY`, `--read-only`. */
  readonly variable: `DFE_${string}`;
  readonly schema: S;
  readonly secret: boolean;
  readonly help: Message;
  /** The default in help and README, where the value itself is not telling. */
  readonly defaultText?: Message;
  /** Formats a value that `String` does not. */
  show?(value: unknown): string;
}

/** Declares a setting; its schema reads text. */
export function setting<S extends z.ZodType>(
  variable: Declared['variable'],
  schema: S,
  help: Message,
  more: { defaultText?: Message; show?: (value: z.output<S>) => string } = {},
): Declared<S> {
  return { variable, schema, help, secret: secrets.has(innermost(schema)), ...more } as Declared<S>;
}

/** Unwraps optional schemas and defaults. */
export const innermost = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;

const secrets = z.registry();
export const wholeNumbers = z.registry();

/** A schema that parses a text, or refuses it when `read` returns undefined. */
function readAs<T>(
  expected: string,
  read: (value: string) => T | undefined,
  values: Expected['values'] = {},
): z.ZodType<T, string> {
  return z.string().transform((value, context) => {
    const result = read(value);
    if (result !== undefined) return result;
    const params: Expected = { kind: expected, values };
    context.issues.push({ code: 'custom', input: value, params: { ...params } });
    return z.NEVER;
  });
}

/** A schema that accepts texts unchanged. */
const fitting = (expected: string, fits: (value: string) => boolean) =>
  readAs(expected, (value) => (fits(value) ? value : undefined));

/** Whether a URL is http(s) with a host and perhaps a path, and nothing that could hold a credential. */
function isWebAddress(value: string): boolean {
  if (!/^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#@]*)?$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

/** Whether a listening address, or a host in a URL, is loopback. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** Whether a URL leads to another machine over plain http. */
export function isPlainHttp(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname);
}

/**
 * A database URL is shown by its host alone. An `@` in its path means that a password with a slash was cut in two.
 */
function databaseAddress(value: string): Secret | undefined {
  if (!/^postgres(?:ql)?:\/\//.test(value) || !URL.canParse(value)) return undefined;
  const { host, pathname } = new URL(value);
  if (pathname.includes('@')) return undefined;
  return new Secret(value, `postgresql://***@${host.includes('@') ? '***' : host}`);
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

const yes = ['1', 'true', 'yes', 'on', 'sim'];
const no = ['0', 'false', 'no', 'off', 'nao', 'não'];

/** Expands `~`, which no shell does in a host's configuration. */
function wholePath(value: string): string | undefined {
  const [, first, rest = ''] = /^(~[^/\\]*)(?:[/\\](.*))?$/s.exec(value) ?? [];
  if (first === undefined) return value;
  return first === '~' ? join(homedir(), rest) : undefined;
}

export const text = z.string();

export const secret = z
  .string()
  .transform((value) => new Secret(value))
  .register(secrets, {});

/** An http(s) address as it is. */
export const webAddress = fitting('url', isWebAddress);

/** An http(s) address to which paths are added. */
export const baseUrl = readAs('url', (value) =>
  isWebAddress(value) ? value.replace(/(?<!\/)\/+$/, '') : undefined,
);

/** The address of a PostgreSQL database, which may hold its password. */
export const databaseUrl = readAs('database_url', databaseAddress).register(secrets, {});

export const path = readAs('path', wholePath);

export const paths = readAs('path', (value) => {
  const parts = value.split(delimiter).filter((part) => part !== '');
  const whole = parts.flatMap((part) => wholePath(part) ?? []);
  return parts.length > 0 && whole.length === parts.length ? whole : undefined;
});

/** A CNPJ with or without its mask; becomes the 14 characters alone. */
export const cnpj = readAs('cnpj', (value) => {
  const checked = checkCnpj(value);
  return checked.ok ? checked.value : undefined;
});

export const toggle = readAs('toggle', (value) => {
  const word = value.toLowerCase();
  return yes.includes(word) || (no.includes(word) ? false : undefined);
});

export const wholeNumber = (least: number, most: number) =>
  readAs(
    'whole_number',
    (value) => {
      const isWithin = /^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most;
      return isWithin ? Number(value) : undefined;
    },
    { least, most },
  ).register(wholeNumbers, {});

/** One of these words; `expected` says what they are for where that needs saying. */
export const oneOf = <const T extends string>(choices: readonly T[], expected = 'list') =>
  readAs(expected, (value) => choices.find((one) => one === value), { choices: choices.join(', ') });

export const listOf = <const T extends string>(choices: readonly T[]) =>
  readAs(
    'list',
    (value) => {
      const parts = value.split(',').map((part) => part.trim());
      const isChoice = (part: string): part is T => choices.some((one) => one === part);
      return parts.every(isChoice) ? parts : undefined;
    },
    { choices: choices.join(', ') },
  );

export const headerName = fitting('header_name', (value) => /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(value));

export const headerValue = fitting('header_value', (value) => /^[\x20-\x7e]+$/.test(value));

export const timeZone = fitting('time_zone', isTimeZone);

/** Case matters: `DD/MM/YYYY` would be sent literally. */
export const dateFormat = fitting('date_format', (value) =>
  [/yy/, /M/, /d/].every((part) => part.test(value)),
);

/** As `dateFormat`; `none` sends times empty. */
export const timeFormat = fitting(
  'time_format',
  (value) => value === 'none' || [/H/, /mm/].every((part) => part.test(value)),
);

/** Maximum age of what is known of a day, by age of the day. */
export const refreshPolicy = readAs('refresh', readRefreshPolicy);

/** Web origins (scheme, host and port), separated by commas. */
export const origins = readAs('origins', (value): readonly string[] | undefined => {
  const given = value.split(',').map((one) => one.trim().toLowerCase());
  const named = given.filter((one) => one !== '');
  const isOrigin = (one: string) => isWebAddress(one) && new URL(one).origin === one;
  return named.every(isOrigin) ? named : undefined;
});

const MASK = '***';

/** A value that prints as `***`, or as `shown`, in logs, inspection and JSON. */
export class Secret {
  readonly #value: string;
  readonly #shown: string;

  constructor(value: string, shown: string = MASK) {
    this.#value = value;
    this.#shown = shown;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return this.#shown;
  }

  toJSON(): string {
    return this.#shown;
  }

  [inspect.custom](): string {
    return this.#shown;
  }
}

/** Days younger than `days` are fetched again when their data is older than `olderThanMs`. */
export interface RefreshStep {
  readonly days: number;
  readonly olderThanMs: number;
}

const minute = 60_000;
const units: Readonly<Record<string, number>> = { m: minute, h: 60 * minute, d: 24 * 60 * minute };

/**
 * Parses `7:5m,35:1d,100:7d` (minutes, hours, days). The first step that a day is younger than applies; older days
 * are fetched again on request only.
 * @returns undefined unless both the days and the ages rise
 */
function readRefreshPolicy(text: string): readonly RefreshStep[] | undefined {
  const steps: RefreshStep[] = [];
  for (const part of text.split(',')) {
    const [, days, count, unit = ''] = /^([1-9]\d{0,3}):([1-9]\d{0,3})([mhd])$/.exec(part) ?? [];
    if (days === undefined) return undefined;
    const step = { days: Number(days), olderThanMs: Number(count) * (units[unit] ?? 0) };
    const before = steps.at(-1);
    const isInOrder =
      before === undefined || (step.days > before.days && step.olderThanMs >= before.olderThanMs);
    if (!isInOrder) return undefined;
    steps.push(step);
  }
  return steps;
}

/** Formats a policy, each age in the largest unit that fits. */
export function refreshPolicyText(steps: readonly RefreshStep[]): string {
  return steps
    .map(({ days, olderThanMs }) => {
      const [unit = 'm', length = minute] =
        Object.entries(units).findLast(([, one]) => olderThanMs % one === 0) ?? [];
      return `${days}:${olderThanMs / length}${unit}`;
    })
    .join(',');
}
