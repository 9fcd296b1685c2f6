import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { password, startConfigured } from '../support/configured-server.ts';
import { accessKey, documentListReply, downloadReply, keyListReply, nfeXml } from '../support/documents.ts';
import { asJson, expectFailed, expectHarmless, send } from '../support/failed-answers.ts';
import { json, type Responder } from '../support/recording-upstream.ts';
import { saying, serve } from '../support/served.ts';

const key = accessKey({ number: 1 });
const days = { from: '2026-11-01', to: '2026-11-19' } as const;
const notes = { document: 'nfe', ...days } as const;

/** A tool for each kind of reply. */
const calls: readonly (readonly [tool: string, args: object])[] = [
  ['list_document_keys', notes],
  ['list_document_keys', { document: 'nfse', direction: 'inbound', ...days }],
  ['list_documents', notes],
  ['list_nfe_summaries', days],
  ['get_document', { document: 'nfe', key }],
  ['get_document', { document: 'nfe', key, format: 'pdf' }],
  [
    'get_document',
    { document: 'nfse', number: '1', issue_date: '2026-11-05', issuer_cnpj: '58716523000119' },
  ],
  ['get_nfe_event_status', { key, event: 'ciencia' }],
];
/** What has no documented form is understood whatever it is, and given as it came. */
const documented = calls.filter(([tool]) => tool !== 'list_nfe_summaries');

const page = (status: number, title: string) =>
  send(
    status,
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>Server Error</h1><p>secret place</p></body></html>`,
    { 'content-type': 'text/html; charset=utf-8' },
  );
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
const encoded = encodeURIComponent(password);
const refusal =
  '<xml version="1.0"><retChavesNfe versao="1.00"><cStat>402</cStat><xMotivo>Usuário sem permissão</xMotivo></retChavesNfe></xml>';

const service = serve();

/** Expects every call to fail in these words; side by side, so that pauses between retries are waited for once. */
async function expectAllFailed(
  asked: typeof calls,
  says: RegExp,
  by: Pick<typeof service, 'call'> = service,
) {
  for (const result of await Promise.all(asked.map(([tool, args]) => by.call(tool, { ...args })))) {
    expectFailed(result);
    expect(result.text).toMatch(says);
  }
}

describe('a documents service that fails', () => {
  it.each<[what: string, respond: Responder, says: RegExp, asked?: typeof calls]>([
    ['403', page(403, 'Forbidden'), /not allowed/],
    [
      '404 without such an action',
      asJsonText(404, noAction),
      /no such operation .* it is not a document that is missing/,
    ],
    ['500 with a stack', asJsonText(500, exception), /status 500|not available/],
    ['a page with 200', page(200, 'Log in'), /could not be understood \(html/],
    [
      'a redirect to another host',
      send(302, '', elsewhere),
      /elsewhere\.example.*Redirects are not followed/s,
    ],
    [
      'garbage',
      send(200, '\u0001\u0002 ### \u00ff', asJson),
      /could not be understood|incomplete/,
      documented,
    ],
    ['a document of another key', saying(downloadReply(nfeXml({ number: 2 }))), /./, calls.slice(4, 5)],
    ['a refusal in an envelope with 200', saying(refusal), /402.*Usuário sem permissão/, calls.slice(0, 1)],
    ...[
      `Login failed for usuario=fiscal&senha=${password}`,
      `bad request /API?usuario=fiscal&senha=${encoded}`,
      `Hello fiscal, your ${password} is wrong`,
      'Erro <script>alert(1)</script> interno',
    ].map((Message): [string, Responder, RegExp, typeof calls] => [
      `its own words, ${Message}`,
      asJsonText(400, { Message }),
      /./,
      calls.slice(0, 1),
    ]),
    ...[
      `oops: usuario=fiscal&senha=${password}`,
      `oops ${password} oops`,
      `/API/Mercadoria/DownloadXml?usuario=fiscal&senha=${encoded}`,
      `<erro><senha>${password.replace('&', '&amp;')}</senha></erro>`,
    ].map((reply): [string, Responder, RegExp, typeof calls] => [
      `what repeats the password, ${reply}`,
      saying(reply),
      /./,
      documented,
    ]),
  ])(
    'is reported as what it is, without secrets or internals: %s',
    async (_, respond, says, asked = calls) => {
      service.respond(respond);
      await expectAllFailed(asked, says);
      expectHarmless(service.server.stderr());
    },
  );

  it('is quoted as it came only where no format is known', async () => {
    service.respond(send(200, '\u0001\u0002 ### \u00ff', asJson));
    const { data, text } = await service.ask('list_nfe_summaries', days);
    expect(data).toMatchObject({ text: expect.stringContaining('###'), records: [] });
    expect(text).toContain('does not document the format');
  });

  it('says as little of it where a resource is read', async () => {
    service.respond(asJsonText(400, { Message: `senha=${password}` }));
    const reading = service.server.readResource(`dfe://nfe/${accessKey({ number: 9 })}/xml`);
    const message = await reading.then(String, String);
    expect(message).toMatch(/documents service refused/);
    expectHarmless(message);
  });

  it('does not declare a count without its keys for nothing', async () => {
    service.respond(saying(keyListReply([]).replace('<Quantidade>0', '<Quantidade>7')));
    const result = await service.call('list_document_keys', notes);
    if (result.isError) return expectFailed(result);
    expect(result.structured?.warnings).not.toEqual([]);
    expect(result.text).toContain('7');
  });

  const documents = [1, 2, 3].map((number) => nfeXml({ number }));
  const whole = JSON.stringify(documentListReply(documents));
  it('is asked again after a broken connection, and what came before it counts once', async () => {
    service.respond((_, response, count) => {
      if (count > 1) return json(response, documentListReply(documents));
      response.writeHead(200, { ...asJson, 'content-length': String(Buffer.byteLength(whole)) });
      response.write(whole.slice(0, whole.length * 0.7), () => response.destroy());
    });
    expect((await service.ask('list_documents', notes)).data).toMatchObject({ total: 3, shown: 3 });
    expect(service.seen).toHaveLength(2);
  });

  it('fails the whole list where one of two directions fails', async () => {
    service.respond(({ rawQuery }, response) => {
      if (rawQuery.endsWith('Entrada')) json(response, documentListReply([nfeXml({ number: 1 })]));
      else response.writeHead(404).end();
    });
    expectFailed(await service.call('list_documents', { ...notes, by: 'entry' }));
  });

  it('says what of the connection works where only the login fails', async () => {
    service.respond(({ path }, response) => {
      if (path.endsWith('Login')) response.writeHead(401).end();
      else json(response, 'Conectado');
    });
    const { data, text } = await service.ask('check_connection', {});
    expect(data.documents).toMatchObject({ answer: 'Conectado', login_error: expect.anything() });
    expect(data.documents).not.toHaveProperty('login');
    expectHarmless(text);
  });
});

describe('a documents service that does not answer', () => {
  it('is out of reach', async () => {
    const env = { DFE_URL: 'http://127.0.0.1:9' };
    await using away = await startConfigured({ respond: () => undefined, env });
    await expectAllFailed(calls, /out of reach.*ECONNREFUSED.*DFE_URL/s, away as never);
    expectHarmless(away.stderr());
  });

  it('does not show a password that came from a file', async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, 'password');
    writeFileSync(path, `${password}\n`);
    await using program = await startConfigured({
      respond: ({ query }, response) => json(response, { Message: `not ${query[1]?.[1]}` }, 400),
      env: { DFE_PASSWORD: '', DFE_PASSWORD_FILE: path },
    });
    expectFailed(await program.call('list_document_keys', notes));
    expect(program.upstream.seen[0]?.query[1]).toEqual(['senha', password]);
    rmSync(path);
    const result = await program.call('list_document_keys', notes);
    expectFailed(result);
    expect(result.text).toMatch(/DFE_PASSWORD_FILE.*ENOENT/);
    expect(result.text).not.toContain(folder.path);
  });
});
