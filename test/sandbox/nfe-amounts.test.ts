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

  it.each(['vProd', 'vICMS', 'vIPI', 'vPIS', 'vCOFINS', 'vDesc', 'vFrete', 'vBCST'])(
    '%s is the sum of the items',
    (name) => {
      for (const note of months[month]) {
        const items = itemsOf(note).map((item) => amountOrZero(item, name));
        expect(total(note, name)).toBe(items.reduce((sum, amount) => sum + amount, 0));
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

  it('vNF is products less discount plus substitution, freight, insurance, other and IPI', () => {
    for (const note of months[month]) {
      const parts = ['vProd', 'vST', 'vFrete', 'vSeg', 'vOutro', 'vII', 'vIPI'].map((name) =>
        total(note, name),
      );
      expect(total(note, 'vNF')).toBe(parts.reduce((sum, part) => sum + part, 0) - total(note, 'vDesc'));
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
        expect(text(item, 'CFOP')[0]).toBe(from === to ? (isEntry ? '1' : '5') : isEntry ? '2' : '6');
        expect(item.includes('<CSOSN>')).toBe(text(note, 'CRT') === '1');
      }
      expect(text(note, 'idDest')).toBe(from === to ? '1' : '2');
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
    for (const note of after) expect(note.includes('<IBSCBSTot>')).toBe(text(note, 'CRT') === '3');
  });

  it('are 0.1 % and 0.9 % of each base, less a reduction, and add up', () => {
    const notes = months.october.filter((note) => text(note, 'CRT') === '3');
    for (const note of notes) {
      const items = itemsOf(note).map((item) => inside(item, 'IBSCBS'));
      for (const item of items) {
        expect(text(item, 'cClassTrib').slice(0, 3)).toBe(text(item, 'CST'));
        const base = cents(text(item, 'vBC'));
        const left = item.includes('<gRed>') ? 0.4 : 1;
        expect(cents(text(item, 'vIBSUF'))).toBe(share(base, 10 * left));
        expect(cents(text(item, 'vCBS'))).toBe(share(base, 90 * left));
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
    const entries = year.filter((note) => text(note, 'tpNF') === '0');
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

  it('has returns of goods whose first note is there', async () => {
    const returns = year.filter((note) => text(note, 'finNFe') === '4');
    expect(returns.length).toBeGreaterThan(5);
    for (const note of returns) {
      const chaveNfe = text(note, 'refNFe');
      const original = JSON.parse((await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe })).text);
      expect(text(inside(original, 'emit'), 'CNPJ')).toBe(text(inside(note, 'dest'), 'CNPJ'));
      expect(texts(original, 'cProd')).toContain(text(note, 'cProd'));
    }
  });
});
