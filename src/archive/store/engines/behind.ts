import type { Connections } from './connections.ts';

/** An archive in which something may still be being written that was answered already. */
export interface Behind {
  /** Whoever asks or writes by these waits until it is. */
  readonly connections: Connections;
  /** Has everybody wait for a write, whatever becomes of it. */
  waitFor(work: Promise<unknown>): void;
}

/** Lets answers be given before they are written, and nobody see that they are not. */
export function writeBehind(connections: Connections): Behind {
  let written: Promise<unknown> | undefined;
  const { read, write, integrity, compact, close } = connections;
  return {
    connections: {
      ...connections,
      read: async (work) => {
        await written;
        return read(work);
      },
      write: async (company, work) => {
        await written;
        return write(company, work);
      },
      integrity: async () => {
        await written;
        return integrity();
      },
      compact: async () => {
        await written;
        return compact();
      },
      close: async () => {
        await written;
        return close();
      },
    },
    waitFor(work) {
      const all = Promise.allSettled([written, work]).then(() => {
        if (written === all) written = undefined;
      });
      written = all;
    },
  };
}
