import { sql } from 'kysely';
import { entryAmounts, type KnownDocument } from '../../documents/books/book.ts';
import { manifestationEvents } from '../../documents/events/manifestation.ts';
import type { DocumentKind } from '../../documents/summary/summary.ts';
import { flatten } from '../../documents/untrusted.ts';
import { checkPeriod } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { placedDocuments } from '../schema/expressions.ts';
import { amountText } from '../schema/measures.ts';
import type { Session } from '../schema/schema.ts';
import { type Condition, findRows, inParts } from '../schema/sql.ts';
import { isPlaced, within } from './conditions.ts';
import type { Selection } from './question.ts';

/** Columns in the order of `fields`; the issuer's name, which may contain anything, comes last. */
const columns = [
  ...['id', 'key', 'kind', 'number', 'issuer', 'recipient', 'payer', 'issued_at', 'status', 'purpose'],
  ...['exclusion', ...entryAmounts, 'fcp', 'fcp_st', 'services'],
] as const;

/** Separator; texts have no control characters. */
const BETWEEN = '\u001f';

/** A document as one text: fetching each column separately dominates the time otherwise. */
const fields = sql.raw<string>(
  [...columns.map((name) => `coalesce(cast(d.${name} as text), '')`), "coalesce(n.name, '')"].join(
    ` || '${BETWEEN}' || `,
  ),
);

interface Row {
  readonly fields: string;
}

/** Refusing manifestations: operation unknown, operation not carried out. */
const refusals = [manifestationEvents.desconhecimento.code, manifestationEvents.nao_realizada.code];

const pageSize = 4_000;

/** Documents only: an event alone does not count. */
const kinds = ['nfe', 'nfce', 'cte', 'cteos', 'nfse', 'summary'];

const amountOf = (units: string | undefined): string | undefined => (units ? amountText(units) : undefined);

/** Interns texts, which many documents share: a substring would keep its whole row alive. */
function createTexts() {
  const texts = new Map<string, string>();
  return (text: string): string => {
    const held = texts.get(text) ?? flatten(text);
    texts.set(held, held);
    return held;
  };
}

function known(
  row: readonly string[],
  shared: (text: string) => string,
  direction?: string,
  cfops?: readonly string[],
): KnownDocument {
  const at = (place: number) => row[place] ?? '';
  const kind = at(2);
  return {
    key: flatten(at(1)),
    // An abridged note is an NF-e.
    kind: shared(kind === 'summary' ? 'nfe' : kind) as DocumentKind,
    number: at(3),
    issuer: shared(at(4)),
    recipient: shared(at(5)),
    payer: shared(at(6)),
    issued_at: flatten(at(7)),
    status: shared(at(8)),
    purpose: shared(at(9)),
    isTest: at(10) === 'test',
    total: amountOf(row[11]),
    icms_base: amountOf(row[12]),
    icms: amountOf(row[13]),
    icms_st: amountOf(row[14]),
    ipi: amountOf(row[15]),
    pis: amountOf(row[16]),
    cofins: amountOf(row[17]),
    cbs: amountOf(row[18]),
    fcp: amountOf(row[19]),
    fcp_st: amountOf(row[20]),
    services: amountOf(row[21]),
    direction,
    issuer_name: shared(at(22)),
    cfops,
  };
}

/** Rows of these ids, ascending; ids close together are read as one range, with others between. */
function among(
  column: string,
  ids: readonly number[],
  work: (condition: Condition) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const [first = 0] = ids;
  const last = ids.at(-1) ?? 0;
  if (last - first < 2 * ids.length) {
    return work(sql<boolean>`${sql.ref(column)} between ${sql.lit(first)} and ${sql.lit(last)}`);
  }
  return inParts(ids, (part) => work(sql<boolean>`${sql.ref(column)} in (${sql.join(part)})`));
}

async function documentsWhere(condition: Condition, { db, tenant }: Session): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select ${fields} as fields from documents d
      left join parties n on n.tenant = d.tenant and n.tax_id = d.issuer
    where d.tenant = ${tenant} and ${condition} and d.kind in (${sql.join(kinds)})`.execute(db);
  return rows;
}

/** Alternating CFOPs and amounts of these documents' items, by document. */
async function cfopsOf(ids: readonly number[], { db, tenant }: Session): Promise<Map<string, string[]>> {
  const rows = await among('document_id', ids, async (condition) => {
    const found = await sql<Row>`
      select document_id || '|' || cfop || '|' || coalesce(cast(sum(total) as text), '0') as fields from items
      where tenant = ${tenant} and ${condition} group by document_id, cfop`.execute(db);
    return found.rows;
  });
  const cfops = new Map<string, string[]>();
  for (const row of rows) {
    const [id = '', cfop = '', total = '0'] = row.fields.split('|');
    const pairs = cfops.get(id) ?? [];
    pairs.push(cfop, amountText(total));
    cfops.set(id, pairs);
  }
  return cfops;
}

/** Creates the reader of documents without content, for comparison with books. */
export function createKnownDocuments({ read }: Connections) {
  return {
    /** A company's documents of a kind in a period, including cancelled and test ones. */
    async of(selection: Selection, withItems: boolean): Promise<KnownDocument[]> {
      checkPeriod(selection);
      const shared = createTexts();
      const placed = await read(({ db, tenant }) =>
        sql<Row>`select p.document_id || '|' || p.direction as fields from ${placedDocuments}
          where ${isPlaced({ ...selection, tenant }, within)}`.execute(db),
      );
      const directions = new Map(
        placed.rows.map((row): [string, string] => {
          const [id = '', direction = ''] = row.fields.split('|');
          return [id, shared(direction)];
        }),
      );
      const ids = [...directions.keys()].map(Number).sort((one, other) => one - other);
      const all: KnownDocument[] = [];
      for (let start = 0; start < ids.length; start += pageSize) {
        const part = ids.slice(start, start + pageSize);
        const cfops = withItems ? await read((session) => cfopsOf(part, session)) : undefined;
        const rows = await read((session) =>
          among('d.id', part, (condition) => documentsWhere(condition, session)),
        );
        for (const row of rows) {
          const texts = row.fields.split(BETWEEN);
          const id = texts[0] ?? '';
          const direction = directions.get(id);
          if (direction !== undefined) all.push(known(texts, shared, direction, cfops?.get(id)));
        }
      }
      return all;
    },

    /** Documents by key, of any company. */
    async byKeys(keys: readonly string[]): Promise<KnownDocument[]> {
      const shared = createTexts();
      const rows = await read((session) =>
        inParts(keys, (part) => documentsWhere(sql<boolean>`d.key in (${sql.join(part)})`, session)),
      );
      return rows.map((row) => known(row.fields.split(BETWEEN), shared));
    },

    /** Keys of documents refused by their recipient. */
    async refused(): Promise<ReadonlySet<string>> {
      const rows = await read((session) => findRows(session, 'events', ['key'], 'code', refusals));
      return new Set(rows.map(({ key }) => key));
    },
  };
}
