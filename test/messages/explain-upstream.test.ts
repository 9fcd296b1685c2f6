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

/** Errors with regular expressions that their explanations match. */
const cases: [error: UpstreamError, words: string][] = [
  [new Unreachable(documents, 'h.test:80', 'ECONNREFUSED'), 'h.test:80; ECONNREFUSED; DFE_URL'],
  [new Unreachable(account, 'h.test:443', 'ENOTFOUND'), 'h.test:443; DFE_ACCOUNT_URL'],
  [unreachable('SELF_SIGNED_CERT_IN_CHAIN'), 'NODE_EXTRA_CA_CERTS'],
  [unreachable('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'NODE_EXTRA_CA_CERTS'],
  [unreachable('CERT_HAS_EXPIRED'), 'DFE_ACCOUNT_URL; vencido|expired'],
  [new Unreachable(token, 'h:443', 'ERR_TLS_CERT_ALTNAME_INVALID'), 'DFE_ACCOUNT_OAUTH_TOKEN_URL'],
  [unreachable('PROXY_403'), 'PROXY_403; HTTPS_PROXY; NO_PROXY'],
  [unreachable('PROXY_407'), 'HTTPS_PROXY; senha|password'],
  [refused({ status: 407 }), 'HTTP_PROXY; senha|password'],
  [new TimedOut(documents, 60), '60 s; DFE_TIMEOUT'],
  [new TimedOut(documents, 20, 'own'), '20 s; DFE_TIMEOUT (não muda|does not change)'],
  [new Unsendable(documents, 'credentials'), 'DFE_PASSWORD_FILE'],
  [new Unsendable(account, 'header'), 'DFE_ACCOUNT_; cabeçalho|header'],
  [refused({ status: 429, retryAfter: 86_400 }), '24 (horas|hours)'],
  [refused({ status: 503, retryAfter: 31_536_000 }), '365 (dias|days)'],
  [refused({ status: 503, retryAfter: 61 }), '61 s'],
  [refused({ status: 503, retryAfter: 0 }), 'já se pode|tried again now'],
  [refused({ status: 429, retryAfter: 0 }), 'já se pode|tried again now'],
  [strange('broken content encoding', empty), 'não pôde descomprimir|could not decompress'],
  [strange('unknown content encoding', empty), 'não pôde descomprimir|could not decompress'],
  [
    new OutcomeUnknown(strange('broken content encoding', empty)),
    'não se sabe|not known; compressão danificada|compression of the reply is damaged',
  ],
  [refused({ status: 400 }), 'status 400'],
  [refused({ status: 400, code: 'X1', message: 'Reserved.' }, account), 'status 400; X1; "Reserved."'],
  [refused({ code: '656', message: 'Consumo indevido' }), '656; Consumo indevido'],
  [refused({ message: 'Sem acesso' }), 'sem código|no code; "Sem acesso"'],
  [refused({ status: 401 }), 'DFE_USER; DFE_PASSWORD'],
  [refused({ status: 401, message: 'no' }, account), 'DFE_ACCOUNT_'],
  [refused({ status: 401, code: 'invalid_client' }, token), 'invalid_client; _OAUTH_CLIENT_SECRET'],
  [refused({ status: 400, code: 'invalid_scope', message: 'x' }, token), 'invalid_scope; _OAUTH_SCOPE'],
  [refused({ status: 403 }, account), 'status 403; permissão|not allowed'],
  [refused({ status: 404 }, account), 'status 404; DFE_ACCOUNT_URL'],
  [
    refused({ status: 404, message: "No action was found on the controller 'X'" }),
    'não é um documento que falta|not a document that is missing; DFE_URL',
  ],
  [refused({ status: 302, redirectHost: 'login.test:443' }), 'login.test:443; DFE_URL'],
  [refused({ status: 302 }), 'status 302'],
  [refused({ status: 429, retryAfter: 90 }), '90 s'],
  [refused({ status: 429, retryAfter: 90, retryAt: '2026-11-20T22:21:31.000Z' }), '90 s; 19[h:]22; Bras'],
  [
    refused({ status: 503, retryAfter: 7200, retryAt: '2026-11-21T02:00:00.000Z' }),
    '120 minut; 20/11/2026 às 23h00|Nov 20, 2026, 23:00; Bras[ií]lia',
  ],
  [held('failing', '2026-11-20T22:00:30.000Z'), '30 s; 19[h:]01; Bras; Nada foi|Nothing was sent'],
  [held('asked_to_wait', '2026-11-20T22:01:00.200Z'), '61 s; 19[h:]02; Bras[ií]lia'],
  [held('undue_consumption', '2026-11-20T23:00:00.000Z'), '656; 60 minut; 20[h:]00; Bras[ií]lia'],
  [refused({ status: 429 }), 'alguns minutos|few minutes'],
  [refused({ status: 503 }), 'status 503; alguns minutos|few minutes'],
  [refused({ status: 503, retryAfter: 120 }), 'status 503; 120 s'],
  [refused({ status: 500 }), 'status 500; alguns minutos|few minutes'],
  [refused({ status: 500, message: 'Chave inválida' }), 'status 500; Chave inválida'],
  [strange('unknown form'), 'xml <retFoo>; 99 bytes; "<retFoo>"; DFE_URL'],
  [new NotUnderstood(account, 'x', { kind: 'html', bytes: 5, start: '' }), 'html; 5 bytes; DFE_ACCOUNT_URL'],
  [strange('another document than the one asked for', empty), 'outro|another document; ^(?!.*0 bytes)'],
  [
    new NotUnderstood(documents, 'document 1: no known layout', sketch, 'MDF-e'),
    'MDF-e; modelo que não é lido|model that is not read',
  ],
  [strange('truncated'), '99 bytes; incompleta|incomplete'],
  [strange('too large'), '99 bytes; período menor|shorter period'],
  [new Cancelled(documents), 'cancelada|cancelled'],
];

const unknown: [cause: UpstreamError, words: string][] = [
  [unreachable('ECONNRESET'), 'conexão caiu|connection broke'],
  [new TimedOut(account, 60), '60 s'],
  [refused({ status: 502 }, account), 'status 502'],
  [new NotUnderstood(account, 'x', sketch), '99 bytes'],
  [new Cancelled(account), 'cancelada|cancelled'],
];

describe.each([pt, en])('in $language', (t) => {
  it.each(cases)('%s: %s', (error, words) => {
    const said = explainUpstream(error, t);
    for (const word of words.split('; ')) expect(said).toMatch(new RegExp(word));
    expect(said).not.toMatch(/[{}]/);
    expect(said.length).toBeLessThan(400);
  });

  it.each(unknown)('an unknown outcome after %s says %s, and to look it up first', (cause, words) => {
    const said = explainUpstream(new OutcomeUnknown(cause), t);
    for (const word of words.split('; ')) expect(said).toMatch(new RegExp(word));
    expect(said).toMatch(/Consulte a situação antes de repetir|Look up the state before trying again/);
    expect(said).not.toMatch(/[Tt]ente de novo|[Tt]ry again/);
    expect(said).not.toMatch(/[{}]/);
  });
});

it('names the server the error is about', () => {
  expect(explainUpstream(refused({ status: 400 }), pt)).toMatch(/^O serviço de documentos /);
  expect(explainUpstream(refused({ status: 400 }, account), pt)).toMatch(/^O serviço da conta /);
  expect(explainUpstream(refused({ status: 400 }, token), pt)).toMatch(/^O servidor de tokens OAuth /);
});
