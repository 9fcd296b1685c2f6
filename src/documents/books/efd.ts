import { isUtf8 } from 'node:buffer';
import { isDay } from '../days.ts';
import { NATIONAL_KEY_LENGTH, withoutLeadingZeros } from '../identity/keys.ts';
import { cleanText, flatten, longest } from '../untrusted.ts';
import { decodeWindows } from '../xml/encoding.ts';
import {
  type Book,
  BookError,
  type BookNote,
  type BookReader,
  count,
  type Entry,
  entryAmounts,
  isInPart,
  type NotCompared,
  notesThatApply,
  type Part,
  unreadIn,
  wholeFile,
} from './book.ts';

type Fields = readonly string[];

/** Positions of a document's fields in its record, by official number. Source: docs/fiscal/reconcile.md. */
interface DocumentRecord {
  /** Number of fields in the first layout; later ones only append. */
  readonly least: number;
  readonly at: Readonly<Partial<Record<keyof Entry, number>>>;
  /** Models that are compared; service records have none. */
  readonly models?: readonly string[];
}

const ofGoods = { direction: 2, isOwn: 3, model: 5, situation: 6, series: 7 } as const;
const PARTICIPANT = 4;

const documentRecords: Readonly<Record<string, DocumentRecord>> = {
  C100: {
    least: 29,
    at: {
      ...{ ...ofGoods, number: 8, key: 9, day: 10, moved: 11, total: 12 },
      ...{ icms_base: 21, icms: 22, icms_st: 24, ipi: 25, pis: 26, cofins: 27 },
    },
    models: ['55', '65'],
  },
  D100: {
    least: 23,
    at: { ...ofGoods, number: 9, key: 10, day: 11, moved: 12, total: 15, icms_base: 19, icms: 20 },
    models: ['57', '67'],
  },
  A100: {
    least: 21,
    at: {
      ...{ direction: 2, isOwn: 3, situation: 5, series: 6, number: 8, key: 9 },
      ...{ day: 10, moved: 11, total: 12, pis: 16, cofins: 18 },
    },
  },
};

const otherRecords = new Set(['B020', 'C500', 'C800', 'D500', 'D700']);

/**
 * Analytic record (CFOP and VL_OPR) to the document record it follows. In EFD-Contribuições, `C190` is something else.
 */
const analytic: Readonly<Record<string, string>> = { C190: 'C100', D190: 'D100' };

const knownLayouts = { efd_icms_ipi: [12, 21], efd_contribuicoes: [2, 6] } as const;
/** Layouts implemented from a published schema alone, never tested with a company's file. */
const schemaAlone: readonly string[] = ['020', '021'];

/** Content before the binary signature. */
const SIGNATURE = 'SBRCAAEPDR';
const LONGEST_LINE = 1024 ** 2;
/** Limit of entries in memory: larger files are read part by part. */
export const MOST_ENTRIES = 400_000;

/** Decimal text of an amount in SPED notation; undefined if empty, false if invalid. */
function amountOf(text: string): string | undefined | false {
  if (text === '') return undefined;
  if (/^\d{1,15},\d\d$/.test(text)) return text.replace(',', '.');
  const [, whole, decimals = ''] = /^(\d{1,15})(?:,(\d{1,6}))?$/.exec(text) ?? [];
  return whole !== undefined && `${whole}.${decimals.padEnd(2, '0')}`;
}

/** Cache of days by their text: a file has some hundred, and validating each entry's is slow. */
const days = new Map<string, string | false>();
const MOST_DAYS = 2_000;

/** `ddmmaaaa` as `YYYY-MM-DD`; undefined if empty, false if invalid. */
function dayOf(text: string): string | undefined | false {
  if (text === '') return undefined;
  if (!/^\d{8}$/.test(text)) return false;
  const known = days.get(text);
  if (known !== undefined) return known;
  const iso = `${text.slice(4)}-${text.slice(2, 4)}-${text.slice(0, 2)}`;
  const day = isDay(iso) && iso;
  if (days.size >= MOST_DAYS) days.clear();
  days.set(text, day);
  return day;
}

/** Decodes a name as UTF-8 if its bytes are valid UTF-8, else as windows-1252, whatever the file declares. */
function nameOf(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  return cleanText(isUtf8(bytes) ? bytes.toString('utf8') : decodeWindows(bytes), longest.name);
}

/**
 * Reads the opening record. The position of its days distinguishes the two files. @throws BookError for another book
 */
function openingOf(fields: Fields) {
  const [, , layout = '', purpose] = fields;
  if (/^LEC[DF]$/.test(layout)) throw new BookError('ecd_or_ecf');
  const at = (place: number) => fields[place] ?? '';
  for (const [kind, place] of [
    ['efd_icms_ipi', 4],
    ['efd_contribuicoes', 6],
  ] as const) {
    const [from, to] = [dayOf(at(place)), dayOf(at(place + 1))];
    if (!from || !to) continue;
    const about = { kind, layout, isReplacement: purpose === '1', from, to };
    if (kind === 'efd_contribuicoes') return { ...about, company: at(9).toUpperCase(), state: '' };
    const company = (at(7) || at(8)).toUpperCase();
    return { ...about, company, establishment: company, state: at(9) };
  }
  throw new BookError('not_a_book');
}

/**
 * Reads a SPED file, EFD ICMS/IPI or EFD-Contribuições. Bytes are read as latin-1, since only names have non-ASCII
 * characters. Ignores everything after the closing record except a signature.
 * @param part the documents that become entries; all are counted
 */
export function createEfdReader(part: Part = wholeFile): BookReader {
  let rest = '';
  let line = 0;
  let opening: ReturnType<typeof openingOf> | undefined;
  let closing: number | undefined;
  let isSigned = false;
  let isDone = false;
  let holder = '';
  let table = '';
  let parent: { record: string; cfops: string[] | undefined } | undefined;
  let isTooLong = false;
  let documents = 0;
  const participants = new Map<string, { readonly id: string; readonly name: string }>();
  const entries: Entry[] = [];
  const notCompared = new Map<NotCompared, number>();
  const unread: number[] = [];
  const notes: BookNote[] = [];

  const refuse = () => {
    unread.push(line);
    count(notCompared, 'unread_line');
  };

  function takeDocument(record: string, { least, at, models }: DocumentRecord, fields: Fields): void {
    parent = undefined;
    if (fields.length - 2 < least) {
      refuse();
      return;
    }
    const text = (name: keyof Entry) => {
      const place = at[name];
      return place === undefined ? '' : (fields[place] ?? '').trim();
    };
    const isService = models === undefined;
    if (!isService && !models.includes(text('model'))) {
      count(notCompared, 'other_model');
      return;
    }
    const amounts = entryAmounts.map((name) => amountOf(text(name)));
    const [day, moved] = [dayOf(text('day')), dayOf(text('moved'))];
    const isOdd = day === false || moved === false || amounts.includes(false);
    if (isOdd || !/^[01][01]$/.test(text('direction') + text('isOwn'))) {
      refuse();
      return;
    }
    const given = text('key').toUpperCase();
    // CHV_NFSE may be a verification code, which is not a key.
    const key = isService && given.length !== NATIONAL_KEY_LENGTH ? '' : given;
    const number = withoutLeadingZeros(text('number'));
    documents++;
    if (!isInPart(part, key, number)) return;
    isTooLong ||= entries.length >= MOST_ENTRIES;
    if (isTooLong) return;
    const isOwn = text('isOwn') === '0';
    const code = (fields[PARTICIPANT] ?? '').trim();
    const other = isOwn ? undefined : (participants.get(`${table}|${code}`) ?? participants.get(`|${code}`));
    const cfops: string[] | undefined = isService ? undefined : [];
    const [total, icms_base, icms, icms_st, ipi, pis, cofins] = amounts as (string | undefined)[];
    // One literal: an entry built by spreading takes twice the memory and four times the time.
    entries.push({
      line,
      record,
      holder,
      direction: text('direction') === '0' ? 'inbound' : 'outbound',
      isOwn,
      model: isService ? 'nfse' : text('model'),
      situation: text('situation'),
      series: withoutLeadingZeros(text('series')),
      number,
      key: key === '' ? undefined : flatten(key),
      issuer: isOwn ? holder : other?.id,
      issuer_name: other?.name,
      state: isOwn ? opening?.state || undefined : undefined,
      day,
      moved,
      total,
      icms_base,
      icms,
      icms_st,
      ipi,
      pis,
      cofins,
      cfops,
    });
    parent = { record, cfops };
  }

  function takeParty([, , code = '', name = '', , cnpj = '', cpf = '']: Fields): void {
    const id = flatten((cnpj === '' ? cpf : cnpj).toUpperCase());
    participants.set(`${table}|${flatten(code.trim())}`, { id, name: nameOf(name) });
  }

  function takeAnalytic(record: string, fields: Fields): void {
    const [, , , cfop = '', , amount = ''] = fields;
    if (parent?.record !== analytic[record] || parent?.cfops === undefined) return;
    const value = amountOf(amount.trim());
    if (/^[1-7]\d{3}$/.test(cfop) && value && fields.length >= 10) parent.cfops.push(cfop, value);
    else refuse();
  }

  function take(text: string): void {
    line++;
    if (text.startsWith(SIGNATURE)) {
      isSigned = true;
      isDone = true;
      return;
    }
    const record = text.slice(1, 5);
    if (opening === undefined) {
      if (record !== '0000' || text[0] !== '|') throw new BookError('efd_without_opening');
      opening = openingOf(text.split('|'));
      holder = opening.company;
      return;
    }
    if (text[0] !== '|' || text[5] !== '|') {
      if (text.trim() === '') line--;
      else refuse();
      return;
    }
    const layout = documentRecords[record];
    if (layout !== undefined) takeDocument(record, layout, text.split('|'));
    else if (record === '0150') takeParty(text.split('|'));
    else if (record in analytic) {
      if (opening.kind === 'efd_icms_ipi') takeAnalytic(record, text.split('|'));
    } else if (record === '0140') table = (text.split('|')[4] ?? '').toUpperCase();
    else if (/^[ACD]010$/.test(record)) {
      const [, , id = '', form] = text.split('|');
      holder = flatten(id.toUpperCase());
      table = holder;
      if (form === '1' && record === 'C010')
        notes.push({ code: 'consolidated', values: { company: holder } });
    } else if (otherRecords.has(record)) count(notCompared, 'other_model');
    else if (record === '9999') {
      closing = Number(text.split('|')[2]);
      isDone = true;
    }
  }

  return {
    write(bytes) {
      const text = rest + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
      if (isDone) {
        isSigned ||= text.includes(SIGNATURE);
        rest = text.slice(-SIGNATURE.length);
        return;
      }
      let at = line === 0 && rest === '' && text.startsWith('\u00EF\u00BB\u00BF') ? 3 : 0;
      for (let end = text.indexOf('\n', at); end !== -1 && !isDone; end = text.indexOf('\n', at)) {
        // Most lines are items, which are skipped.
        if (opening !== undefined && text.startsWith('|C170|', at)) line++;
        else take(text.slice(at, text.charCodeAt(end - 1) === 0x0d ? end - 1 : end));
        at = end + 1;
      }
      rest = text.slice(at);
      if (isDone) isSigned ||= rest.includes(SIGNATURE);
      else if (rest.length > LONGEST_LINE) throw new BookError('not_a_book');
    },
    end(): Book {
      // The last line may lack a line break; a line cut short is dropped.
      if (!isDone && rest.trimEnd().endsWith('|')) take(rest.trimEnd());
      if (opening === undefined) throw new BookError('efd_without_opening');
      const { state: _, ...about } = opening;
      const { kind, layout } = about;
      const [oldest, newest] = knownLayouts[kind];
      const version = /^\d{3}$/.test(layout) ? Number(layout) : 0;
      const said = cleanText(String(closing), 20);
      const ofFile = notesThatApply(
        ['unknown_layout', version < oldest || version > newest, { layout: cleanText(layout, 10) }],
        ['no_real_file', kind === 'efd_icms_ipi' && schemaAlone.includes(layout)],
        ['partly_verified', layout === '021'],
        ['truncated', closing === undefined, { line }],
        ['lines_differ', closing !== undefined && closing !== line, { said, line }],
        ['signed', isSigned],
        ['unread_lines', unread.length > 0, unreadIn(unread)],
        ['too_many_entries', isTooLong, { count: MOST_ENTRIES }],
      );
      const isWhole = closing === line && unread.length === 0 && !isTooLong;
      return { ...about, isWhole, notes: [...notes, ...ofFile], entries, documents, notCompared };
    },
  };
}
