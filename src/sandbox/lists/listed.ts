import { addDecimals } from '../../documents/decimals.ts';
import { completeAccessKey } from '../../documents/identity/keys.ts';
import { readDocuments } from '../../documents/summary/read-document.ts';
import type { Books, HeldBook } from '../data/books.ts';
import { dayOfDate, isoDate, isoMoment, SECONDS_IN_DAY, SECONDS_IN_HOUR, startOf } from '../data/calendar.ts';
import type { Issued } from '../data/plan.ts';

/** A document with the facts that books, lists and assessments record. */
export type Listed = ListedMonth['documents'][number];

/** A month and the documents for its lists. */
export type ListedMonth = ReturnType<typeof lastMonthOf>;

/** Longest time from issue to entry in lists, in days. */
const DAYS_BEFORE = 6;

/** The last complete month, with the first company's documents of all kinds, also of the days just before it. */
export function lastMonthOf(books: Books) {
  const now = books.now();
  const [company] = books.companies;
  if (company === undefined) throw new RangeError('no company');
  const [year = 0, number = 0] = isoDate(now).split('-').map(Number);
  const from = startOf(dayOfDate(year, number - 1, 1));
  const next = startOf(dayOfDate(year, number, 1));
  const period = { from: from - DAYS_BEFORE * SECONDS_IN_DAY, to: next - 1 };

  const documentsOf = (book: HeldBook<Issued>) =>
    [...book.select({ companies: [company], ...period })].flatMap((document) => {
      const [summary] = readDocuments(book.xml(document));
      if (summary?.key === undefined) return [];
      const { key, recipient, payer, kind, status, events = [] } = summary;
      const isOwn = document.issuer === company;
      return [
        {
          ...{ summary, key, isOwn },
          /** Days of issue and of entry, `YYYY-MM-DD`. */
          issued: isoDate(document.issuedAt),
          entered: isoDate(document.enteredAt),
          registeredAt: isoMoment(document.authorizedAt + 90),
          /** True for incoming goods, also on the company's own note of entry. */
          isEntry: document.isEntry || !isOwn,
          isCancelled: status === 'cancelled',
          /** True if the company is issuer, recipient, or payer of a freight. */
          isParty: isOwn || (kind === 'cte' ? payer : recipient)?.id === company.id,
          /** The company declared the operation not carried out (210240). */
          isRefused: events.some(({ code }) => code === '210240'),
        },
      ];
    });

  return {
    company,
    /** `YYYY-MM`. */
    month: isoDate(from).slice(0, 7),
    first: isoDate(from),
    last: isoDate(next - 1),
    /** By kind, then by day of issue. */
    documents: [books.nfe, books.cte, books.nfse].flatMap((book: HeldBook<Issued>) => documentsOf(book)),
    generatedAt: isoMoment(Math.min(next + 6 * SECONDS_IN_HOUR, now)),
  };
}

/** A file in the format of a program or an authority. */
export interface ListFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Assigns each fault to the first suitable document without one; without `suits`, any is suitable. */
export function chooseWrong<Fault>(
  documents: readonly Listed[],
  faults: readonly (readonly [fault: Fault, suits?: (one: Listed) => boolean])[],
): (one: Listed) => Fault | undefined {
  const chosen = new Map<string, Fault>();
  for (const [fault, suits] of faults) {
    const found = documents.find((one) => !chosen.has(one.key) && (suits?.(one) ?? true));
    if (found !== undefined) chosen.set(found.key, fault);
  }
  return ({ key }) => chosen.get(key);
}

/** A valid key of a nonexistent document, with a number that the issuer doesn't use. */
export function strangerOf({ key }: Listed, number: string): string {
  return completeAccessKey(`${key.slice(0, 25)}${number}${key.slice(34, 43)}`);
}

const HEADINGS = 'Chave de acesso;Número;Série;CNPJ emitente;Fornecedor;Emissão;Entrada;Valor total;Situação';

const money = (amount = '0.00') => {
  const [whole = '0', cents] = amount.split('.');
  return `R$ ${BigInt(whole).toLocaleString('pt-BR')},${cents}`;
};
const dayIn = (day: string) => day.split('-').reverse().join('/');

/**
 * An ERP's export of the notes received in a month. Deliberate errors: a missing note, one with another total, a
 * cancelled one listed as normal, a duplicate, a key ruined by a spreadsheet, and a last line that is no note.
 */
export function erpListOf({ month, documents }: ListedMonth): ListFile {
  const all = documents.filter(
    ({ summary, isOwn, isParty, issued }) =>
      summary.kind === 'nfe' && !isOwn && isParty && issued.startsWith(month),
  );
  const inEffect = all.slice(Math.floor(all.length / 2)).filter(({ isCancelled }) => !isCancelled);
  const wrongOf = chooseWrong(inEffect, [['absent'], ['other total'], ['twice'], ['ruined key']]);
  const forgotten = all.find(({ isCancelled }) => isCancelled);
  const totals: (string | undefined)[] = [];
  const lines = all.flatMap((one) => {
    const { key, summary, issued, entered, isCancelled } = one;
    const { number, series, issuer, totals: of } = summary;
    const wrong = wrongOf(one);
    const total = wrong === 'other total' ? addDecimals([of.total, '1000.00']) : of.total;
    totals.push(total);
    const shown = wrong === 'ruined key' ? `${key[0]},${key.slice(1, 6)}E+43` : key;
    const status = isCancelled && one !== forgotten ? 'Cancelada' : 'Normal';
    const days = [dayIn(issued), dayIn(entered)];
    const line = [shown, number, series, issuer?.id, issuer?.name, ...days, money(total), status].join(';');
    return wrong === 'absent' ? [] : Array<string>(wrong === 'twice' ? 2 : 1).fill(line);
  });
  const text = [HEADINGS, ...lines, `TOTAL;;;;;;;${money(addDecimals(totals))};`, ''].join('\r\n');
  return { name: `erp-notas-recebidas-${month}.csv`, content: Buffer.from(text, 'latin1') };
}
