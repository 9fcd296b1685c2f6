import { dayInZone } from '../days.ts';
import { addDecimals, isDecimal } from '../decimals.ts';
import { checkDocumentKey } from '../identity/keys.ts';
import { unmaskTaxId } from '../identity/tax-ids.ts';
import { cleanText, isObject } from '../untrusted.ts';
import {
  type Book,
  BookError,
  type BookNote,
  type CreditState,
  count,
  type Entry,
  type NotCompared,
  notesThatApply,
} from './book.ts';

type Json = { readonly [name: string]: unknown };

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/**
 * JSON strings, which stay unchanged, and numbers, which become strings with the same digits. An unterminated string
 * extends to the end of the text: searching for its end from each later quote would take quadratic time.
 */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\[\s\S])*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON with every number as its source text. @throws BookError for other or truncated content */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(STRING_OR_NUMBER, (found) => (found[0] === '"' ? found : `"${found}"`)));
  } catch {
    throw new BookError('json_broken');
  }
}

function amountOf(value: unknown): string | undefined {
  const text = textOf(value);
  return isDecimal(text) ? addDecimals([text, '0.00']) : undefined;
}

const BRASILIA = 'America/Sao_Paulo';

/** Milliseconds of a timestamp. A timestamp without a zone is in Brasília time, which has had no DST since 2019. */
function momentOf(value: unknown): number | undefined {
  const text = textOf(value).replace(/(\.\d{3})\d+/, '$1');
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const isBare = /T[\d:.]+$/.test(text);
  const time = Date.parse(isBare ? `${text}-03:00` : text.length === 10 ? `${text}T00:00:00-03:00` : text);
  return Number.isNaN(time) ? undefined : time;
}

/** Timestamp with its full fraction, in a form that sorts as text; empty if there is none. */
function changeOf(value: unknown): string {
  const seconds = momentOf(value);
  if (seconds === undefined) return '';
  const [, fraction = ''] = /\.(\d+)/.exec(textOf(value)) ?? [];
  return String(Math.floor(seconds / 1000)).padStart(12, '0') + fraction.padEnd(9, '0');
}

function dayOf(value: unknown): string | undefined {
  const time = momentOf(value);
  return time === undefined ? undefined : dayInZone(BRASILIA, time);
}

/** `MM/AAAA` (v2) or `AAAAMM` (v1) as `YYYY-MM`. */
function monthOf(value: unknown): string | undefined {
  const month = textOf(value)
    .replace(/-/g, '?')
    .replace(/^(\d{2})\/(\d{4})$/, '$2-$1')
    .replace(/^(\d{4})(\d{2})$/, '$1-$2');
  return /^20\d{2}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined;
}

const keyOf = (value: unknown) => unmaskTaxId(textOf(value)) || undefined;

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Known fields of a record and its amounts, and of the enclosing objects. A note lists any others. */
const knownFields = namesIn(
  'origem documento chave emissao registro atualizacao cbs apurado saldoDevedor excedente excedentes inexigivel suspenso extinto apropriacao',
);
const knownOutside = namesIn(
  'tiqueteSolicitacao ni niConsumidor geradoEm apuracao pa debitos creditos pagamentos dataArrecadacao',
);
/** Sources of the codes: docs/fiscal/reconcile.md. */
const knownOrigins = namesIn('0 20 21 22 30 31 32 50 51 52 53 54 55');

const MOST_NAMED = 8;

interface Reading {
  readonly root: string;
  readonly entries: Entry[];
  readonly notCompared: Map<NotCompared, number>;
  readonly fields: Set<string>;
  readonly origins: Set<string>;
  readonly payments: string[];
  unreadPeriods: number;
}

function noteUnknown(reading: Reading, known: ReadonlySet<string>, part: Json): void {
  for (const name of Object.keys(part)) if (!known.has(name)) reading.fields.add(cleanText(name, 40));
}

function creditState({ apropriacao: tree }: Json): CreditState {
  if (!isObject(tree)) return { isKnown: false };
  return {
    isKnown: true,
    open: amountOf(tree.aApropriar),
    suspended: amountOf(tree.suspenso),
    unusable: amountOf(tree.inapropriavel),
    expired: amountOf(tree.prescrito),
  };
}

/** Adds a v1 or v2 record. Number and issuer, which v2 omits, come from the key. */
function addEntry({ root, entries }: Reading, isOwn: boolean, of: Partial<Entry>): void {
  const inKey = of.key === undefined || of.issuer !== undefined ? undefined : checkDocumentKey(of.key);
  entries.push({
    line: entries.length + 1,
    record: isOwn ? 'debitos' : 'creditos',
    holder: root,
    direction: isOwn ? 'outbound' : 'inbound',
    isOwn,
    ...of,
    ...(inKey?.ok && { number: inKey.value.number, issuer: inKey.value.issuer.id }),
  });
}

function takeV2(reading: Reading, file: Json): void {
  const groups = listOf(file.apuracao);
  for (const part of [file, ...groups]) noteUnknown(reading, knownOutside, part);
  for (const group of groups) {
    const month = monthOf(group.pa);
    const [debits, credits] = [listOf(group.debitos), listOf(group.creditos)];
    if (month === undefined && debits.length + credits.length > 0) {
      reading.unreadPeriods++;
      count(reading.notCompared, 'unread_period', debits.length + credits.length);
      continue;
    }
    for (const [at, record] of [...debits, ...credits].entries()) {
      const isDebit = at < debits.length;
      const cbs = isObject(record.cbs) ? record.cbs : {};
      const origin = textOf(record.origem);
      noteUnknown(reading, knownFields, { ...record, ...cbs });
      if (isDebit && !knownOrigins.has(origin)) reading.origins.add(cleanText(origin, 10));
      addEntry(reading, isDebit, {
        key: keyOf(record.chave),
        day: dayOf(record.emissao),
        cbs: amountOf(cbs.apurado),
        credit: isDebit ? undefined : creditState(cbs),
        month,
        origin,
        documento: textOf(record.documento),
        changed: changeOf(record.atualizacao),
        moved: dayOf(record.registro),
      });
    }
    for (const payment of listOf(group.pagamentos)) {
      const parts = listOf(payment.composicao);
      count(reading.notCompared, 'payment', parts.length);
      reading.payments.push(...parts.map(({ total }) => amountOf(total) ?? '0.00'));
    }
  }
}

const v1Blocks = ['apuracaoCorrente', 'apuracaoAjuste', 'debitosExtemporaneos'] as const;

/** The most frequent CNPJ root in the records. A v1 file does not name its company. */
function rootOfV1(records: readonly Json[]): string {
  const counts = new Map<string, number>();
  for (const { niEmitente, niAdquirente } of records)
    for (const id of [niEmitente, niAdquirente]) count(counts, unmaskTaxId(textOf(id)).slice(0, 8));
  const [first] = [...counts].filter(([id]) => id !== '').sort(([, one], [, other]) => other - one);
  return first?.[0] ?? '';
}

function takeV1(reading: Reading, records: readonly Json[]): void {
  for (const record of records) {
    const month = monthOf(record.dataApuracao);
    if (month === undefined) {
      reading.unreadPeriods++;
      count(reading.notCompared, 'unread_period');
      continue;
    }
    // Either list held credits of the buyer.
    const issuer = unmaskTaxId(textOf(record.niEmitente));
    const isOwn = issuer.startsWith(reading.root);
    const situation = textOf(record.situacao || record.situacaoDebito).toLowerCase();
    addEntry(reading, isOwn, {
      key: keyOf(record.chaveDfe),
      number: textOf(record.numeroDfe) || undefined,
      issuer: issuer || undefined,
      day: dayOf(record.dataDfeEmissao),
      cbs: amountOf(record.valorCBSTotal),
      credit: isOwn ? undefined : { isKnown: true, open: amountOf(record.valorCBSNaoExtinto) },
      month,
      origin: '0',
      documento: textOf(record.modeloDfe),
      changed: changeOf(record.dataDfeRegistro),
      moved: dayOf(record.dataDfeRegistro),
      isCancelled: situation.startsWith('cancelad'),
    });
  }
}

function notesOf({ entries, fields, origins, payments, unreadPeriods }: Reading): BookNote[] {
  const named = (all: Set<string>) => ({ names: [...all].sort().slice(0, MOST_NAMED).join(', ') });
  const ruined = entries.filter(({ key = '' }) => ![0, 44, 50].includes(key.length)).length;
  const paid = { count: payments.length, total: addDecimals(payments) ?? '–' };
  return notesThatApply(
    ['no_real_file', true],
    ['one_window', true],
    ['no_records', entries.length + payments.length === 0],
    ['unread_periods', unreadPeriods > 0, { count: unreadPeriods }],
    ['unknown_fields', fields.size > 0, named(fields)],
    ['unknown_origins', origins.size > 0, named(origins)],
    ['ruined_keys', ruined > 0, { count: ruined }],
    ['payments', payments.length > 0, paid],
  );
}

/**
 * Reads a file of the assisted assessment of CBS: v2, or v1 as until October 2026. Amounts are taken as written.
 *
 * @throws BookError for other content
 */
export function readAssessment(text: string): Book {
  const file = parse(text);
  if (!isObject(file)) throw new BookError('not_a_book');
  const isV1 = v1Blocks.some((name) => name in file);
  const isV2 = 'apuracao' in file;
  if (isV1 && isV2) throw new BookError('both_shapes');
  if (!isV1 && !isV2)
    throw new BookError('estado' in file || 'urlAssinada' in file ? 'status_answer' : 'not_a_book');
  const blocks = v1Blocks.map((name) => file[name]).filter(isObject);
  const records = blocks.flatMap(({ debitos, creditos }) => [...listOf(debitos), ...listOf(creditos)]);
  const root = isV2 ? unmaskTaxId(textOf(file.ni)).slice(0, 8) : rootOfV1(records);
  const [entries, notCompared] = [[] as Entry[], new Map<NotCompared, number>()];
  const found = { fields: new Set<string>(), origins: new Set<string>(), payments: [], unreadPeriods: 0 };
  const reading: Reading = { root, entries, notCompared, ...found };
  if (isV2) takeV2(reading, file);
  else takeV1(reading, records);
  const registered = entries.flatMap(({ moved }) => moved ?? []).sort();
  const generated = momentOf(file.geradoEm);
  return {
    kind: 'cbs_assessment',
    layout: isV2 ? 'v2' : 'v1',
    company: root || undefined,
    from: registered[0],
    to: generated === undefined ? registered.at(-1) : dayInZone(BRASILIA, generated),
    isWhole: true,
    isReplacement: false,
    generatedAt: generated === undefined ? undefined : new Date(generated).toISOString(),
    notes: notesOf(reading),
    entries,
    notCompared,
  };
}

/** Good Fridays that fall on a month's last weekday. Source: Lei 662/1949, Lei 14.759/2023, the calendar. */
const goodFridays = ['2029-03-30', '2040-03-30', '2051-03-31', '2056-03-31', '2086-03-29', '2097-03-29'];

/**
 * Deadlines for a month (`YYYY-MM`): the authority presents the assessment by the 15th, or the 20th for companies that
 * file DeRE; it can be adjusted until the last business day of the next month, local holidays ignored. Source: Decreto
 * 12.955/2026, articles 44 to 46.
 */
export function assessmentDeadlines(month: string, filesDere: boolean) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number + 1, 0));
  const textOfDay = (date: Date) => date.toISOString().slice(0, 10);
  while ([0, 6].includes(last.getUTCDay()) || goodFridays.includes(textOfDay(last)))
    last.setUTCDate(last.getUTCDate() - 1);
  return {
    presented_by: textOfDay(new Date(Date.UTC(year, number, filesDere ? 20 : 15))),
    adjust_until: textOfDay(last),
  };
}
