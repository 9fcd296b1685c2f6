import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inspect } from 'node:util';
import * as z from 'zod';
import { checkCnpj } from '../documents/identity/tax-ids.ts';

// Compiling a check for every schema pays after thousands of calls; here it would only delay the start. Settings are the
// first that is loaded, so that it holds for the schemas of the SDK, too.
z.config({ jitless: true });

/** The expected form of a value: the tail of a catalogue key `config.expected.<kind>`, and its values. */
export interface Expected {
  readonly kind: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** How a setting's text is read and shown. */
export interface Kind<T> {
  readonly expected: Expected;
  /** The value of a text; undefined for an invalid one. */
  read(text: string): T | undefined;
  show(value: T): string;
  readonly isSecret?: boolean;
  /** On or off; its flag needs no value. */
  readonly isToggle?: boolean;
  /** Blanks are a mistake and not nothing: a mistyped read-only must not mean writable. */
  readonly refusesBlanks?: boolean;
  /** Its paths, one or several separated as in `PATH`, may be relative. */
  readonly isPath?: 'one' | 'several';
}

function kind<T>(
  expected: string,
  read: Kind<T>['read'],
  { values = {}, ...more }: Partial<Kind<T>> & { readonly values?: Expected['values'] } = {},
): Kind<T> {
  return { expected: { kind: expected, values }, read, show: String, ...more };
}

/** A kind that keeps texts unchanged. */
const fitting = (expected: string, fits: (value: string) => boolean, values?: Expected['values']) =>
  kind(expected, (value) => (fits(value) ? value : undefined), { values });

/** The same, of a form that an example shows. */
const like = (example: string, fits: (value: string) => boolean, expected = 'like') =>
  fitting(expected, fits, { example });

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

/** Expands `~`, which no shell does in a host's configuration. */
function wholePath(value: string): string | undefined {
  const [, first, rest = ''] = /^(~[^/\\]*)(?:[/\\](.*))?$/s.exec(value) ?? [];
  if (first === undefined) return value;
  return first === '~' ? join(homedir(), rest) : undefined;
}

export const text = kind('text', (value) => value);

export const secret = kind('text', (value) => new Secret(value), { isSecret: true });

/** An http(s) address as it is. */
export const webAddress = fitting('url', isWebAddress);

/** An http(s) address to which paths are added. */
export const baseUrl = kind('url', (value) =>
  isWebAddress(value) ? value.replace(/(?<!\/)\/+$/, '') : undefined,
);

/** The address of a PostgreSQL database, shown by its host alone: it may hold the password. */
export const databaseUrl = kind(
  'like',
  (value) => {
    if (!/^postgres(?:ql)?:\/\//.test(value) || !URL.canParse(value)) return undefined;
    const { host, pathname } = new URL(value);
    // A password with a slash was cut in two.
    if (pathname.includes('@')) return undefined;
    return new Secret(value, `postgresql://***@${host.includes('@') ? '***' : host}`);
  },
  { isSecret: true, values: { example: 'postgresql://user:password@host/database' } },
);

export const path = kind('path', wholePath, { isPath: 'one' });

export const paths = kind<readonly string[]>(
  'path',
  (value) => {
    const parts = value.split(delimiter).filter((part) => part !== '');
    const whole = parts.flatMap((part) => wholePath(part) ?? []);
    return parts.length > 0 && whole.length === parts.length ? whole : undefined;
  },
  { show: (value) => value.join(delimiter), isPath: 'several' },
);

/** A CNPJ with or without its mask; becomes the 14 characters alone. */
export const cnpj = kind('cnpj', (value) => {
  const checked = checkCnpj(value);
  return checked.ok ? checked.value : undefined;
});

const yes = ['1', 'true', 'yes', 'on', 'sim'];
const no = ['0', 'false', 'no', 'off', 'nao', 'não'];

export const toggle = kind<boolean>(
  'toggle',
  (value) => {
    const word = value.toLowerCase();
    return yes.includes(word) || (no.includes(word) ? false : undefined);
  },
  { isToggle: true, refusesBlanks: true },
);

export const wholeNumber = (least: number, most: number) =>
  kind(
    'whole_number',
    (value) => {
      const isWithin = /^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most;
      return isWithin ? Number(value) : undefined;
    },
    { values: { least, most }, refusesBlanks: true },
  );

/** One of these words; `expected` names a description of them, if needed. */
export const oneOf = <const T extends string>(choices: readonly T[], expected = 'list') =>
  kind(expected, (value) => choices.find((one) => one === value), {
    values: { choices: choices.join(', ') },
  });

export const listOf = <const T extends string>(choices: readonly T[]) =>
  kind<readonly T[]>(
    'list',
    (value) => {
      const parts = value.split(',').map((part) => part.trim());
      const isChoice = (part: string): part is T => choices.some((one) => one === part);
      return parts.every(isChoice) ? parts : undefined;
    },
    { values: { choices: choices.join(', ') } },
  );

export const headerName = fitting('header_name', (value) => /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(value));

export const headerValue = fitting('header_value', (value) => /^[\x20-\x7e]+$/.test(value));

export const timeZone = like('America/Sao_Paulo', (value) => {
  // Loading `Intl` takes 20 ms of a start.
  if (value === 'America/Sao_Paulo') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
});

/** Case matters: `DD/MM/YYYY` would be sent literally. */
export const dateFormat = like('dd/MM/yyyy', (value) => /^(?=.*yy)(?=.*M)(?=.*d)/s.test(value), 'cased');

/** As `dateFormat`; `none` sends times empty. */
export const timeFormat = like(
  'HH:mm:ss, HH:mm, none',
  (value) => /^(?:none$|(?=.*H)(?=.*mm))/s.test(value),
  'cased',
);

/** Web origins (scheme, host and port), separated by commas. */
export const origins = kind<readonly string[]>(
  'like',
  (value) => {
    const given = value.split(',').map((one) => one.trim().toLowerCase());
    const named = given.filter((one) => one !== '');
    return named.every((one) => isWebAddress(one) && new URL(one).origin === one) ? named : undefined;
  },
  { values: { example: 'https://app.example,https://chat.example' } },
);

/** A value that prints as `***`, or as `shown`, in logs, inspection and JSON. */
export class Secret {
  readonly #value: string;
  readonly #shown: string;

  constructor(value: string, shown = '***') {
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

const units = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const;

/**
 * Maximum age of a day's data, by age of the day: `7:5m,35:1d,100:7d` (minutes, hours, days), both rising. The
 * first step that a day is younger than applies; older days are fetched again on request only.
 */
export const refreshPolicy = kind<readonly { readonly days: number; readonly olderThanMs: number }[]>(
  'refresh',
  (value) => {
    const steps: { days: number; olderThanMs: number }[] = [];
    for (const part of value.split(',')) {
      const [, days, count, unit] = /^([1-9]\d{0,3}):([1-9]\d{0,3})([mhd])$/.exec(part) ?? [];
      if (days === undefined) return undefined;
      const step = { days: Number(days), olderThanMs: Number(count) * units[unit as keyof typeof units] };
      const before = steps.at(-1) ?? { days: 0, olderThanMs: 0 };
      if (step.days <= before.days || step.olderThanMs < before.olderThanMs) return undefined;
      steps.push(step);
    }
    return steps;
  },
  {
    // Each age in the largest unit that fits.
    show: (steps) =>
      steps
        .map(({ days, olderThanMs }) => {
          const [unit, length] = Object.entries(units).find(([, one]) => olderThanMs % one === 0) ?? ['m', 1];
          return `${days}:${olderThanMs / length}${unit}`;
        })
        .join(','),
  },
);
