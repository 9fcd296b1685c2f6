import { addDecimals, compareDecimals } from '../../documents/decimals.ts';
import { completeAccessKey } from '../../documents/identity/keys.ts';
import type { Item } from '../../documents/summary/summary.ts';
import { createChooser, type Listed, type ListedMonth, type ListFile } from './listed.ts';

/** `1234,50`, as SPED writes amounts; empty where there is none. */
const money = (amount: string | undefined) => (amount ?? '').replace('.', ',');
/** `ddmmaaaa`. */
const digitsOf = (day: string) => day.split('-').reverse().join('');
const record = (...fields: readonly string[]) => `|${fields.join('|')}|`;
const isAboveZero = (amount: string | undefined) => compareDecimals(amount ?? '0.00', '0.00') > 0;

/** What this file has wrong on purpose, by key. */
interface Faults {
  readonly absent: ReadonlySet<string | undefined>;
  readonly wrongTotal: string | undefined;
  readonly bookedAsCancelled: string | undefined;
  readonly bookedThoughCancelled: string | undefined;
  readonly twice: string | undefined;
  readonly creditAbove: string | undefined;
  readonly creditNotTaken: string | undefined;
  readonly wrongNumber: string | undefined;
  readonly wrongCfop: string | undefined;
}

function chooseFaults(documents: readonly Listed[]): Faults {
  const choose = createChooser(documents);
  const own = ({ isOwn, isEntry, isCancelled, summary }: Listed) =>
    summary.kind === 'nfe' && isOwn && !isEntry && !isCancelled && summary.purpose === '1';
  const bought = ({ isOwn, isCancelled, isRefused, summary, issued, entered }: Listed) =>
    summary.kind === 'nfe' &&
    !isOwn &&
    !isCancelled &&
    !isRefused &&
    issued.slice(0, 7) === entered.slice(0, 7);
  const withCredit = (one: Listed) => bought(one) && isAboveZero(one.summary.totals.icms);
  const ofState = ({ summary }: Listed) => summary.items.every(({ cfop = '' }) => cfop.startsWith('5'));
  return {
    absent: new Set([choose(own), choose(bought)]),
    wrongTotal: choose(own),
    bookedAsCancelled: choose(own),
    bookedThoughCancelled: choose(({ isCancelled }) => isCancelled),
    twice: choose(bought),
    creditAbove: choose(withCredit),
    creditNotTaken: choose(withCredit),
    wrongNumber: choose(bought),
    wrongCfop: choose((one) => bought(one) && ofState(one)),
  };
}

/** The CFOP of an entry as the buyer sees it: sold within the state is bought within it. */
function cfopOf({ isOwn }: Listed, cfop: string): string {
  return isOwn || Number(cfop.charAt(0)) < 5 ? cfop : `${Number(cfop.charAt(0)) - 4}${cfop.slice(1)}`;
}

/** C190: items by CST, CFOP and rate. */
function analytic(one: Listed, faults: Faults): string[] {
  const groups = new Map<string, Item[]>();
  for (const item of one.summary.items) {
    const { origin = '0', cst = '', cfop = '', taxes } = item;
    const code = cfopOf(one, cfop);
    const shown = one.key === faults.wrongCfop ? `2${code.slice(1)}` : code;
    const name = [`${origin}${cst}`.slice(0, 3).padStart(3, '0'), shown, money(taxes.icms_rate)].join('|');
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups].map(([name, items]) => {
    const sum = (amounts: readonly (string | undefined)[]) => money(addDecimals(amounts) ?? '0.00');
    const ofTax = (tax: 'icms_base' | 'icms' | 'icms_st_base' | 'icms_st' | 'ipi') =>
      sum(items.map(({ taxes }) => taxes[tax]));
    const operation = sum(items.map(({ share, total }) => share ?? total));
    const own = [ofTax('icms_base'), ofTax('icms')];
    const substitution = [ofTax('icms_st_base'), ofTax('icms_st')];
    return record('C190', name, operation, ...own, ...substitution, '0,00', ofTax('ipi'), '');
  });
}

const participant = ({ isOwn, summary }: Listed) => {
  const { id = '', id_type, name = '' } = (isOwn ? summary.recipient : summary.issuer) ?? {};
  return { code: `P${id}`, id: id_type === 'foreign' ? '' : id, name };
};

/** C100 with its C190, as the company has booked a note. */
function goods(one: Listed, faults: Faults): string[] {
  const { summary, key, isOwn, isEntry, issued, entered } = one;
  const { totals, series = '', number = '' } = summary;
  const isListedVoid =
    key === faults.bookedAsCancelled || (one.isCancelled && key !== faults.bookedThoughCancelled);
  const head = [isEntry ? '0' : '1', isOwn ? '0' : '1', participant(one).code, '55'];
  const shown = key === faults.wrongNumber ? String(Number(number) + 1) : number;
  if (isListedVoid) {
    return [record('C100', ...head.slice(0, 2), '', '55', '02', series, shown, key, '|'.repeat(19))];
  }
  const total = key === faults.wrongTotal ? addDecimals([totals.total, '90.00']) : totals.total;
  const icms =
    key === faults.creditAbove
      ? addDecimals([totals.icms, '100.00'])
      : key === faults.creditNotTaken
        ? '0.00'
        : totals.icms;
  const { discount, products, freight, insurance, other, icms_base, icms_st, ipi, pis, cofins } = totals;
  const values = [total, '1', discount, '', products, '9', freight, insurance, other].map(money);
  const taxes = [icms_base, icms, '', icms_st, ipi, pis, cofins, '', ''].map(money);
  const days = [digitsOf(issued), digitsOf(isEntry ? entered : issued)];
  const booked = [
    record('C100', ...head, '00', series, shown, key, ...days, ...values, ...taxes),
    ...analytic(one, faults),
  ];
  return key === faults.twice ? [...booked, ...booked] : booked;
}

/** D100 with its D190, of a carriage that the company pays. */
function carriage(one: Listed): string[] {
  const { summary, key, issued, entered } = one;
  const { totals, series = '', number = '', cfop = '', taxation, route } = summary;
  const head = ['0', '1', participant(one).code, '57', '00', series, '', number, key];
  const days = [digitsOf(issued), digitsOf(entered), '0', ''];
  const amounts = [totals.total, '0.00'].map(money);
  const taxes = [totals.total, totals.icms_base ?? '0.00', totals.icms ?? '0.00', '0.00'].map(money);
  const cities = [route?.origin?.city ?? '', route?.destination?.city ?? ''];
  const cst = (taxation?.cst ?? '').slice(-2).padStart(3, '0');
  const rate = isAboveZero(totals.icms) ? '12,00' : '0,00';
  return [
    record('D100', ...head, ...days, ...amounts, '1', ...taxes, '', '', ...cities),
    record('D190', cst, cfopOf(one, cfop), rate, ...taxes.slice(0, 3), '0,00', ''),
  ];
}

/** An entry whose document nobody has: the key is right in itself, and of none of this supplier's notes. */
function unknownEntry(documents: readonly Listed[], month: string): string[] {
  const model = documents.find(
    ({ isOwn, isCancelled, summary, issued }) =>
      summary.kind === 'nfe' && !isOwn && !isCancelled && issued.startsWith(month),
  );
  if (model === undefined) return [];
  const { key, issued } = model;
  const number = '999999001';
  const other = completeAccessKey(`${key.slice(0, 25)}${number}${key.slice(34, 43)}`);
  const day = digitsOf(issued);
  const head = [
    '0',
    '1',
    participant(model).code,
    '55',
    '00',
    String(Number(key.slice(22, 25))),
    number,
    other,
  ];
  return [
    record('C100', ...head, day, day, '1580,00|1|||1580,00|9||||1580,00|284,40|||||||'),
    record('C190', '000|1102|18,00|1580,00|1580,00|284,40|0,00|0,00|0,00|0,00|'),
  ];
}

/** Whether a document is of the month's book: by day of entry, or of issue where it goes out. */
function isBooked({ summary, isEntry, isParty, isRefused, entered, issued }: Listed, month: string) {
  if (summary.kind === 'nfse' || !isParty || isRefused) return false;
  return (isEntry ? entered : issued).slice(0, 7) === month;
}

/** Layouts change with the year: 020 is that of 2026. */
const layoutOf = (month: string) => String(Number(month.slice(0, 4)) - 2006).padStart(3, '0');

/**
 * The EFD ICMS/IPI of a month, with the records that a comparison reads. Right in it: cancelled notes under COD_SIT 02,
 * notes of the last days before that entered in it, other companies' cancelled notes left out. Wrong: see `Faults`, and
 * an entry without a document.
 */
export function efdOf({ company, month, first, last, documents }: ListedMonth): ListFile {
  const booked = documents.filter((one) => isBooked(one, month));
  const faults = chooseFaults(booked);
  const listed = booked.filter(({ key, isOwn, isCancelled }) => {
    const isForeignVoid = isCancelled && !isOwn && key !== faults.bookedThoughCancelled;
    return !isForeignVoid && !faults.absent.has(key);
  });
  const parties = new Map(listed.map((one) => [participant(one).code, participant(one)]));
  const { city, stateRegistration = '', id, name } = company;
  const opening = [
    '0000',
    layoutOf(month),
    '0',
    digitsOf(first),
    digitsOf(last),
    name,
    id,
    '',
    company.state,
  ];
  const block = (name: string, lines: readonly string[]) => [
    record(`${name}001`, lines.length > 0 ? '0' : '1'),
    ...lines,
    record(`${name}990`, String(lines.length + 2)),
  ];
  const isNote = ({ summary }: Listed) => summary.kind === 'nfe';
  const lines = [
    record(...opening, stateRegistration, city.code ?? '', '', '', 'A', '1'),
    record('0001', '0'),
    ...[...parties.values()].map(({ code, name, id }) => {
      const [cnpj, cpf] = id.length === 11 ? ['', id] : [id, ''];
      return record('0150', code, name, '01058', cnpj, cpf, '', '', '', '', '', '', '');
    }),
    record('0990', String(parties.size + 3)),
    ...block('C', [
      ...listed.filter(isNote).flatMap((one) => goods(one, faults)),
      ...unknownEntry(listed, month),
    ]),
    ...block('D', listed.filter((one) => !isNote(one)).flatMap(carriage)),
    record('9001', '0'),
    record('9990', '3'),
  ];
  const text = [...lines, record('9999', String(lines.length + 1)), ''].join('\r\n');
  return { name: `efd-icms-ipi-${month}.txt`, content: Buffer.from(text, 'latin1') };
}
