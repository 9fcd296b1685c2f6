import { addDecimals, compareDecimals } from '../../documents/decimals.ts';
import type { Item } from '../../documents/summary/summary.ts';
import { chooseWrong, type Listed, type ListedMonth, type ListFile, strangerOf } from './listed.ts';

/** `1234,50`, as SPED writes amounts; empty where there is none. */
const money = (amount = '') => amount.replace('.', ',');
/** `ddmmaaaa`. */
const digitsOf = (day: string) => day.split('-').reverse().join('');
const record = (...fields: readonly (string | undefined)[]) => `|${fields.join('|')}|`;
const isAboveZero = (amount = '0.00') => compareDecimals(amount, '0.00') > 0;

const isNote = ({ summary }: Listed) => summary.kind === 'nfe';
const isSold = (one: Listed) =>
  isNote(one) && one.isOwn && !one.isEntry && !one.isCancelled && one.summary.purpose === '1';
const isBought = (one: Listed) =>
  isNote(one) && !one.isOwn && !one.isCancelled && one.issued.slice(0, 7) === one.entered.slice(0, 7);
const givesCredit = (one: Listed) => isBought(one) && isAboveZero(one.summary.totals.icms);
const isOfState = ({ summary }: Listed) => summary.items.every(({ cfop = '' }) => cfop.startsWith('5'));

/** What this file has wrong on purpose. */
const FAULTS = [
  ['absent', isSold],
  ['absent', isBought],
  ['wrong total', isSold],
  ['booked as cancelled', isSold],
  ['booked though cancelled', ({ isCancelled }: Listed) => isCancelled],
  ['twice', isBought],
  ['credit above', givesCredit],
  ['credit not taken', givesCredit],
  ['wrong number', isBought],
  ['wrong CFOP', (one: Listed) => isBought(one) && isOfState(one)],
] as const;

type Fault = (typeof FAULTS)[number][0] | undefined;

/** The CFOP of an entry as the buyer sees it: sold within the state is bought within it. */
function cfopOf({ isOwn }: Listed, cfop = ''): string {
  return isOwn || Number(cfop.charAt(0)) < 5 ? cfop : `${Number(cfop.charAt(0)) - 4}${cfop.slice(1)}`;
}

/** C190: items by CST, CFOP and rate. */
function analytic(one: Listed, fault: Fault): string[] {
  const groups = new Map<string, Item[]>();
  for (const item of one.summary.items) {
    const { origin = '0', cst = '', taxes } = item;
    const cfop = cfopOf(one, item.cfop);
    const shown = fault === 'wrong CFOP' ? `2${cfop.slice(1)}` : cfop;
    const name = [`${origin}${cst}`.slice(0, 3).padStart(3, '0'), shown, money(taxes.icms_rate)].join('|');
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups].map(([name, items]) => {
    const sum = (amounts: readonly (string | undefined)[]) => money(addDecimals(amounts) ?? '0.00');
    const [base, icms, stBase, st, ipi] = (
      ['icms_base', 'icms', 'icms_st_base', 'icms_st', 'ipi'] as const
    ).map((tax) => sum(items.map(({ taxes }) => taxes[tax])));
    const operation = sum(items.map(({ share, total }) => share ?? total));
    return record('C190', name, operation, base, icms, stBase, st, '0,00', ipi, '');
  });
}

const participant = ({ isOwn, summary }: Listed) => {
  const { id = '', id_type, name = '' } = (isOwn ? summary.recipient : summary.issuer) ?? {};
  return { code: `P${id}`, id: id_type === 'foreign' ? '' : id, name };
};

/** C100 with its C190, as the company has booked a note. */
function goods(one: Listed, fault: Fault): string[] {
  const { summary, key, isOwn, isEntry, issued, entered } = one;
  const { totals, series = '', number = '' } = summary;
  const sides = [isEntry ? '0' : '1', isOwn ? '0' : '1'];
  const shown = fault === 'wrong number' ? String(Number(number) + 1) : number;
  if (fault === 'booked as cancelled' || (one.isCancelled && fault !== 'booked though cancelled'))
    return [record('C100', ...sides, '', '55', '02', series, shown, key, '|'.repeat(19))];
  const total = fault === 'wrong total' ? addDecimals([totals.total, '90.00']) : totals.total;
  const credit = fault === 'credit above' ? addDecimals([totals.icms, '100.00']) : totals.icms;
  const icms = fault === 'credit not taken' ? '0.00' : credit;
  const { discount, products, freight, insurance, other, icms_base, icms_st, ipi, pis, cofins } = totals;
  const head = [...sides, participant(one).code, '55', '00', series, shown, key];
  const days = [digitsOf(issued), digitsOf(isEntry ? entered : issued)];
  const values = [total, '1', discount, '', products, '9', freight, insurance, other];
  const taxes = [icms_base, icms, '', icms_st, ipi, pis, cofins, '', ''];
  const amounts = [...values, ...taxes].map((amount) => money(amount));
  const booked = [record('C100', ...head, ...days, ...amounts), ...analytic(one, fault)];
  return fault === 'twice' ? [...booked, ...booked] : booked;
}

/** D100 with its D190, of a carriage that the company pays. */
function carriage(one: Listed): string[] {
  const { summary, key, issued, entered } = one;
  const { totals, series, number, cfop, taxation, route } = summary;
  const head = ['0', '1', participant(one).code, '57', '00', series, '', number, key];
  const days = [digitsOf(issued), digitsOf(entered), '0', ''];
  const { total, icms_base = '0.00', icms = '0.00' } = totals;
  const amounts = [total, icms_base, icms].map((amount) => money(amount));
  const cities = [route?.origin?.city, route?.destination?.city];
  const cst = (taxation?.cst ?? '').slice(-2).padStart(3, '0');
  const rate = isAboveZero(icms) ? '12,00' : '0,00';
  return [
    record('D100', ...head, ...days, money(total), '0,00', '1', ...amounts, '0,00', '', '', ...cities),
    record('D190', cst, cfopOf(one, cfop), rate, ...amounts, '0,00', ''),
  ];
}

/** An entry whose document nobody has. */
function unknownEntry(model: Listed): string[] {
  const key = strangerOf(model, '999999001');
  const day = digitsOf(model.issued);
  const series = String(Number(key.slice(22, 25)));
  const head = ['0', '1', participant(model).code, '55', '00', series, '999999001', key];
  return [
    record('C100', ...head, day, day, '1580,00|1|||1580,00|9||||1580,00|284,40|||||||'),
    record('C190', '000|1102|18,00|1580,00|1580,00|284,40|0,00|0,00|0,00|0,00|'),
  ];
}

/** Whether a document is of the month's book: by day of entry, or of issue where it goes out. */
function isBooked({ summary, isEntry, isParty, isRefused, entered, issued }: Listed, month: string) {
  if (summary.kind === 'nfse' || !isParty || isRefused) return false;
  return (isEntry ? entered : issued).startsWith(month);
}

const block = (name: string, lines: readonly string[]) => [
  record(`${name}001`, lines.length > 0 ? '0' : '1'),
  ...lines,
  record(`${name}990`, String(lines.length + 2)),
];

/**
 * The EFD ICMS/IPI of a month, with the records that a comparison reads. Right in it: cancelled notes under COD_SIT 02,
 * notes of the last days before that entered in it, other companies' cancelled notes left out. Wrong: see `FAULTS`, and
 * an entry without a document.
 */
export function efdOf({ company, month, first, last, documents }: ListedMonth): ListFile {
  const booked = documents.filter((one) => isBooked(one, month));
  const faultOf = chooseWrong<Fault>(booked, FAULTS);
  const listed = booked.filter((one) => {
    const isForeignVoid = one.isCancelled && !one.isOwn;
    return faultOf(one) !== 'absent' && (!isForeignVoid || faultOf(one) === 'booked though cancelled');
  });
  const model = listed.find((one) => isBought(one) && one.issued.startsWith(month));
  const parties = new Map(listed.map((one) => [participant(one).code, participant(one)]));
  // Layouts change with the year: 020 is that of 2026.
  const layout = String(Number(month.slice(0, 4)) - 2006).padStart(3, '0');
  const { city, state, row, id, name } = company;
  const opening = [layout, '0', digitsOf(first), digitsOf(last), name, id, '', state, row.ie];
  const lines = [
    record('0000', ...opening, city.code, '', '', 'A', '1'),
    record('0001', '0'),
    ...[...parties.values()].map(({ code, name, id }) => {
      const [cnpj, cpf] = id.length === 11 ? ['', id] : [id, ''];
      return record('0150', code, name, '01058', cnpj, cpf, '|'.repeat(6));
    }),
    record('0990', String(parties.size + 3)),
    ...block('C', [
      ...listed.filter(isNote).flatMap((one) => goods(one, faultOf(one))),
      ...(model ? unknownEntry(model) : []),
    ]),
    ...block('D', listed.filter((one) => !isNote(one)).flatMap(carriage)),
    record('9001', '0'),
    record('9990', '3'),
  ];
  const text = [...lines, record('9999', String(lines.length + 1)), ''].join('\r\n');
  return { name: `efd-icms-ipi-${month}.txt`, content: Buffer.from(text, 'latin1') };
}
