import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { checkCnpj } from '../documents/identity/tax-ids.ts';
import { Kind, type Refuse } from './declared.ts';
import { readRefreshPolicy } from './refresh-policy.ts';
import { Secret } from './secret.ts';

/** A kind of setting, by what its text means. */
const kind = <T>(read: (text: string, refuse: Refuse) => T): Kind<T> => new Kind(read);

/** An address with a host and perhaps a path; nothing that could hold a credential, however it is spelt. */
function isWebAddress(value: string): boolean {
  if (!/^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#@]*)?$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

/**
 * A database's address may hold a password, so it is shown by its host alone. Where an `@` stands behind the host, what
 * is taken for one is the beginning of a password with a slash in it.
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

/** Any text, as it is. */
export const text = kind((value) => value);

/** A text that is shown nowhere. */
export const secret = kind((value) => new Secret(value));

/** An http(s) address as it is. */
export const webAddress = kind((value, refuse) => (isWebAddress(value) ? value : refuse('url')));

/** An http(s) address to which paths are added. */
export const baseUrl = kind((value, refuse) =>
  isWebAddress(value) ? value.replace(/(?<!\/)\/+$/, '') : refuse('url'),
);

/** The address of a PostgreSQL database, which may hold its password. */
export const databaseUrl = kind((value, refuse) => databaseAddress(value) ?? refuse('database_url'));

/** A file or folder; `~` is the home folder, which no shell has put in its place in a host's configuration. */
export const path = kind((value, refuse) => {
  const [, first, rest = ''] = /^(~[^/\\]*)(?:[/\\](.*))?$/s.exec(value) ?? [];
  if (first === undefined) return value;
  return first === '~' ? join(homedir(), rest) : refuse('path');
});

/** Files and folders, set apart as in PATH. */
export const paths = kind((value, refuse) => {
  const parts = value.split(delimiter).filter((part) => part !== '');
  if (parts.length === 0) return refuse('path');
  return parts.map((part) => {
    const [, first, rest = ''] = /^(~[^/\\]*)(?:[/\\](.*))?$/s.exec(part) ?? [];
    if (first === undefined) return part;
    return first === '~' ? join(homedir(), rest) : refuse('path');
  });
});

/** A CNPJ with or without its mask; becomes the 14 characters alone. */
export const cnpj = kind((value, refuse) => {
  const checked = checkCnpj(value);
  return checked.ok ? checked.value : refuse('cnpj');
});

/** On or off. */
export const toggle = kind((value, refuse) => {
  const word = value.toLowerCase();
  return yes.includes(word) || (no.includes(word) ? false : refuse('toggle'));
});

/** A whole number between two others, both included. */
export const wholeNumber = (least: number, most: number) =>
  kind((value, refuse) =>
    /^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most
      ? Number(value)
      : refuse('whole_number', { least, most }),
  );

/** One of these words; `expected` says what they are for where that needs saying. */
export const oneOf = <const T extends string>(choices: readonly T[], expected = 'list') =>
  kind(
    (value, refuse) =>
      choices.find((one) => one === value) ?? refuse(expected, { choices: choices.join(', ') }),
  );

/** Some of these words, set apart by commas. */
export const listOf = <const T extends string>(choices: readonly T[]) =>
  kind((value, refuse) => {
    const parts = value.split(',').map((part) => part.trim());
    const isChoice = (part: string): part is T => choices.some((one) => one === part);
    return parts.every(isChoice) ? parts : refuse('list', { choices: choices.join(', ') });
  });

/** A part of a header's name. */
export const headerName = kind((value, refuse) =>
  /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(value) ? value : refuse('header_name'),
);

/** What a header may hold. */
export const headerValue = kind((value, refuse) =>
  /^[\x20-\x7e]+$/.test(value) ? value : refuse('header_value'),
);

/** A time zone by its name. */
export const timeZone = kind((value, refuse) => (isTimeZone(value) ? value : refuse('time_zone')));

/** Letters of another case are no placeholders: `DD/MM/YYYY` would go to the service as it stands. */
export const dateFormat = kind((value, refuse) =>
  [/yy/, /M/, /d/].every((part) => part.test(value)) ? value : refuse('date_format'),
);

/** As `dateFormat`; `none` sends times empty. */
export const timeFormat = kind((value, refuse) =>
  value === 'none' || [/H/, /mm/].every((part) => part.test(value)) ? value : refuse('time_format'),
);

/** By the age of a day, how old what is known of it may be. */
export const refreshPolicy = kind((value, refuse) => readRefreshPolicy(value) ?? refuse('refresh'));

/** Origins of web pages, set apart by commas: scheme, host and port alone. */
export const origins = kind((value, refuse): readonly string[] => {
  const given = value.split(',').map((one) => one.trim());
  const named = given.filter((one) => one !== '');
  const isOrigin = (one: string) => isWebAddress(one) && new URL(one).origin === one.toLowerCase();
  return named.every(isOrigin) ? named.map((one) => one.toLowerCase()) : refuse('origins');
});
