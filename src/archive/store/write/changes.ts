import type { EventRow } from '../schema/schema.ts';
import type { DocumentChange } from './arrival.ts';

const mostNamed = 200;

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
  const changes: DocumentChange[] = [];
  let changes_total = 0;

  function note(change: DocumentChange): void {
    changes_total += 1;
    if (changes.length < mostNamed) changes.push(change);
  }

  return {
    note,
    noteEvent({ key, code, at }) {
      const what = eventChanges[code];
      if (what !== undefined) note({ key, what, at: at || undefined });
    },
    result: () => ({ changes, changes_total }),
  };
}
