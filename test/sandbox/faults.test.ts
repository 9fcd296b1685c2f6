import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { until } from '../support/passing-time.ts';
import { type Called, call, contents, operation, period, stringOf, text } from './calls.ts';

const PING = '/API/ConsumoWS/ConectividadeWS';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startNovemberSandbox();
});
afterEach(() => sandbox.close());

/** Longer than any test is let run. */
const anHour = 3_600_000;

async function pingsSeen(): Promise<number> {
  const { text: log } = await call(sandbox, '/__sandbox/requests');
  return JSON.parse(log).filter(({ path }: { path: string }) => path === PING).length;
}

async function fault(value: unknown): Promise<Called> {
  return call(sandbox, '/__sandbox/faults', { method: 'POST', body: JSON.stringify(value) });
}

describe('a fault', () => {
  it('answers with a status, a body and a time to wait, as often as asked', async () => {
    expect(
      (await fault({ match: 'conectividade', times: 2, status: 503, body: 'busy', retryAfter: 7 })).status,
    ).toBe(204);
    for (let i = 0; i < 2; i++) {
      const called = await call(sandbox, PING);
      expect([called.status, called.text, called.headers.get('retry-after')]).toEqual([503, 'busy', '7']);
    }
    expect((await call(sandbox, PING)).status).toBe(200);
  });

  it.each(['dataDe=14%2F03%2F2026', 'datade=14/03/2026', 'RetornaChaves?cnpj=48152036000117&dataDe=14/03'])(
    'is for the one request that %s matches',
    async (match) => {
      await fault({ match, status: 503 });
      const asked = async (day: string) => {
        const query = new URLSearchParams({ ...period(day, day), usuario: 'demo', senha: 'demo' });
        return (await call(sandbox, `/API/Mercadoria/RetornaChaves?${query}`)).status;
      };
      expect([await asked('13/03/2026'), await asked('14/03/2026'), await asked('14/03/2026')]).toEqual([
        200, 503, 200,
      ]);
    },
  );

  it('delays the reply and no other', async () => {
    await fault({ delayMs: 20 });
    expect((await call(sandbox, PING)).status).toBe(200);
    await fault({ delayMs: anHour });
    let isAnswered = false;
    const delayed = call(sandbox, PING).then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    await until(async () => (await pingsSeen()) === 2);
    expect((await call(sandbox, PING)).status).toBe(200);
    expect(isAnswered).toBe(false);
    await sandbox.close();
    await delayed;
    expect(isAnswered).toBe(false);
  });

  it.each(['before-reply', 'in-headers', 'in-body'])('cuts the connection %s', async (cut) => {
    await fault({ cut });
    await expect(call(sandbox, PING)).rejects.toThrow();
    expect((await call(sandbox, PING)).status).toBe(200);
  });

  it('ends the body early', async () => {
    await fault({ truncateBytes: 4 });
    expect((await call(sandbox, PING)).text).toBe('"Con');
  });

  it.each([
    [{ status: 42 }],
    [{ match: '%zz' }],
    [{ match: null }],
    [{ cut: 'somewhere' }],
    [{ times: -1 }],
    [{ delay: 5 }],
    [{ body: 1 }],
    [[]],
    ['status'],
  ])('%j is none', async (wrong) => {
    expect((await fault(wrong)).status).toBe(400);
  });
});

describe('a write that goes wrong', () => {
  let evento: string;
  beforeEach(async () => {
    const parameters = { ...period('12/11/2026', '20/11/2026'), tipo: 'Entrada' };
    const called = await operation(sandbox, 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', parameters);
    const note = contents(stringOf(called)).find((xml) => !xml.includes('procEventoNFe'));
    evento = JSON.stringify({ ChaveNFe: text(note ?? '', 'chNFe'), TipoEvento: '210200', Motivo: '' });
  });

  async function registered(): Promise<boolean> {
    return (
      JSON.parse((await operation(sandbox, 'Mercadoria/PesquisarStatusEvento', { evento })).text).Sucesso ===
      1
    );
  }

  const write = () => operation(sandbox, 'Mercadoria/RealizarManifesto', { evento }, 'POST');

  it('before it is performed changes nothing', async () => {
    await fault({ match: 'RealizarManifesto', cut: 'before-reply' });
    await expect(write()).rejects.toThrow();
    expect(await registered()).toBe(false);
  });

  it.each(['before-reply', 'in-headers'])('after it was performed has happened: cut %s', async (cut) => {
    await fault({ match: 'RealizarManifesto', cut, afterPerforming: true });
    await expect(write()).rejects.toThrow();
    expect(await registered()).toBe(true);
  });
});

describe('the request log', () => {
  it('shows what was asked without credentials', async () => {
    await operation(sandbox, 'Mercadoria/RetornaChaves', period('01/10/2026', '02/10/2026'));
    await call(
      sandbox,
      `/API/ConsumoWS/RetornaNovaUrlSaS?oldUrl=${encodeURIComponent('http://x/blob?a=1&sig=s3cret')}`,
    );
    const { text: log } = await call(sandbox, '/__sandbox/requests');
    expect(log).not.toMatch(/demo|s3cret/);
    expect(JSON.parse(log)).toMatchObject([
      {
        method: 'GET',
        path: '/API/Mercadoria/RetornaChaves',
        query: { usuario: '***', senha: '***', dataDe: '01/10/2026', horaDe: '' },
      },
      { query: { oldUrl: 'http://x/blob?a=1&sig=***' } },
    ]);
  });
});

describe('the server', () => {
  it('closes without waiting for a reply that is delayed, and twice', async () => {
    await fault({ delayMs: anHour });
    const pending = call(sandbox, PING).catch(() => 'broken');
    await until(async () => (await pingsSeen()) === 1);
    await sandbox.close();
    await sandbox.close();
    expect(await pending).toBe('broken');
  });
});
