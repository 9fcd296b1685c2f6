import { baseUri, type DocumentReference, referenceOfKey } from '../references.ts';

/** The documents that some answer has named lately. */
export interface Seen {
  note(reference: DocumentReference): void;
  /** The same for a key; nothing where it is none of a document's. */
  noteKey(key: string | undefined): void;
  /** Latest last. */
  all(): readonly DocumentReference[];
}

const MOST_REFERENCES = 5_000;

/** Remembers which documents exist; of too many the oldest go. */
export function createSeen(): Seen {
  const references = new Map<string, DocumentReference>();
  const note = (reference: DocumentReference): void => {
    const uri = baseUri(reference);
    references.delete(uri);
    references.set(uri, reference);
    const [oldest] = references.keys();
    if (references.size > MOST_REFERENCES && oldest !== undefined) references.delete(oldest);
  };
  return {
    note,
    noteKey(key) {
      const reference = key === undefined ? undefined : referenceOfKey(key);
      if (reference !== undefined) note(reference);
    },
    all: () => [...references.values()],
  };
}
