import type { Generated, Insertable, Kysely, Selectable } from 'kysely';
import type { UnreadableDocument } from '../../clients/documents/replies/results.ts';
import type { DocumentStatus } from '../../documents/summary/summary.ts';
import type { DateField, DocumentArea } from '../references.ts';
import type { Units } from './measures.ts';
import { documentAmounts, lineAmounts, rolledMeasures, textPlaces } from './measures.ts';

/** Why a document is in no sum; empty where it is in them, unless its status keeps it out. */
export type Exclusion = '' | 'test' | 'inexact';

/** Source of a document: the documents service, the user's own files, or both. */
export type DocumentSource = 'service' | 'files' | 'both';

/** Basis of a status: the document itself, an event of it, or the service's answer to a question about it. */
export type StatusOrigin = 'document' | 'event' | 'service';

/** With a document, in a list, by asking for its status, by our own write, or from the user's files alone. */
export type EventOrigin = 'document' | 'list' | 'service' | 'write' | 'files';

export type Unreadable = UnreadableDocument;

/** The direction of a listing of both at once. */
export const anyDirection = 'any';

/** Type of a column, independent of the engine; `?` may be null, `sum` begins at zero. */
interface Values {
  /** Never null: a grouping that the document lacks is empty, so that it can be part of a key. */
  readonly text: string;
  readonly whole: number;
  /** Millionths, see `Units`: sums of them are exact. Null where the document does not say. */
  readonly 'amount?': Units | null;
  readonly sum: Units;
  readonly bytes: Uint8Array;
  readonly 'bytes?': Uint8Array | null;
  /** The key, given by the database unless it is the `id` of another table's row. */
  readonly id: Generated<number>;
}

type Kind = keyof Values;

export interface Table {
  readonly columns: Readonly<Record<string, Kind>>;
  /** Key columns after the tenant, which is the first of every key. */
  readonly key?: readonly string[];
  readonly unique?: readonly string[];
  /** Each after the tenant. */
  readonly indexes?: readonly (readonly string[])[];
}

const columnsOf = <K extends Kind, Name extends string>(kind: K, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, kind])) as Readonly<Record<Name, K>>;

/** A company's documents of a kind that were issued in one month, `YYYY-MM`. */
const placeOfMonth = columnsOf('text', 'company', 'area', 'month');

/** Columns that hold the groups of a roll-up; no roll-up has more. */
export const rollupGroups = ['g1', 'g2', 'g3', 'g4'] as const;
/** Groups that every roll-up has besides. */
const commonGroups = ['month', 'direction', 'status', 'exclusion'] as const;

const content = { summary: 'bytes', xml: 'bytes?' } as const;

/** Every table. The tenant comes first in each and in every key, so that tables can be divided by it. */
export const tables = {
  documents: {
    columns: {
      id: 'id',
      ...columnsOf('text', 'identity', 'area', 'kind', 'key', 'number', 'issued_at', 'authorized_at'),
      /** Of the summary, to detect changed documents. */
      digest: 'text',
      exclusion: 'text',
      ...columnsOf('text', 'own_status', 'status'),
      /** Events in the document's own file, as JSON; empty without any. */
      own_events: 'text',
      /** Codes of its effective events, sorted and separated by blanks. */
      events: 'text',
      /** From its own file; other cancellations are rows of the table `events`. */
      cancelled_at: 'text',
      /** Tax ids, or names of parties abroad without one; `payer`: who pays the carriage of a CT-e. */
      ...columnsOf('text', 'issuer', 'recipient', 'payer'),
      ...columnsOf('text', 'issuer_state', 'recipient_state', 'origin_state', 'destination_state'),
      /** IBGE codes, 7 digits; `iss_city`: the city that the ISS of an NFS-e is due to. */
      ...columnsOf('text', 'issuer_city', 'recipient_city', 'iss_city'),
      /** The issuer's CRT: 1 Simples, 2 Simples above the limit, 3 normal, 4 MEI. */
      regime: 'text',
      /** finNFe or tpCTe; tpNFCredito, tpNFDebito. */
      ...columnsOf('text', 'purpose', 'credit_type', 'debit_type'),
      /** `YYYY-MM` of an NFS-e. */
      competence: 'text',
      /** See `declarationsText` and `referencesOf`. */
      ...columnsOf('text', 'declarations', 'reference_keys'),
      item_count: 'whole',
      /** 1 where there are rows in `items`. */
      has_lines: 'whole',
      /** When its content was last received; ISO 8601 in UTC, as all times here. */
      fetched_at: 'text',
      source: 'text',
      /** When its status was last asked for, and its basis. */
      ...columnsOf('text', 'status_at', 'status_from'),
      /** Number of different contents under its identity; all but the current one are in `other_contents`. */
      contents: 'whole',
      ...columnsOf('amount?', ...documentAmounts),
    },
    unique: ['identity'],
    indexes: [['key'], ['issuer'], ['recipient'], ['payer']],
  },
  /** Texts of documents, apart from the columns that questions scan. */
  contents: { columns: { document_id: 'id', ...content } },
  /** Contents under a document's identity that contradict the current one. */
  other_contents: {
    columns: { document_id: 'whole', ...columnsOf('text', 'digest', 'fetched_at'), ...content },
    key: ['document_id', 'digest'],
  },
  /** Results of the rules about one document by itself, as JSON, and the version of the rules (`currentRules`). */
  judgements: { columns: { document_id: 'id', rules: 'whole', judgement: 'text' } },
  items: {
    columns: {
      document_id: 'whole',
      /** From 1; 0 for a document without items by nature, -1 for its amounts that belong to no item. */
      line: 'whole',
      /** Among `descriptions`; the empty text where there is none. */
      description_id: 'whole',
      /** The item's code and the buyer's order, as searched. */
      ...columnsOf('text', 'code', 'buyer_order'),
      /** `pis_cofins_cst`: both with `/` where they differ; `unit`: in capitals. */
      ...columnsOf('text', 'ncm', 'cfop', 'cst', 'class_trib', 'pis_cofins_cst', 'unit'),
      ...columnsOf('amount?', ...lineAmounts),
    },
    key: ['document_id', 'line'],
  },
  /** Due days of a document's instalments, including instalments without a day. */
  installments: {
    columns: {
      ...columnsOf('whole', 'document_id', 'line'),
      ...columnsOf('text', 'due_day', 'due_week', 'due_month'),
      due: 'amount?',
    },
    key: ['document_id', 'line'],
  },
  /** Searched texts of a document, a column for each place. */
  document_texts: { columns: { document_id: 'id', ...columnsOf('text', ...textPlaces) } },
  /** Descriptions of items, each once, as written and as searched. */
  descriptions: { columns: { id: 'id', text: 'text', search: 'text' }, unique: ['text'] },
  parties: { columns: columnsOf('text', 'tax_id', 'name', 'issued_at'), key: ['tax_id'] },
  /**
   * Dates of a document for a company, by date field. An entry date is known only as the window that listed the
   * document: day, week and month are empty unless the window is within one.
   */
  placements: {
    columns: {
      ...columnsOf('text', 'company', 'area', 'date_field', 'from_day', 'to_day', 'day', 'week', 'month'),
      direction: 'text',
      document_id: 'whole',
      /** 1 where the service listed the document in this direction; else the direction is read from the document. */
      ...columnsOf('whole', 'listed_inbound', 'listed_outbound'),
    },
    key: ['company', 'date_field', 'document_id'],
    indexes: [['company', 'area', 'date_field', 'from_day', 'to_day', 'direction'], ['document_id']],
  },
  events: {
    columns: {
      id: 'id',
      /** `key`: of the document it happened to. */
      ...columnsOf('text', 'identity', 'key', 'code', 'at', 'digest', 'origin'),
      /** 1 where it cancels its document; 1 where its receipt says that it is registered. */
      ...columnsOf('whole', 'cancels', 'registered'),
      asked_at: 'text',
      ...content,
    },
    unique: ['identity'],
    indexes: [['key']],
  },
  /** Fetched days, in a direction or `any`; `unreadable`: the unreadable parts, as JSON. */
  coverage: {
    columns: {
      ...columnsOf('text', 'company', 'area', 'date_field', 'direction', 'from_day', 'to_day'),
      ...columnsOf('text', 'fetched_at', 'unreadable'),
    },
    indexes: [['company', 'area', 'date_field', 'from_day']],
  },
  /** The last answer of each listing. */
  answers: {
    columns: {
      ...columnsOf('text', 'company', 'area', 'operation', 'date_field', 'direction'),
      /** As they were asked: to the second, without a zone. */
      ...columnsOf('text', 'from_moment', 'to_moment'),
      lines: 'whole',
      /** Identities of documents and events in the order of the answer, one a line, or a list of keys; deflated. */
      identities: 'bytes',
      ...columnsOf('text', 'fetched_at', 'unreadable'),
    },
    key: ['company', 'area', 'operation', 'date_field', 'direction', 'from_moment', 'to_moment'],
  },
  /** Months whose roll-ups are current: filled by the first question, deleted by every writer. */
  summed_months: {
    columns: {
      ...placeOfMonth,
      grouping: 'text',
      /** 1 where the day of a document is known only as a window: no sums are cached then. */
      undated: 'whole',
    },
    key: ['company', 'area', 'month', 'grouping'],
  },
  /** Cached sums of a month, by the groups of their `grouping` in the order of `rollups`. */
  rollups: {
    columns: {
      ...columnsOf('text', 'company', 'area', 'grouping', ...commonGroups, ...rollupGroups),
      /** `lined`: documents that have lines. */
      ...columnsOf('sum', 'documents', 'lined', 'items'),
      ...columnsOf('amount?', ...rolledMeasures),
    },
    key: ['company', 'area', 'grouping', ...commonGroups, ...rollupGroups],
  },
  /** Files of the user's that have been read; the one without a root represents all permanent imports. */
  files: {
    columns: {
      id: 'id',
      ...columnsOf('text', 'root', 'folder', 'name'),
      /** Parts of it without a document, as JSON; empty if there are none. */
      left_out: 'text',
      size: 'whole',
      /** Microseconds since 1970. */
      changed: 'whole',
      /** 1 where it is to be read again though it seems unchanged. */
      due: 'whole',
    },
    unique: ['root', 'folder', 'name'],
  },
  /** Identities of the documents and events in a file; see `eventLine`. */
  file_contents: {
    columns: { identity: 'text', file_id: 'whole' },
    key: ['identity', 'file_id'],
    indexes: [['file_id']],
  },
  /** Parties of a document from files, and its direction for each. */
  file_parties: {
    columns: { tax_id: 'text', direction: 'text', document_id: 'whole' },
    key: ['tax_id', 'document_id'],
    indexes: [['document_id']],
  },
  /** Numbers that their issuer gave up, from files. */
  given_up_numbers: {
    columns: {
      ...columnsOf('text', 'area', 'company', 'model', 'series', 'year', 'protocol'),
      ...columnsOf('whole', 'file_id', 'first_number', 'last_number'),
    },
    key: ['company', 'area', 'model', 'series', 'year', 'first_number', 'last_number', 'file_id'],
    indexes: [['file_id']],
  },
} as const satisfies Readonly<Record<string, Table>>;

/** Columns of text that hold nothing but these, in whatever table. */
interface Narrowed {
  area: DocumentArea;
  date_field: DateField;
  own_status: DocumentStatus;
  status: DocumentStatus;
  exclusion: Exclusion;
  source: DocumentSource;
  status_from: StatusOrigin;
  origin: EventOrigin;
}

type Columns<Name extends keyof typeof tables> = (typeof tables)[Name]['columns'];

type RowOf<Name extends keyof typeof tables> = { tenant: string } & {
  -readonly [Column in keyof Columns<Name>]: Column extends keyof Narrowed
    ? Narrowed[Column]
    : Columns<Name>[Column] extends Kind
      ? Values[Columns<Name>[Column]]
      : never;
};

export type Schema = { [Name in keyof typeof tables]: RowOf<Name> } & {
  schema_version: { version: number };
};

export type DocumentRow = Insertable<Schema['documents']>;
export type ItemRow = Insertable<Schema['items']>;
export type PlacementRow = Insertable<Schema['placements']>;
export type EventRow = Insertable<Schema['events']>;
export type CoverageRow = Selectable<Schema['coverage']>;

/** A connection to the archive's database, or a transaction on one. */
export type Db = Kysely<Schema>;

/** A connection or a transaction, and the only tenant whose rows are read and written over it. */
export interface Session {
  readonly db: Db;
  readonly tenant: string;
}

/** Archives of other versions are refused; `rebuildArchive` converts them. */
export const schemaVersion = 16;

const typesOf = (text: string, whole: string, bytes: string, id: string): Readonly<Record<Kind, string>> => ({
  text: `${text} not null`,
  whole: `${whole} not null`,
  'amount?': whole,
  sum: `${whole} not null default 0`,
  bytes: `${bytes} not null`,
  'bytes?': bytes,
  id,
});

/** PostgreSQL too compares text bytewise, so that order is the same everywhere. */
const dialects = {
  sqlite: typesOf('text', 'integer', 'blob', 'integer primary key'),
  postgres: typesOf('text collate "C"', 'bigint', 'bytea', 'bigint generated by default as identity'),
};

/** Statements that create all tables. */
export function creationOf(engine: keyof typeof dialects): string[] {
  const types = dialects[engine];
  const isSqlite = engine === 'sqlite';
  const list = (names: readonly string[]) => ['tenant', ...names].map((name) => `"${name}"`).join(', ');
  return Object.entries<Table>(tables).flatMap(([name, { columns, key, unique, indexes = [] }]) => {
    const kinds = Object.entries(columns);
    const id = kinds.find(([, kind]) => kind === 'id')?.[0];
    // In SQLite an integer primary key needs no other index.
    const primary = key ?? (id !== undefined && !isSqlite ? [id] : undefined);
    const lines = [
      `tenant ${types.text}`,
      ...kinds.map(([column, kind]) => `"${column}" ${types[kind]}`),
      ...(primary ? [`constraint ${name}_primary primary key (${list(primary)})`] : []),
      ...(unique ? [`constraint ${name}_once unique (${list(unique)})`] : []),
    ];
    // Clustering slows tables with long rows.
    const isClustered = key !== undefined && !kinds.some(([, kind]) => kind.startsWith('bytes'));
    const options = isSqlite ? `strict${isClustered ? ', without rowid' : ''}` : '';
    return [
      `create table ${name} (${lines.join(', ')}) ${options}`,
      ...indexes.map(
        (names) => `create index ${name}_by_${names.join('_').slice(0, 30)} on ${name} (${list(names)})`,
      ),
    ];
  });
}
