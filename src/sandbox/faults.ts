/** Something that goes wrong on purpose. */
export interface Fault {
  /** Part of the path and query it applies to, percent-decoded; every request where it is empty. */
  readonly match: string;
  readonly delayMs: number;
  /** Answered in place of the real status and body. */
  readonly status: number | undefined;
  readonly body: string | undefined;
  /** Value of a `Retry-After` header, in seconds. */
  readonly retryAfter: number | undefined;
  readonly cut: 'before-reply' | 'in-headers' | 'in-body' | undefined;
  /** The body ends after so many bytes, and its length says so too. */
  readonly truncateBytes: number | undefined;
  /** The operation is performed first, and only its reply goes wrong. */
  readonly afterPerforming: boolean;
}

/** The faults still to come, first asked first served. */
export interface FaultQueue {
  /** Queues a fault for `times` requests; false where the value describes none. */
  add(value: unknown): boolean;
  clear(): void;
  /** Takes the first fault for a request's path and query, percent-decoded, off the queue. */
  take(target: string): Fault | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const CUTS = ['before-reply', 'in-headers', 'in-body'] as const;
const KNOWN_FIELDS = [
  'match',
  'times',
  'delayMs',
  'status',
  'body',
  'retryAfter',
  'cut',
  'truncateBytes',
  'afterPerforming',
];

function countField(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** `dataDe=14%2F03%2F2026` and `dataDe=14/03/2026` are the same text; undefined where it can't be decoded. */
function decoded(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readFault(fields: Fields): Fault | undefined {
  const counts = ['times', 'delayMs', 'status', 'retryAfter', 'truncateBytes'];
  const wrongCount = counts.some(
    (name) => fields[name] !== undefined && countField(fields, name) === undefined,
  );
  const { match: wantedMatch = '', body, cut: wantedCut, afterPerforming = false } = fields;
  const cut = CUTS.find((known) => known === wantedCut);
  const status = countField(fields, 'status');
  const wrongStatus = status !== undefined && (status < 200 || status > 599);
  const match = decoded(wantedMatch);
  if (wrongCount || wrongStatus || match === undefined || typeof afterPerforming !== 'boolean')
    return undefined;
  if ((body !== undefined && typeof body !== 'string') || (wantedCut !== undefined && !cut)) return undefined;
  return {
    match,
    delayMs: countField(fields, 'delayMs') ?? 0,
    status,
    body,
    retryAfter: countField(fields, 'retryAfter'),
    cut,
    truncateBytes: countField(fields, 'truncateBytes'),
    afterPerforming,
  };
}

export function createFaultQueue(): FaultQueue {
  let queue: { readonly fault: Fault; left: number }[] = [];

  return {
    add(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      const fields: Fields = { ...value };
      if (!Object.keys(fields).every((name) => KNOWN_FIELDS.includes(name))) return false;
      const fault = readFault(fields);
      if (!fault) return false;
      queue.push({ fault, left: countField(fields, 'times') ?? 1 });
      return true;
    },
    clear() {
      queue = [];
    },
    take(target) {
      const lowerTarget = target.toLowerCase();
      const next = queue.find(
        ({ fault, left }) => left > 0 && lowerTarget.includes(fault.match.toLowerCase()),
      );
      if (next) next.left -= 1;
      queue = queue.filter(({ left }) => left > 0);
      return next?.fault;
    },
  };
}
