import { sql } from 'kysely';
import { type EntryAmount, entryAmounts, type KnownDocument } from '../../documents/books/book.ts';
import type { DocumentKind } from '../../documents/summary/summary.ts';
import { checkPeriod } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { placedDocuments } from '../schema/expressions.ts';
import { inParts } from '../schema/sql.ts';
import { amountText } from '../schema/units.ts';
import { isPlaced, ownedBy, within } from './conditions.ts';
import type { Selection } from './question.ts';

const amountNames = [...entryAmounts, 'fcp', 'fcp_st', 'services'] as const;

type AmountName = EntryAmount | 'fcp' | 'fcp_st' | 'services';

interface Row extends Readonly<Record<AmountName, unknown>> {
  readonly id: number;
  readonly key: string;
  readonly kind: string;
  readonly number: string;
  readonly issuer: string;
  readonly name: string | null;
  readonly recipient: string;
  readonly payer: string;
  readonly issued_at: string;
  readonly status: string;
  readonly purpose: string;
  readonly exclusion: string;
  readonly direction: string | null;
}

const columns = sql.raw(
  [
    ...['id', 'key', 'kind', 'number', 'issuer', 'recipient', 'payer', 'issued_at', 'status', 'purpose'],
    ...['exclusion', ...amountNames],
  ]
    .map((name) => `d.${name}`)
    .join(', '),
);

/** What a company refused: it doesn't know the operation, or it was not carried out. */
const refusals = ['210220', '210240'];

/** Documents read at once. */
const pageSize = 4_000;

/** What became of a document counts, an event by itself does not. */
const kinds = ['nfe', 'nfce', 'cte', 'cteos', 'nfse', 'summary'];

function known(row: Row, cfops: readonly string[] | undefined): KnownDocument {
  const amounts = Object.fromEntries(
    amountNames.flatMap((name) => {
      const units = row[name];
      return units === null || units === undefined ? [] : [[name, amountText(String(units))]];
    }),
  );
  return {
    key: row.key,
    // An abridged note is one of goods.
    kind: (row.kind === 'summary' ? 'nfe' : row.kind) as DocumentKind,
    number: row.number,
    issuer: row.issuer,
    issuer_name: row.name ?? '',
    recipient: row.recipient,
    payer: row.payer,
    issued_at: row.issued_at,
    status: row.status,
    purpose: row.purpose,
    isTest: row.exclusion === 'test',
    direction: row.direction ?? undefined,
    cfops,
    ...amounts,
  };
}

/** Documents without their content, to be held against what others list. */
export function createKnownDocuments(connections: Connections) {
  const { read } = connections;

  /** CFOP and amount by turns of the items of these documents. */
  async function cfopsOf(ids: readonly number[]): Promise<Map<number, string[]>> {
    const rows = await read(({ db, tenant }) =>
      inParts(ids, async (part) => {
        const found = await sql<{ id: number; cfop: string; total: unknown }>`
          select document_id as id, cfop, cast(sum(total) as text) as total from items
          where tenant = ${tenant} and document_id in (${sql.join(part)}) group by document_id, cfop`.execute(
          db,
        );
        return found.rows;
      }),
    );
    const cfops = new Map<number, string[]>();
    for (const { id, cfop, total } of rows) {
      const pairs = cfops.get(id) ?? [];
      pairs.push(cfop, amountText(String(total ?? 0)));
      cfops.set(id, pairs);
    }
    return cfops;
  }

  return {
    /** All that a company has of a kind in a period, cancelled ones and those of the test environment too. */
    async of(selection: Selection, withItems: boolean): Promise<KnownDocument[]> {
      checkPeriod(selection);
      const all: KnownDocument[] = [];
      for (let last = 0; ; ) {
        const page = await read(async (session) => {
          const { rows } = await sql<Row>`
            select ${columns}, n.name, p.direction from ${placedDocuments}
              left join parties n on n.tenant = d.tenant and n.tax_id = d.issuer
            where ${isPlaced(ownedBy(selection, session), within)} and d.id > ${last} and d.kind in (${sql.join(kinds)})
            order by d.id limit ${sql.lit(pageSize)}`.execute(session.db);
          return rows;
        });
        const cfops = withItems ? await cfopsOf(page.map(({ id }) => id)) : new Map<number, string[]>();
        for (const row of page) all.push(known(row, cfops.get(row.id)));
        last = page.at(-1)?.id ?? last;
        if (page.length < pageSize) return all;
      }
    },

    /** Those of these keys, whoever's they are. */
    async byKeys(keys: readonly string[]): Promise<KnownDocument[]> {
      const rows = await read(({ db, tenant }) =>
        inParts(keys, async (part) => {
          const found = await sql<Row>`
            select ${columns}, n.name, null as direction from documents d
              left join parties n on n.tenant = d.tenant and n.tax_id = d.issuer
            where d.tenant = ${tenant} and d.key in (${sql.join(part)}) and d.kind in (${sql.join(kinds)})`.execute(
            db,
          );
          return found.rows;
        }),
      );
      return rows.map((row) => known(row, undefined));
    },

    /** Keys of the documents that were refused by whom they name as recipient. */
    async refused(): Promise<ReadonlySet<string>> {
      const rows = await read(({ db, tenant }) =>
        db
          .selectFrom('events')
          .select('key')
          .where('tenant', '=', tenant)
          .where('code', 'in', refusals)
          .execute(),
      );
      return new Set(rows.map(({ key }) => key));
    },
  };
}
