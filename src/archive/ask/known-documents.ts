import { sql } from 'kysely';
import { entryAmounts, type KnownDocument } from '../../documents/books/book.ts';
import { manifestationEvents } from '../../documents/events/manifestation.ts';
import { checkPeriod } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { amountText } from '../schema/measures.ts';
import type { Session } from '../schema/schema.ts';
import { type Condition, findRows, inParts, isPostgres, placedDocuments } from '../schema/sql.ts';
import { isPlaced, within } from './conditions.ts';
import type { Selection } from './question.ts';

const texts = [
  ...['key', 'kind', 'number', 'issuer', 'recipient', 'payer', 'issued_at', 'status', 'purpose'],
  'exclusion',
] as const;
const amounts = [...entryAmounts, 'fcp', 'fcp_st', 'services'] as const;

/** A document as JSON: reading each of its columns from the engine takes longer than all else. */
const facts = sql.raw(
  [
    ...texts.map((name) => `'${name}', d.${name}`),
    ...amounts.map((name) => `'${name}', cast(d.${name} as text)`),
    "'issuer_name', coalesce(n.name, '')",
  ].join(', '),
);

/** Refusing manifestations: operation unknown, operation not carried out. */
const refusals = [manifestationEvents.desconhecimento.code, manifestationEvents.nao_realizada.code];

/** Documents only: an event alone does not count. */
const kinds = ['nfe', 'nfce', 'cte', 'cteos', 'nfse', 'summary'];

interface Row {
  readonly id: number;
  readonly facts: string;
}

async function documentsWhere(condition: Condition, { db, tenant }: Session): Promise<readonly Row[]> {
  const asJson = isPostgres(db) ? sql`json_build_object(${facts})::text` : sql`json_object(${facts})`;
  const { rows } = await sql<Row>`
    select d.id, ${asJson} as facts from documents d
      left join parties n on n.tenant = d.tenant and n.tax_id = d.issuer
    where d.tenant = ${tenant} and ${condition} and d.kind in (${sql.join(kinds)})`.execute(db);
  return rows;
}

/** Texts that many documents share, which are held once. */
const shared = ['kind', 'issuer', 'recipient', 'payer', 'status', 'purpose', 'issuer_name'] as const;

function createParser() {
  const held = new Map<string, string>();
  return (json: string): KnownDocument => {
    const { exclusion, ...document } = JSON.parse(json);
    for (const name of amounts) document[name] = document[name] ? amountText(document[name]) : undefined;
    for (const name of shared) {
      const text = held.get(document[name]) ?? document[name];
      held.set(text, text);
      document[name] = text;
    }
    // An abridged note is an NF-e.
    const kind = document.kind === 'summary' ? 'nfe' : document.kind;
    return { ...document, kind, isTest: exclusion === 'test' };
  };
}

/** Alternating CFOPs and amounts of these documents' items, by document. */
async function cfopsOf(ids: readonly number[], { db, tenant }: Session): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ document_id: number; cfop: string; total: string }>`
    select document_id, cfop, cast(coalesce(sum(total), 0) as text) as total from items
    where tenant = ${tenant} and document_id in (${sql.join([...ids])})
    group by document_id, cfop`.execute(db);
  const cfops = new Map<number, string[]>();
  for (const { document_id, cfop, total } of rows) {
    const pairs = cfops.get(document_id) ?? [];
    cfops.set(document_id, pairs);
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
          where ${isPlaced({ ...selection, tenant }, within)} order by 1`.execute(db),
      );
      return inParts(placed, (part) =>
        read(async (session) => {
          const directions = new Map(part.map(({ id, direction }) => [id, direction]));
          const ids = [...directions.keys()];
          const cfops = withItems ? await cfopsOf(ids, session) : undefined;
          const rows = await documentsWhere(sql<boolean>`d.id in (${sql.join(ids)})`, session);
          return rows.map(({ id, facts: json }) => ({
            ...parse(json),
            direction: directions.get(id),
            cfops: cfops?.get(id),
          }));
        }),
      );
    },

    async byKeys(keys: readonly string[]): Promise<KnownDocument[]> {
      const parse = createParser();
      const rows = await read((session) =>
        inParts(keys, (part) => documentsWhere(sql<boolean>`d.key in (${sql.join(part)})`, session)),
      );
      return rows.map(({ facts: json }) => parse(json));
    },

    async refused(): Promise<ReadonlySet<string>> {
      const rows = await read((session) => findRows(session, 'events', ['key'], 'code', refusals));
      return new Set(rows.map(({ key }) => key));
    },
  };
}
