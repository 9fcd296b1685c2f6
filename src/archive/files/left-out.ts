import type { OtherDocument } from '../../documents/layouts/other-models.ts';

/**
 * Why something in the user's files gave no document. `not_issued`: a request or a draft that no authority answered.
 * `other_model`: a fiscal document of a kind that is not read, such as an MDF-e.
 */
export const leftOutReasons = [
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

export interface LeftOutPart {
  readonly reason: LeftOutReason;
  readonly place?: string | undefined;
  /** Local name of the outermost element, where there is one. */
  readonly root?: string | undefined;
  /** The kind of document, where it is known, e.g. `MDF-e`. */
  readonly family?: string | undefined;
  readonly outline?: OtherDocument | undefined;
  /** The system's code, where reading failed, e.g. `EACCES`. */
  readonly code?: string | undefined;
}

/** Parts of a file that gave no document: the count for each reason, and the first of them by name. */
export interface LeftOutTally {
  readonly counts: Readonly<Partial<Record<LeftOutReason, number>>>;
  readonly named: readonly LeftOutPart[];
}

/** Parts of one file that are kept by name; all are counted. */
const MOST_NAMED = 50;

export const noneLeftOut: LeftOutTally = { counts: {}, named: [] };

/** The tally with more parts counted in. */
export function tallied({ counts, named }: LeftOutTally, parts: readonly LeftOutPart[]): LeftOutTally {
  const sums: Partial<Record<LeftOutReason, number>> = { ...counts };
  for (const { reason } of parts) sums[reason] = (sums[reason] ?? 0) + 1;
  return { counts: sums, named: [...named, ...parts.slice(0, Math.max(0, MOST_NAMED - named.length))] };
}

/** Files, or parts of them, that gave no document for one reason, with some of them by name. */
export interface LeftOutOfFiles {
  readonly reason: LeftOutReason;
  readonly count: number;
  readonly examples: readonly (LeftOutPart & { readonly path: string })[];
}

const MOST_EXAMPLES = 20;

/** All tallies together: by reason, the most frequent first. */
export function leftOutOf(
  files: readonly { readonly path: string; readonly tally: LeftOutTally }[],
): LeftOutOfFiles[] {
  const all = new Map<LeftOutReason, LeftOutOfFiles>();
  for (const { path, tally } of files) {
    for (const [name, count = 0] of Object.entries(tally.counts)) {
      const reason = name as LeftOutReason;
      const one = all.get(reason) ?? { reason, count: 0, examples: [] };
      const named = tally.named.flatMap((part) => (part.reason === reason ? [{ ...part, path }] : []));
      const examples = [...one.examples, ...named].slice(0, MOST_EXAMPLES);
      all.set(reason, { reason, count: one.count + count, examples });
    }
  }
  return [...all.values()].sort(
    (one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1),
  );
}
