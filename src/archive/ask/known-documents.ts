import { sql } from 'kysely';
import { entryAmounts, type KnownDocument } from '../../documents/books/book.ts';
import { manifestationEvents } from '../../documents/events/manifestation.ts';
import type { Connections } from '../engines/connections.ts';
import { amountText } from '../schema/measures.ts';
import type { Db, Session } from '../schema/schema.ts';
import { type Condition, findRows, inParts, isPostgres, placedDocuments } from '../schema/sql.ts';
import { isPlaced } from './conditions.ts';
import type { Selection } from './question.ts';

const texts = ['key', 'number', 'issuer', 'recipient', 'payer', 'issued_at', 'status', 'purpose'] as const;
const amounts = [...entryAmounts, 'fcp', 'fcp_st', 'services'] as const;
/** Texts that many documents share, which are held once. */
const shared = ['kind', 'issuer', 'recipient', 'payer', 'status', 'purpose', 'issuer_name'] as const;

const facts = sql.raw(
  [
    ...texts.map((name) => `'${name}', d.${name}`),
    // An abridged note is an NF-e.
    "'kind', case d.kind when 'summary' then 'nfe' else d.kind end",
    ...amounts.map((name) => `'${name}', cast(d.${name} as text)`),
    "'issuer_name', coalesce(n.name, '')",
  ].join(', '),
);

/** Refusing manifestations: operation unknown, operation not carried out. */
const refusals = [manifestationEvents.desconhecimento.code, manifestationEvents.nao_realizada.code];

/** Documents only: an event alone does not count. */
const kinds = ['nfe', 'nfce', 'cte', 'cteos', 'nfse', 'summary'];

/** Functions that build JSON, by engine; `parsed` marks the text of a subquery as JSON. */
const jsonIn = (db: Db) =>
  isPostgres(db)
    ? { array: sql`json_build_array`, object: sql`json_build_object`, all: sql`json_agg`, parsed: sql`` }
    : { array: sql`json_array`, object: sql`json_object`, all: sql`json_group_array`, parsed: sql`json` };

type Row = readonly [
  id: number,
  isTest: boolean | 0 | 1,
  cfops: readonly (readonly [cfop: string, total: string])[] | null,
  facts: Record<string, string | null | undefined>,
];

/** All rows as one JSON text: reading each column of each row from the engine takes longer than all else. */
async function rowsWhere({ db, tenant }: Session, condition: Condition, withItems: boolean): Promise<Row[]> {
  const { array, object, all, parsed } = jsonIn(db);
  const cfops = sql`${parsed}((select ${all}(${array}(cfop, total)) from (
    select i.cfop, cast(coalesce(sum(i.total), 0) as text) as total from items i
    where i.tenant = d.tenant and i.document_id = d.id group by i.cfop) sums))`;
  const row = sql`d.id, d.exclusion = 'test', ${withItems ? cfops : sql`null`}, ${object}(${facts})`;
  const { rows } = await sql<{ list: string | null }>`
    select cast(${all}(${array}(${row})) as text) as list
    from documents d left join parties n on n.tenant = d.tenant and n.tax_id = d.issuer
    where d.tenant = ${tenant} and ${condition} and d.kind in (${sql.join(kinds)})`.execute(db);
  return JSON.parse(rows[0]?.list ?? '[]') as Row[];
}

function createParser() {
  const held = new Map<string, string>();
  return ([, isTest, cfops, document]: Row, direction?: string): KnownDocument => {
    for (const name of amounts) document[name] = document[name] ? amountText(document[name]) : undefined;
    for (const name of shared) {
      const text = held.get(document[name] ?? '') ?? document[name] ?? '';
      held.set(text, text);
      document[name] = text;
    }
    const pairs = cfops?.flatMap(([cfop, total]) => [cfop, amountText(total)]);
    const more = { isTest: Boolean(isTest), direction, cfops: pairs?.length ? pairs : undefined };
    return Object.assign(document, more) as unknown as KnownDocument;
  };
}

/** Creates the reader of documents without content, for comparison with books. */
export function createKnownDocuments({ read }: Connections) {
  return {
    /** A company's documents of a kind in a period, including cancelled and test ones. */
    async of(selection: Selection, withItems: boolean): Promise<KnownDocument[]> {
      const parse = createParser();
      const { rows: placed } = await read(({ db, tenant }) =>
        sql<{ id: number; direction: string }>`select p.document_id as id, p.direction from ${placedDocuments}
          where ${isPlaced({ ...selection, tenant })} order by 1`.execute(db),
      );
      return inParts(placed, async (part) => {
        const directions = new Map(part.map(({ id, direction }) => [id, direction]));
        const isOne = sql<boolean>`d.id in (${sql.join([...directions.keys()])})`;
        const rows = await read((session) => rowsWhere(session, isOne, withItems));
        return rows.map((row) => parse(row, directions.get(row[0])));
      });
    },

    async byKeys(keys: readonly string[]): Promise<KnownDocument[]> {
      const parse = createParser();
      return inParts(keys, async (part) => {
        const isOne = sql<boolean>`d.key in (${sql.join(part)})`;
        const rows = await read((session) => rowsWhere(session, isOne, false));
        return rows.map((row) => parse(row));
      });
    },

    async refused(): Promise<ReadonlySet<string>> {
      const rows = await read((session) => findRows(session, 'events', ['key'], 'code', refusals));
      return new Set(rows.map(({ key }) => key));
    },
  };
}
