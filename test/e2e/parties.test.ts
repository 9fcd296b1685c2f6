import { beforeAll, expect, it } from 'vitest';
import { authorisedNote, ourCompany, supplier } from '../support/filed-documents.ts';
import { ownFiles } from '../support/own-files.ts';

const october = { document: 'nfe', from: '2026-10-01', to: '2026-10-31' } as const;
const { ask, put, refused } = ownFiles({ anew: false });
const abroad = (id: string, name: string) => `<idEstrangeiro>${id}</idEstrangeiro><xNome>${name}</xNome>`;
const here = (id: string, name: string) => `<CNPJ>${id}</CNPJ><xNome>${name}</xNome>`;
/** Contents of `dest` by buyer, with the amount of its note; no two amounts are equal. */
const buyers = [
  [abroad('9144030067', 'ACME HONG KONG'), '1.00'],
  [abroad('US-998877', 'ACME INC'), '2.00'],
  [here('11222333000181', '3M DO BRASIL LTDA'), '8.00'],
  [here('27865757000102', '99 TECNOLOGIA LTDA'), '32.00'],
  [abroad('', 'ZETA GMBH'), '64.00'],
  [here('00776574000156', 'B2W DIGITAL'), '128.00'],
  [here('33041260065290', '1001'), '256.00'],
  // As long as a CPF, a CNPJ and a root; a CUIT of Argentina has eleven digits.
  [abroad('30712345679', 'ACEROS DEL SUR'), '512.00'],
  [abroad('30712345679001', 'ACEROS DEL ESTE'), '1024.00'],
  [here('27865757000109', 'DÍGITO ERRADO LTDA'), '2048.00'],
] as const;
const outbound = { ...october, cnpj: ourCompany, direction: 'outbound' } as const;
const query = (party: object) => ask('query_documents', { ...outbound, ...party });

beforeAll(() => {
  for (const [i, [dest, total]] of buyers.entries())
    put(
      `${i}.xml`,
      authorisedNote({ number: i + 1, issuer: ourCompany, recipient: supplier, total })
        .replace(here(supplier, 'Compradora ção'), dest)
        // The second is no city of the table.
        .replace('<enderDest>', `<enderDest><cMun>${i % 2 === 0 ? '3550308' : '3599999'}</cMun>`),
    );
});

it('a party is found by name or id, and what no document has is refused', async () => {
  for (const [recipient, total] of [
    ...(['9144030067', 9144030067] as const).map((one) => [one, '1.00']),
    ...[
      ['US-998877', '2.00'],
      ['3M', '8.00'],
      ['99', '32.00'],
      ['B2W', '128.00'],
      ['1001', '256.00'],
      ['30712345679', '512.00'],
      ['30712345679001', '1024.00'],
      ['27865757000109', '2048.00'],
      ['27.865.757/0001-09', '2048.00'],
    ],
  ])
    expect((await query({ recipient })).data).toMatchObject({
      documents: 1,
      listed: [{ totals: { total } }],
    });
  for (const recipient of ['123', '11222333000182', '9144030068', '30712345670', '27.865.757/0001-08'])
    expect(await refused('query_documents', { ...outbound, recipient })).toContain('recipient');
});

it.each([
  ...['recipient', 'counterparty', 'recipient_root', 'issuer', 'city', 'state', 'status', 'nature'],
  ...['cfop', 'ncm', 'cst', 'unit', 'purpose', 'regime', 'event'],
])('every value of %s can be used as a filter', async (grouping) => {
  const asked = { group_by: [grouping], measures: ['count'] };
  const rows = (await query(asked)).data.rows as { group: Record<string, string> }[];
  expect(rows).not.toEqual([]);
  for (const row of rows.filter(({ group }) => group[grouping] !== undefined)) {
    const narrowed = await query({ ...asked, [grouping.replace('_root', '')]: [row.group[grouping]] });
    expect(narrowed.data.rows, narrowed.text).toEqual([row]);
  }
});

it('a name that documents give without an id is not denied', async () => {
  expect((await query({ recipient: 'Zeta' })).text).toContain(
    'no name with "Zeta" among the parties identified',
  );
});
