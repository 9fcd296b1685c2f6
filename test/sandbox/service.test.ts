import { describe, expect, it } from 'vitest';
import { routes } from '../../src/sandbox/documents-service/routes.ts';
import { documentOperations } from '../contract/operations.ts';
import { duringTests } from '../support/during-tests.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { until } from '../support/passing-time.ts';
import { call, contents, operation, period, stringOf, text } from './calls.ts';

const sandbox = duringTests(startNovemberSandbox);

it('the route table is the contract', () => {
  const described = documentOperations.map(({ path, ...one }) => ({
    ...one,
    operation: path.replace('/API/', ''),
  }));
  expect(routes.map(({ answer: _answer, ...route }) => route)).toEqual(described);
});

const KEY = '35210258716523000119550000000573661346317847';
const event = { ChaveNFe: KEY, TipoEvento: '210210', Motivo: '' };
/** One value for each parameter that the operations understand. */
const values: Readonly<Record<string, string>> = {
  ...{ usuario: 'demo', senha: 'demo', ...period('01/10/2026', '02/10/2026'), tipo: 'Entrada', capa: '' },
  ...{ pagina: '1', companhia: '1001', estabelecimento: '1', chaveNfe: KEY, chaveCTe: KEY },
  ...{ numeroDocumento: '1', dataEmissaoDocumento: '01/10/2026', cnpjEmissorDocumento: '11222333000181' },
  ...{
    evento: JSON.stringify(event),
    eventos: JSON.stringify([event]),
    oldUrl: 'http://x/nfe/x.pdf?sig=old',
  },
};

it.each([...routes])(
  '$operation needs all its parameters and the password',
  async ({ operation, method, parameters }) => {
    const names = Object.keys(parameters);
    const given = { ...values, ...(operation.includes('Integracao') && { tipo: '0' }) };
    const ask = (less?: string, changed = {}) => {
      const all: Record<string, string> = { ...given, ...changed };
      const query = names.filter((name) => name !== less).map((name) => [name, all[name] ?? '']);
      return call(sandbox, `/API/${operation}?${new URLSearchParams(Object.fromEntries(query))}`, { method });
    };
    expect((await ask()).status).toBe(200);
    const [controller] = operation.split('/');
    for (const missing of names) {
      const { status, text } = await ask(missing);
      expect([status, JSON.parse(text)]).toEqual([
        404,
        {
          Message: `No HTTP resource was found that matches the request URI '${sandbox.url}/API/${operation}'.`,
          MessageDetail: `No action was found on the controller '${controller}' that matches the request.`,
        },
      ]);
    }
    if (!names.includes('senha')) return;
    const wrong = await ask(undefined, { senha: 'wrong' });
    const denied = [401, '{"Message":"Authorization has been denied for this request."}'];
    expect([wrong.status, wrong.text]).toEqual(operation.endsWith('Login') ? [200, '0'] : denied);
  },
);

it('takes a path and query of 2,048 characters and not one more', async () => {
  const start = '/API/ConsumoWS/ConectividadeWS?a=';
  const longest = start + 'x'.repeat(2_048 - start.length);
  expect(stringOf(await call(sandbox, longest))).toBe('Conectado');
  const { status, headers, text } = await call(sandbox, `${longest}x`);
  expect([status, headers.get('content-type')]).toEqual([404, 'text/html']);
  expect(text).toContain('404.15');
});

const PING = '/API/ConsumoWS/ConectividadeWS';
const fault = (value: unknown) =>
  call(sandbox, '/__sandbox/faults', { method: 'POST', body: JSON.stringify(value) });
const log = async (): Promise<{ path: string }[]> =>
  JSON.parse((await call(sandbox, '/__sandbox/requests')).text);

describe('a fault', () => {
  it('answers with a status and a body, as often as asked', async () => {
    await fault({ match: 'conectividade', times: 2, status: 503, body: 'busy' });
    for (let i = 0; i < 2; i++) {
      const called = await call(sandbox, PING);
      expect([called.status, called.text]).toEqual([503, 'busy']);
    }
    expect((await call(sandbox, PING)).status).toBe(200);
  });

  it('is for the one request that it matches', async () => {
    await fault({
      match: 'RetornaChaves?usuario=***&senha=***&cnpj=48152036000117&dataDe=14/03',
      status: 503,
    });
    const statuses = [];
    for (const day of ['13/03/2026', '14/03/2026', '14/03/2026'])
      statuses.push((await operation(sandbox, 'Mercadoria/RetornaChaves', period(day, day))).status);
    expect(statuses).toEqual([200, 503, 200]);
  });

  const wrongs = [
    { status: 42 },
    { match: null },
    { cut: 'somewhere' },
    { times: -1 },
    { delay: 5 },
    { body: 1 },
  ];
  it.each([...wrongs, [], 'status'].map((wrong) => ({ wrong })))('$wrong is none', async ({ wrong }) => {
    expect((await fault(wrong)).status).toBe(400);
  });

  it('cuts the connection after the operation was performed, and performs none where it gives a status', async () => {
    const received = { ...period('12/11/2026', '20/11/2026'), tipo: 'Entrada' };
    const list = await operation(sandbox, 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', received);
    const note = contents(stringOf(list)).find((xml) => !xml.includes('procEventoNFe')) ?? '';
    const evento = JSON.stringify({ ChaveNFe: text(note, 'chNFe'), TipoEvento: '210200', Motivo: '' });
    for (const [wrong, performed] of [
      [{ status: 500 }, 0],
      [{ cut: true }, 1],
    ] as const) {
      await fault({ match: 'RealizarManifesto', ...wrong });
      const write = operation(sandbox, 'Mercadoria/RealizarManifesto', { evento }, 'POST');
      if (performed) await expect(write).rejects.toThrow();
      else expect((await write).status).toBe(500);
      const { text } = await operation(sandbox, 'Mercadoria/PesquisarStatusEvento', { evento });
      expect(JSON.parse(text).Sucesso).toBe(performed);
    }
  });

  it('delays a reply and no other, and keeps nobody from closing the sandbox', async () => {
    const own = await startNovemberSandbox();
    const seen = async () => JSON.parse((await call(own, '/__sandbox/requests')).text).length;
    await call(own, '/__sandbox/faults', { method: 'POST', body: '{"delayMs":3600000}' });
    const delayed = call(own, PING).catch(() => 'broken');
    await until(async () => (await seen()) === 1);
    expect((await call(own, PING)).status).toBe(200);
    await own.close();
    await own.close();
    expect(await delayed).toBe('broken');
  });
});

it('the request log shows requests without credentials', async () => {
  await operation(sandbox, 'Mercadoria/RetornaChaves', period('01/10/2026', '02/10/2026'));
  const oldUrl = encodeURIComponent('http://x/blob?a=1&sig=s3cret');
  await call(sandbox, `/API/ConsumoWS/RetornaNovaUrlSaS?oldUrl=${oldUrl}`);
  const query = { usuario: '***', senha: '***', dataDe: '01/10/2026', horaDe: '' };
  expect((await log()).slice(-2)).toMatchObject([
    { method: 'GET', path: '/API/Mercadoria/RetornaChaves', query },
    { query: { oldUrl: 'http://x/blob?a=1&sig=***' } },
  ]);
});
