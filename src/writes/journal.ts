import { randomUUID } from 'node:crypto';
import { longest } from '../documents/untrusted.ts';
import { canonicalJson, sha256 } from './canonical-json.ts';
import {
  createLedger,
  type IntentLine,
  isUnsettled,
  type JournalEntry,
  type JournalLine,
  type Ledger,
  type OutcomeLine,
  type OutcomeStatus,
  thisProcess,
} from './journal-lines.ts';

export type { JournalEntry, OutcomeStatus } from './journal-lines.ts';

/** Which writes to read; a store may return more. */
export type About = { readonly keys: ReadonlySet<string> } | { readonly subject: string } | 'open';

/** Unreadable parts of the journal; they are left in place. */
export interface JournalDamage {
  readonly count: number;
  readonly offsets: readonly number[];
  /** Whether the file ends inside a line, as after a killed write. */
  readonly tornEnd: boolean;
}

/**
 * Durable storage of journal lines. All readers see the same order: no line appears before an existing one. Methods
 * throw `RecordUnusable`.
 */
export interface JournalStore {
  /** Appends lines durably; after an error they may exist nevertheless. */
  append(lines: readonly JournalLine[]): Promise<void>;
  /** All lines of the matching writes; those of a write are in order. */
  lines(about: About): AsyncIterable<JournalLine>;
  damage(): Promise<JournalDamage>;
  /** Checks that lines could be appended, without appending one. */
  probe(): Promise<void>;
}

/** Owner of the writes in question; others may share the folder. */
export interface JournalOwner {
  /** Service URLs, without credentials. */
  readonly services: { readonly documents?: string | undefined; readonly account?: string | undefined };
  readonly company?: string | undefined;
  /** `demo`: sent to the embedded sandbox. */
  readonly mode: 'real' | 'demo';
}

/** Writes on any of the keys, or on one subject. */
export type Scope =
  | { readonly keys: readonly string[]; readonly event?: string | undefined }
  | { readonly subject: string; readonly args?: Readonly<Record<string, unknown>> | undefined };

export interface Intent {
  readonly tool: string;
  readonly service?: keyof JournalOwner['services'] | undefined;
  /** The service's operation, e.g. `Mercadoria/RealizarManifesto`. */
  readonly operation: string;
  /** Target of a write that is not a document, e.g. `companies/12/settings/34`. */
  readonly subject?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly event?: string | undefined;
  /** The tool's arguments; only their digest is stored. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The justification as sent; only its length and digest are stored. */
  readonly justification?: string | undefined;
}

/** Outcome of one key, or of the whole write if it has no keys. */
export interface Outcome {
  readonly key?: string | undefined;
  readonly status: OutcomeStatus;
  readonly statusCode?: string | undefined;
  /** The service's message, cleaned, at most 300 characters. */
  readonly message?: string | undefined;
}

export type Journal = ReturnType<typeof createJournal>;

/** One line for all keys: a full disk leaves the whole intent or none. */
function intentLine(
  id: string,
  at: string,
  intent: Intent,
  { services, company, mode }: JournalOwner,
): IntentLine {
  const { tool, operation, service, subject, keys = [], event, justification } = intent;
  return {
    line: 'intent',
    at,
    id,
    tool,
    operation,
    service: mark(services[service ?? 'documents']),
    mode,
    company,
    subject,
    keys: keys.length === 0 ? undefined : [...keys],
    event,
    args: sha256(canonicalJson(intent.args)),
    justification:
      justification === undefined
        ? undefined
        : { length: [...justification].length, sha256: sha256(justification) },
    process: thisProcess(),
  };
}

/** Hash of a service's URL, which may reveal too much of a company. */
function mark(address: string | undefined): string | undefined {
  return address === undefined ? undefined : sha256(address.replace(/(?<!\/)\/+$/, '')).slice(0, 16);
}

/** Lines of earlier versions have neither service nor mode: the company decides. */
function isOf({ services, company, mode }: JournalOwner, line: IntentLine): boolean {
  if (line.mode === undefined) return mode === 'real' && (line.company ?? company) === company;
  const isToOurs = [services.documents, services.account].map(mark).includes(line.service);
  return line.mode === mode && line.company === company && isToOurs;
}

function isWithin(scope: Scope): (line: IntentLine) => boolean {
  if ('subject' in scope) {
    const args = scope.args && sha256(canonicalJson(scope.args));
    return (line) => line.subject === scope.subject && (args === undefined || line.args === args);
  }
  const wanted = new Set(scope.keys);
  return ({ key, keys = [], event }) =>
    (scope.event === undefined || event === scope.event) &&
    [...keys, key].some((one) => one !== undefined && wanted.has(one));
}

function outcomeLine(id: string, at: string, outcome: Outcome): OutcomeLine {
  const { key, status, statusCode, message } = outcome;
  return {
    line: 'outcome',
    at,
    id,
    key,
    status,
    status_code: statusCode,
    message: message === undefined ? undefined : cleanMessage(message),
  };
}

/**
 * Creates the journal of sent writes and their outcomes over a store: a file of the data folder, or the replicas'
 * database. Methods throw `RecordUnusable`; a write whose `begin` threw must not be sent.
 */
export function createJournal({
  store,
  owner = { services: {}, mode: 'real' },
  now = Date.now,
}: {
  store: JournalStore;
  owner?: JournalOwner;
  now?: () => number;
}) {
  const timestamp = () => new Date(now()).toISOString();

  const follow = async (ledger: Ledger, about: About): Promise<readonly JournalEntry[]> => {
    for await (const line of store.lines(about)) ledger.take(line);
    return ledger.entries(now());
  };

  /**
   * Earlier writes, oldest first: on keys those of one event (`tpEvento`) if given, on a subject those with the same
   * arguments if given.
   */
  const history = async (scope: Scope) => {
    const isWanted = isWithin(scope);
    const ledger = createLedger(
      (intent) => isOf(owner, intent) && isWanted(intent),
      () => true,
    );
    if ('subject' in scope) return follow(ledger, { subject: scope.subject });
    const wanted = new Set(scope.keys);
    const entries = await follow(ledger, { keys: wanted });
    return entries.filter(({ key }) => key !== undefined && wanted.has(key));
  };

  return {
    /** Stores an intent durably and returns its id. The write may be sent afterwards. */
    async begin(intent: Intent): Promise<string> {
      const id = randomUUID();
      await store.append([intentLine(id, timestamp(), intent, owner)]);
      return id;
    },

    /** Stores outcomes durably; a later outcome of a key replaces an earlier one. */
    async finish(id: string, outcomes: readonly Outcome[]): Promise<void> {
      const at = timestamp();
      await store.append(outcomes.map((outcome) => outcomeLine(id, at, outcome)));
    },

    /**
     * Writes without an outcome or with `unknown`, oldest first. Excludes other companies, services and modes unless
     * `everyone` is asked for.
     */
    open: (of: 'us' | 'everyone' = 'us') =>
      follow(
        createLedger((intent) => of === 'everyone' || isOf(owner, intent), isUnsettled),
        'open',
      ),

    history,

    /**
     * Writes with an earlier intent than `id` that were unknown at confirmation. Among concurrent ones only the first
     * on disk has none and may be sent.
     */
    async conflicting(
      id: string,
      scope: Scope,
      known: ReadonlySet<string>,
    ): Promise<readonly JournalEntry[]> {
      const entries = await history(scope);
      const own = entries.findIndex((entry) => entry.id === id);
      return entries.slice(0, own).filter((entry) => !known.has(entry.id) && entry.state !== 'not_sent');
    },

    damage: () => store.damage(),
    /** Checks that intents could be stored, without storing one. */
    probe: () => store.probe(),
  };
}

/** Names of credentials and persons in query strings and service messages. */
const SECRET_VALUE =
  /\b(usu[aá]rio|user(?:name)?|senha|password|passwd|pwd|token|sig|secret|api[_-]?key|authorization|bearer|basic)( ?[=:] ?| (?=\S*[\d=]))("[^"]*"|\S+)/giu;
const ADDRESS = /https?:\/\/\S+/gi;
const MAIL_ADDRESS = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+/gu;
const CPF = /(?<![\p{L}\p{N}])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\p{L}\p{N}])/gu;

/**
 * Cleans a service's message for keeping: one line, no control or direction characters, no credentials, query
 * strings, CPFs or mail addresses, at most 300 characters.
 */
export function cleanMessage(message: string): string {
  const cleaned = message
    .slice(0, 10 * longest.message)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(ADDRESS, (address) => address.split('?', 1)[0] ?? '')
    .replace(SECRET_VALUE, '$1$2***')
    .replace(MAIL_ADDRESS, '***')
    .replace(CPF, '***')
    .trim();
  const characters = [...cleaned];
  if (characters.length <= longest.message) return cleaned;
  return `${characters.slice(0, longest.message - 1).join('')}…`;
}
