/** A file that a shared-access URL leads to. */
export interface StoredFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Answers that were put aside as files, because their reply is a URL. */
export interface StoredFiles {
  /** Keeps a file that is made when it is first asked for; gives its path. */
  keep(extension: string, type: string, make: () => Buffer): string;
  at(path: string): StoredFile | undefined;
}

/** The latest ones only: a sandbox that runs for days must not grow. */
const MOST_FILES = 50;

export function createStoredFiles(prefix: string): StoredFiles {
  const files = new Map<string, () => StoredFile>();
  let count = 0;
  return {
    keep(extension, type, make) {
      count += 1;
      const path = `${prefix}resposta/${count}.${extension}`;
      let made: StoredFile | undefined;
      files.set(path, () => (made ??= { type, bytes: make() }));
      const [oldest] = files.keys();
      if (files.size > MOST_FILES && oldest !== undefined) files.delete(oldest);
      return path;
    },
    at: (path) => files.get(path)?.(),
  };
}
