import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { type ConfiguredServer, password, startConfigured } from '../support/configured-server.ts';
import { accessKey, documentListReply, downloadReply, keyListReply, nfeXml } from '../support/documents.ts';
import { asJson, expectFailed, expectHarmless, send } from '../support/failed-answers.ts';
import { standStill, until } from '../support/passing-time.ts';
import { json, type Responder, startRecordingUpstream } from '../support/recording-upstream.ts';

const key = accessKey({ number: 1 });
const days = { from: '2026-11-01', to: '2026-11-19' } as const;

/** A tool for each kind of reply. */
const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['list_document_keys', { document: 'nfe', ...days }],
  ['list_document_keys', { document: 'nfse', direction: 'inbound', ...days }],
  ['list_documents', { document: 'nfe', ...days }],
  ['list_nfe_summaries', days],
  ['get_document', { document: 'nfe', key }],
  ['get_document', { document: 'nfe', key, format: 'pdf' }],
  [
    'get_document',
    { document: 'nfse', number: '1', issue_date: '2026-11-05', issuer_cnpj: '58716523000119' },
  ],
  ['get_nfe_event_status', { key, event: 'ciencia' }],
];

const html = (title: string) =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>Server Error</h1><p>secret place</p></body></html>`;

const asHtml = { 'content-type': 'text/html; charset=utf-8' };

const asJsonText = (status: number, value: object) => send(status, JSON.stringify(value), asJson);
const noAction = {
  Message: 'No HTTP resource was found that matches the request URI.',
  MessageDetail: "No action was found on the controller 'Mercadoria' that matches the request.",
};
const exception = {
  Message: 'An error has occurred.',
  ExceptionMessage: 'Object reference not set to an instance of an object.',
  ExceptionType: 'System.NullReferenceException',
  StackTrace: '   at Efisc.Controllers.MercadoriaController.Run() in C:\\build\\x.cs:line 12',
};
const elsewhere = { location: 'http://elsewhere.example/login?usuario=fiscal&senha=x' };

/** What the service does, and what the answer must say. */
const failures: readonly (readonly [name: string, Responder, says: RegExp])[] = [
  ['401', asJsonText(401, { Message: 'Authorization has been denied.' }), /DFE_USER and DFE_PASSWORD/],
  ['403', send(403, html('Forbidden'), asHtml), /not allowed/],
  ['404', send(404, ''), /could not find the requested item/],
  [
    '404 without such an action',
    asJsonText(404, noAction),
    /no such operation .* it is not a document that is missing/,
  ],
  [
    '429',
    send(429, '', { 'retry-after': '120' }),
    /too many requests\. Try again in 120 s, from .{0,20}\d\d:\d\d \(.*\) on/,
  ],
  ['500 with a stack', asJsonText(500, exception), /status 500|not available/],
  ['503', send(503, html('Service Unavailable'), asHtml), /not available now \(status 503\)/],
  ['a page with 200', send(200, html('Log in'), asHtml), /not understood \(html/],
  ['a redirect to another host', send(302, '', elsewhere), /elsewhere\.example.*Redirects are not followed/s],
];

const idle: Responder = (_request, response) => {
  response.end();
};

describe('a documents service that fails', () => {
  let program: ConfiguredServer;

  beforeAll(async () => {
    program = await startConfigured({ respond: idle });
  });
  afterAll(() => program.close());
  beforeEach(() => {
    program.upstream.seen.length = 0;
  });

  it.each(failures)('%s', async (_, respond, says) => {
    program.upstream.respond(respond);
    // Side by side, so that the pauses between retries are waited for once.
    const results = await Promise.all(calls.map(([tool, args]) => program.call(tool, args)));
    for (const result of results) {
      expectFailed(result);
      expect(result.text).toMatch(says);
    }
    expectHarmless(program.stderr());
  });

  it('does not understand garbage, and gives it as it came only where no format is known', async () => {
    program.upstream.respond(send(200, '\u0001\u0002 ### \u00ff', asJson));
    for (const [tool, args] of calls) {
      const result = await program.call(tool, args);
      if (tool === 'list_nfe_summaries') {
        expect(result.structured).toMatchObject({ text: expect.stringContaining('###'), records: [] });
        expect(result.text).toContain('no structure was recognised');
      } else {
        expectFailed(result);
        expect(result.text).toMatch(/could not be understood|incomplete/);
      }
    }
  });

  it('tells a refusal in an envelope with 200 as one', async () => {
    const refusal =
      '<xml version="1.0"><retChavesNfe versao="1.00"><cStat>402</cStat><xMotivo>Usuário sem permissão</xMotivo></retChavesNfe></xml>';
    program.upstream.respond((_request, response) => json(response, refusal));
    const result = await program.call('list_document_keys', { document: 'nfe', ...days });
    expectFailed(result);
    expect(result.text).toContain('402');
    expect(result.text).toContain('Usuário sem permissão');
  });

  it.each([
    ['usuario and senha in a message', `Login failed for usuario=fiscal&senha=${password}`],
    ['an encoded password', `bad request /API?usuario=fiscal&senha=${encodeURIComponent(password)}`],
    ['a password that nothing names', `Hello fiscal, your ${password} is wrong`],
    ['markup', 'Erro <script>alert(1)</script> interno'],
  ])('passes the service’s own words on without %s', async (_name, message) => {
    program.upstream.respond((_request, response) => json(response, { Message: message }, 400));
    const result = await program.call('list_document_keys', { document: 'nfe', ...days });
    expectFailed(result);
  });

  it.each([
    ['as text', `oops: usuario=fiscal&senha=${password}`],
    ['as text that nothing names', `oops ${password} oops`],
    [
      'encoded, as a path',
      `/API/Mercadoria/DownloadXml?usuario=fiscal&senha=${encodeURIComponent(password)}`,
    ],
    ['in XML', `<erro><senha>${password.replace('&', '&amp;')}</senha></erro>`],
  ])('does not show the password that a reply which is not understood repeats %s', async (_name, reply) => {
    program.upstream.respond((_request, response) => json(response, reply));
    // What has no documented form is understood whatever it is, and given as it came.
    const documented = calls.filter(([tool]) => tool !== 'list_nfe_summaries');
    for (const [tool, args] of documented) expectFailed(await program.call(tool, args));
  });

  it('says as little of it where a resource is read', async () => {
    program.upstream.respond((_request, response) => json(response, { Message: `senha=${password}` }, 400));
    const uri = `dfe://nfe/${accessKey({ number: 9 })}/xml`;
    const message = await program.readResource(uri).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(message).toMatch(/documents service refused/);
    expectHarmless(message);
  });

  it('does not take a document of another key for the one asked for', async () => {
    program.upstream.respond((_request, response) => json(response, downloadReply(nfeXml({ number: 2 }))));
    expectFailed(await program.call('get_document', { document: 'nfe', key }));
  });

  it('does not take a declared count without its keys for an empty list', async () => {
    const reply = keyListReply([]).replace('<Quantidade>0', '<Quantidade>7');
    program.upstream.respond((_request, response) => json(response, reply));
    const result = await program.call('list_document_keys', { document: 'nfe', ...days });
    if (result.isError) return expectFailed(result);
    expect(result.structured?.warnings).not.toEqual([]);
    expect(result.text).toContain('7');
  });

  it('asks a reading operation again, and answers with what came then', async () => {
    program.upstream.respond((_request, response, count) => {
      if (count === 1) response.writeHead(503).end();
      else json(response, keyListReply([key]));
    });
    const result = await program.call('list_document_keys', { document: 'nfe', ...days });
    expect(result.structured).toMatchObject({ keys: [key] });
    expect(program.upstream.seen).toHaveLength(2);
  });

  it('asks again after a broken connection, and counts what came before it once', async () => {
    const documents = [1, 2, 3].map((number) => nfeXml({ number }));
    const whole = JSON.stringify(documentListReply(documents));
    program.upstream.respond((_request, response, count) => {
      response.writeHead(200, { ...asJson, 'content-length': String(Buffer.byteLength(whole)) });
      if (count > 1) response.end(whole);
      else response.write(whole.slice(0, whole.length * 0.7), () => response.destroy());
    });
    const result = await program.call('list_documents', { document: 'nfe', ...days });
    expect(result.structured, result.text).toMatchObject({ total: 3, shown: 3 });
    expect(program.upstream.seen).toHaveLength(2);
  });

  it('fails the whole list where one of two directions fails', async () => {
    program.upstream.respond(({ rawQuery }, response) => {
      if (rawQuery.endsWith('Entrada')) json(response, documentListReply([nfeXml({ number: 1 })]));
      else response.writeHead(404).end();
    });
    expectFailed(await program.call('list_documents', { document: 'nfe', by: 'entry', ...days }));
  });

  it('says what of the connection works where only the login fails', async () => {
    program.upstream.respond(({ path }, response) => {
      if (path.endsWith('Login')) response.writeHead(401).end();
      else json(response, 'Conectado');
    });
    const result = await program.call('check_connection');
    expect(result.isError).toBe(false);
    expect(result.structured).toMatchObject({ documents: { answer: 'Conectado' } });
    expect(result.structured?.documents).toHaveProperty('login_error');
    expect(result.structured?.documents).not.toHaveProperty('login');
    expectHarmless(result.text);
  });

  it('wrote nothing of it on standard error', () => {
    expectHarmless(program.stderr());
  });
});

describe('a redirect', () => {
  it('is not followed, so that the password stays', async () => {
    await using elsewhere = await startRecordingUpstream((_request, response) =>
      json(response, keyListReply([key])),
    );
    await using program = await startConfigured({ respond: idle });
    for (const status of [301, 302, 307, 308]) {
      program.upstream.respond(({ path, rawQuery }, response) => {
        response.writeHead(status, { location: `${elsewhere.url}${path}?${rawQuery}` }).end();
      });
      expectFailed(await program.call('list_document_keys', { document: 'nfe', ...days }));
    }
    expect(elsewhere.seen).toEqual([]);
  });
});

describe('a documents service that does not answer', () => {
  it('is out of reach', async () => {
    await using program = await startConfigured({ respond: idle, env: { DFE_URL: 'http://127.0.0.1:9' } });
    const results = await Promise.all(calls.map(([tool, args]) => program.call(tool, args)));
    for (const result of results) {
      expectFailed(result);
      expect(result.text).toMatch(/out of reach.*ECONNREFUSED.*DFE_URL/s);
    }
    expectHarmless(program.stderr());
  });

  it('is out of time, before the head of a reply and within its body', async () => {
    let begun = 0;
    await using server = await startConfigured({
      respond: ({ path }, response) => {
        if (!path.includes('RetornaLista')) begun += 1;
        else {
          const beginning = '"<?xml version=\\"1.0\\"?><retListaXml><cStat>100</cStat>';
          response.writeHead(200, asJson).write(beginning, () => {
            begun += 1;
          });
        }
      },
      env: { DFE_TIMEOUT: '30' },
    });
    using time = standStill();
    const asked = Promise.all([
      server.call('list_document_keys', { document: 'nfe', ...days }),
      server.call('list_documents', { document: 'nfe', ...days }),
    ]);
    await until(() => begun === 2);
    await time.pass(30_000);
    for (const result of await asked) {
      expectFailed(result);
      expect(result.text).toMatch(/no complete reply within 30 s.*DFE_TIMEOUT/);
    }
    expect(server.upstream.seen).toHaveLength(2);
    expectHarmless(server.stderr());
  });

  it('does not show a password that came from a file', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'password');
    writeFileSync(path, `${password}\n`);
    await using program = await startConfigured({
      respond: ({ query }, response) => json(response, { Message: `not ${query[1]?.[1]}` }, 400),
      env: { DFE_PASSWORD: '', DFE_PASSWORD_FILE: path },
    });
    expectFailed(await program.call('list_document_keys', { document: 'nfe', ...days }));
    expect(program.upstream.seen[0]?.query[1]).toEqual(['senha', password]);
    rmSync(path);
    const result = await program.call('list_document_keys', { document: 'nfe', ...days });
    expectFailed(result);
    expect(result.text).toMatch(/DFE_PASSWORD_FILE.*ENOENT/);
    expect(result.text).not.toContain(folder.path);
  });
});
