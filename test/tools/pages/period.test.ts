import { expect, it } from 'vitest';
import { periodPage } from '../../../src/tools/pages/period.ts';
import { prepareContext } from '../../support/tool-context.ts';

const own = '48152036000117';

it.each([
  ['its issuer', { id: '03162816000100' }, '03162816000100'],
  ['no issuer, without assuming its own', undefined, undefined],
])('the company opens an NFS-e of %s', async (_, issuer, issuer_cnpj) => {
  const { context } = prepareContext();
  const days = { from: '2026-10-01', to: '2026-10-31' } as const;
  const answer = {
    ...{ company: own, ...days, documents: 1, total: 1, complete: true },
    sums: [{ document: 'nfse', measures: { count: '1', total: '1.00' } }],
    listed: [{ document: 'nfse', number: '7', issued_at: '2026-10-05', issuer }],
  };
  const about = {
    tool: 'query_documents',
    args: {},
    areas: ['nfse'],
    direction: 'inbound',
    archive: await context.company.archive(),
    resolved: [],
    linesIn: () => [],
  } as const;
  const page = await periodPage(answer, about, context);
  const opens = { tool: 'get_document', args: expect.objectContaining({ number: '7', issuer_cnpj }) };
  expect(page.tables[0]?.rows[0]?.opens).toEqual(issuer_cnpj && opens);
});
