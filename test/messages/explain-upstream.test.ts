import { describe, expect, it } from 'vitest';
import {
  Cancelled,
  HeldBack,
  NotUnderstood,
  OutcomeUnknown,
  type Refusal,
  Refused,
  TimedOut,
  tokenOperation,
  Unreachable,
  Unsendable,
  type UpstreamError,
} from '../../src/clients/errors.ts';
import { explainUpstream } from '../../src/messages/explain-upstream.ts';
import { createTranslator } from '../../src/messages/index.ts';

const documents = { service: 'documents', operation: 'Mercadoria/RetornaChaves' } as const;
const account = { service: 'account', operation: 'UpdateSetting' } as const;
const token = { service: 'account', operation: tokenOperation } as const;
const sketch = { kind: 'xml <retFoo>', bytes: 99, start: '<retFoo>' };

const pt = createTranslator('pt-BR');
const en = createTranslator('en');

const refused = (refusal: Refusal, call: typeof documents | typeof account | typeof token = documents) =>
  new Refused(call, refusal);

const held = (reason: HeldBack['reason'], until: string) =>
  new HeldBack(documents, Date.parse('2026-11-20T22:00:00.000Z'), Date.parse(until), reason);

const unreachable = (code: string) => new Unreachable(account, 'h:443', code);
const empty = { kind: 'empty', bytes: 0, start: '' };
const strange = (why: string, of = sketch) => new NotUnderstood(documents, why, of);

const cases: [name: string, error: UpstreamError, words: (string | RegExp)[]][] = [
  [
    'no connection',
    new Unreachable(documents, 'h.test:80', 'ECONNREFUSED'),
    ['h.test:80', 'ECONNREFUSED', 'DFE_URL'],
  ],
  ['an unknown name', new Unreachable(account, 'h.test:443', 'ENOTFOUND'), ['h.test:443', 'DFE_ACCOUNT_URL']],
  ['an own authority', unreachable('SELF_SIGNED_CERT_IN_CHAIN'), ['NODE_EXTRA_CA_CERTS']],
  ['an unknown authority', unreachable('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), ['NODE_EXTRA_CA_CERTS']],
  ['an expired certificate', unreachable('CERT_HAS_EXPIRED'), ['DFE_ACCOUNT_URL', /vencido|expired/]],
  [
    'another certificate',
    new Unreachable(token, 'h:443', 'ERR_TLS_CERT_ALTNAME_INVALID'),
    ['DFE_ACCOUNT_OAUTH_TOKEN_URL'],
  ],
  ['a proxy that refuses', unreachable('PROXY_403'), ['PROXY_403', 'HTTPS_PROXY', 'NO_PROXY']],
  ['a proxy with a password', unreachable('PROXY_407'), ['HTTPS_PROXY', /senha|password/]],
  ['the same, forwarding', refused({ status: 407 }), ['HTTP_PROXY', /senha|password/]],
  ['a time-out', new TimedOut(documents, 60), ['60 s', 'DFE_TIMEOUT']],
  [
    'a window of a collection that took too long',
    new TimedOut(documents, 20, 'own'),
    ['20 s', /DFE_TIMEOUT (não muda|does not change)/],
  ],
  ['a password that cannot be sent', new Unsendable(documents, 'credentials'), ['DFE_PASSWORD_FILE']],
  ['an API key that cannot be sent', new Unsendable(account, 'header'), ['DFE_ACCOUNT_', /cabeçalho|header/]],
  [
    'a service that wants to be left alone for a day',
    refused({ status: 429, retryAfter: 86_400 }),
    [/24 (horas|hours)/],
  ],
  [
    'a service that is away for a year',
    refused({ status: 503, retryAfter: 31_536_000 }),
    [/365 (dias|days)/],
  ],
  ['a service that is away for a minute', refused({ status: 503, retryAfter: 61 }), ['61 s']],
  ['a service that is there again', refused({ status: 503, retryAfter: 0 }), [/já se pode|tried again now/]],
  ['a limit that is over', refused({ status: 429, retryAfter: 0 }), [/já se pode|tried again now/]],
  [
    'a damaged gzip',
    strange('broken content encoding', empty),
    [/comprimida que está danificada|compressed reply that is damaged/],
  ],
  ['an encoding nobody knows', strange('unknown content encoding', empty), [/não conhece|does not know/]],
  [
    'a write whose reply was a damaged gzip',
    new OutcomeUnknown(strange('broken content encoding', empty)),
    [/não se sabe|not known/, /compressão danificada|compression of the reply is damaged/],
  ],
  ['a refusal without words', refused({ status: 400 }), ['status 400']],
  [
    'a refusal with words',
    refused({ status: 400, code: 'X1', message: 'Set is reserved.' }, account),
    ['status 400', 'X1', '"Set is reserved."'],
  ],
  [
    'a refusal inside a 200',
    refused({ code: '656', message: 'Consumo indevido' }),
    ['656', 'Consumo indevido'],
  ],
  ['a refusal with words only', refused({ message: 'Sem acesso' }), [/sem código|no code/, '"Sem acesso"']],
  ['wrong credentials', refused({ status: 401 }), ['DFE_USER', 'DFE_PASSWORD']],
  ['a wrong key', refused({ status: 401, message: 'no' }, account), ['DFE_ACCOUNT_']],
  [
    'a wrong client',
    refused({ status: 401, code: 'invalid_client' }, token),
    ['invalid_client', 'DFE_ACCOUNT_OAUTH_CLIENT_SECRET'],
  ],
  [
    'a wrong scope',
    refused({ status: 400, code: 'invalid_scope', message: 'x' }, token),
    ['invalid_scope', 'DFE_ACCOUNT_OAUTH_SCOPE'],
  ],
  ['a missing permission', refused({ status: 403 }, account), ['status 403', /permissão|not allowed/]],
  ['a missing thing', refused({ status: 404 }, account), ['status 404', 'DFE_ACCOUNT_URL']],
  [
    'a missing operation',
    refused({ status: 404, message: "No action was found on the controller 'X'" }),
    [/não é um documento que falta|not a document that is missing/, 'DFE_URL'],
  ],
  ['a redirect', refused({ status: 302, redirectHost: 'login.test:443' }), ['login.test:443', 'DFE_URL']],
  ['a redirect to nowhere', refused({ status: 302 }), ['status 302']],
  ['too many requests', refused({ status: 429, retryAfter: 90 }), ['90 s']],
  [
    'too many requests, from a moment on that no clock without seconds tells too early',
    refused({ status: 429, retryAfter: 90, retryAt: '2026-11-20T22:21:31.000Z' }),
    ['90 s', /19[h:]22/, /Bras[ií]lia/],
  ],
  [
    'a service that asks to come back at a time',
    refused({ status: 503, retryAfter: 7200, retryAt: '2026-11-21T02:00:00.000Z' }),
    [/120 minut/, /20\/11\/2026 às 23h00|Nov 20, 2026, 23:00/, /Bras[ií]lia/],
  ],
  [
    'a service that is left alone',
    held('failing', '2026-11-20T22:00:30.000Z'),
    ['30 s', /19[h:]01/, /Bras[ií]lia/, /Nada foi enviado|Nothing was sent/],
  ],
  [
    'a service that asked to wait',
    held('asked_to_wait', '2026-11-20T22:01:00.200Z'),
    ['61 s', /19[h:]02/, /Bras[ií]lia/],
  ],
  [
    'undue consumption',
    held('undue_consumption', '2026-11-20T23:00:00.000Z'),
    ['656', /60 minut/, /20[h:]00/, /Bras[ií]lia/],
  ],
  ['too many requests, no time', refused({ status: 429 }), [/alguns minutos|few minutes/]],
  ['a service that is down', refused({ status: 503 }), ['status 503', /alguns minutos|few minutes/]],
  ['a service that is down for a time', refused({ status: 503, retryAfter: 120 }), ['status 503', '120 s']],
  ['a failure inside', refused({ status: 500 }), ['status 500', /alguns minutos|few minutes/]],
  [
    'a failure inside, with words',
    refused({ status: 500, message: 'Chave inválida' }),
    ['status 500', 'Chave inválida'],
  ],
  ['a strange reply', strange('unknown form'), ['xml <retFoo>', '99 bytes', '"<retFoo>"', 'DFE_URL']],
  [
    'a strange reply not shown',
    new NotUnderstood(account, 'x', { kind: 'html', bytes: 5, start: '' }),
    ['html', '5 bytes', 'DFE_ACCOUNT_URL'],
  ],
  [
    'another document',
    strange('another document than the one asked for', empty),
    [/outro documento|another document/, /^(?!.*0 bytes)/],
  ],
  [
    'a document of another model',
    new NotUnderstood(documents, 'document 1: no known layout', sketch, 'MDF-e'),
    ['MDF-e', /modelo que não é lido|model that is not read/],
  ],
  ['a cut reply', strange('truncated'), ['99 bytes', /incompleta|incomplete/]],
  ['a large reply', strange('too large'), ['99 bytes', /período menor|shorter period/]],
  ['a cancellation', new Cancelled(documents), [/cancelada|cancelled/]],
];

const unknown: [name: string, cause: UpstreamError, words: (string | RegExp)[]][] = [
  ['a broken connection', unreachable('ECONNRESET'), [/conexão caiu|connection broke/]],
  ['a time-out', new TimedOut(account, 60), ['60 s']],
  ['a server error', refused({ status: 502 }, account), ['status 502']],
  ['a strange reply', new NotUnderstood(account, 'x', sketch), ['99 bytes']],
  ['a cancellation', new Cancelled(account), [/cancelada|cancelled/]],
];

describe.each([pt, en])('in $language', (t) => {
  it.each(cases)('%s', (_, error, words) => {
    const said = explainUpstream(error, t);
    for (const word of words) expect(said).toMatch(word);
    expect(said).not.toMatch(/[{}]/);
    expect(said.length).toBeLessThan(400);
  });

  it.each(unknown)(
    'an unknown outcome after %s says to look it up and not to repeat at once',
    (_, cause, words) => {
      const said = explainUpstream(new OutcomeUnknown(cause), t);
      for (const word of words) expect(said).toMatch(word);
      expect(said).toMatch(/Consulte a situação antes de repetir|Look up the state before trying again/);
      expect(said).not.toMatch(/[Tt]ente de novo|[Tt]ry again/);
      expect(said).not.toMatch(/[{}]/);
    },
  );
});

it('names the server the error is about', () => {
  expect(explainUpstream(refused({ status: 400 }), pt)).toMatch(/^O serviço de documentos /);
  expect(explainUpstream(refused({ status: 400 }, account), pt)).toMatch(/^O serviço da conta /);
  expect(explainUpstream(refused({ status: 400 }, token), pt)).toMatch(/^O servidor de tokens OAuth /);
});
