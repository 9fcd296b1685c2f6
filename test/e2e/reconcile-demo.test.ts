import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { askSandbox, company } from '../support/asked-sandbox.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { connect } from '../support/clients.ts';
import type { PlainDocument } from '../support/independent-documents.ts';

const month = { from: '2026-10-01', to: '2026-10-31' };
const names = {
  efd: 'efd-icms-ipi-2026-10.txt',
  debits: 'apuracao-cbs-debitos-2026-10.json',
  credits: 'apuracao-cbs-creditos-2026-10.json',
  erp: 'erp-notas-recebidas-2026-10.csv',
};

const cents = (text = '') => BigInt(text.replace(/[^\d]/g, '') || '0');
const isVoid = ({ status }: PlainDocument) => status === 'cancelled';
const isReturn = ({ xml }: PlainDocument) => /<finNFe>4</.test(xml);
const isRefused = ({ xml }: PlainDocument) => /<tpEvento>210240</.test(xml);

/** Whether the company pays a carriage, as the file itself says. */
function paysCarriage({ xml }: PlainDocument): boolean {
  const payer = /<toma>0</.test(xml) ? 'rem' : 'dest';
  return new RegExp(`<${payer}><CNPJ>${company}<`).test(xml);
}

type Pair = `${string} ${string}`;

/** What there is to find in the demo's EFD, by key, worked out from its lines and the documents alone. */
function faultsOfEfd(lines: readonly string[][], documents: readonly PlainDocument[]): Pair[] {
  const faults: Pair[] = [];
  const byKey = new Map(documents.map((one) => [one.key, one]));
  const seen = new Set<string>();
  for (const [place, line] of lines.entries()) {
    const [, record = ''] = line;
    if (record !== 'C100' && record !== 'D100') continue;
    const shift = record === 'C100' ? 0 : 1;
    const key = line[9 + shift] ?? '';
    const number = line[8 + shift] ?? '';
    if (Number(key.slice(25, 34)) !== Number(number)) faults.push(`key_mismatch ${key}`);
    if (seen.has(key)) faults.push(`duplicated_in_file ${key}`);
    if (seen.has(key)) continue;
    seen.add(key);
    const document = byKey.get(key);
    if (document === undefined) {
      faults.push(`missing_in_documents ${key}`);
      continue;
    }
    const isListedVoid = line[6] === '02';
    if (isVoid(document) !== isListedVoid)
      faults.push(`${isListedVoid ? 'listed_as_cancelled' : 'cancelled_but_listed'} ${key}`);
    if (isVoid(document) || isListedVoid) continue;
    if (cents(line[12 + 3 * shift]) !== document.amounts.total) faults.push(`value_differs ${key}`);
    const icms = cents(line[22 - 2 * shift]);
    const own = document.amounts.icms ?? 0n;
    if (icms > own) faults.push(`credit_above_document ${key}`);
    if (icms < own) faults.push(`value_differs ${key}`);
    const codes = lines.slice(
      place + 1,
      place + 1 + lines.slice(place + 1).findIndex(([, name]) => name !== `${record[0]}190`),
    );
    const first = (code: string | undefined) => Number(code?.charAt(0));
    const isOdd = codes.some(
      ([, , , code]) =>
        document.issuer.id !== company && !document.lines.some(({ cfop }) => first(cfop) - 4 === first(code)),
    );
    if (record === 'C100' && isOdd) faults.push(`value_differs ${key}`);
  }
  for (const document of documents) {
    const { key = '', day, kind, recipient, issuer } = document;
    if (seen.has(key) || isVoid(document) || isRefused(document) || day < month.from || day > month.to)
      continue;
    const isOf =
      issuer.id === company || (kind === 'nfe' ? recipient.id === company : paysCarriage(document));
    if (isOf && kind !== 'nfse') faults.push(`missing_in_file ${key}`);
  }
  return faults.sort();
}

interface AssessmentRecord {
  readonly chave: string;
  readonly origem: number;
  readonly cbs: { readonly apurado: number; readonly apropriacao?: Record<string, number> };
}

/** The same of an assessment's list. */
function faultsOfAssessment(
  content: string,
  list: 'debitos' | 'creditos',
  documents: readonly PlainDocument[],
): Pair[] {
  const faults: Pair[] = [];
  const file: { apuracao: ({ pa: string } & Record<string, AssessmentRecord[]>)[] } = JSON.parse(content);
  const seen = new Map<string, bigint>();
  const inCents = (amount: number) => BigInt(Math.round(amount * 100));
  for (const { pa, ...lists } of file.apuracao) {
    for (const { chave, origem, cbs } of lists[list] ?? []) {
      if (origem !== 0) {
        seen.set(chave, (seen.get(chave) ?? 0n) + inCents(cbs.apurado));
        continue;
      }
      if (seen.has(chave)) faults.push(`duplicated_in_file ${chave}`);
      else seen.set(chave, inCents(cbs.apurado));
      if (pa !== `${chave.slice(4, 6)}/20${chave.slice(2, 4)}`) {
        // A national NFS-e has its month elsewhere in the key.
        if (chave.length === 44) faults.push(`other_period ${chave}`);
      }
      if ((cbs.apropriacao?.aApropriar ?? 0) > 0) faults.push(`not_extinguished ${chave}`);
      if ((cbs.apropriacao?.suspenso ?? 0) > 0) faults.push(`credit_suspended ${chave}`);
    }
  }
  for (const [key, net] of seen) {
    const document = documents.find((one) => one.key === key);
    if (document === undefined) faults.push(`missing_in_documents ${key}`);
    else if (isVoid(document) && net !== 0n) faults.push(`cancelled_but_listed ${key}`);
    else if (!isVoid(document) && net !== (document.amounts.cbs ?? 0n)) faults.push(`value_differs ${key}`);
  }
  for (const document of documents) {
    const { key, day, kind, issuer, recipient, isEntry, amounts } = document;
    if (key === undefined || seen.has(key) || day < month.from || day > month.to) continue;
    if (isVoid(document) || isReturn(document) || (amounts.cbs ?? 0n) === 0n) continue;
    const isDebit = issuer.id === company && !isEntry;
    const isCredit =
      !isDebit && (kind === 'cte' ? paysCarriage(document) : [issuer.id, recipient.id].includes(company));
    if (list === 'debitos' ? isDebit : isCredit) faults.push(`missing_in_file ${key}`);
  }
  return faults.sort();
}

interface Found {
  readonly finding: string;
  readonly key?: string;
}

const pairsOf = (findings: unknown): string[] =>
  (findings as Found[]).map(({ finding, key }) => `${finding} ${key}`).sort();

describe('the lists of the demo', () => {
  const folder = temporaryFolder();
  const asked = askSandbox({ env: { DFE_FILES: folder.path } });
  const contents = new Map<string, string>();
  let documents: readonly PlainDocument[];

  beforeAll(async () => {
    mkdirSync(folder.path, { recursive: true });
    for (const { name, content } of asked.sandbox.lists()) {
      writeFileSync(join(folder.path, name), content);
      contents.set(name, Buffer.from(content).toString('latin1'));
    }
    const around = { from: '2026-09-25', to: month.to };
    const kinds = await Promise.all(
      (['nfe', 'cte', 'nfse'] as const).map((kind) => asked.documents(kind, around)),
    );
    documents = kinds.flat();
  });
  afterAll(() => folder.remove());

  const found = async (...file: string[]) => {
    const { data } = await asked.ask('reconcile', { file, limit: 200 });
    return pairsOf(data.findings);
  };

  it('have in the EFD what a calculation of its own finds, and nothing else', async () => {
    const lines = (contents.get(names.efd) ?? '').split('\r\n').map((line) => line.split('|'));
    const expected = faultsOfEfd(lines, documents);
    expect(new Set(expected.map((one) => one.split(' ')[0]))).toEqual(
      new Set([
        ...['cancelled_but_listed', 'credit_above_document', 'duplicated_in_file', 'key_mismatch'],
        ...['listed_as_cancelled', 'missing_in_documents', 'missing_in_file', 'value_differs'],
      ]),
    );
    expect(await found(names.efd)).toEqual(expected);
  });

  it('have in the assessment what a calculation of its own finds, and nothing else', async () => {
    const debits = faultsOfAssessment(contents.get(names.debits) ?? '', 'debitos', documents);
    const credits = faultsOfAssessment(contents.get(names.credits) ?? '', 'creditos', documents);
    const kinds = new Set([...debits, ...credits].map((one) => one.split(' ')[0]));
    for (const one of [
      'not_extinguished',
      'credit_suspended',
      'other_period',
      'missing_in_file',
      'value_differs',
    ])
      expect(kinds, one).toContain(one);
    expect(await found(names.debits)).toEqual(debits);
    expect(await found(names.credits)).toEqual(credits);
    expect(await found(names.credits, names.debits)).toEqual([...credits, ...debits].sort());
  });

  it('have in the ERP’s list four faults, and a ruined key that is none', async () => {
    expect((await found(names.erp)).map((one) => one.split(' ')[0])).toEqual([
      'cancelled_but_listed',
      'duplicated_in_file',
      'missing_in_file',
      'value_differs',
    ]);
    const { data } = await asked.ask('reconcile', { file: [names.erp] });
    expect(data.compared).toMatchObject({ by_number: 1 });
  });

  it('are whole in every month of a year', async () => {
    for (const today of ['2026-09-01', '2026-12-31', '2027-01-15', '2027-03-01', '2027-08-20']) {
      const sandbox = await startSandbox({ now: () => new Date(`${today}T12:00:00-03:00`) });
      const [efd, debits, credits, erp] = sandbox
        .lists()
        .map(({ content }) => Buffer.from(content).toString('latin1'));
      await sandbox.close();
      const lines = efd?.trimEnd().split('\r\n') ?? [];
      expect(lines.at(-1), today).toBe(`|9999|${lines.length}|`);
      expect(lines[0]?.startsWith(today < '2027-02' ? '|0000|020|' : '|0000|021|'), today).toBe(true);
      expect(lines.filter((line) => line.startsWith('|C100|')).length, today).toBeGreaterThan(20);
      for (const list of [debits, credits]) expect(list?.split('"chave"').length, today).toBeGreaterThan(9);
      expect(erp?.split('\r\n').length, today).toBeGreaterThan(15);
    }
  });
});

describe('--demo', () => {
  it('shows findings at the first try', async () => {
    await using connection = await connect('v1', { args: ['--demo'] });
    const { structured: listed } = await connection.call('reconcile', {});
    const files = ((listed?.files ?? []) as { file: string }[]).map(({ file }) => file);
    expect(files).toHaveLength(4);
    for (const file of files) {
      const { structured, isError, text } = await connection.call('reconcile', { file: [file] });
      expect(isError, text).toBe(false);
      expect(structured?.total, file).toBeGreaterThan(2);
    }
    const { text } = await connection.call('query_documents', { document: ['nfe'], from: 'last_month' });
    expect(text).not.toMatch(/\/lists|\.csv/);
  });
});
