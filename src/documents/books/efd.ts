import { isUtf8 } from 'node:buffer';
import { cleanText, flatten, longest } from '../untrusted.ts';
import { decodeWindows } from '../xml/encoding.ts';
import {
  type Book,
  BookError,
  type BookNote,
  type BookReader,
  count,
  type Entry,
  type NotCompared,
} from './book.ts';
import { isInPart, type Part, wholeFile } from './parts.ts';

type Fields = readonly string[];
type EfdKind = 'efd_icms_ipi' | 'efd_contribuicoes';

/** Where the fields of a document stand in its record, by their official numbers. Source: docs/fiscal/reconcile.md. */
interface DocumentRecord {
  /** As many fields as the first layout has; later ones only append. */
  readonly least: number;
  readonly at: Readonly<Partial<Record<keyof Entry, number>>>;
  readonly participant: number;
}

const ofGoods = { direction: 2, isOwn: 3, model: 5, situation: 6, series: 7 } as const;

const documentRecords: Readonly<Record<string, DocumentRecord>> = {
  C100: {
    least: 29,
    participant: 4,
    at: {
      ...{ ...ofGoods, number: 8, key: 9, day: 10, moved: 11, total: 12 },
      ...{ icms_base: 21, icms: 22, icms_st: 24, ipi: 25, pis: 26, cofins: 27 },
    },
  },
  D100: {
    least: 23,
    participant: 4,
    at: { ...ofGoods, number: 9, key: 10, day: 11, moved: 12, total: 15, icms_base: 19, icms: 20 },
  },
  A100: {
    least: 21,
    participant: 4,
    at: {
      ...{ direction: 2, isOwn: 3, situation: 5, series: 6, number: 8, key: 9 },
      ...{ day: 10, moved: 11, total: 12, pis: 16, cofins: 18 },
    },
  },
};

/** Models that are compared, by record; A100 is of services and has none. */
const comparedModels: Readonly<Record<string, readonly string[]>> = {
  C100: ['55', '65'],
  D100: ['57', '67'],
};

/** Documents of kinds that nothing here reads. */
const otherRecords = new Set(['B020', 'C500', 'C800', 'D500', 'D700']);

/** CFOP and VL_OPR of the analytic record that follows a document; in a file of contributions `C190` is another one. */
const analytic: Readonly<Record<string, string>> = { C190: 'C100', D190: 'D100' };

const newestKnown: Readonly<Record<EfdKind, number>> = { efd_icms_ipi: 21, efd_contribuicoes: 6 };
const oldestKnown: Readonly<Record<EfdKind, number>> = { efd_icms_ipi: 12, efd_contribuicoes: 2 };
/** Layouts that rest on a published schema: no file of a company was seen. */
const schemaAlone: readonly string[] = ['020', '021'];

/** What stands before the signature, which is binary and may hold anything. */
const SIGNATURE = 'SBRCAAEPDR';
/** A line of a SPED file has some hundred characters. */
const LONGEST_LINE = 1024 ** 2;
/** Lines named in a note. */
const MOST_LINES = 5;
/** Entries held at once: a file with more is read part by part. */
export const MOST_ENTRIES = 400_000;

const AMOUNT = /^(\d{1,15})(?:,(\d{1,6}))?$/;

/** Decimal text of an amount as SPED writes it; undefined where it is empty, false where it is no amount. */
function amountOf(text: string): string | undefined | false {
  if (text === '') return undefined;
  const comma = text.length - 3;
  if (comma > 0 && text.charCodeAt(comma) === 0x2c && /^\d+,\d\d$/.test(text)) return text.replace(',', '.');
  const [, whole, decimals = ''] = AMOUNT.exec(text) ?? [];
  return whole === undefined ? false : `${whole}.${decimals.padEnd(2, '0')}`;
}

/** Days by their text: a file has some hundred. */
const days = new Map<string, string | undefined>();
const MOST_DAYS = 2_000;

/** `YYYY-MM-DD` of `ddmmaaaa`; undefined where it is none. */
function dayOf(text: string): string | undefined {
  if (!days.has(text)) {
    if (days.size >= MOST_DAYS) days.clear();
    days.set(text, readDay(text));
  }
  return days.get(text);
}

function readDay(text: string): string | undefined {
  if (!/^\d{8}$/.test(text)) return undefined;
  const day = `${text.slice(4)}-${text.slice(2, 4)}-${text.slice(0, 2)}`;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : undefined;
}

/** A name: UTF-8 where its bytes are that, else windows-1252, whatever the file says. */
function nameOf(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : decodeWindows(bytes);
  return cleanText(text, longest.name);
}

interface Opening {
  readonly kind: EfdKind;
  readonly layout: string;
  readonly isReplacement: boolean;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly company: string;
  readonly state: string;
}

/** The opening record says by the place of its days which of the two files it is. @throws BookError for another book */
function openingOf(fields: Fields): Opening {
  const [, , layout = '', purpose] = fields;
  if (/^LEC[DF]$/.test(layout)) throw new BookError('ecd_or_ecf');
  const at = (n: number) => fields[n] ?? '';
  if (dayOf(at(4)) !== undefined && dayOf(at(5)) !== undefined) {
    const company = at(7) === '' ? at(8) : at(7);
    const days = { from: dayOf(at(4)), to: dayOf(at(5)) };
    return {
      kind: 'efd_icms_ipi',
      layout,
      isReplacement: purpose === '1',
      ...days,
      company: company.toUpperCase(),
      state: at(9),
    };
  }
  if (dayOf(at(6)) === undefined || dayOf(at(7)) === undefined) throw new BookError('not_a_book');
  const days = { from: dayOf(at(6)), to: dayOf(at(7)) };
  const company = at(9).toUpperCase();
  return { kind: 'efd_contribuicoes', layout, isReplacement: purpose === '1', ...days, company, state: '' };
}

interface Participant {
  readonly id: string;
  readonly name: string;
}

/**
 * Reads a SPED file, EFD ICMS/IPI or EFD-Contribuições. Bytes stand for characters of their own, since only names have
 * others than ASCII. Nothing after the closing record is looked at.
 * @param part the documents that become entries; all are counted
 */
export function createEfdReader(part: Part = wholeFile): BookReader {
  let rest = '';
  let line = 0;
  let opening: Opening | undefined;
  let closing: number | undefined;
  let isSigned = false;
  let isDone = false;
  /** Whose documents follow, and whose participants: files of contributions have several establishments. */
  let holder = '';
  let table = '';
  let parent: { record: string; cfops: string[] | undefined } | undefined;
  let isTooLong = false;
  let documents = 0;
  const participants = new Map<string, Participant>();
  const entries: Entry[] = [];
  const notCompared = new Map<NotCompared, number>();
  const unread: number[] = [];
  const notes: BookNote[] = [];

  const refuse = () => {
    unread.push(line);
    count(notCompared, 'unread_line');
  };

  function participantOf(code: string): Participant | undefined {
    return participants.get(`${table}|${code}`) ?? participants.get(`|${code}`);
  }

  function takeDocument(record: string, { least, at, participant }: DocumentRecord, fields: Fields): void {
    parent = undefined;
    if (fields.length - 2 < least) {
      refuse();
      return;
    }
    const text = (name: keyof Entry) => {
      const place = at[name];
      return (place === undefined ? '' : (fields[place] ?? '')).trim();
    };
    const models = comparedModels[record];
    if (models !== undefined && !models.includes(text('model'))) {
      count(notCompared, 'other_model');
      return;
    }
    const amount = (name: keyof Entry) => amountOf(text(name));
    const dayIn = (name: keyof Entry) => (text(name) === '' ? undefined : (dayOf(text(name)) ?? false));
    const total = amount('total');
    const icms_base = amount('icms_base');
    const icms = amount('icms');
    const icms_st = amount('icms_st');
    const ipi = amount('ipi');
    const pis = amount('pis');
    const cofins = amount('cofins');
    const day = dayIn('day');
    const moved = dayIn('moved');
    const direction = text('direction');
    const isEmission = text('isOwn');
    const isOdd =
      [total, icms_base, icms, icms_st, ipi, pis, cofins, day, moved].includes(false) ||
      !/^[01]$/.test(direction);
    if (isOdd || !/^[01]$/.test(isEmission)) {
      refuse();
      return;
    }
    const given = text('key').toUpperCase();
    // CHV_NFSE may be a verification code, which is the key of nothing.
    const key = record === 'A100' && given.length !== 50 ? '' : given;
    const number = text('number').replace(/^0+(?=.)/, '');
    documents++;
    if (!isInPart(part, key, number)) return;
    if (entries.length >= MOST_ENTRIES) {
      isTooLong = true;
      return;
    }
    const isOwn = isEmission === '0';
    const other = participantOf((fields[participant] ?? '').trim());
    const cfops: string[] | undefined = record === 'A100' ? undefined : [];
    entries.push({
      line,
      record,
      holder,
      direction: direction === '0' ? 'inbound' : 'outbound',
      isOwn,
      model: record === 'A100' ? 'nfse' : text('model'),
      situation: text('situation'),
      series: text('series').replace(/^0+(?=.)/, ''),
      number,
      key: key === '' ? undefined : flatten(key),
      issuer: isOwn ? holder : other?.id,
      issuer_name: isOwn ? undefined : other?.name,
      state: isOwn && opening?.state !== '' ? opening?.state : undefined,
      day: day || undefined,
      moved: moved || undefined,
      total: total || undefined,
      icms_base: icms_base || undefined,
      icms: icms || undefined,
      icms_st: icms_st || undefined,
      ipi: ipi || undefined,
      pis: pis || undefined,
      cofins: cofins || undefined,
      cfops,
    });
    parent = { record, cfops };
  }

  function takeParty(fields: Fields): void {
    const [, , code = '', name = '', , cnpj = '', cpf = ''] = fields;
    const id = flatten((cnpj === '' ? cpf : cnpj).toUpperCase());
    participants.set(`${table}|${flatten(code.trim())}`, { id, name: nameOf(name) });
  }

  function takeAnalytic(record: string, fields: Fields): void {
    const [, , , cfop = '', , amount = ''] = fields;
    if (parent?.record !== analytic[record] || parent?.cfops === undefined) return;
    const value = amountOf(amount.trim());
    if (!/^[1-7]\d{3}$/.test(cfop) || !value || fields.length < 10) {
      refuse();
      return;
    }
    parent.cfops.push(cfop, value);
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
      if (record !== '0000' || text.charCodeAt(0) !== 0x7c) throw new BookError('efd_without_opening');
      opening = openingOf(text.split('|'));
      holder = opening.company;
      return;
    }
    if (text.charCodeAt(0) !== 0x7c || text.charCodeAt(5) !== 0x7c) {
      if (text.trim() === '') line--;
      else refuse();
      return;
    }
    const layout = documentRecords[record];
    if (layout !== undefined) takeDocument(record, layout, text.split('|'));
    else if (record === '0150') takeParty(text.split('|'));
    else if (record === 'C190' || record === 'D190') {
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
        // Most lines are items, of which nothing is read.
        if (opening !== undefined && text.startsWith('|C170|', at)) line++;
        else take(text.slice(at, text.charCodeAt(end - 1) === 0x0d ? end - 1 : end));
        at = end + 1;
      }
      rest = text.slice(at);
      if (isDone) isSigned ||= rest.includes(SIGNATURE);
      else if (rest.length > LONGEST_LINE) throw new BookError('not_a_book');
    },
    end(): Book {
      // The last line may have no end of its own; what is cut within a line is none.
      if (!isDone && rest.trimEnd().endsWith('|')) take(rest.trimEnd());
      if (opening === undefined) throw new BookError('efd_without_opening');
      const { kind, layout, company, from, to, isReplacement } = opening;
      const version = Number(layout);
      if (!/^\d{3}$/.test(layout) || version > newestKnown[kind] || version < oldestKnown[kind])
        notes.push({ code: 'unknown_layout', values: { layout: cleanText(layout, 10) } });
      if (kind === 'efd_icms_ipi' && schemaAlone.includes(layout)) notes.push({ code: 'no_real_file' });
      if (layout === '021') notes.push({ code: 'partly_verified' });
      if (closing === undefined) notes.push({ code: 'truncated', values: { line } });
      else if (closing !== line)
        notes.push({ code: 'lines_differ', values: { said: cleanText(String(closing), 20), line } });
      if (isSigned) notes.push({ code: 'signed' });
      if (unread.length > 0) {
        const lines = unread.slice(0, MOST_LINES).join(', ');
        notes.push({ code: 'unread_lines', values: { count: unread.length, lines } });
      }
      if (isTooLong) notes.push({ code: 'too_many_entries', values: { count: MOST_ENTRIES } });
      return {
        kind,
        layout,
        company,
        establishment: kind === 'efd_icms_ipi' ? company : undefined,
        from,
        to,
        isWhole: closing === line && unread.length === 0 && !isTooLong,
        isReplacement,
        notes,
        entries,
        documents,
        notCompared,
      };
    },
  };
}
