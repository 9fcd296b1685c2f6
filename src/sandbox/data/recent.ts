/** The last things that were made, by name. */
export interface Recent<T> {
  get(name: string, make: () => T): T;
}

/** Keeps the `most` newest ones and forgets the oldest. */
export function createRecent<T>(most: number): Recent<T> {
  const kept = new Map<string, T>();
  return {
    get(name, make) {
      const known = kept.get(name);
      if (known !== undefined) return known;
      const made = make();
      kept.set(name, made);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return made;
    },
  };
}
