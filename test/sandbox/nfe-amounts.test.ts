import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { cents, inside, list, period, sumOfCents, text } from './calls.ts';

let sandbox: Sandbox;
const months: Record<'july' | 'october', string[]> = { july: [], october: [] };

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  const name = 'Mercadoria/RetornaListaXml';
  months.july = await list(sandbox, name, period('01/07/2026', '31/07/2026', ''));
  months.october = await list(sandbox, name, period('01/10/2026', '31/10/2026', ''));
});
afterAll(() => sandbox.close());

/** The items of a note, each as the XML of its `det`. */
function itemsOf(note: string): string[] {
  return [...note.matchAll(/<det nItem="\d+">.*?<\/det>/gs)].map(([item]) => item);
}

function total(note: string, name: string): number {
  return cents(text(inside(note, 'ICMSTot'), name));
}

/** Half up, as tax amounts are rounded; rates in hundredths of a percent. */
function share(base: number, rate: number): number {
  return Math.round((base * rate) / 10_000 + 1e-9);
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

function amountOrZero(xml: string, name: string): number {
  return sumOfCents(xml, name);
}

describe.each(['july', 'october'] as const)('the NF-e of %s', (month) => {
  const summed = [
    'vProd',
    'vICMS',
    'vICMSDeson',
    'vICMSMono',
    'vICMSMonoReten',
    'vICMSMonoRet',
    'vII',
    'vIPI',
  ];
  it.each([...summed, 'vPIS', 'vCOFINS', 'vDesc', 'vFrete', 'vOutro', 'vBCST'])(
    '%s is the sum of the items',
    (name) => {
      for (const note of months[month]) {
        const items = itemsOf(note).map((item) => amountOrZero(item, name));
        const inTotals = amountOrZero(inside(note, 'ICMSTot'), name);
        expect(inTotals).toBe(sum(items));
      }
    },
  );

  it('vST is the sum of vICMSST, vBC that of the ICMS bases', () => {
    for (const note of months[month]) {
      const items = itemsOf(note);
      expect(total(note, 'vST')).toBe(items.reduce((sum, item) => sum + amountOrZero(item, 'vICMSST'), 0));
      const bases = items.map((item) => amountOrZero(inside(item, 'ICMS'), 'vBC'));
      expect(total(note, 'vBC')).toBe(bases.reduce((sum, base) => sum + base, 0));
    }
  });

  it('vNF is what rule W16-10 makes of its parts', () => {
    for (const note of months[month]) {
      const totals = inside(note, 'ICMSTot');
      const added = ['vProd', 'vST', 'vFCPST', 'vICMSMonoReten', 'vFrete', 'vSeg', 'vOutro', 'vII', 'vIPI'];
      const parts = added.map((name) => amountOrZero(totals, name));
      const relieved = itemsOf(note).filter((item) => item.includes('<indDeduzDeson>1<'));
      const taken = relieved.map((item) => amountOrZero(item, 'vICMSDeson'));
      const off = [total(note, 'vDesc'), ...taken];
      expect(total(note, 'vNF')).toBe(sum(parts) - sum(off));
    }
  });

  it('each item is quantity times price, and its taxes are rate times base', () => {
    for (const item of months[month].flatMap(itemsOf)) {
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
});

describe('IBS and CBS', () => {
  it('are not there in July', () => {
    for (const note of months.july) expect(note).not.toContain('IBSCBS');
  });

  it('are 0.1 % and 0.9 % of each base, less a reduction, and add up', () => {
    const isStated = (note: string) => text(note, 'CRT') === '3' && !note.includes('<comb>');
    const notes = months.october.filter(isStated);
    for (const note of notes) {
      const items = itemsOf(note).map((item) => inside(item, 'IBSCBS'));
      for (const item of items) {
        expect(text(item, 'cClassTrib').slice(0, 3)).toBe(text(item, 'CST'));
        const base = cents(text(item, 'vBC'));
        const reduction = item.includes('<gRed>') ? Number(text(item, 'pRedAliq')) : 0;
        const left = 1 - reduction / 100;
        // Goods to the Zona Franca have rates of zero, and the regular tax beside them.
        const [state, cbs] = item.includes('<gTribRegular>') ? [0, 0] : [10, 90];
        expect(text(item, 'pIBSUF')).toBe(state === 0 ? '0.0000' : '0.1000');
        expect(cents(text(item, 'vIBSUF'))).toBe(share(base, state * left));
        expect(cents(text(item, 'vCBS'))).toBe(share(base, cbs * left));
        expect(text(item, 'vIBSMun')).toBe('0.00');
        expect(text(item, 'vIBS')).toBe(text(item, 'vIBSUF'));
      }
      const totals = inside(note, 'IBSCBSTot');
      const all = items.join('');
      expect(cents(text(totals, 'vBCIBSCBS'))).toBe(sumOfCents(all, 'vBC'));
      expect(cents(text(totals, 'vIBS'))).toBe(sumOfCents(all, 'vIBS'));
      expect(cents(text(totals, 'vCBS'))).toBe(sumOfCents(all, 'vCBS'));
    }
    expect(notes.some((note) => note.includes('<gRed>'))).toBe(true);
  });
});
