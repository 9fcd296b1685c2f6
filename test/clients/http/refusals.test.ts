import { describe, expect, it } from 'vitest';
import { clientOf, failure, get, serve, text } from './local-server.ts';

async function refusalOf(
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' },
  status = 400,
): Promise<unknown> {
  const server = await serve((_, response) => response.writeHead(status, headers).end(body));
  const client = clientOf({ secrets: ['hunter22'] });
  const error = await failure(client.call(get(server.origin), text));
  if (!(error instanceof Error && 'refusal' in error)) throw error;
  return error.refusal;
}

describe("a refusal's message", () => {
  it.each([
    [
      'ASP.NET',
      '{"Message":"No HTTP resource was found for \'http://h.test/API/X?usuario=u&senha=p\'.","MessageDetail":"No action."}',
      { message: "No HTTP resource was found for 'http://h.test/API/X'. No action." },
    ],
    [
      'ASP.NET with an exception',
      '{"Message":"An error.","ExceptionMessage":"Chave inválida.","StackTrace":"   at A.B(C) in c:\\\\x.cs:line 1"}',
      { message: 'An error. Chave inválida.' },
    ],
    [
      'the account service',
      '{"error":{"code":"NotFound","message":"Not found.","details":[{"code":"NotFound","number":4,"message":"Not found.","description":"The Setting with ID 9 does not exist."}]}}',
      { code: 'NotFound', message: 'Not found. The Setting with ID 9 does not exist.' },
    ],
    [
      'the same unwrapped',
      '{"code":"Required","message":"No name.","details":[]}',
      { code: 'Required', message: 'No name.' },
    ],
    ['OAuth', '{"error":"invalid","error_description":"No."}', { code: 'invalid', message: 'No.' }],
    ['OAuth without words', '{"error":"invalid_client"}', { code: 'invalid_client' }],
    // Its words speak of secrets.
    [
      'a blob storage',
      '\ufeff<?xml version="1.0"?><Error><Code>Failed</Code><Message>segredo</Message></Error>',
      { code: 'Failed' },
    ],
    ['a JSON string', '"Usuário inválido"', { message: 'Usuário inválido' }],
    ['plain text', 'Usuário inválido\r\n', { message: 'Usuário inválido' }],
    ['a stack trace', 'Falha ao ler\n   em Efisc.Ws.Ler(String x)\n   at B.C()', { message: 'Falha ao ler' }],
    ['secrets', 'senha=abc token=xyz hunter22 Bearer abcdef.ghi', { message: '***' }],
    ['control and direction characters', 'a\u0000b\u202ec\td', { message: 'a bc d' }],
    ['HTML', '<html><body><h1>Server Error</h1></body></html>', {}],
    ['HTML inside JSON', '{"Message":"<b>no</b>"}', {}],
    ['XML', '<?xml version="1.0"?><Error><Message>x</Message></Error>', {}],
    ['broken JSON', '{"Message":"cut', {}],
    ['an array', '[1,2]', {}],
    ['other JSON', '{"foo":{"bar":1}}', {}],
    ['nothing', '', {}],
  ])('of %s', async (_, body, expected) => {
    expect(await refusalOf(body)).toEqual({ status: 400, ...expected });
  });

  it('is at most 300 characters', async () => {
    expect(await refusalOf('x'.repeat(1000))).toEqual({ status: 400, message: `${'x'.repeat(299)}…` });
  });

  it('is read in the charset it is in, also an unknown one', async () => {
    const latin = Buffer.from('não', 'latin1');
    expect(await refusalOf(latin, { 'content-type': 'text/plain; charset=ISO-8859-1' })).toMatchObject({
      message: 'não',
    });
    const utf8 = { 'content-type': 'text/plain; charset=klingon' };
    expect(await refusalOf('não', utf8)).toMatchObject({ message: 'não' });
  });

  it('does not need the whole of a large body', async () => {
    const body = `{"Message":"${'y'.repeat(1_000_000)}"}`;
    expect(await refusalOf(body)).toEqual({ status: 400 });
    expect(await refusalOf('z'.repeat(5_000_000))).toMatchObject({ status: 400 });
  });

  it('is not needed where the body is cut', async () => {
    const server = await serve((_, response) => {
      response.writeHead(404, { 'content-length': '100' });
      response.write('Nada aqui', () => response.destroy());
    });
    const error = await failure(clientOf().call(get(server.origin), text));
    expect(error).toMatchObject({ refusal: { status: 404, message: 'Nada aqui' } });
  });

  it('goes with a redirect that has no readable target', async () => {
    expect(await refusalOf('', { location: 'http://[' }, 302)).toEqual({ status: 302 });
    expect(await refusalOf('', {}, 304)).toEqual({ status: 304 });
  });
});

it('a secret that is sent again stays known, however many others are sent between', async () => {
  const server = await serve((_, response) =>
    response.writeHead(400).end('"the sky is senha-do-fisco blue"'),
  );
  const client = clientOf();
  for (let count = 0; count < 60; count += 1) {
    for (const query of ['senha=senha-do-fisco', `sig=signature-number-${count}`]) {
      const error = await failure(client.call(get(`${server.origin}/?${query}`), text));
      expect(error, `call ${count}`).toMatchObject({ refusal: { message: '***' } });
    }
  }
});
