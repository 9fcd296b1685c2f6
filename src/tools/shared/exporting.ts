import type { Filters, LeftOut } from '../../archive/archive.ts';
import type { DateField, Direction } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { basisOutput, subjectLine } from './basis.ts';
import { type Sentence, sentences } from './definition.ts';
import type { SavedExport } from './exported-file.ts';
import { fetchParts, jointBasis, type Part } from './fetching.ts';
import { cursorTo } from './paging.ts';
import type { openQuestion } from './question.ts';

/** Documents of one kind that are exported: how many, and their total. */
export interface CountedPart extends Part {
  readonly total: number;
  readonly sum: string | undefined;
}

/** Counts the documents of each part that the filters select. */
export async function countParts(all: readonly Part[], filters: Filters) {
  const parts: CountedPart[] = [];
  const leftOut: LeftOut[] = [];
  for (const { basis, selection: period } of all) {
    const selection = { ...period, filters };
    const { total, sum, left_out } = await basis.archive.list({ ...selection, limit: 1 });
    parts.push({ basis, selection, total, sum });
    leftOut.push(...left_out);
  }
  return { parts, leftOut, total: parts.reduce((sum, part) => sum + part.total, 0) };
}

/** Documents of all kinds, after the offset, until the call ends. */
export async function* readAll(parts: readonly CountedPart[], offset: number, signal: AbortSignal) {
  let left = offset;
  for (const { selection, basis, total } of parts) {
    if (left < total)
      for await (const document of basis.archive.read(selection, left)) {
        signal.throwIfAborted();
        yield document;
      }
    left = Math.max(0, left - total);
  }
}

interface ExportAnswer {
  readonly documents: number;
  readonly leftOut?: readonly LeftOut[];
  /** Undefined while the file can't be written yet. */
  readonly saved: SavedExport | undefined;
  readonly rows: number;
  /** Of the call that continues. */
  readonly nextCursor?: string | undefined;
}

type Question = Awaited<ReturnType<typeof openQuestion>>;

/** Fetches an export's documents and provides the common part of its answers. */
export async function fetchExport(
  { days, companies, company, areas, query, since }: Question,
  { by = 'issue', direction }: { readonly by?: DateField; readonly direction?: Direction | undefined },
  context: CallContext,
) {
  const { translator } = context;
  const fetched = await fetchParts({ companies, areas, ...days, by, direction }, context, { since });
  const basis = jointBasis(fetched);
  return {
    fetched,
    basis,
    /** Cursor to the documents after an offset, valid while their number stays the same. */
    cursorAt: (offset: number, total: number | undefined) =>
      cursorTo({ offset, total, asOf: since?.toISOString() }, query),
    answer<More extends object>(
      { documents, leftOut = [], saved, rows, nextCursor }: ExportAnswer,
      more: More,
      text: readonly (Sentence | readonly Sentence[])[],
    ) {
      return {
        structured: {
          company,
          ...days,
          documents,
          ...basisOutput(basis, leftOut, context),
          ...saved?.place,
          rows,
          bytes: saved?.bytes ?? 0,
          ...more,
          next_cursor: nextCursor,
        },
        text: sentences(
          subjectLine(areas, company, days, translator),
          ...text,
          nextCursor !== undefined && translator.say('cover.next', { cursor: nextCursor }),
        ),
      };
    },
  };
}
