import { expect, it } from 'vitest';
import { createChecker, judge, rules } from '../../src/documents/rules/index.ts';
import { readDocuments } from '../../src/documents/summary/read-document.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { list, period } from './calls.ts';

const LISTS = [
  'Mercadoria/RetornaListaXmlPelaEmissao',
  'Transporte/RetornaListaXmlPelaEmissao',
  'Servico/RetornaListaXmlPelaEmissao',
];

/** Everything the sandbox holds of a period while its clock stands at a day. */
async function documentsOf(today: string, from: string, to: string): Promise<DocumentSummary[]> {
  const sandbox = await startSandbox({ now: () => new Date(`${today}T12:00:00-03:00`) });
  try {
    const documents: DocumentSummary[] = [];
    for (const name of LISTS) {
      for (const xml of await list(sandbox, name, period(from, to, '')))
        documents.push(...readDocuments(xml));
    }
    return documents;
  } finally {
    await sandbox.close();
  }
}

/** What the rules about one document by itself find, which is what a document says and nothing else. */
function findingsIn(documents: readonly DocumentSummary[]): string[] {
  const checker = createChecker(
    {},
    rules.filter(({ check }) => check !== undefined),
  );
  return documents.flatMap((document) =>
    checker
      .take(judge(document))
      .map(({ rule, key, found, expected }) => `${rule} ${key}: ${found} / ${expected}`),
  );
}

it.each([
  ['2026-11-20', '01/12/2025', '20/11/2026'],
  ['2027-03-20', '01/01/2027', '20/03/2027'],
])('the rules find nothing in documents of the sandbox on %s', async (today, from, to) => {
  const documents = await documentsOf(today, from, to);
  expect(documents.length).toBeGreaterThan(100);
  const found = findingsIn(documents);
  // Its suppliers under the Simples state no IBS and CBS: how they are to write it is not published. Some still write
  // municipal NFS-e, which shows the rule about them.
  const ofSimples = /^(?:ibs_cbs_missing_(?:nfse_)?simples|municipal_nfse_of_simples) /;
  expect(found.filter((one) => !ofSimples.test(one))).toEqual([]);
});
