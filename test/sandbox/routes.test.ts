import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/sandbox/documents-service/routes.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { documentOperations } from '../contract/operations.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { call, period, stringOf } from './calls.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startNovemberSandbox();
});
afterAll(() => sandbox.close());

it('the route table is the contract', () => {
  const described = documentOperations.map(({ path, ...one }) => ({
    ...one,
    operation: path.replace('/API/', ''),
  }));
  expect(routes.map(({ answer: _answer, ...route }) => route)).toEqual(described);
});

/** One value for each parameter that the operation understands. */
const values: Readonly<Record<string, string>> = {
  usuario: 'demo',
  senha: 'demo',
  ...period('01/10/2026', '02/10/2026'),
  tipo: 'Entrada',
  pagina: '1',
  companhia: '1001',
  estabelecimento: '1',
  chaveNfe: '35210258716523000119550000000573661346317847',
  chaveCTe: '35260812ABC34501DE35570020000045671876543212',
  capa: '',
  numeroDocumento: '1',
  dataEmissaoDocumento: '01/10/2026',
  cnpjEmissorDocumento: '11222333000181',
  evento: '{"ChaveNFe":"35210258716523000119550000000573661346317847","TipoEvento":"210210","Motivo":""}',
  eventos: '[{"ChaveNFe":"35210258716523000119550000000573661346317847","TipoEvento":"210210","Motivo":""}]',
};

/** The path of an operation with the parameters named. */
function pathOf(name: string, parameters: readonly string[]): string {
  const given: Readonly<Record<string, string>> = {
    ...values,
    tipo: name.includes('Integracao') ? '0' : 'Entrada',
    oldUrl: `${sandbox.url}/blob/nfe/x.pdf?sig=old`,
  };
  const query = new URLSearchParams(Object.fromEntries(parameters.map((each) => [each, given[each] ?? ''])));
  return `/API/${name}?${query}`;
}

describe.each(routes.map((route) => ({ ...route })))('$operation', (route) => {
  const names = Object.keys(route.parameters);
  const path = (left: readonly string[]) => pathOf(route.operation, left);

  it('answers when every parameter is there', async () => {
    const { status } = await call(sandbox, path(names), { method: route.method });
    expect(status).toBe(200);
  });

  it.each(names)('is not found without %s', async (missing) => {
    const { status, text } = await call(sandbox, path(names.filter((name) => name !== missing)), {
      method: route.method,
    });
    expect(status).toBe(404);
    const [controller] = route.operation.split('/');
    expect(JSON.parse(text)).toEqual({
      Message: `No HTTP resource was found that matches the request URI '${sandbox.url}/API/${route.operation}'.`,
      MessageDetail: `No action was found on the controller '${controller}' that matches the request.`,
    });
  });
});

const closed = routes.filter(
  ({ parameters, operation: name }) => 'senha' in parameters && !name.endsWith('Login'),
);

it.each(closed.map((route) => ({ ...route })))('$operation refuses a wrong password', async (route) => {
  const path = pathOf(route.operation, Object.keys(route.parameters));
  const { status, text } = await call(sandbox, path.replace('senha=demo', 'senha=wrong'), {
    method: route.method,
  });
  expect(status).toBe(401);
  expect(JSON.parse(text)).toEqual({ Message: 'Authorization has been denied for this request.' });
});

describe('the documents service', () => {
  it('says on login whether user and password are right', async () => {
    const right = await call(sandbox, '/API/ConsumoWS/Login?usuario=demo&senha=demo');
    const wrong = await call(sandbox, '/API/ConsumoWS/Login?usuario=demo&senha=no');
    expect([right.status, right.text, wrong.status, wrong.text]).toEqual([200, '1', 200, '0']);
  });

  it('takes a path and query of 2,048 characters and not one more', async () => {
    const start = '/API/ConsumoWS/ConectividadeWS?a=';
    const longest = start + 'x'.repeat(2_048 - start.length);
    const fits = await call(sandbox, longest);
    expect([fits.status, stringOf(fits)]).toEqual([200, 'Conectado']);
    const tooLong = await call(sandbox, `${longest}x`);
    expect(tooLong.status).toBe(404);
    expect(tooLong.headers.get('content-type')).toContain('text/html');
    expect(tooLong.text).toContain('404.15');
  });
});
