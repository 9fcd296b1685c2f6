import { expect, it } from 'vitest';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { cents, inside, list, period, text } from './calls.ts';

/** Half up, as tax amounts are rounded; rates in hundredths of a percent. */
const share = (base: number, rate: number) => Math.round((base * rate) / 10_000 + 1e-9);

// Sums, totals, IBS and CBS are what the rules look at: census.test.ts.
it('each item is quantity times price, and its taxes are rate times base', async () => {
  const sandbox = await startNovemberSandbox();
  const days = period('15/07/2026', '15/10/2026', '');
  const notes = await list(sandbox, 'Mercadoria/RetornaListaXml', days);
  await sandbox.close();
  const items = notes.flatMap((note) =>
    [...note.matchAll(/<det nItem="\d+">.*?<\/det>/gs)].map(([item]) => item),
  );
  expect(items.length).toBeGreaterThan(500);
  for (const item of items) {
    const quantity = Number(text(item, 'qCom').replace('.', ''));
    const price = Number(text(item, 'vUnCom').slice(0, -8).replace('.', ''));
    expect(cents(text(item, 'vProd'))).toBe(Math.floor((quantity * price * 2 + 10_000) / 20_000));
    for (const tax of ['ICMS', 'PIS', 'COFINS']) {
      const element = inside(item, tax);
      if (!element.includes(`<v${tax}>`)) continue;
      const rate = Number(text(element, `p${tax}`)) * 100;
      expect(cents(text(element, `v${tax}`))).toBe(share(cents(text(element, 'vBC')), rate));
    }
  }
});
