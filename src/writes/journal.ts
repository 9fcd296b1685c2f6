import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { errorCode } from '../disk/files.ts';
import { cleanText, longest, oneLine } from '../documents/untrusted.ts';
import type { RecordUnusable } from './data-folder.ts';
import {
  canonicalJson,
  type IntentLine,
  type JournalLine,
  type OutcomeLine,
  type OutcomeStatus,
  sha256,
} from './journal-lines.ts';

export type { OutcomeStatus } from './journal-lines.ts';

/** Writes on any of the keys, or on one subject. */
export type Scope = { readonly keys: readonly string[] } | { readonly subject: string };

/** Which lines to read; a store may return more. `id` is a spent token's. */
export type About = Scope | { readonly id: string } | 'open';

/** Unreadable parts of the journal, which are left in place; `tornEnd` as after a killed write. */
export interface JournalDamage {
  readonly count: number;
  readonly tornEnd: boolean;
}

/**
 * Durable storage of journal lines. All readers see the same order: no line appears before an existing one. Methods
 * throw `RecordUnusable`.
 */
export interface JournalStore {
  /** Appends lines durably; after an error they may exist nevertheless. Without lines, checks that it could. */
  append(lines: readonly JournalLine[]): Promise<void>;
  /** All lines of the matching writes; those of a write are in order. */
  lines(about: About): AsyncIterable<JournalLine>;
  damage(): Promise<JournalDamage>;
  unusable(code: string): RecordUnusable;
}

/** Owner of the writes in question; others may share the folder. */
export interface JournalOwner {
  /** Service URLs, without credentials. */
  readonly services: { readonly documents?: string | undefined; readonly account?: string | undefined };
  readonly company?: string | undefined;
  /** `demo`: sent to the embedded sandbox. */
  readonly mode: 'real' | 'demo';
}

/** A write to be sent. */
export interface Intent extends Readonly<Pick<IntentLine, 'tool' | 'operation' | 'subject' | 'event'>> {
  readonly service: keyof JournalOwner['services'];
  readonly keys?: readonly string[] | undefined;
  /** The tool's arguments; only their digest is stored. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The justification as sent; only its length and digest are stored. */
  readonly justification?: string | undefined;
}

/** Outcome of one key, or of the whole write if it has no keys; the service's message is kept cleaned. */
export type Outcome = Readonly<Omit<OutcomeLine, 'line' | 'at' | 'id'>>;

type WriteFacts = Pick<IntentLine, 'id' | 'at' | 'tool' | 'operation' | 'company' | 'subject' | 'event'>;

/** A write on one key, or one without keys, with its known outcome. */
export interface JournalEntry extends Readonly<WriteFacts> {
  readonly key: string | undefined;
  /** `in_flight`: no outcome yet, and its process is alive and began it recently. */
  state: OutcomeStatus | 'in_flight';
  status_code?: string | undefined;
  message?: string | undefined;
}

export type Journal = ReturnType<typeof createJournal>;

/** Identity of this process; its start time tells it from a later one with the same pid. */
const thisProcess = () => ({
  pid: process.pid,
  started: Math.round(performance.timeOrigin),
  host: hostname(),
});

/** Whether a process may be alive; true for other hosts. */
function mayBeAlive({ host, pid, started }: IntentLine['process']): boolean {
  const self = thisProcess();
  if (host !== self.host) return true;
  if (pid === self.pid) return started === self.started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, owned by another user.
    return errorCode(error) === 'EPERM';
  }
}

/** How long a write without outcome counts as in flight while its process lives. */
const YOUNG_MS = 900_000;

export const isOpen = ({ state }: JournalEntry): boolean => state === 'unknown' || state === 'in_flight';

/**
 * Entries of the wanted intents, in their order. An unknown outcome replaces no known one; any other replaces it. An
 * intent that occurs twice, as in journals joined by hand, counts once: its outcome may precede the copy.
 */
async function entriesOf(
  lines: AsyncIterable<JournalLine>,
  isWanted: (intent: IntentLine) => boolean,
  now: number,
): Promise<readonly JournalEntry[]> {
  const writes = new Map<string, JournalEntry[]>();
  for await (const line of lines) {
    if (line.line === 'intent' && !writes.has(line.id) && isWanted(line)) {
      const { id, at, tool, operation, company, subject, event, keys = [undefined] } = line;
      const isYoung = now - Date.parse(at) < YOUNG_MS && mayBeAlive(line.process);
      const about: WriteFacts = { id, at, tool, operation, company, subject, event };
      const state = isYoung ? 'in_flight' : 'unknown';
      const entries = keys.map((key): JournalEntry => ({ ...about, key, state }));
      writes.set(id, entries);
    }
    if (line.line !== 'outcome') continue;
    const { key, status: state, status_code, message } = line;
    for (const entry of writes.get(line.id) ?? []) {
      const isAbout = key === undefined || key === entry.key;
      if (isAbout && (state !== 'unknown' || isOpen(entry)))
        Object.assign(entry, { state, status_code, message });
    }
  }
  return [...writes.values()].flat();
}

/** Hash of a service's URL, which may reveal too much of a company. */
function mark(address: string | undefined): string | undefined {
  return address === undefined ? undefined : sha256(address).slice(0, 16);
}

const traceOf = (text: string) => ({ length: [...text].length, sha256: sha256(text) });

/**
 * Creates the journal of sent writes, their outcomes and spent confirmations over a store: a file of the data folder,
 * or the replicas' database. Methods throw `RecordUnusable`; a write whose `begin` threw must not be sent.
 */
export function createJournal({
  store,
  owner: { services, company, mode },
  now = Date.now,
}: {
  readonly store: JournalStore;
  readonly owner: JournalOwner;
  readonly now?: () => number;
}) {
  const stamp = () => new Date(now()).toISOString();
  const marks = [services.documents, services.account].map(mark);
  const isOurs = (line: IntentLine) =>
    line.mode === mode && line.company === company && marks.includes(line.service);

  /** Earlier writes, oldest first. */
  async function history(scope: Scope): Promise<readonly JournalEntry[]> {
    const isWanted = (line: IntentLine) =>
      isOurs(line) && ('keys' in scope || line.subject === scope.subject);
    const entries = await entriesOf(store.lines(scope), isWanted, now());
    return 'keys' in scope ? entries.filter(({ key = '' }) => scope.keys.includes(key)) : entries;
  }

  /** The attempt that spent a token. */
  async function spenderOf(id: string): Promise<string | undefined> {
    for await (const line of store.lines({ id })) if (line.line === 'spent' && line.id === id) return line.by;
    return undefined;
  }

  return {
    /** Stores an intent durably, in one line, and returns its id. The write may be sent afterwards. */
    async begin(intent: Intent): Promise<string> {
      const { tool, operation, service, subject, keys = [], event, args, justification } = intent;
      const line: IntentLine = {
        ...{ line: 'intent', at: stamp(), id: randomUUID(), tool, operation, mode, company, subject, event },
        service: mark(services[service]),
        keys: keys.length === 0 ? undefined : [...keys],
        args: sha256(canonicalJson(args)),
        justification: justification === undefined ? undefined : traceOf(justification),
        process: thisProcess(),
      };
      await store.append([line]);
      return line.id;
    },

    /** Stores outcomes durably. */
    async finish(id: string, outcomes: readonly Outcome[]): Promise<void> {
      const at = stamp();
      const lines = outcomes.map(({ key, status, status_code, message: said }): OutcomeLine => {
        const message = said === undefined ? undefined : cleanMessage(said);
        return { line: 'outcome', at, id, key, status, status_code, message };
      });
      await store.append(lines);
    },

    /** Writes without a known outcome, oldest first; of other companies, services and modes only for `everyone`. */
    async open(of: 'us' | 'everyone' = 'us'): Promise<readonly JournalEntry[]> {
      const isWanted = of === 'everyone' ? () => true : isOurs;
      return (await entriesOf(store.lines('open'), isWanted, now())).filter(isOpen);
    },

    history,

    /**
     * Writes with an earlier intent than `id` that were unknown at confirmation. Among concurrent ones only the first
     * on disk has none and may be sent. Throws if its own intent can't be read back, e.g. because it was appended to a
     * line torn at that moment.
     */
    async conflicting(
      id: string,
      scope: Scope,
      known: readonly JournalEntry[],
    ): Promise<readonly JournalEntry[]> {
      const entries = await history(scope);
      const own = entries.findIndex((entry) => entry.id === id);
      if (own === -1) throw store.unusable('LINE_UNREADABLE');
      return entries
        .slice(0, own)
        .filter((entry) => entry.state !== 'not_sent' && !known.some(({ id: shown }) => shown === entry.id));
    },

    isSpent: async (token: string): Promise<boolean> => (await spenderOf(token)) !== undefined,

    /** Marks a token as spent, durably; true for exactly one of all calls. */
    async spend(token: string): Promise<boolean> {
      const by = randomUUID();
      await store.append([{ line: 'spent', at: stamp(), id: token, by }]);
      return (await spenderOf(token)) === by;
    },

    damage: () => store.damage(),
    /** Checks that intents could be stored, without storing one. */
    probe: () => store.append([]),
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
  const cleaned = oneLine(message.slice(0, 10 * longest.message))
    .replace(ADDRESS, (address) => address.split('?', 1)[0] ?? '')
    .replace(SECRET_VALUE, '$1$2***')
    .replace(MAIL_ADDRESS, '***')
    .replace(CPF, '***');
  return cleanText(cleaned, longest.message);
}
