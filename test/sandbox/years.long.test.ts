import { expect, it } from 'vitest';
import { createChecker, judge, rules } from '../../src/documents/rules/index.ts';
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

const days = (day: string, more: number) =>
  new Date(Date.parse(day) + more * 86_400_000).toISOString().slice(0, 10);

it.each([
  ['2026-11-20T12:00:00-03:00', '2025-11-21', '2026-11-20'],
  ['2027-03-10T18:30:00-03:00', '2026-03-11', '2027-03-10'],
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
  const now = await goods(november20);
  expect(await goods('2027-08-20T12:00:00-03:00')).toEqual(now);
  const chaveNfe = /Id="NFe(\w{44})"/.exec(now[0] ?? '')?.[1] ?? '';
  const found = async (moment: string) =>
    text(await at(moment, asked('Mercadoria/DownloadXml', { chaveNfe })), 'cStat');
  expect(await found('2027-08-20T12:00:00-03:00')).toBe('100');
  expect(await found('2027-12-20T12:00:00-03:00')).toBe('217');
});

it('a note that is cancelled weeks after stands until then', async () => {
  const month = period('03/08/2026', '28/08/2026', '');
  const notes = await at(november20, (sandbox) => list(sandbox, ALL, month));
  const late = notes.filter((xml) => xml.includes('<cStat>155</cStat>'));
  expect(late.length).toBeGreaterThan(0);
  const pattern = /<procEventoNFe [^>]*>(?:(?!<procEventoNFe).)*<cStat>155<.*?<\/procEventoNFe>/s;
  for (const xml of late) {
    const moment = Date.parse(text(pattern.exec(xml)?.[0] ?? '', 'dhEvento'));
    for (const hours of [-1, 1]) {
      const now = new Date(moment + hours * 3_600_000).toISOString();
      const read = await at(now, asked('Mercadoria/DownloadXml', { chaveNfe: text(xml, 'chNFe') }));
      expect(read.includes('<tpEvento>110111</tpEvento>')).toBe(hours > 0);
    }
  }
});

it.each([
  ['2026-11-20', '01/12/2025', '20/11/2026'],
  ['2027-03-20', '01/01/2027', '20/03/2027'],
])(
  'the rules find nothing in documents of the sandbox on %s, read without a warning',
  async (today, from, to) => {
    const documents = (await at(`${today}T12:00:00-03:00`, everythingOf(from, to)))
      .flat()
      .flatMap(readDocuments);
    expect(documents.length).toBeGreaterThan(100);
    if (from.endsWith('2027')) for (const { warnings, key } of documents) expect(warnings, key).toEqual([]);
    // The rules about one document by itself, which look at what a document says and at nothing else.
    const checker = createChecker(
      {},
      rules.filter(({ check }) => check !== undefined),
    );
    const found = documents.flatMap((document) =>
      checker
        .take(judge(document))
        .map(({ rule, key, found, expected }) => `${rule} ${key}: ${found} / ${expected}`),
    );
    // Its suppliers under the Simples state no IBS and CBS: how they are to write it is not published. Some still write
    // municipal NFS-e, which shows the rule about them.
    const ofSimples = /^(?:ibs_cbs_missing_(?:nfse_)?simples|municipal_nfse_of_simples) /;
    expect(found.filter((one) => !ofSimples.test(one))).toEqual([]);
  },
);

it('two sandboxes of one seed hold the same bytes, one of another seed does not', async () => {
  const quarter = everythingOf('01/07/2026', '30/09/2026');
  const one = await at(november20, quarter);
  expect(await at(november20, quarter, { seed: 'docfiscal' })).toEqual(one);
  const other = new Set((await at(november20, quarter, { seed: 'another' })).flat());
  expect(one.flat().filter((xml) => other.has(xml))).toEqual([]);
});

it('a document looked up by key in a fresh sandbox is the one that was listed', async () => {
  const listed = await at(november20, asked(ALL, period('14/10/2026', '14/10/2026')));
  const alone = await at(november20, asked('Mercadoria/DownloadXml', { chaveNfe: text(listed, 'chNFe') }));
  const [, content = ''] = /<Conteudo><!\[CDATA\[(.*?)\]\]>/s.exec(alone) ?? [];
  expect(content).toContain(`Id="NFe${text(listed, 'chNFe')}"`);
  expect(listed).toContain(content);
});

it('the large company is there only when asked for, with about 100,000 documents in the year', async () => {
  const year = period('01/01/2026', '31/12/2026', LARGE_CNPJ);
  const day = period('14/10/2026', '14/10/2026', LARGE_CNPJ);
  expect(text(await at(november20, asked(KEYS, day)), 'cStat')).toBe('593');
  const end = '2026-12-31T23:59:59-03:00';
  const first = await at(
    end,
    async (sandbox) => {
      expect(sandbox.companies.at(-1)).toMatchObject({ id: LARGE_CNPJ });
      const keys = texts(await asked(KEYS, year)(sandbox), 'ChaveNFe');
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.length).toBeGreaterThan(68_000);
      let count = keys.length;
      for (const [name, ...kinds] of [
        ['Servico/RetornaChavesPelaEmissao', 'Recebidas', 'Emitidas'],
        ['Transporte/RetornaChavesPorTipo', 'Entrada', 'Saída'],
      ] as const)
        for (const tipo of kinds)
          count += Number(text(await asked(name, { ...year, tipo })(sandbox), 'Quantidade'));
      expect(Math.abs(count - 100_000)).toBeLessThan(1_500);
      // Its notes have 1 to 60 items, and are found by key as they were listed.
      const documents = await list(sandbox, ALL, day);
      const sizes = documents.map((xml) => texts(xml, 'xProd').length);
      expect([Math.min(...sizes), Math.max(...sizes) > 50]).toEqual([1, true]);
      for (const document of documents.slice(0, 20))
        expect(
          await asked('Mercadoria/DownloadXml', { chaveNfe: text(document, 'chNFe') })(sandbox),
        ).toContain(document);
      return documents;
    },
    { large: true },
  );
  // The same in every sandbox of one seed, whatever was asked for before.
  const again = await at(
    end,
    async (sandbox) => {
      await operation(
        sandbox,
        'Transporte/RetornaListaXmlPelaEmissao',
        period('10/10/2026', '20/10/2026', ''),
      );
      return list(sandbox, ALL, day);
    },
    { large: true },
  );
  expect(again).toEqual(first);
});

it('a limit on documents per reply lets a page of summaries through', async () => {
  const month = period('01/10/2026', '31/10/2026', LARGE_CNPJ);
  const [refused, page] = await at(
    november20,
    async (limited) => [
      await asked(KEYS, month)(limited),
      await asked('Mercadoria/RetornaResumos', { ...month, pagina: '118' })(limited),
    ],
    { large: true, maxDocumentsPerReply: 300 },
  );
  expect(text(refused ?? '', 'cStat')).toBe('999');
  expect(texts(page ?? '', 'Quantidade')).toEqual(['50']);
});
