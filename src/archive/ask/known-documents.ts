import { type RawBuilder, sql } from 'kysely';
import { entryAmounts, type KnownDocument } from '../../documents/books/book.ts';
import { manifestationEvents } from '../../documents/events/manifestation.ts';
import { checkPeriod } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { amountText } from '../schema/measures.ts';
import type { Session } from '../schema/schema.ts';
import { type Condition, findRows, inParts, isPostgres, placedDocuments, select } from '../schema/sql.ts';
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

/** Reads all rows as one JSON text: reading each column of each row from the engine takes longer than all else. */
async function readRows<Row>(
  { db }: Session,
  columns: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
): Promise<Row[]> {
  const list = isPostgres(db)
    ? sql`json_agg(json_build_array(${columns}))::text`
    : sql`json_group_array(json_array(${columns}))`;
  const [all] = await select<{ list: string | null }>(db, sql`select ${list} as list from ${from}`);
  return JSON.parse(all?.list ?? '[]') as Row[];
}

type Row = readonly [id: number, exclusion: string, facts: Record<string, string | null | undefined>];

function documentsWhere(condition: Condition, session: Session): Promise<Row[]> {
  const { db, tenant } = session;
  const object = isPostgres(db) ? sql`json_build_object(${facts})` : sql`json_object(${facts})`;
  return readRows(
    session,
    sql`d.id, d.exclusion, ${object}`,
    sql`documents d left join parties n on n.tenant = d.tenant and n.tax_id = d.issuer
      where d.tenant = ${tenant} and ${condition} and d.kind in (${sql.join(kinds)})`,
  );
}

function createParser() {
  const held = new Map<string, string>();
  return ([, exclusion, document]: Row, more?: Pick<KnownDocument, 'direction' | 'cfops'>): KnownDocument => {
    for (const name of amounts) document[name] = document[name] ? amountText(document[name]) : undefined;
    for (const name of shared) {
      const text = held.get(document[name] ?? '') ?? document[name] ?? '';
      held.set(text, text);
      document[name] = text;
    }
    return Object.assign(document, { isTest: exclusion === 'test' }, more) as unknown as KnownDocument;
  };
}

/** Alternating CFOPs and amounts of these documents' items, by document. */
async function cfopsOf(ids: readonly number[], session: Session): Promise<Map<number, string[]>> {
  const rows = await readRows<readonly [id: number, cfop: string, total: string]>(
    session,
    sql`document_id, cfop, total`,
    sql`(select document_id, cfop, cast(coalesce(sum(total), 0) as text) as total from items
      where tenant = ${session.tenant} and document_id in (${sql.join([...ids])})
      group by document_id, cfop) sums`,
  );
  const cfops = new Map<number, string[]>();
  for (const [id, cfop, total] of rows) {
    const pairs = cfops.get(id) ?? [];
    cfops.set(id, pairs);
    pairs.push(cfop, amountText(total));
  }
  return cfops;
}

/** Creates the reader of documents without content, for comparison with books. */
export function createKnownDocuments({ read }: Connections) {
  return {
    /** A company's documents of a kind in a period, including cancelled and test ones. */
    async of(selection: Selection, withItems: boolean): Promise<KnownDocument[]> {
      checkPeriod(selection);
      const parse = createParser();
      const { rows: placed } = await read(({ db, tenant }) =>
        sql<{ id: number; direction: string }>`select p.document_id as id, p.direction from ${placedDocuments}
          where ${isPlaced({ ...selection, tenant })} order by 1`.execute(db),
      );
      return inParts(placed, (part) =>
        read(async (session) => {
          const directions = new Map(part.map(({ id, direction }) => [id, direction]));
          const ids = [...directions.keys()];
          const cfops = withItems ? await cfopsOf(ids, session) : undefined;
          const rows = await documentsWhere(sql<boolean>`d.id in (${sql.join(ids)})`, session);
          return rows.map((row) => {
            const [id] = row;
            return parse(row, { direction: directions.get(id), cfops: cfops?.get(id) });
          });
        }),
      );
    },

    async byKeys(keys: readonly string[]): Promise<KnownDocument[]> {
      const parse = createParser();
      const rows = await read((session) =>
        inParts(keys, (part) => documentsWhere(sql<boolean>`d.key in (${sql.join(part)})`, session)),
      );
      return rows.map((row) => parse(row));
    },

    async refused(): Promise<ReadonlySet<string>> {
      const rows = await read((session) => findRows(session, 'events', ['key'], 'code', refusals));
      return new Set(rows.map(({ key }) => key));
    },
  };
}
