import { addDecimals, compareDecimals } from '../../documents/decimals.ts';
import { grouped } from '../../documents/grouped.ts';
import { partsOf, type Values } from '../data/templates.ts';
import efdXml from '../templates/efd.xml';
import { chooseWrong, type Listed, type ListedMonth, type ListFile, strangerOf } from './listed.ts';

const record = partsOf(efdXml);
/** Amounts in SPED's format, `1234,50`; empty if absent. */
const inReais = (amounts: Values): Values =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount = '']) => [name, amount.replace('.', ',')]));
/** `ddmmaaaa`. */
const digitsOf = (day: string) => day.split('-').reverse().join('');
const isAboveZero = (amount = '0.00') => compareDecimals(amount, '0.00') > 0;

const isNote = ({ summary }: Listed) => summary.kind === 'nfe';
const isSold = (one: Listed) =>
  isNote(one) && one.isOwn && !one.isEntry && !one.isCancelled && one.summary.purpose === '1';
const isBought = (one: Listed) =>
  isNote(one) && !one.isOwn && !one.isCancelled && one.issued.slice(0, 7) === one.entered.slice(0, 7);
const givesCredit = (one: Listed) => isBought(one) && isAboveZero(one.summary.totals.icms);
const isOfState = ({ summary }: Listed) => summary.items.every(({ cfop = '' }) => cfop.startsWith('5'));

/** Deliberate errors of the file. */
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

/** The buyer's CFOP of an entry: a sale within the state becomes a purchase within it. */
function cfopOf({ isOwn }: Listed, cfop = ''): string {
  return isOwn || Number(cfop.charAt(0)) < 5 ? cfop : `${Number(cfop.charAt(0)) - 4}${cfop.slice(1)}`;
}

const TAXES = ['icms_base', 'icms', 'icms_st_base', 'icms_st', 'ipi'] as const;

/** C190: item totals by CST, CFOP and rate. */
function analytic(one: Listed, fault: Fault): string[] {
  const groups = grouped(one.summary.items, ({ origin = '0', cst = '', taxes, cfop: given }) => {
    const cfop = cfopOf(one, given);
    const shown = fault === 'wrong CFOP' ? `2${cfop.slice(1)}` : cfop;
    const rate = (taxes.icms_rate ?? '').replace('.', ',');
    return [`${origin}${cst}`.slice(0, 3).padStart(3, '0'), shown, rate].join('|');
  });
  return [...groups].map(([group, items]) => {
    const sum = (amounts: readonly (string | undefined)[]) => addDecimals(amounts) ?? '0.00';
    const sums = TAXES.map((tax) => [tax, sum(items.map(({ taxes }) => taxes[tax]))]);
    const operation = sum(items.map(({ share, total }) => share ?? total));
    return record('C190', { group, ...inReais({ ...Object.fromEntries(sums), operation }) });
  });
}

const participant = ({ isOwn, summary }: Listed) => {
  const { id = '', id_type, name = '' } = (isOwn ? summary.recipient : summary.issuer) ?? {};
  return { code: `P${id}`, id: id_type === 'foreign' ? '' : id, name };
};

/** C100 and C190: a booked note. */
function goods(one: Listed, fault: Fault): string[] {
  const { summary, key, isOwn, isEntry, issued, entered } = one;
  const { totals, series = '', number = '' } = summary;
  const shown = fault === 'wrong number' ? String(Number(number) + 1) : number;
  const head = { in: isEntry ? '0' : '1', third: isOwn ? '0' : '1', series, number: shown, key };
  if (fault === 'booked as cancelled' || (one.isCancelled && fault !== 'booked though cancelled'))
    return [record('C100 void', head)];
  const total = fault === 'wrong total' ? addDecimals([totals.total, '90.00']) : totals.total;
  const credit = fault === 'credit above' ? addDecimals([totals.icms, '100.00']) : totals.icms;
  const icms = fault === 'credit not taken' ? '0.00' : credit;
  const days = { issued: digitsOf(issued), moved: digitsOf(isEntry ? entered : issued) };
  const about = { ...head, ...days, party: participant(one).code };
  const note = record('C100', { ...about, ...inReais({ ...totals, total, icms }) });
  const booked = [note, ...analytic(one, fault)];
  return fault === 'twice' ? [...booked, ...booked] : booked;
}

/** D100 and D190: a freight paid by the company. */
function carriage(one: Listed): string[] {
  const { summary, key, issued, entered } = one;
  const { series, number, cfop, taxation, route } = summary;
  const { total, icms_base = '0.00', icms = '0.00' } = summary.totals;
  const amounts = inReais({ total, icms_base, icms });
  const days = { issued: digitsOf(issued), moved: digitsOf(entered) };
  const cities = { origin: route?.origin?.city, destination: route?.destination?.city };
  const cst = (taxation?.cst ?? '').slice(-2).padStart(3, '0');
  const rate = isAboveZero(icms) ? '12,00' : '0,00';
  return [
    record('D100', { party: participant(one).code, series, number, key, ...days, ...amounts, ...cities }),
    record('D190', { cst, cfop: cfopOf(one, cfop), rate, ...amounts }),
  ];
}

function unknownEntry(model: Listed): string[] {
  const [number, issued] = ['999999001', digitsOf(model.issued)];
  const key = strangerOf(model, number);
  const series = String(Number(key.slice(22, 25)));
  const amounts = { total: '1580,00', products: '1580,00', icms_base: '1580,00', icms: '284,40' };
  const head = { in: '0', third: '1', party: participant(model).code, series, number, key };
  const untaxed = { icms_st_base: '0,00', icms_st: '0,00', ipi: '0,00' };
  return [
    record('C100', { ...head, issued, moved: issued, ...amounts }),
    record('C190', { group: '000|1102|18,00', operation: amounts.total, ...amounts, ...untaxed }),
  ];
}

/** True if the month's book has the document: inbound by day of entry, outbound by day of issue. */
function isBooked({ summary, isEntry, isParty, isRefused, entered, issued }: Listed, month: string) {
  if (summary.kind === 'nfse' || !isParty || isRefused) return false;
  return (isEntry ? entered : issued).startsWith(month);
}

const block = (name: string, lines: readonly string[]) => [
  `|${name}001|${lines.length > 0 ? '0' : '1'}|`,
  ...lines,
  `|${name}990|${lines.length + 2}|`,
];

/**
 * The EFD ICMS/IPI of a month, with the records that a comparison reads. Correct: cancelled notes under COD_SIT 02,
 * notes issued in the days before the month that entered in it, no cancelled notes of other companies. Deliberate
 * errors: `FAULTS`, and an entry without a document.
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
  // A new layout each year: 020 is for 2026.
  const layout = String(Number(month.slice(0, 4)) - 2006).padStart(3, '0');
  const { city, state, row, id, name } = company;
  const about = { name, id, state, ie: row.ie, city: city.code };
  const lines = [
    record('0000', { layout, first: digitsOf(first), last: digitsOf(last), ...about }),
    '|0001|0|',
    ...[...parties.values()].map(({ code, name, id }) => {
      const cpf = id.length === 11 ? id : '';
      return record('0150', { code, name, cnpj: cpf === '' ? id : '', cpf });
    }),
    `|0990|${parties.size + 3}|`,
    ...block('C', [
      ...listed.filter(isNote).flatMap((one) => goods(one, faultOf(one))),
      ...(model ? unknownEntry(model) : []),
    ]),
    ...block('D', listed.filter((one) => !isNote(one)).flatMap(carriage)),
    '|9001|0|',
    '|9990|3|',
  ];
  const text = [...lines, `|9999|${lines.length + 1}|`, ''].join('\r\n');
  return { name: `efd-icms-ipi-${month}.txt`, content: Buffer.from(text, 'latin1') };
}
