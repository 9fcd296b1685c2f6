import { randomUUID } from 'node:crypto';
import { canonicalJson, sha256 } from './canonical-json.ts';
import { cleanMessage } from './clean-message.ts';
import { createLedger, isUnsettled, type JournalEntry, type Ledger, thisProcess } from './journal-ledger.ts';
import type { IntentLine, JournalLine, OutcomeLine, OutcomeStatus } from './journal-lines.ts';

export type { JournalEntry } from './journal-ledger.ts';
export type { OutcomeStatus } from './journal-lines.ts';

/** The writes whose lines are wanted. A store may give others too. */
export type About =
  | { readonly keys: ReadonlySet<string> }
  | { readonly subject: string }
  /** The writes whose outcome is not known. */
  | 'open';

/** Parts of the journal that cannot be read. They stay where they are. */
export interface JournalDamage {
  readonly count: number;
  /** Byte offsets of the first hundred of them. */
  readonly offsets: readonly number[];
  /** Whether the file ends inside a line, as a process killed while writing leaves it. */
  readonly tornEnd: boolean;
}

/**
 * Where the lines of a journal are kept for good. Lines come out in the order in which they were appended, which is the
 * same for all who ask: once a line is there, none appears before it. All of it throws `RecordUnusable` where the store
 * can't be used.
 */
export interface JournalStore {
  /** Appends lines. When it resolves they are on the disk; where it throws they may be there all the same. */
  append(lines: readonly JournalLine[]): Promise<void>;
  /** All lines of the writes that are asked about; a write's lines come in their order. */
  lines(about: About): AsyncIterable<JournalLine>;
  damage(): Promise<JournalDamage>;
  /** Finds out whether lines could be appended, without appending one. */
  probe(): Promise<void>;
}

/** Whose writes a journal is asked about: others may share the folder, and theirs say nothing of ours. */
export interface Whose {
  /** The services' addresses, without credentials. */
  readonly services: { readonly documents?: string | undefined; readonly account?: string | undefined };
  /** CNPJ of the company that writes. */
  readonly company?: string | undefined;
  /** A demo's writes went to the embedded sandbox. */
  readonly mode: 'real' | 'demo';
}

/** The writes that a question is about: those on any of the keys, or those on one subject. */
export type Scope =
  | { readonly keys: readonly string[]; readonly event?: string | undefined }
  | { readonly subject: string; readonly args?: Readonly<Record<string, unknown>> | undefined };

/** A write about to be sent. */
export interface Intent {
  readonly tool: string;
  /** Which of the two services it is sent to. */
  readonly service?: keyof Whose['services'] | undefined;
  /** The service's operation, e.g. `Mercadoria/RealizarManifesto`. */
  readonly operation: string;
  /** What is written to when it is no document, e.g. `companies/12/settings/34`. */
  readonly subject?: string | undefined;
  /** The access keys manifested on, each once. */
  readonly keys?: readonly string[] | undefined;
  /** `tpEvento`. */
  readonly event?: string | undefined;
  /** The tool's arguments. Only their digest is kept. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The justification as it is sent. Only its length and digest are kept. */
  readonly justification?: string | undefined;
}

/**
 * What became of one key of a write, or, without a key, of all that the write was about. The outcome of a write whose
 * intent named no keys has none either.
 */
export interface Outcome {
  readonly key?: string | undefined;
  readonly status: OutcomeStatus;
  readonly statusCode?: string | undefined;
  /** The service's own words; kept without secrets and personal data, at most 300 characters. */
  readonly message?: string | undefined;
}

/**
 * The record of what was sent and what became of it. All of it throws `RecordUnusable` where its store cannot
 * be used; a write whose `begin` threw must not be sent.
 */
export interface Journal {
  /** Puts an intent on the disk and gives it an id. When it resolves, the write may be sent. */
  begin(intent: Intent): Promise<string>;
  /** Puts outcomes on the disk. A later outcome of the same key takes the place of an earlier one. */
  finish(id: string, outcomes: readonly Outcome[]): Promise<void>;
  /**
   * The writes whose outcome is not known, oldest first: nothing recorded, or recorded as `unknown`. Those of other
   * companies, services and modes are not among them, unless everyone's are asked for.
   */
  open(of?: 'us' | 'everyone'): Promise<readonly JournalEntry[]>;
  /**
   * Earlier writes, oldest first. On keys: only those of one event (`tpEvento`) when it is given; on a subject: only
   * those with the same arguments when they are given.
   */
  history(scope: Scope): Promise<readonly JournalEntry[]>;
  /**
   * Other writes whose intent came before that of `id` and was not known when the person was asked. Of several at the
   * same moment exactly one, the first on the disk, has none: it alone may be sent.
   */
  forestalling(id: string, scope: Scope, known: ReadonlySet<string>): Promise<readonly JournalEntry[]>;
  damage(): Promise<JournalDamage>;
  /** Finds out whether intents could be written, without writing one. */
  probe(): Promise<void>;
}

/** One line, whatever the number of keys: a disk that is full leaves the whole intent or none of it. */
function intentLine(id: string, at: string, intent: Intent, { services, company, mode }: Whose): IntentLine {
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

/** A service as a line tells it: an address may show more of a company than a journal should. */
function mark(address: string | undefined): string | undefined {
  return address === undefined ? undefined : sha256(address.replace(/(?<!\/)\/+$/, '')).slice(0, 16);
}

/** A line of an earlier version tells neither service nor mode: then the company decides. */
function isOf({ services, company, mode }: Whose, line: IntentLine): boolean {
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
 * The journal of writes: lines in an order that all who use it see alike. Where they are kept is the store's: a file of
 * the data folder, or a database that replicas share.
 */
export function createJournal({
  store,
  whose = { services: {}, mode: 'real' },
  now = Date.now,
}: {
  store: JournalStore;
  whose?: Whose;
  now?: () => number;
}): Journal {
  const timestamp = () => new Date(now()).toISOString();

  const follow = async (ledger: Ledger, about: About) => {
    for await (const line of store.lines(about)) ledger.take(line);
    return ledger.entries(now());
  };

  const history = async (scope: Scope) => {
    const isWanted = isWithin(scope);
    const ledger = createLedger(
      (intent) => isOf(whose, intent) && isWanted(intent),
      () => true,
    );
    if ('subject' in scope) return follow(ledger, { subject: scope.subject });
    const wanted = new Set(scope.keys);
    const entries = await follow(ledger, { keys: wanted });
    return entries.filter(({ key }) => key !== undefined && wanted.has(key));
  };

  return {
    async begin(intent) {
      const id = randomUUID();
      await store.append([intentLine(id, timestamp(), intent, whose)]);
      return id;
    },

    async finish(id, outcomes) {
      const at = timestamp();
      await store.append(outcomes.map((outcome) => outcomeLine(id, at, outcome)));
    },

    open: (of = 'us') =>
      follow(
        createLedger((intent) => of === 'everyone' || isOf(whose, intent), isUnsettled),
        'open',
      ),

    history,

    async forestalling(id, scope, known) {
      const entries = await history(scope);
      const own = entries.findIndex((entry) => entry.id === id);
      return entries.slice(0, own).filter((entry) => !known.has(entry.id) && entry.state !== 'not_sent');
    },

    damage: () => store.damage(),
    probe: () => store.probe(),
  };
}
