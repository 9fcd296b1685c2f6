import type { UnreadFacts } from '../../documents/layouts/other-models.ts';

/**
 * Reasons for a part of the user's files without a document. `not_issued`: a request or draft without an authority's
 * answer. `other_model`: a fiscal document of an unsupported kind, such as an MDF-e.
 */
const leftOutReasons = [
  'empty',
  'not_xml',
  'malformed',
  'truncated',
  'encoding',
  'doctype',
  'no_document',
  'no_identity',
  'other_model',
  'not_issued',
  'too_large',
  'encrypted',
  'zip_damaged',
  'zip_too_large',
  'zip_nested',
  'unreadable',
  'link',
  'special',
  'too_deep',
] as const;

export type LeftOutReason = (typeof leftOutReasons)[number];

export interface LeftOutPart extends UnreadFacts {
  readonly reason: LeftOutReason;
  readonly place?: string | undefined;
  /** System error code of a failed read, e.g. `EACCES`. */
  readonly code?: string | undefined;
}

/** Parts of a file without a document: counts by reason, and the first parts by name. */
export interface LeftOutTally {
  readonly counts: Readonly<Partial<Record<LeftOutReason, number>>>;
  readonly named: readonly LeftOutPart[];
}

/** Parts of one file listed by name; all are counted. */
const MOST_NAMED = 50;

export const noneLeftOut: LeftOutTally = { counts: {}, named: [] };

/** Adds parts to a tally. */
export function tallied({ counts, named }: LeftOutTally, parts: readonly LeftOutPart[]): LeftOutTally {
  const sums: Partial<Record<LeftOutReason, number>> = { ...counts };
  for (const { reason } of parts) sums[reason] = (sums[reason] ?? 0) + 1;
  return { counts: sums, named: [...named, ...parts.slice(0, Math.max(0, MOST_NAMED - named.length))] };
}

/** Files, or parts of them, without a document for one reason, the first ones by name. */
export interface LeftOutGroup {
  readonly reason: LeftOutReason;
  readonly count: number;
  readonly named: readonly string[];
}

/** A tally by reason, in the order of the reasons. */
export function groupsOf({ counts, named }: LeftOutTally): LeftOutGroup[] {
  return leftOutReasons.flatMap((reason) => {
    const places = named.flatMap((part) => (part.reason === reason ? (part.place ?? []) : []));
    const count = counts[reason] ?? 0;
    return count === 0 ? [] : [{ reason, count, named: places }];
  });
}

const MOST_NAMED_OF_FILES = 20;

/** Merges the tallies of files by reason, most frequent first. */
export function leftOutOf(
  files: readonly { readonly path: string; readonly tally: LeftOutTally }[],
): LeftOutGroup[] {
  const all = new Map<LeftOutReason, LeftOutGroup>();
  for (const { path, tally } of files) {
    for (const [name, count = 0] of Object.entries(tally.counts)) {
      const reason = name as LeftOutReason;
      const one = all.get(reason) ?? { reason, count: 0, named: [] };
      const places = tally.named
        .filter((part) => part.reason === reason)
        .map(({ place }) => (place === undefined ? path : `${path}: ${place}`));
      const named = [...one.named, ...places].slice(0, MOST_NAMED_OF_FILES);
      all.set(reason, { reason, count: one.count + count, named });
    }
  }
  return [...all.values()].sort(
    (one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1),
  );
}
