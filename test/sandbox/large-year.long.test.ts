import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { LARGE_CNPJ, operation, period, stringOf, text, texts } from './calls.ts';

const YEAR = period('01/01/2026', '31/12/2026', LARGE_CNPJ);

let sandbox: Sandbox;
/** The keys of its NF-e. */
let goodsOfYear: string;
beforeAll(async () => {
  sandbox = await startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') });
  goodsOfYear = await ask(sandbox, 'Mercadoria/RetornaChaves');
});
afterAll(() => sandbox.close());

async function ask(asked: Sandbox, name: string, more: Readonly<Record<string, string>> = {}) {
  return stringOf(await operation(asked, name, { ...YEAR, ...more }));
}

/** How many of these months' keys there are, by month. */
function byMonth(reply: string): Record<string, number> {
  const keys = texts(reply, 'ChaveNFe');
  expect(new Set(keys).size).toBe(keys.length);
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key.slice(2, 6)] = (counts[key.slice(2, 6)] ?? 0) + 1;
  return counts;
}

it('the large company has about 100,000 documents in the year', async () => {
  const listings = [
    ['Servico/RetornaChavesPelaEmissao', 'Recebidas'],
    ['Servico/RetornaChavesPelaEmissao', 'Emitidas'],
    ['Transporte/RetornaChavesPorTipo', 'Entrada'],
    ['Transporte/RetornaChavesPorTipo', 'Saída'],
  ] as const;
  const counts = [Number(text(goodsOfYear, 'Quantidade'))];
  for (const [name, tipo] of listings)
    counts.push(Number(text(await ask(sandbox, name, { tipo }), 'Quantidade')));
  const [goods = 0, received = 0, served = 0, carriedIn = 0, carriedOut = 0] = counts;
  expect(goods).toBeGreaterThan(68_000);
  expect(received + served).toBeGreaterThan(14_000);
  expect(carriedIn + carriedOut).toBeGreaterThan(14_000);
  const all = counts.reduce((sum, count) => sum + count);
  expect(Math.abs(all - 100_000)).toBeLessThan(1_500);
});

it('the service lists nothing that had not entered by its clock', async () => {
  const earlier = await startSandbox({ large: true, now: () => new Date('2026-03-10T12:00:00-03:00') });
  const then = byMonth(await ask(earlier, 'Mercadoria/RetornaChaves'));
  const whole = byMonth(goodsOfYear);
  await earlier.close();
  expect(Object.keys(then).toSorted()).toEqual(['2601', '2602', '2603']);
  for (const month of ['2601', '2602']) expect(then[month]).toBe(whole[month]);
  expect(then['2603']).toBeLessThan(whole['2603'] ?? 0);
});
