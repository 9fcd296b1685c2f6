import { Buffer } from 'node:buffer';
import type { Book, KnownDocument } from '../../src/documents/books/book.ts';
import { compareSides } from '../../src/documents/books/compare.ts';
import type { Sides } from '../../src/documents/books/findings.ts';
import { createBookReader, formOfBook } from '../../src/documents/books/recognise.ts';
import type { NamesIn } from '../../src/documents/problems.ts';
import { accessKey } from './documents.ts';
import { authorisedNote, eventFile, ourCompany, supplier } from './filed-documents.ts';

/** The identity of a document of these tests. */
export interface Sketch {
  readonly number: number;
  readonly issuer?: string;
  readonly model?: string;
  readonly month?: string;
}

/** The key of a document, series 1 of São Paulo. */
export const bookKey = ({ number, issuer = ourCompany, model, month = '2610' }: Sketch): string =>
  accessKey({ number, issuer, model, day: `20${month.slice(0, 2)}-${month.slice(2)}-01` });

/** A document as the archive knows it: an NF-e of 100.00 with 18.00 of ICMS that the company issued. */
export function knownDocument(sketch: Sketch, changes: Partial<KnownDocument> = {}): KnownDocument {
  const { issuer = ourCompany, model = '55', number } = sketch;
  const isOwn = issuer === ourCompany;
  return {
    key: bookKey(sketch),
    kind: ({ '55': 'nfe', '65': 'nfce', '57': 'cte' } as const)[model] ?? 'nfe',
    number: String(number),
    issuer,
    issuer_name: 'Emitente',
    recipient: isOwn ? supplier : ourCompany,
    payer: model === '57' ? ourCompany : '',
    issued_at: '2026-10-05T10:00:00-03:00',
    status: 'authorized',
    purpose: '1',
    isTest: false,
    direction: isOwn ? 'outbound' : 'inbound',
    total: '100.00',
    icms_base: '100.00',
    icms: '18.00',
    ...changes,
  };
}

const own = { number: 1, issuer: ourCompany, recipient: supplier };

/** Notes of October that files are compared with. */
export const filed = {
  own,
  cancelled: { ...own, number: 2 },
  unlisted: { ...own, number: 3 },
  bought: { number: 7, issuer: supplier },
};

/** Writes those notes and the cancellation of one. */
export function putFiled(put: (name: string, content: string) => void): void {
  for (const note of Object.values(filed)) put(`xml/${note.number}.xml`, authorisedNote(note));
  put('xml/cancelled.xml', eventFile(filed.cancelled));
}

/** Fields of a C100 that tests change, as SPED writes them. */
export type C100 = Sketch &
  Partial<
    Record<
      NamesIn<'situation key series shown day moved total base icms ipi pis cfop participant'>,
      string | undefined
    >
  >;

/** A C100 with its C190, own where the company issued it. */
export function c100(note: C100): string {
  const { issuer = ourCompany, situation = '00', day = '05102026', total = '100,00' } = note;
  const { base = '100,00', icms = '18,00', ipi = '', pis = '' } = note;
  const isOwn = issuer === ourCompany;
  const { participant = isOwn ? 'C1' : 'F1', model = '55', series = '1', key = bookKey(note) } = note;
  const head = ['C100', ...(isOwn ? ['1', '0', participant] : ['0', '1', participant]), model];
  const number = [situation, series, note.shown ?? String(note.number), key];
  const values = [total, '0', '', '', total, '9', '', '', '', base, icms, '', '', ipi, pis, '', '', ''];
  const isVoid = ['02', '03', '04', '05'].includes(situation);
  const rest = isVoid ? Array.from({ length: 20 }, () => '') : [day, note.moved ?? day, ...values];
  const record = `|${[...head, ...number, ...rest].join('|')}|`;
  const cfop = note.cfop ?? (isOwn ? '5102' : '1102');
  return isVoid ? record : `${record}\n|C190|000|${cfop}|18,00|${total}|${base}|${icms}|0|0|0|0||`;
}

/** An EFD ICMS/IPI of October 2026 around these records, with its closing record. */
export function efd(
  records: readonly string[],
  changes: { layout?: string; purpose?: string; month?: string } = {},
) {
  const { layout = '020', purpose = '0', month = '102026' } = changes;
  const last = month === '112026' ? '30' : '31';
  const opening = `|0000|${layout}|${purpose}|01${month}|${last}${month}|EMPRESA|${ourCompany}||SP|1|3550308|||A|1|`;
  const parties = [
    `|0150|C1|CLIENTE|01058|${supplier}||||||||`,
    `|0150|F1|FORNECEDOR|01058|${supplier}||||||||`,
  ];
  const lines = [opening, ...parties, ...records.flatMap((one) => one.split('\n'))];
  return `${[...lines, `|9999|${lines.length + 1}|`].join('\r\n')}\r\n`;
}

/** Reads a text, or bytes, in pieces of this size. */
export function readBook(content: string | Uint8Array, piece = 100_000): Book {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const form = formOfBook(bytes.subarray(0, 4096));
  if (form === 'xlsx') throw new TypeError('a spreadsheet is unpacked elsewhere');
  const reader = createBookReader(form, { company: ourCompany, columns: {} });
  for (let at = 0; at < bytes.length; at += piece) reader.write(bytes.subarray(at, at + piece));
  return reader.end();
}

/** Compares files with documents; no day is known to be complete. */
export function compared(
  files: readonly Book[],
  documents: readonly KnownDocument[],
  changes: Partial<Sides> = {},
) {
  const result = compareSides({
    books: files.map((book, file) => ({ file, book })),
    documents,
    isComplete: () => false,
    refused: new Set(),
    ...changes,
  });
  return { ...result, findings: result.findings.sorted(), collected: result.findings };
}
