const percentOf = (text: string, encoding: 'utf8' | 'latin1') =>
  [...Buffer.from(text, encoding)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const signs = (write: (code: number) => string) => (text: string) =>
  text.replace(/[^\w ]/gu, (sign) => write(sign.codePointAt(0) ?? 0));
const inBase64 =
  (before: string, encoding: 'base64' | 'base64url' = 'base64') =>
  (text: string) =>
    Buffer.from(`${before}${text}&`).toString(encoding);

/** How a service may repeat what it was sent. Written by other means than the program's. */
export const spellings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'percent-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'percent-encoded in Latin-1': (text) => percentOf(text, 'latin1'),
  'as a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'in JSON': inJson,
  'in JSON in JSON': (text) => inJson(inJson(text)),
  'in JSON of .NET': signs((code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'in a script': signs((code) => `\\x${code.toString(16).padStart(2, '0')}`),
  'in markup': (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  'in markup in markup': (text) => text.replaceAll('&', '&amp;amp;').replaceAll('"', '&amp;quot;'),
  'in numeric entities': signs((code) => `&#${code};`),
  'in hexadecimal entities': signs((code) => `&#x${code.toString(16)};`),
  'in base64': inBase64(''),
  'in base64 after one byte': inBase64('u'),
  'in base64 after two bytes': inBase64('us'),
  'in base64 for addresses': inBase64('', 'base64url'),
  'in base64 with its user': inBase64('fiscal-user:'),
  'in base64 of a form': (text) => inBase64('')(new URLSearchParams({ a: text }).toString()),
  'in base64, percent-encoded': (text) => encodeURIComponent(inBase64('user:')(text)),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'in capital hexadecimal of Latin-1': (text) => Buffer.from(text, 'latin1').toString('hex').toUpperCase(),
  'with invisible characters in it': (text) => [...text].join('\u200b'),
};
