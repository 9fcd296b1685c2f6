import { baseUri, type DocumentReference, referenceOfKey } from '../references.ts';

const MOST_REFERENCES = 5_000;

/** Remembers the documents that answers have named lately; of too many the oldest go. */
export function createSeen() {
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
    /** The same for a key; nothing for an invalid one. */
    noteKey(key: string | undefined): void {
      const reference = key === undefined ? undefined : referenceOfKey(key);
      if (reference !== undefined) note(reference);
    },
    /** Latest last. */
    all: (): readonly DocumentReference[] => [...references.values()],
  };
}
