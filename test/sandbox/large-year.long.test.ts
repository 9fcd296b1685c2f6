import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { LARGE_CNPJ, operation, period, stringOf, texts } from './calls.ts';

const LARGE_ID = 1005;
const YEAR = period('01/01/2026', '31/12/2026', LARGE_CNPJ);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') });
});
afterAll(() => sandbox.close());

async function answer(name: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  return stringOf(await operation(sandbox, name, parameters));
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Counts of `YYMM` or `YYYY-MM` texts by month. */
function byMonth(months: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of months) {
    const month = text.length === 4 ? `20${text.slice(0, 2)}-${text.slice(2)}` : text;
    counts[month] = (counts[month] ?? 0) + 1;
  }
  return counts;
}

describe('the year of the large company', () => {
  it('has about 100,000 documents in the year', () => {
    const { nfe, nfse, cte } = sandbox.census(LARGE_ID);
    const goods = sum(nfe.inbound) + sum(nfe.outbound);
    const services = sum(nfse.inbound) + sum(nfse.outbound);
    const transports = sum(cte.inbound) + sum(cte.outbound);
    expect(goods).toBeGreaterThan(68_000);
    expect(services).toBeGreaterThan(14_000);
    expect(transports).toBeGreaterThan(14_000);
    expect(Math.abs(goods + services + transports - 100_000)).toBeLessThan(1_500);
  });
});

describe('its census', () => {
  it('is what the key lists of NF-e hold, month by month', async () => {
    const keys = texts(await answer('Mercadoria/RetornaChaves', YEAR), 'ChaveNFe');
    const { inbound, outbound } = sandbox.census(LARGE_ID).nfe;
    expect(new Set(keys).size).toBe(keys.length);
    const issued = keys.filter((key) => key.slice(6, 20) === LARGE_CNPJ);
    const received = keys.filter((key) => key.slice(6, 20) !== LARGE_CNPJ);
    expect(byMonth(issued.map((key) => key.slice(2, 6)))).toEqual(outbound);
    expect(byMonth(received.map((key) => key.slice(2, 6)))).toEqual(inbound);
  });

  it('counts nothing that had not entered by the clock', async () => {
    const earlier = await startSandbox({ large: true, now: () => new Date('2026-03-10T12:00:00-03:00') });
    try {
      const { nfe } = earlier.census(LARGE_ID);
      const whole = sandbox.census(LARGE_ID).nfe;
      for (const month of ['2026-01', '2026-02']) expect(nfe.inbound[month]).toBe(whole.inbound[month]);
      expect(nfe.inbound['2026-03']).toBeLessThan(whole.inbound['2026-03'] ?? 0);
      expect(Object.keys(nfe.inbound).toSorted().at(-1)).toBe('2026-03');
      const march = period('01/03/2026', '31/03/2026', LARGE_CNPJ);
      const listed = stringOf(await operation(earlier, 'Mercadoria/RetornaChaves', march));
      expect(texts(listed, 'Quantidade')).toEqual([
        String((nfe.inbound['2026-03'] ?? 0) + (nfe.outbound['2026-03'] ?? 0)),
      ]);
    } finally {
      await earlier.close();
    }
  });
});
