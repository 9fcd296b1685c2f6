import { addDays, isDay } from '../days.ts';
import { addDecimals, withoutEndingZeros } from '../decimals.ts';
import { NATIONAL_KEY_LENGTH, withoutLeadingZeros } from '../identity/keys.ts';
import { checkTaxId, unmaskTaxId } from '../identity/tax-ids.ts';
import { cleanText, flatten, longest } from '../untrusted.ts';
import { createXmlReader, type XmlHandler } from '../xml/xml.ts';
import { type Book, BookError, type Entry, entryAmounts, notesThatApply, unreadIn } from './book.ts';

/** A cell: unchanged text, or a spreadsheet's number with a decimal point. */
export type Cell = string | { readonly number: string };

/** Fields a column can hold, as named in the argument `columns`, with their normalised headings. */
const headings = {
  key: 'chave|chaveacesso|chavedeacesso|chavenfe|chavedanfe|chavecte|chavenfse|chnfe|accesskey|key',
  number:
    'numero|num|nnf|nf|nfe|nota|notafiscal|numeronf|numeronfe|numeronota|numerodanota|numerodocumento|ndocumento|number|invoice',
  series: 'serie|ser|series',
  model: 'modelo|mod|model',
  issuer:
    'cnpj|cnpjcpf|cpfcnpj|cnpjemitente|cnpjdoemitente|cnpjfornecedor|cnpjprestador|cnpjcpfemitente|fornecedorcnpj|issuer',
  issuer_name: 'razaosocial|fornecedor|emitente|nomeemitente|nomefornecedor|nome|issuername',
  date: 'emissao|dataemissao|datadeemissao|dtemissao|dtdoc|data|date|issuedate',
  entered: 'entrada|dataentrada|datadeentrada|dtentrada|lancamento|datalancamento',
  cfop: 'cfop',
  total:
    'valorcontabil|valortotal|valordanota|valornota|valornf|valornfe|vlnf|vlrtotal|vltotal|vnf|valor|total|amount',
  icms_base: 'baseicms|bcicms|basedeicms|basedecalculoicms|basecalculoicms|vbc',
  icms: 'icms|valoricms|vlicms|vicms|vlricms',
  icms_st: 'icmsst|valoricmsst|vlicmsst|valorst|st',
  ipi: 'ipi|valoripi|vlipi|vipi',
  pis: 'pis|valorpis|vlpis',
  cofins: 'cofins|valorcofins|vlcofins',
  cbs: 'cbs|valorcbs|vlcbs|vcbs',
  status: 'situacao|status',
} as const;

type Field = keyof typeof headings;

export const columnFields = Object.keys(headings) as readonly Field[];

const fieldByHeading = new Map<string, Field>(
  columnFields.flatMap((field) => headings[field].split('|').map((heading) => [heading, field] as const)),
);

const plainHeading = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/n[º°o]\.? /g, 'numero')
    .replace(/[^a-z0-9]/g, '');

const textOf = (cell: Cell | undefined) => (typeof cell === 'string' ? cell : (cell?.number ?? '')).trim();

/** Rows in which the heading is searched. */
const HEADING_WITHIN = 20;

/** Splits CSV text into cells. The separator is the most frequent one in the first line. */
export function readCsv(text: string): { rows: string[][]; isCut: boolean } {
  const first = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, '');
  const separators = [';', '\t', ',', '|'].map((one) => [one, first.split(one).length] as const);
  const [separator] = separators.reduce((best, one) => (one[1] > best[1] ? one : best));
  // Quoted text with doubled quotes inside, also Excel's `="0012"`; unquoted text; the separator. Without a bound, many
  // quotes would exhaust the stack; a cell above it counts as truncated.
  const cell = new RegExp(
    `(?:=?"([^"]*(?:""[^"]*){0,9999})("?))?([^${separator}\\n]*)([${separator}]?)`,
    'y',
  );
  const rows: string[][] = [];
  let row: string[] = [];
  let isCut = false;
  while (cell.lastIndex < text.length) {
    const [, quoted = '', mark, plain = '', end] = cell.exec(text) ?? [];
    isCut ||= mark === '' || plain.startsWith('"');
    row.push(quoted.replaceAll('""', '"') + plain.replace(/\r$/, ''));
    if (end !== '') continue;
    cell.lastIndex++;
    if (row.some((one) => one !== '')) rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return { rows, isCut };
}

/** Digits that a spreadsheet keeps exactly. */
const PRECISION = 15;

function amountOf(cell: Cell | undefined, isPointed: boolean): string | undefined {
  if (typeof cell === 'object') {
    const number = Number(cell.number);
    const text = number.toPrecision(PRECISION);
    return /^-?\d+(\.\d+)?$/.test(text) ? addDecimals([withoutEndingZeros(text), '0.00']) : undefined;
  }
  // Accountants write negative amounts in parentheses or with a trailing sign.
  const plain = textOf(cell)
    .replace(/R\$|\s/g, '')
    .replace(/^\((.+)\)$|^([^-]+)-$/, '-$1$2');
  const hasEnglishMarks = plain.includes(',') && plain.lastIndexOf('.') > plain.indexOf(',');
  const last = plain.lastIndexOf(isPointed || hasEnglishMarks ? '.' : ',');
  const whole = (last === -1 ? plain : plain.slice(0, last)).replace(/[.,]/g, '');
  const decimals = last === -1 ? '' : plain.slice(last + 1);
  return /^-?\d{1,15}$/.test(whole) && /^\d{0,6}$/.test(decimals)
    ? `${whole}.${decimals.padEnd(2, '0')}`
    : undefined;
}

/** Cells without a value: empty or a dash. */
const BLANK = /^[\s–—-]*$/;

const DAY_ZERO = { 1900: '1899-12-30', 1904: '1904-01-01' } as const;

function dayOf(cell: Cell | undefined, epoch: 1900 | 1904): string | undefined {
  if (typeof cell === 'object') {
    const days = Math.floor(Number(cell.number));
    return days > 10_000 && days < 100_000 ? addDays(DAY_ZERO[epoch], days) : undefined;
  }
  const text = textOf(cell);
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})\b/.exec(text) ?? [];
  const full = year.length === 2 ? `20${year}` : year;
  const iso = year === '' ? text.slice(0, 10) : `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return /^\d{4}-\d{2}-\d{2}$/.test(iso) && isDay(iso) ? iso : undefined;
}

/** The key in a cell; undefined if empty, false if a spreadsheet corrupted it. */
function keyOf(cell: Cell | undefined): string | undefined | false {
  const text = unmaskTaxId(textOf(cell).replace(/^[='"]+|(?<!["'])["']+$/g, '')).replace(
    /^(?:NFE|CTE|NFS)(?=\d)/,
    '',
  );
  if (text === '') return undefined;
  return typeof cell === 'string' && /^(?:[0-9A-Z]{44}|[0-9A-Z]{50})$/.test(text) ? flatten(text) : false;
}

/** A tax id; restores leading zeros dropped by a spreadsheet. */
function taxIdOf(cell: Cell | undefined): string | undefined {
  const text = unmaskTaxId(textOf(cell));
  if (text === '') return undefined;
  const tries = [text, ...(/^\d+$/.test(text) ? [text.padStart(14, '0'), text.padStart(11, '0')] : [])];
  return tries.find((one) => checkTaxId(one).ok) ?? flatten(text.slice(0, 20));
}

/** Parts of the document in its key. The key of an NFS-e has its issuer at another position. */
function partsOf(key: string): Pick<Entry, 'model' | 'number' | 'issuer'> {
  if (key.length === NATIONAL_KEY_LENGTH)
    return { model: 'nfse', number: withoutLeadingZeros(key.slice(23, 36)) };
  return {
    model: key.slice(20, 22),
    number: withoutLeadingZeros(key.slice(25, 34)),
    issuer: key.slice(6, 20),
  };
}

/** A document number, without thousands separators and leading zeros. */
function numberOf(cell: Cell | undefined): string | undefined {
  const text = textOf(cell).replace(/^(\d{1,3}(?:\.\d{3})+)$/, (grouped) => grouped.replaceAll('.', ''));
  return /^\d{1,15}$/.test(text) ? withoutLeadingZeros(text) : undefined;
}

const VOID = /cancel|deneg|inutil/i;

interface Mapping {
  readonly row: number;
  readonly place: ReadonlyMap<Field, number>;
}

/**
 * Maps fields to columns: by the call's argument, else by heading.
 * @throws BookError without a column that identifies documents
 */
function mappingOf(rows: readonly (readonly Cell[])[], given: Readonly<Record<string, string>>): Mapping {
  const wanted = new Map(
    Object.entries(given).map(([heading, field]) => [plainHeading(heading), field as Field]),
  );
  let best: Mapping | undefined;
  for (const [row, cells] of rows.slice(0, HEADING_WITHIN).entries()) {
    const place = new Map<Field, number>();
    for (const [at, cell] of cells.entries()) {
      const heading = plainHeading(textOf(cell));
      const field = wanted.get(heading) ?? fieldByHeading.get(heading);
      if (field !== undefined && (!place.has(field) || wanted.has(heading))) place.set(field, at);
    }
    if (place.size > (best?.place.size ?? 1)) best = { row, place };
  }
  if (best === undefined || !(best.place.has('key') || best.place.has('number')))
    throw new BookError('no_columns');
  return best;
}

/** Options of `readTable`. */
export interface TableOptions {
  readonly layout: 'csv' | 'xlsx';
  /** Owner of the list. */
  readonly company: string;
  /** Heading to field, for headings that aren't recognised. */
  readonly columns: Readonly<Record<string, string>>;
  readonly isCut: boolean;
  readonly epoch?: 1900 | 1904;
}

/** Reads the rows of an exported list. @throws BookError if no column identifies documents */
export function readTable(
  rows: readonly (readonly Cell[])[],
  { layout, company, columns: given, isCut, epoch = 1900 }: TableOptions,
): Book {
  const { row: heading, place } = mappingOf(rows, given);
  const body = rows.slice(heading + 1);
  const cellOf = (cells: readonly Cell[], field: Field) => {
    const at = place.get(field);
    return at === undefined ? undefined : cells[at];
  };
  const amounts = body
    .flatMap((cells) => entryAmounts.map((field) => cellOf(cells, field)))
    .map((cell) => (typeof cell === 'string' ? cell.replace(/R\$|\s/g, '') : ''));
  // The decimal mark is a point if no amount has a comma in its place and at least one has a point there.
  const isPointed =
    !amounts.some((text) => /,\d{1,2}$/.test(text)) && amounts.some((text) => /\.\d{1,2}$/.test(text));
  const entries: Entry[] = [];
  let ruined = 0;
  let dropped = 0;
  const unread: number[] = [];
  for (const [at, cells] of body.entries()) {
    const of = (field: Field) => cellOf(cells, field);
    const line = heading + 2 + at;
    const valueIn = <T>(field: Field, read: (cell: Cell | undefined) => T | undefined) => {
      const value = read(of(field));
      if (value === undefined && !BLANK.test(textOf(of(field)))) unread.push(line);
      return value;
    };
    const key = keyOf(of('key'));
    const inKey = key ? partsOf(key) : undefined;
    const number = numberOf(of('number')) ?? inKey?.number;
    if (!key && number === undefined) {
      dropped++;
      continue;
    }
    if (key === false) ruined++;
    const issuer = taxIdOf(of('issuer')) ?? inKey?.issuer;
    const isOwn = issuer === company;
    const status = textOf(of('status'));
    const cfop = textOf(of('cfop')).replace(/\D/g, '');
    entries.push({
      ...{ line, record: 'row', holder: company, number, issuer },
      ...(issuer !== undefined && { isOwn, direction: isOwn ? 'outbound' : 'inbound' }),
      model: textOf(of('model')) || inKey?.model,
      situation: status === '' ? undefined : VOID.test(status) ? '02' : '00',
      series: numberOf(of('series')),
      key: key || undefined,
      issuer_name: cleanText(textOf(of('issuer_name')), longest.name) || undefined,
      day: valueIn('date', (cell) => dayOf(cell, epoch)),
      moved: valueIn('entered', (cell) => dayOf(cell, epoch)),
      cfops: /^[1-7]\d{3}$/.test(cfop) ? [cfop, ''] : undefined,
      ...Object.fromEntries(
        entryAmounts.map((field) => [field, valueIn(field, (cell) => amountOf(cell, isPointed))]),
      ),
    });
  }
  const days = entries.flatMap(({ day }) => day ?? []).sort();
  const columns = Object.fromEntries(
    [...place].map(([field, at]) => [field, cleanText(textOf(rows[heading]?.[at]), 60)]),
  );
  const named = Object.entries(columns).map(([field, text]) => `${field} = ${text}`);
  const notes = notesThatApply(
    ['columns', true, { names: named.join('; ') }],
    ['ruined_keys', ruined > 0, { count: ruined }],
    ['dropped_rows', dropped > 0, { count: dropped }],
    ['unread_values', unread.length > 0, unreadIn(unread)],
    ['truncated', isCut, { line: rows.length }],
  );
  return {
    ...{ kind: 'list', layout, company, notes, entries, columns },
    from: days[0],
    to: days.at(-1),
    isWhole: !isCut,
    isReplacement: false,
    notCompared: new Map(unread.length > 0 ? [['unread_value', unread.length]] : []),
  };
}

function readXml(text: string, events: XmlHandler): void {
  const reader = createXmlReader(events);
  reader.write(text);
  reader.end();
}

/** Reads the shared strings of a workbook (`xl/sharedStrings.xml`). @throws XmlError */
export function readSharedStrings(xml: string): string[] {
  const texts: string[] = [];
  let isPhonetic = false;
  let isText = false;
  readXml(xml, {
    open(name) {
      if (name === 'si') texts.push('');
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
      return undefined;
    },
    text(piece) {
      if (isText) texts[texts.length - 1] += piece;
    },
    close(name) {
      if (name === 'rPh') isPhonetic = false;
      if (name === 't') isText = false;
    },
  });
  return texts;
}

function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '';
  return [...letters].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Reads the rows of a sheet (`xl/worksheets/sheet1.xml`), cells at their positions. @throws XmlError */
export function readSheet(xml: string, shared: readonly string[]): Cell[][] {
  const rows: Cell[][] = [];
  let row: Cell[] = [];
  let column = -1;
  let type = '';
  let value = '';
  let isValue = false;
  readXml(xml, {
    open(name, { r = '', t = '' }) {
      if (name === 'row') {
        const at = Number(r);
        // Empty rows are omitted in the file; line numbers must stay right.
        while (rows.length < Math.min(at - 1, 1_048_576)) rows.push([]);
        row = [];
        rows.push(row);
        column = -1;
      } else if (name === 'c') {
        const place = columnOf(r);
        column = place >= 0 && place < 16_384 ? place : column + 1;
        type = t;
        value = '';
      }
      isValue = name === 'v' || (name === 't' && type === 'inlineStr');
      return undefined;
    },
    text(piece) {
      if (isValue) value += piece;
    },
    close(name) {
      isValue = false;
      if (name !== 'c' || value === '') return;
      while (row.length < column) row.push('');
      if (type === 's') row[column] = shared[Number(value)] ?? '';
      else row[column] = type === '' || type === 'n' ? { number: value } : value;
    },
  });
  return rows;
}
