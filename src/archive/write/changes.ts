import type { EventRow } from '../schema/schema.ts';
import type { DocumentChange } from './arrival.ts';

const mostNamed = 200;

/** What matters more comes first. */
const kinds = ['cancelled', 'corrected', 'manifested', 'new'] as const;

const eventChanges: Readonly<Record<string, DocumentChange['what']>> = {
  110110: 'corrected',
  210200: 'manifested',
  210210: 'manifested',
  210220: 'manifested',
  210240: 'manifested',
};

/** What becomes other than it was known while documents are written. */
export interface Changes {
  note(change: DocumentChange): void;
  /** A registered event of a document that was known before. */
  noteEvent(event: Pick<EventRow, 'key' | 'code' | 'at'>): void;
  result(): { readonly changes: readonly DocumentChange[]; readonly changes_total: number };
}

export function createChanges(): Changes {
  const noted = new Map(kinds.map((what) => [what, [] as DocumentChange[]]));
  let changes_total = 0;

  function note(change: DocumentChange): void {
    changes_total += 1;
    const alike = noted.get(change.what) ?? [];
    if (alike.length < mostNamed) alike.push(change);
  }

  return {
    note,
    noteEvent({ key, code, at }) {
      const what = eventChanges[code];
      if (what !== undefined) note({ key, what, at: at || undefined });
    },
    result() {
      const inOrder = [...noted.values()].flatMap((alike) =>
        alike.sort((one, other) => (one.key < other.key ? -1 : 1)),
      );
      return { changes: inOrder.slice(0, mostNamed), changes_total };
    },
  };
}
