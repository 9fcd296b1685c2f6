import { expect, it } from 'vitest';
import { createChecker, judge, ownRules } from '../../src/documents/rules/index.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { november20 } from '../support/november-sandbox.ts';
import { inside, LARGE_CNPJ, list, operation, period, stringOf, text, texts } from './calls.ts';

/** What a sandbox of a moment gives. */
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
const KEYS = 'Mercadoria/RetornaChaves';
const LISTS = [ALL, 'Servico/RetornaListaXmlPelaEmissao', 'Transporte/RetornaListaXmlPelaEmissao'];
const everythingOf = (from: string, to: string) => async (sandbox: Sandbox) => {
  const lists = [];
  for (const name of LISTS) lists.push(await list(sandbox, name, period(from, to, '')));
  return lists;
};
const asked = (name: string, parameters: Readonly<Record<string, string>>) => async (sandbox: Sandbox) =>
  stringOf(await operation(sandbox, name, parameters));
const downloaded = (moment: string, chaveNfe: string) =>
  at(moment, asked('Mercadoria/DownloadXml', { chaveNfe }));

const days = (day: string, more: number) =>
  new Date(Date.parse(day) + more * 86_400_000).toISOString().slice(0, 10);

it.each([
  ['2026-11-20T12:00:00-03:00', '2025-11-21', '2026-11-20'],
  ['2028-02-29T18:30:00-03:00', '2027-03-02', '2028-02-29'],
  ['2031-12-31T18:30:00-03:00', '2031-01-01', '2031-12-31'],
])('at %s the year of documents ends on that day', async (moment, first, last) => {
  const lists = await at(moment, everythingOf('01/01/2020', '31/12/2040'));
  for (const held of lists) expect(held.length).toBeGreaterThan(100);
  const issued = (xml: string) => (texts(xml, 'dhEmi')[0] ?? text(xml, 'DataEmissao')).slice(0, 10);
  const found = lists.flat().map(issued).toSorted();
  const [begins = '', ends = ''] = [found[0], found.at(-1)];
  expect([begins >= first, begins <= days(first, 4)]).toEqual([true, true]);
  expect([ends <= last, ends >= days(last, -4)]).toEqual([true, true]);
});

it('a document stays what it is while it is held, whatever day today is, and is gone a year later', async () => {
  const week = period('12/10/2026', '16/10/2026', '');
  const goods = (moment: string) =>
    at(moment, async (sandbox) => (await list(sandbox, ALL, week)).map((xml) => inside(xml, 'NFe')));
  const [now, later] = [await goods(november20), await goods('2027-08-20T12:00:00-03:00')];
  expect(later).toEqual(now);
  // Looked up by key in a fresh sandbox it is the one that was listed.
  const key = /Id="NFe(\w{44})"/.exec(now[0] ?? '')?.[1] ?? '';
  expect(await downloaded('2027-08-20T12:00:00-03:00', key)).toContain(now[0]);
  expect(text(await downloaded('2027-12-20T12:00:00-03:00', key), 'cStat')).toBe('217');
});

it('a note that is cancelled weeks after stands until then', async () => {
  const notes = await at(november20, (sandbox) => list(sandbox, ALL, period('03/08/2026', '28/08/2026', '')));
  const late = notes.filter((xml) => xml.includes('<cStat>155</cStat>'));
  expect(late.length).toBeGreaterThan(0);
  const pattern = /<procEventoNFe [^>]*>(?:(?!<procEventoNFe).)*<cStat>155<.*?<\/procEventoNFe>/s;
  for (const xml of late) {
    const moment = Date.parse(text(pattern.exec(xml)?.[0] ?? '', 'dhEvento'));
    for (const hours of [-1, 1]) {
      const now = new Date(moment + hours * 3_600_000).toISOString();
      const read = await downloaded(now, text(xml, 'chNFe'));
      expect(read.includes('<tpEvento>110111</tpEvento>')).toBe(hours > 0);
    }
  }
});

it('the rules find nothing in documents of 2027, read without a warning', async () => {
  const everything = everythingOf('01/01/2027', '20/03/2027');
  const documents = (await at('2027-03-20T12:00:00-03:00', everything)).flat().flatMap(readDocuments);
  expect(documents.length).toBeGreaterThan(100);
  for (const { warnings, key } of documents) expect(warnings, key).toEqual([]);
  // The rules that look at one document alone.
  const checker = createChecker({}, ownRules);
  const found = documents.flatMap((document) => checker.take(judge(document)));
  // Its suppliers under the Simples state no IBS and CBS: how they are to write it is not published. Some still write
  // municipal NFS-e, which shows the rule about them.
  const ofSimples = /^(?:ibs_cbs_missing_(?:nfse_)?simples|municipal_nfse_of_simples)$/;
  expect(found.filter(({ rule }) => !ofSimples.test(rule.code))).toEqual([]);
});

it('the large company is there only when asked for, with about 25,000 documents a quarter', async () => {
  const quarter = period('01/10/2026', '31/12/2026', LARGE_CNPJ);
  const day = period('14/10/2026', '14/10/2026', LARGE_CNPJ);
  expect(text(await at(november20, asked(KEYS, day)), 'cStat')).toBe('593');
  const end = '2026-12-31T23:59:59-03:00';
  await at(
    end,
    async (sandbox) => {
      expect(sandbox.companies.at(-1)).toMatchObject({ id: LARGE_CNPJ });
      const keys = texts(await asked(KEYS, quarter)(sandbox), 'ChaveNFe');
      expect(new Set(keys).size).toBe(keys.length);
      let count = keys.length;
      for (const [name, ...kinds] of [
        ['Servico/RetornaChavesPelaEmissao', 'Recebidas', 'Emitidas'],
        ['Transporte/RetornaChavesPorTipo', 'Entrada', 'Saída'],
      ] as const)
        for (const tipo of kinds)
          count += Number(text(await asked(name, { ...quarter, tipo })(sandbox), 'Quantidade'));
      expect([keys.length > 17_000, Math.abs(count - 25_000) < 500]).toEqual([true, true]);
    },
    { large: true },
  );
});

it('a limit on documents per reply lets a page of summaries through', async () => {
  const month = period('01/10/2026', '31/10/2026', LARGE_CNPJ);
  const both = async (limited: Sandbox) => [
    await asked(KEYS, month)(limited),
    await asked('Mercadoria/RetornaResumos', { ...month, pagina: '118' })(limited),
  ];
  const [refused = '', page = ''] = await at(november20, both, { large: true, maxDocumentsPerReply: 300 });
  expect([text(refused, 'cStat'), text(page, 'Quantidade')]).toEqual(['999', '50']);
});

it('its lists for reconciling are whole in every month of a year', async () => {
  for (const today of ['2026-09-01', '2026-12-31', '2027-01-15', '2027-03-01', '2027-08-20']) {
    const lists = await at(`${today}T12:00:00-03:00`, async (sandbox) => sandbox.lists());
    const [book, owed, taken, rows] = lists.map(({ content }) => Buffer.from(content).toString('latin1'));
    const lines = book?.trimEnd().split('\r\n') ?? [];
    expect(lines.at(-1), today).toBe(`|9999|${lines.length}|`);
    expect(lines[0]?.startsWith(today < '2027-02' ? '|0000|020|' : '|0000|021|'), today).toBe(true);
    expect(lines.filter((line) => line.startsWith('|C100|')).length, today).toBeGreaterThan(20);
    for (const one of [owed, taken]) expect(one?.split('"chave"').length, today).toBeGreaterThan(9);
    expect(rows?.split('\r\n').length, today).toBeGreaterThan(15);
  }
});
