import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { confirmed } from '../support/confirmed.ts';
import { type Call, key, period, quotingReads, setting } from '../support/quoting-calls.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

const password = 'Kd7&x w/Q+9="ç\'z';
const apiKey = 'Api/k+y="4711&';
const minted = 'Minted-t0ken/+=&77';
const licenseKey = 'Lic&k y/0815';
const databasePassword = 'Db p&ss/w0rd+';

const percentOf = (bytes: Uint8Array) =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const entity = (write: (code: number) => string) => (text: string) =>
  text.replace(/[^\w ]/gu, (sign) => write(sign.codePointAt(0) ?? 0));
const base64 = (before: string, encoding: 'base64' | 'base64url') => (text: string) =>
  Buffer.from(`${before}${text}&`).toString(encoding);

/** How a service may write what it was sent. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in Latin-1': (text) => percentOf(Buffer.from(text, 'latin1')),
  'as a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'in markup': (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  'in numeric entities': entity((code) => `&#${code};`),
  'in hexadecimal entities': entity((code) => `&#x${code.toString(16)};`),
  'in JSON of .NET': entity((code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'in base64': base64('', 'base64'),
  'in base64 after one byte': base64('u', 'base64'),
  'in base64 after two bytes': base64('us', 'base64'),
  'in base64 for addresses': base64('', 'base64url'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'in capital hexadecimal': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'with invisible characters in it': (text) => [...text].join('\u200b'),
};

/** The replies that words of a service are quoted from. */
const replies: Readonly<Record<string, (words: string) => Responder>> = {
  'an error': (words) => (_request, response) => json(response, { Message: `Erro: ${words}` }, 400),
  'an error of the account service': (words) => (_request, response) =>
    json(response, { error: { code: words, message: words, details: [{ message: words }] } }, 400),
  'plain text': (words) => (_request, response) => {
    response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(words);
  },
  'a text': (words) => (_request, response) => json(response, words),
  'a record': (words) => (_request, response) => json(response, { Nome: 'a', [words]: words, Texto: words }),
  'an envelope': (words) => (_request, response) =>
    json(response, { retorno: { cStat: '215', xMotivo: words } }),
  'a result': (words) => (_request, response) =>
    json(response, { ChaveNFe: key, Sucesso: 0, Mensagem: words }),
  'a list of keys': (words) => (_request, response) => json(response, [key, `${words}`]),
};

const reads: readonly Call[] = [
  ...quotingReads,
  ['list_nfe_covers', { ...period, direction: 'inbound' }],
  ['get_document', { document: 'nfe', key, format: 'pdf' }],
];

/** Those that quote what the others do: a text, records, a result. */
const few = reads.filter(([tool]) => /connection|classifications|status/.test(tool));

const written = (secret: string, encode: (text: string) => string) => encode(secret);

/** Whether five characters in a row of a secret, however spelt, are in a text that repeats nothing else of it. */
function givesAway(text: string, spelling: string): boolean {
  const plain = spelling.replaceAll('\u200b', '');
  const most = 6;
  return Array.from({ length: plain.length - most + 1 }, (_, at) => plain.slice(at, at + most)).some((part) =>
    text.includes(part),
  );
}

/** Every reply for a secret as it is; two of them for each spelling, others for each way of authenticating. */
function repliesFor(way: string, encoding: string): [string, (words: string) => Responder][] {
  const all = Object.entries(replies);
  const [at, shift] = [Object.keys(encodings).indexOf(encoding), Object.keys(accounts).indexOf(way)];
  if (at === 0) return all;
  return [at + 3 * shift, at + 3 * shift + 5].flatMap((index) => {
    const one = all[index % all.length];
    return one === undefined ? [] : [one];
  });
}

const accounts: Readonly<Record<string, (url: string) => Record<string, string>>> = {
  'an API key': () => ({ DFE_ACCOUNT_API_KEY: apiKey }),
  'client credentials': (url) => ({
    DFE_ACCOUNT_OAUTH_TOKEN_URL: `${url}/token`,
    DFE_ACCOUNT_OAUTH_CLIENT_ID: 'id',
    DFE_ACCOUNT_OAUTH_CLIENT_SECRET: apiKey,
  }),
  'a licence key': () => ({ DFE_ACCOUNT_USER: 'someone', DFE_ACCOUNT_LICENSE_KEY: licenseKey }),
  'a database that is out of reach': () => ({
    DFE_DATABASE_URL: `postgres://u:${encodeURIComponent(databasePassword)}@127.0.0.1:9/none`,
  }),
};

/** What is quoted is cleaned in one place, whatever authenticates: the short run tries one of the ways. */
const ways = Object.keys(accounts);

describe.each(ways)('a service that repeats secrets, with %s', (way) => {
  let server: ConfiguredServer;
  /** Without the database there is no journal, and so no write. */
  const writes = !way.startsWith('a database');

  beforeAll(async () => {
    server = await startConfigured({
      // A token must have been fetched before it can be repeated.
      respond: ({ path }, response) =>
        json(
          response,
          path === '/token' ? { access_token: minted, token_type: 'Bearer' } : { id: 1, companyId: 1 },
        ),
      env: { DFE_PASSWORD: password, DFE_ARCHIVE: 'memory' },
      envAt: (url) => ({ DFE_ACCOUNT_URL: url, ...accounts[way]?.(url) }),
    });
    if (writes) await confirmed(server, 'update_company_setting', setting);
  });
  afterAll(() => server.close());

  const secrets = {
    'an API key': [password, apiKey],
    'client credentials': [password, apiKey, minted],
    'a licence key': [password, licenseKey],
    'a database that is out of reach': [databasePassword],
  }[way] ?? [password];

  it.each(Object.keys(encodings))('%s, tells none', async (encoding) => {
    const encode = encodings[encoding] ?? ((text: string) => text);
    for (const secret of secrets) {
      const spelling = written(secret, encode);
      for (const [what, reply] of repliesFor(way, encoding)) {
        server.upstream.respond(reply(`foi ${spelling} fim`));
        for (const [tool, args] of encoding === 'as it is' ? reads : few) {
          const { content, structured } = await server.call(tool, { ...args });
          const told = JSON.stringify([content, structured]);
          const said = content.map(({ text }) => text).join(' ');
          expect(givesAway(`${told} ${said}`, spelling), `${tool}, ${what}: ${told}`).toBe(false);
        }
        if (!writes) continue;
        const answer = await confirmed(server, 'update_company_setting', setting);
        expect(givesAway(answer.text, spelling), `${what}: ${answer.text}`).toBe(false);
      }
    }
    expect(givesAway(server.stderr(), written(password, encode))).toBe(false);
  });
});

describe('a document that holds what is also a password', () => {
  it('keeps it in all its fields', async () => {
    const company = 'Comercial Horizonte';
    const note = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe Id="NFe${key}" versao="4.00"><ide><cUF>43</cUF><natOp>VENDA</natOp><mod>55</mod><serie>1</serie><nNF>42522</nNF><dhEmi>2026-11-10T12:15:33-03:00</dhEmi><tpNF>1</tpNF></ide><emit><CNPJ>19960320000111</CNPJ><xNome>${company}</xNome></emit><dest><CNPJ>48152036000117</CNPJ><xNome>x</xNome></dest><total><ICMSTot><vNF>10.00</vNF></ICMSTot></total><infAdic><infCpl>ver https://site.example/a?b=c senha=livre ${company}</infCpl></infAdic></infNFe></NFe></nfeProc>`;
    await using connection = await startConfigured({
      respond: (_request, response) => json(response, note),
      env: { DFE_PASSWORD: company },
    });
    const { structured } = await connection.call('get_document', { document: 'nfe', key });
    expect(structured?.document).toMatchObject({
      issuer: { name: company },
      notes: `ver https://site.example/a?b=c senha=livre ${company}`,
    });
  });
});
