import type { Claim, Known } from './claim.ts';
import { contradict, countsBefore, settledStatus } from './contents.ts';
import type { Sighting } from './placements.ts';
import type { PreparedDocument } from './prepare.ts';

/** One document that came: the content of it that counts, and those that don't. */
export interface Candidate {
  readonly document: PreparedDocument;
  readonly others: readonly PreparedDocument[];
}

/** What is to be done about one document that came. */
export interface Plan extends Candidate {
  readonly id: number;
  readonly known: Known | undefined;
  /** Whether its content is new or another than before. */
  readonly isRewritten: boolean;
  /** Whether what was there before contradicts it. */
  readonly setsAside: boolean;
  readonly own_status: string;
  readonly status: string;
}

/** Of a document that was there before. */
export type Kept = Plan & { readonly known: Known };

function withOwnStatus(document: PreparedDocument, own_status: string): PreparedDocument {
  return { ...document, row: { ...document.row, own_status } };
}

/** Each document once, in the order of identities; of several copies the one that counts. */
export function candidatesFrom(documents: readonly PreparedDocument[]): Candidate[] {
  const unique = new Map<string, Candidate>();
  for (const document of documents) {
    const { identity } = document.row;
    const before = unique.get(identity);
    if (before === undefined) {
      unique.set(identity, { document, others: [] });
      continue;
    }
    const isNow = countsBefore(document.row, before.document.row);
    const [counting, other] = isNow ? [document, before.document] : [before.document, document];
    unique.set(identity, {
      document: withOwnStatus(counting, settledStatus(counting.row, other.row)),
      others: contradict(counting.row, other.row) ? [...before.others, other] : before.others,
    });
  }
  return [...unique.values()].sort((one, other) =>
    one.document.row.identity < other.document.row.identity ? -1 : 1,
  );
}

/** What is to be done about a document that was claimed. */
export function planFor(
  candidate: Candidate,
  { fresh, known }: Claim,
  cancelled: ReadonlySet<string>,
  source: Sighting['source'],
): Plan[] {
  const { document, others } = candidate;
  const { row } = document;
  const id = fresh.get(row.identity);
  const statusWith = (own: string) => (cancelled.has(row.key) ? 'cancelled' : own);
  if (id !== undefined) {
    const status = statusWith(row.own_status);
    return [
      {
        ...candidate,
        id,
        known: undefined,
        isRewritten: true,
        setsAside: false,
        own_status: row.own_status,
        status,
      },
    ];
  }
  const before = known.get(row.identity);
  if (before === undefined) return [];
  const isOther = contradict(row, before);
  // What the service gave is not set aside for a file that says otherwise.
  const isDoubtful = isOther && source === 'files' && before.source !== 'files';
  const counts = !isDoubtful && countsBefore(row, before);
  const own_status = counts ? settledStatus(row, before) : settledStatus(before, row);
  return [
    {
      document,
      others: !counts && isOther ? [...others, document] : others,
      id: before.id,
      known: before,
      isRewritten: counts && before.digest !== row.digest,
      setsAside: counts && isOther && before.digest !== row.digest,
      own_status,
      status: statusWith(own_status),
    },
  ];
}

export function isKept(plan: Plan): plan is Kept {
  return plan.known !== undefined;
}
