import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { XmlReader } from './xml.ts';

/** Characters read between two turns of everything else. */
const SLICE = 64 * 1024;

/**
 * Has a reader read a whole text, which may have 32 MB, while everything else has its turns.
 * @throws XmlError unless it is well-formed to its end
 */
export async function readInTurns(text: string, reader: Pick<XmlReader, 'write' | 'end'>): Promise<void> {
  for (let from = 0; from < text.length; from += SLICE) {
    reader.write(text.slice(from, from + SLICE));
    if (from + SLICE < text.length) await letOthersRun();
  }
  reader.end();
}
