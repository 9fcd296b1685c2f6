import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { cents, inside, list, operation, period, sumOfCents, text, texts } from './calls.ts';

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
  it('are many, with one to twelve items', () => {
    expect(months[month].length).toBeGreaterThan(100);
    for (const note of months[month]) {
      const count = itemsOf(note).length;
      expect(count).toBeGreaterThanOrEqual(1);
      expect(count).toBeLessThanOrEqual(12);
    }
  });

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

  it('installments add up to the note, and so does the payment', () => {
    for (const note of months[month]) {
      if (note.includes('<dup>')) expect(sumOfCents(note, 'vDup')).toBe(total(note, 'vNF'));
      const paid = text(note, 'tPag') === '90' ? 0 : total(note, 'vNF');
      expect(cents(text(note, 'vPag'))).toBe(paid);
    }
  });

  it('CFOP fits the states, and CST or CSOSN the regime', () => {
    for (const note of months[month]) {
      const [from, to] = [text(inside(note, 'emit'), 'UF'), text(inside(note, 'dest'), 'UF')];
      for (const item of itemsOf(note)) {
        const isEntry = text(note, 'tpNF') === '0';
        const reach = to === 'EX' ? 2 : from === to ? 0 : 1;
        expect(text(item, 'CFOP')[0]).toBe((isEntry ? '123' : '567')[reach]);
        expect(item.includes('<CSOSN>')).toBe(text(note, 'CRT') === '1');
      }
      expect(text(note, 'idDest')).toBe(to === 'EX' ? '3' : from === to ? '1' : '2');
    }
  });
});

describe('IBS and CBS', () => {
  it('are not there in July', () => {
    for (const note of months.july) expect(note).not.toContain('IBSCBS');
  });

  it('begin on 3 August for the normal regime', async () => {
    const name = 'Mercadoria/RetornaListaXml';
    const before = await list(sandbox, name, period('31/07/2026', '02/08/2026', ''));
    const after = await list(sandbox, name, period('03/08/2026', '04/08/2026', ''));
    expect(before.length).toBeGreaterThan(0);
    for (const note of before) expect(note).not.toContain('IBSCBS');
    expect(after.some((note) => text(note, 'CRT') === '3')).toBe(true);
    for (const note of after) {
      expect(note.includes('<IBSCBSTot>')).toBe(text(note, 'CRT') === '3' && !note.includes('<comb>'));
    }
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

describe('a year of NF-e', () => {
  let year: string[];
  beforeAll(async () => {
    year = await list(sandbox, 'Mercadoria/RetornaListaXml', period('01/01/2026', '31/12/2026', ''));
  });

  it('has cancelled notes, corrections and people without a CNPJ', () => {
    const cancelled = year.filter((note) => note.includes('<tpEvento>110111</tpEvento>'));
    expect(cancelled.length).toBeGreaterThan(20);
    for (const note of cancelled) expect(note).toMatch(/<\/protNFe>.*<procEventoNFe [^>]*>.*<\/nfeProc>$/s);
    expect(year.some((note) => note.includes('<tpEvento>110110</tpEvento>'))).toBe(true);
    expect(year.some((note) => inside(note, 'dest').includes('<CPF>'))).toBe(true);
  });

  const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
  /** Code, moment and status of the events in a note's file. */
  const eventsOf = (note: string) =>
    [...note.matchAll(/<procEventoNFe .*?<\/procEventoNFe>/gs)].map(([event]) => ({
      code: text(event, 'tpEvento'),
      at: text(event, 'dhEvento'),
      status: text(event, 'cStat'),
    }));

  it('has cancellations that came weeks after, accepted as late, and none after a Confirmação', () => {
    const cancelled = year.flatMap((note) => {
      const cancellation = eventsOf(note).find(({ code }) => code === '110111');
      return cancellation ? [{ note, ...cancellation }] : [];
    });
    const late = cancelled.filter(({ status }) => status === '155');
    expect(late.length).toBeGreaterThan(5);
    for (const { note, at, status } of cancelled) {
      const after = days(text(note, 'dhRecbto'), at);
      expect(after >= 14).toBe(status === '155');
      expect(note).not.toContain('<tpEvento>210200</tpEvento>');
    }
  });

  it('has manifestations of every age within their ninety days, and corrections within thirty', () => {
    const ages: number[] = [];
    let corrections = 0;
    for (const note of year) {
      const conclusive = eventsOf(note).filter(({ code }) => /^2102[024]0$/.test(code));
      const [first, second] = conclusive;
      if (first) ages.push(days(text(note, 'dhRecbto'), first.at));
      if (first && second) {
        corrections += 1;
        expect(second.code).not.toBe(first.code);
        expect(days(first.at, second.at)).toBeLessThanOrEqual(30);
      }
    }
    expect(Math.max(...ages)).toBeLessThanOrEqual(90);
    expect(ages.filter((age) => age >= 60).length).toBeGreaterThan(10);
    expect(ages.filter((age) => age < 45).length).toBeGreaterThan(50);
    expect(corrections).toBeGreaterThan(3);
  });

  it('has notes of entry, which a company issues for what it buys from people', async () => {
    const ours = sandbox.companies.map(({ id }) => id);
    const isImport = (note: string) => note.includes('<idEstrangeiro>');
    const entries = year.filter((note) => text(note, 'tpNF') === '0' && !isImport(note));
    expect(entries.length).toBeGreaterThan(5);
    for (const note of entries) {
      expect(ours).toContain(text(inside(note, 'emit'), 'CNPJ'));
      expect(inside(note, 'dest')).toContain('<CPF>');
      for (const cfop of texts(note, 'CFOP')) expect(cfop).toMatch(/^[12]/);
      expect(text(inside(note, 'ICMSTot'), 'vICMS')).toBe('0.00');
    }
    const [entry = ''] = entries;
    const issuer = text(inside(entry, 'emit'), 'CNPJ');
    const day = text(entry, 'dhEmi').slice(0, 10).split('-').reverse().join('/');
    for (const tipo of ['Entrada', 'Saída']) {
      const listed = await list(sandbox, 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo', {
        ...period(day, day, issuer),
        tipo,
      });
      expect(listed.includes(entry)).toBe(tipo === 'Entrada');
    }
  });

  it('has fuels of every single-phase CST, whose retained ICMS is in the note’s total and whose own is not', () => {
    const fuels = year.filter((note) => note.includes('<comb>'));
    for (const note of fuels) {
      for (const item of itemsOf(note)) expect(text(item, 'cProdANP')).toMatch(/^\d{9}$/);
      const totals = inside(note, 'ICMSTot');
      const retained = amountOrZero(totals, 'vICMSMonoReten');
      expect(total(note, 'vNF')).toBe(total(note, 'vProd') - total(note, 'vDesc') + retained);
    }
    const codes = new Set(fuels.flatMap(itemsOf).map((item) => text(inside(item, 'ICMS'), 'CST')));
    expect([...codes].sort()).toEqual(['02', '15', '53', '61']);
    expect(fuels.length).toBeLessThan(year.length / 25);
    const all = fuels.join('');
    for (const name of ['vICMSMono', 'vICMSMonoReten', 'vICMSMonoDif', 'vICMSMonoRet']) {
      expect(amountOrZero(all, name)).toBeGreaterThan(0);
    }
  });

  it('has relieved ICMS that is taken off the price, and some that is not', () => {
    const items = year.flatMap(itemsOf).filter((item) => item.includes('<vICMSDeson>'));
    const deducted = items.filter((item) => item.includes('<indDeduzDeson>1<'));
    expect(deducted.length).toBeGreaterThan(3);
    expect(items.length - deducted.length).toBeGreaterThan(3);
    expect(new Set(deducted.map((item) => text(item, 'motDesICMS')))).toEqual(new Set(['7']));
    for (const item of items) expect(cents(text(item, 'vICMSDeson'))).toBeGreaterThan(0);
  });

  it('has imports, with duty and what was paid at the border in the note’s total', () => {
    const imports = year.filter((note) => text(note, 'idDest') === '3');
    expect(imports.length).toBeGreaterThan(3);
    for (const note of imports) {
      const [duty, other] = [total(note, 'vII'), total(note, 'vOutro')];
      expect(duty).toBeGreaterThan(0);
      expect(other).toBe(total(note, 'vICMS') + total(note, 'vPIS') + total(note, 'vCOFINS'));
      expect(total(note, 'vNF')).toBe(total(note, 'vProd') + duty + other + total(note, 'vIPI'));
      expect(text(note, 'tpNF')).toBe('0');
      for (const item of itemsOf(note)) expect(item).toMatch(/<DI><nDI>\d\dBR\d{10}<.*<adi>/s);
    }
  });

  it('has returns of goods whose first note is there', async () => {
    const returns = year.filter((note) => text(note, 'finNFe') === '4');
    expect(returns.length).toBeGreaterThan(5);
    for (const note of returns) {
      // Each item of a return names its original since 2026-11-03 (rule VC02-14), and the note itself did before.
      const isPerItem = text(note, 'dhEmi') >= '2026-11-03';
      expect(note.includes('<NFref>')).toBe(!isPerItem);
      const chaveNfe = text(note, isPerItem ? 'chaveAcesso' : 'refNFe');
      const original = JSON.parse((await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe })).text);
      expect(text(inside(original, 'emit'), 'CNPJ')).toBe(text(inside(note, 'dest'), 'CNPJ'));
      expect(texts(original, 'cProd')).toContain(text(note, 'cProd'));
    }
  });
});
