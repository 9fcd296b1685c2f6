import { expect, it } from 'vitest';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { inside, list, operation, period, stringOf, text, texts } from './calls.ts';

async function at<T>(
  moment: string,
  use: (sandbox: Sandbox) => Promise<T>,
  options: SandboxOptions = {},
): Promise<T> {
  const sandbox = await startSandbox({ now: () => new Date(moment), ...options });
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

const ALL = 'Mercadoria/RetornaListaXml';
const LISTS = [ALL, 'Servico/RetornaListaXmlPelaEmissao', 'Transporte/RetornaListaXmlPelaEmissao'];

const issued = (xml: string) => (texts(xml, 'dhEmi')[0] ?? text(xml, 'DataEmissao')).slice(0, 10);

const turns = [
  ['2026-11-20T12:00:00-03:00', '2025-11-21', '2026-11-20'],
  ['2027-03-10T18:30:00-03:00', '2026-03-11', '2027-03-10'],
  ['2028-02-29T18:30:00-03:00', '2027-03-02', '2028-02-29'],
  ['2031-12-31T18:30:00-03:00', '2031-01-01', '2031-12-31'],
] as const;

it.each(turns)('at %s the year of documents ends on that day', async (moment, first, last) => {
  const days = await at(moment, async (sandbox) => {
    const found: string[] = [];
    for (const name of LISTS) {
      const held = await list(sandbox, name, period('01/01/2020', '31/12/2040', ''));
      expect(held.length).toBeGreaterThan(100);
      found.push(...held.map(issued));
    }
    return found.toSorted();
  });
  const soon = (day: string, days: number) =>
    new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  expect((days[0] ?? '') >= first).toBe(true);
  expect((days[0] ?? '') <= soon(first, 4)).toBe(true);
  expect((days.at(-1) ?? '') <= last).toBe(true);
  expect((days.at(-1) ?? '') >= soon(last, -4)).toBe(true);
});

it('a document stays what it is while it is held, whatever day today is, and is gone a year later', async () => {
  const day = period('12/10/2026', '16/10/2026', '');
  const goods = (xml: string) => inside(xml, 'NFe');
  const now = await at('2026-11-20T12:00:00-03:00', (sandbox) => list(sandbox, ALL, day));
  const later = await at('2027-08-20T12:00:00-03:00', (sandbox) => list(sandbox, ALL, day));
  expect(later.map(goods)).toEqual(now.map(goods));
  const chaveNfe = text(now[0] ?? '', 'chNFe');
  const found = (moment: string) =>
    at(moment, async (sandbox) =>
      text(stringOf(await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe })), 'cStat'),
    );
  expect(await found('2027-08-20T12:00:00-03:00')).toBe('100');
  expect(await found('2027-12-20T12:00:00-03:00')).toBe('217');
});

it('a note that is cancelled weeks after stands until then', async () => {
  const day = period('03/08/2026', '28/08/2026', '');
  const late = (await at('2026-11-20T12:00:00-03:00', (sandbox) => list(sandbox, ALL, day))).filter((xml) =>
    xml.includes('<cStat>155</cStat>'),
  );
  expect(late.length).toBeGreaterThan(0);
  for (const xml of late) {
    const chaveNfe = text(xml, 'chNFe');
    const [event = ''] =
      /<procEventoNFe [^>]*>(?:(?!<procEventoNFe).)*<cStat>155<.*?<\/procEventoNFe>/s.exec(xml) ?? [];
    const moment = Date.parse(text(event, 'dhEvento'));
    for (const [hours, isCancelled] of [
      [-1, false],
      [1, true],
    ] as const) {
      const now = new Date(moment + hours * 3_600_000).toISOString();
      const read = await at(now, async (sandbox) =>
        stringOf(await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe })),
      );
      expect(read.includes('<tpEvento>110111</tpEvento>')).toBe(isCancelled);
    }
  }
});

it('documents of 2027 are read without a warning', async () => {
  await at('2027-06-30T18:00:00-03:00', async (sandbox) => {
    for (const name of LISTS) {
      for (const xml of await list(sandbox, name, period('01/06/2027', '30/06/2027', ''))) {
        for (const { warnings } of readDocuments(xml)) expect(warnings, xml.slice(0, 200)).toEqual([]);
      }
    }
  });
});
