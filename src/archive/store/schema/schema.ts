import type { Generated, Insertable, Kysely, Selectable } from 'kysely';
import type { UnreadableDocument } from '../../../clients/tax-documents/replies/results.ts';
import type { AmountMeasure, GivenName, ItemAmount, RolledMeasure } from './measures.ts';
import type { Units } from './units.ts';

/** Millionths of a real, as whole numbers: sums of them are exact. Null where the document does not say. */
type Amounts<Name extends AmountMeasure> = { [N in Name]: Units | null };

type Sums = { [Name in RolledMeasure]: Units } & { [Name in GivenName]: number };

/**
 * Why a document is in no sum; empty where it is in them, unless its status keeps it out. `outdated`: read by a version
 * of the program that took less out of it, and to be fetched again.
 */
export type Exclusion = '' | 'test' | 'inexact' | 'outdated';

/**
 * What is taken out of a document, by number: rows of an earlier one are read again from the text that is kept, or
 * marked to be fetched again.
 */
export const currentReading = 1;

/**
 * Every table begins with the tenant, and so does every key: rows of different tenants never meet, and the tables can
 * be divided by it.
 */

/**
 * One row per document. Text that a question groups by is empty, not null, where the document does not say, so that it
 * can be part of a key.
 */
interface DocumentTable extends Amounts<AmountMeasure> {
  tenant: string;
  id: Generated<number>;
  identity: string;
  /** Of the summary, to tell a document that has changed from one that came again. */
  digest: string;
  area: string;
  kind: string;
  key: string;
  number: string;
  issued_at: string;
  /** What the file says. */
  own_status: string;
  /** With its events. */
  status: string;
  exclusion: Exclusion;
  issuer: string;
  issuer_state: string;
  recipient: string;
  recipient_state: string;
  /** IBGE codes, 7 digits. */
  issuer_city: string;
  recipient_city: string;
  /** The issuer's CRT: 1 Simples, 2 Simples above the limit, 3 normal, 4 MEI. */
  regime: string;
  /** Of a CT-e: who pays the carriage. */
  payer: string;
  /** finNFe, tpCTe. */
  purpose: string;
  /** `YYYY-MM` of an NFS-e. */
  competence: string;
  /** PIS, COFINS and CSLL kept back as one amount. */
  contributions_withheld: Units | null;
  reading: number;
  item_count: number;
  /** 1 where there are rows in `items`. */
  has_lines: number;
  /** See `headText`. */
  head_id: number;
  /** When its content last came; ISO 8601 in UTC, as every moment here. */
  fetched_at: string;
  source: DocumentSource;
  /** When its status was last asked for, and what it rests on. */
  status_at: string;
  status_from: StatusOrigin;
  /** How many different contents came under its identity; all but the one that counts are in `other_contents`. */
  contents: number;
}

/** Who gave a document: the documents service, the user's own files, or both. */
export type DocumentSource = 'service' | 'files' | 'both';

/** What a status rests on: the document itself, an event of it, or the service's answer to a question about it. */
export type StatusOrigin = 'document' | 'event' | 'service';

/**
 * How an event came to be known: with a document, in a list, by asking for its status, by our own write, or from the
 * user's files alone.
 */
export type EventOrigin = 'document' | 'list' | 'service' | 'write' | 'files';

/** What stood in a listing and could not be read. */
export type Unreadable = UnreadableDocument;

/** The text of a document, apart from what questions scan. Deflated. */
interface ContentTable {
  tenant: string;
  document_id: number;
  summary: Uint8Array;
  xml: Uint8Array | null;
}

/** What the rules about one document by themselves say of it, so that a check need not read its content. */
interface JudgementTable {
  tenant: string;
  document_id: number;
  /** The number of the rules that were asked; see `currentRules`. */
  rules: number;
  /** See `judgementText`. */
  judgement: string;
}

/** What else came under a document's identity and doesn't count. */
interface OtherContentTable {
  tenant: string;
  document_id: number;
  digest: string;
  fetched_at: string;
  summary: Uint8Array;
  xml: Uint8Array | null;
}

interface ItemTable extends Amounts<ItemAmount> {
  tenant: string;
  document_id: number;
  /** From 1; 0 stands for a document that has no items by nature, -1 for what of its amounts is no item's. */
  line: number;
  description_id: number;
  ncm: string;
  cfop: string;
  cst: string;
  class_trib: string;
  /** In capitals. */
  unit: string;
  /** Millionths; null where the document gives no number. */
  quantity: Units | null;
  /** Of one unit, in millionths of a real, rounded to ten thousandths. */
  unit_price: Units | null;
}

interface DescriptionTable {
  tenant: string;
  id: Generated<number>;
  text: string;
  search: string;
}

/** What documents' heads say, each text once; see `headText`. */
interface HeadTable {
  tenant: string;
  id: Generated<number>;
  search: string;
}

/** The name last seen of a tax id. */
interface PartyTable {
  tenant: string;
  tax_id: string;
  name: string;
  issued_at: string;
}

/**
 * Where in time a document stands for a company under a date field. The issue date is in the document; an entry date is
 * known only as the window in which the document was listed, so that day, week and month are empty unless the window
 * is within one.
 */
interface PlacementTable {
  tenant: string;
  company: string;
  date_field: string;
  document_id: number;
  area: string;
  from_day: string;
  to_day: string;
  day: string;
  week: string;
  month: string;
  direction: string;
  /** 1 where the service listed the document in this direction; else the direction is read from the document. */
  listed_inbound: number;
  listed_outbound: number;
}

interface EventTable {
  tenant: string;
  id: Generated<number>;
  identity: string;
  /** Of the document it happened to. */
  key: string;
  code: string;
  at: string;
  /** 1 where it cancels its document. */
  cancels: number;
  digest: string;
  origin: EventOrigin;
  /** When it was last asked for. */
  asked_at: string;
  summary: Uint8Array;
  xml: Uint8Array | null;
}

/** In the place of a direction: what was listed in both at once. */
export const anyDirection = 'any';

interface CoverageTable {
  tenant: string;
  company: string;
  area: string;
  date_field: string;
  /** `inbound`, `outbound`, or `any` for both. */
  direction: string;
  from_day: string;
  to_day: string;
  /** ISO 8601 in UTC. */
  fetched_at: string;
  documents: number;
  /** What could not be read, as JSON. */
  unreadable: string;
}

/** What one listing answered, line by line, the last time it was asked. */
interface AnswerTable {
  tenant: string;
  company: string;
  area: string;
  operation: string;
  date_field: string;
  direction: string;
  /** As they were asked: to the second, without a zone. */
  from_moment: string;
  to_moment: string;
  fetched_at: string;
  lines: number;
  /** The identities of documents and events in the order of the answer, one a line; deflated. */
  identities: Uint8Array;
  /** What could not be read, as JSON. */
  unreadable: string;
}

/** A file of the user's that has been read; the one without a root stands for all that was taken over for good. */
interface FileTable {
  tenant: string;
  id: Generated<number>;
  root: string;
  folder: string;
  name: string;
  digest: string;
  /** What of it gave no document, as JSON; empty where there is nothing such. */
  left_out: string;
  size: number;
  /** Microseconds since 1970. */
  changed: number;
  /** 1 where it is to be read again though it seems unchanged. */
  due: number;
}

/** Which file gave which document. */
interface FileDocumentTable {
  tenant: string;
  file_id: number;
  document_id: number;
}

/** Which file gave which event. */
interface FileEventTable {
  tenant: string;
  file_id: number;
  event_id: number;
}

/** Whom a document that came from files names, and which way it goes for them. */
interface FilePartyTable {
  tenant: string;
  tax_id: string;
  direction: string;
  document_id: number;
}

/** Numbers that their issuer gave up, as files say. */
interface GivenUpTable {
  tenant: string;
  area: string;
  company: string;
  model: string;
  series: string;
  year: string;
  protocol: string;
  file_id: number;
  first_number: number;
  last_number: number;
}

/** Sums over documents, by everything a document can be grouped by that repeats. */
interface DocumentRollupTable extends Sums {
  tenant: string;
  company: string;
  area: string;
  date_field: string;
  month: string;
  direction: string;
  kind: string;
  status: string;
  exclusion: string;
  issuer: string;
  recipient: string;
  state: string;
  documents: number;
  /** Documents that have lines. */
  lined: number;
  items: number;
}

/** The same by the days that the documents stand in, see `PlacementTable`, and by little else: exact for any period. */
interface DayRollupTable extends Sums {
  tenant: string;
  company: string;
  area: string;
  date_field: string;
  from_day: string;
  to_day: string;
  day: string;
  week: string;
  month: string;
  direction: string;
  kind: string;
  status: string;
  exclusion: string;
  state: string;
  documents: number;
  lined: number;
  items: number;
}

/** Sums over the items of the documents that count, one `grouping` beside the other. */
interface ItemRollupTable extends Sums {
  tenant: string;
  company: string;
  area: string;
  date_field: string;
  month: string;
  direction: string;
  grouping: string;
  first_value: string;
  second_value: string;
  documents: number;
  items: number;
}

export interface Schema {
  documents: DocumentTable;
  contents: ContentTable;
  judgements: JudgementTable;
  other_contents: OtherContentTable;
  items: ItemTable;
  descriptions: DescriptionTable;
  heads: HeadTable;
  parties: PartyTable;
  placements: PlacementTable;
  events: EventTable;
  coverage: CoverageTable;
  answers: AnswerTable;
  document_rollup: DocumentRollupTable;
  day_rollup: DayRollupTable;
  item_rollup: ItemRollupTable;
  files: FileTable;
  file_documents: FileDocumentTable;
  file_events: FileEventTable;
  file_parties: FilePartyTable;
  given_up_numbers: GivenUpTable;
  schema_version: { version: number };
}

export type DocumentRow = Insertable<DocumentTable>;
export type ItemRow = Insertable<ItemTable>;
export type PlacementRow = Insertable<PlacementTable>;
export type EventRow = Insertable<EventTable>;
export type CoverageRow = Selectable<CoverageTable>;

/** A connection to the archive's database, or a transaction on one. */
export type Db = Kysely<Schema>;

/** A connection or a transaction, and the only tenant whose rows are read and written over it. */
export interface Session {
  readonly db: Db;
  readonly tenant: string;
}
