import { hostname } from 'node:os';
import type { IntentLine, JournalLine, OutcomeLine, OutcomeStatus } from './journal-lines.ts';

/** A write on one key, or one without keys, with its known outcome. */
export interface JournalEntry {
  readonly id: string;
  /** Time of the intent, ISO 8601, UTC. */
  readonly at: string;
  readonly tool: string;
  readonly operation: string;
  readonly company: string | undefined;
  readonly subject: string | undefined;
  readonly key: string | undefined;
  readonly event: string | undefined;
  /** `in_flight`: no outcome yet, and its process is alive and began it recently. */
  readonly state: OutcomeStatus | 'in_flight';
  readonly statusCode: string | undefined;
  readonly message: string | undefined;
}

interface Write {
  readonly intent: IntentLine;
  readonly key: string | undefined;
  outcome?: OutcomeLine;
}

type ProcessIdentity = IntentLine['process'];

/** Identity of this process; its start time tells it from a later one with the same pid. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: Math.round(performance.timeOrigin), host: hostname() };
}

/** Whether a process may be alive; true for other hosts. */
function mayBeAlive(identity: ProcessIdentity): boolean {
  const self = thisProcess();
  if (identity.host !== self.host) return true;
  if (identity.pid === self.pid) return identity.started === self.started;
  try {
    process.kill(identity.pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, owned by another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** How long a write without outcome counts as in flight while its process lives. */
const YOUNG_MS = 900_000;

function entryOf({ intent, key, outcome }: Write, now: number): JournalEntry {
  const isUnderWay = now - Date.parse(intent.at) < YOUNG_MS && mayBeAlive(intent.process);
  return {
    id: intent.id,
    at: intent.at,
    tool: intent.tool,
    operation: intent.operation,
    company: intent.company,
    subject: intent.subject,
    key,
    event: intent.event,
    state: outcome?.status ?? (isUnderWay ? 'in_flight' : 'unknown'),
    statusCode: outcome?.status_code,
    message: outcome?.message,
  };
}

/** Folds journal lines into writes. */
export interface Ledger {
  take(line: JournalLine): void;
  /** Writes, ordered by their intents. */
  entries(now: number): readonly JournalEntry[];
}

export const isUnsettled = ({ status }: OutcomeLine): boolean => status === 'unknown';

/** Creates a ledger of the writes with a wanted intent; drops those whose outcome need not be kept. */
export function createLedger(
  isWanted: (intent: IntentLine) => boolean,
  isKept: (outcome: OutcomeLine) => boolean,
): Ledger {
  const writes = new Map<string, Map<string | undefined, Write>>();

  const settle = (outcome: OutcomeLine) => {
    const ofId = writes.get(outcome.id);
    if (ofId === undefined) return;
    for (const [key, write] of ofId) {
      if (outcome.key !== undefined && outcome.key !== key) continue;
      if (isKept(outcome)) write.outcome = outcome;
      else ofId.delete(key);
    }
    if (ofId.size === 0) writes.delete(outcome.id);
  };

  return {
    take(line: JournalLine) {
      if (line.line === 'outcome') return settle(line);
      if (!isWanted(line)) return;
      const ofId = writes.get(line.id) ?? new Map<string | undefined, Write>();
      for (const key of line.keys ?? [line.key]) ofId.set(key, { intent: line, key });
      writes.set(line.id, ofId);
    },
    entries: (now) =>
      [...writes.values()].flatMap((ofId) => [...ofId.values()].map((write) => entryOf(write, now))),
  };
}
