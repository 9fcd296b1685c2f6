import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import type { KnownDocument } from '../../../src/documents/books/book.ts';
import { addDecimals } from '../../../src/documents/decimals.ts';
import { compared, knownDocument, readBook } from '../../support/books.ts';

const folder = resolve(inject('samples'), '..');
const read = (path: string) => readBook(readFileSync(resolve(folder, path)));

describe('assessment samples', () => {
  interface Own {
    readonly name: string;
    readonly key: string;
    readonly direction: 'in' | 'out';
    readonly model: number | string;
    readonly vCBS: string | null;
    readonly status: string;
    readonly issued: string | null;
  }
  const own: Own[] = JSON.parse(readFileSync(resolve(folder, 'assessment/own-documents.json'), 'utf8'));
  const names = new Map(own.map(({ key, name }) => [key, name]));
  const kinds: Readonly<Record<string, KnownDocument['kind']>> = { 55: 'nfe', 57: 'cte', 65: 'nfce' };
  const documents = own
    .filter(({ issued }) => issued !== null)
    .map((one): KnownDocument => {
      const isOut = one.direction === 'out';
      const [company, other] = ['11222333000181', '33444555000181'];
      const recipient = isOut ? other : company;
      return knownDocument(
        { number: 1, issuer: isOut ? company : other },
        {
          ...{ key: one.key, kind: kinds[one.model] ?? 'nfse', recipient, payer: recipient },
          issued_at: `${one.issued}T10:00:00-03:00`,
          status: one.status === 'cancelled' ? 'cancelled' : 'authorized',
          direction: isOut ? 'outbound' : 'inbound',
          cbs: one.vCBS ?? undefined,
        },
      );
    });
  const found = (...files: string[]) => {
    const { findings, agree } = compared(
      files.map((file) => read(`assessment/${file}`)),
      documents,
    );
    const said = findings.map(({ finding, key = '' }) => `${names.get(key)} ${finding}`).toSorted();
    return { said, agree };
  };

  it('give what their readme expects', () => {
    expect(found('debitos-v2.json', 'creditos-v2.json')).toEqual({
      // c1 to c5, c7, c8, d1, d6 to d12.
      agree: 15,
      said: [
        'c2 not_extinguished',
        'c3 not_extinguished',
        'c6 missing_in_documents',
        'c7 credit_suspended',
        'c8 credit_suspended',
        'd11 duplicated_in_file',
        'd12 other_period',
        'd13 missing_in_file',
        'd14 value_differs',
        'd2 value_differs',
        'd3 value_differs',
        'd4 missing_in_documents',
        'd5 cancelled_but_listed',
      ],
    });
  });

  it('give what their readme expects after the second file', () => {
    expect(found('debitos-v2.json', 'debitos-v2-incremental.json').said).toEqual([
      'd11 duplicated_in_file',
      'd12 other_period',
      'd14 value_differs',
      'd2 value_differs',
      'd4 missing_in_documents',
    ]);
  });

  it('add up to what their readme says', () => {
    const { entries } = read('assessment/debitos-v2.json');
    expect(addDecimals(entries.map(({ cbs }) => cbs))).toBe('441.90');
    expect(addDecimals(entries.filter(({ month }) => month === '2026-11').map(({ cbs }) => cbs))).toBe(
      '86.00',
    );
  });
});

it.each([
  ['efd-contribuicoes-006-aleatoria.txt', '006', 50, false],
  ['efd-icms-ipi-012-sintetica-2018-08.txt', '012', 7, true],
  ['efd-icms-ipi-015-sintetica-2021-02.txt', '015', 3, true],
  ['efd-icms-ipi-019-java.txt', '020', 2, true],
  ['efd-icms-ipi-019-malformada.txt', '019', 0, false],
  ['erp-lista-sintetica.csv', 'csv', 4, true],
])('the book sample %s', (name, layout, entries, isWhole) => {
  const book = read(`books/${name}`);
  expect([book.layout, book.entries.length, book.isWhole]).toEqual([layout, entries, isWhole]);
});

it('the book sample of 2018-08 has findings that need no document', () => {
  const { findings } = compared([read('books/efd-icms-ipi-012-sintetica-2018-08.txt')], []);
  const facts = findings.filter(({ finding }) => finding !== 'missing_in_documents');
  expect(facts.map(({ finding, line, field }) => [finding, line, field])).toEqual([
    ['value_differs', 25, 'date'],
    ['duplicated_in_file', 18, undefined],
    ['key_mismatch', 25, 'number'],
  ]);
});
