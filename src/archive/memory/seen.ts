import { baseUri, type DocumentReference } from '../references.ts';

/** The documents that some answer has named lately. */
export interface Seen {
  note(reference: DocumentReference): void;
  /** Latest last. */
  all(): readonly DocumentReference[];
}

const MOST_REFERENCES = 5_000;

/** Remembers which documents exist; of too many the oldest go. */
export function createSeen(): Seen {
  const references = new Map<string, DocumentReference>();
  return {
    note(reference) {
      const uri = baseUri(reference);
      references.delete(uri);
      references.set(uri, reference);
      const [oldest] = references.keys();
      if (references.size > MOST_REFERENCES && oldest !== undefined) references.delete(oldest);
    },
    all: () => [...references.values()],
  };
}
