import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { KeyList, NfseIdentifier } from '../../clients/documents/replies/results.ts';

/** Entries of a line: a list may have hundreds of thousands, and a line is written or read in one go. */
const ENTRIES_OF_LINE = 2000;

/** One line of what is kept of a list; the first one says everything else about it as well. */
type Line = Partial<KeyList> & Pick<KeyList, 'keys' | 'identifiers'>;

/** A list of keys in the form it is kept in: lines of JSON, deflated. */
export async function packKeys({ keys, identifiers, ...about }: KeyList): Promise<Uint8Array> {
  const longest = Math.max(keys.length, identifiers.length);
  const lines: Buffer[] = [];
  for (let from = 0; from === 0 || from < longest; from += ENTRIES_OF_LINE) {
    const to = from + ENTRIES_OF_LINE;
    const part = { keys: keys.slice(from, to), identifiers: identifiers.slice(from, to) };
    const line: Line = from === 0 ? { ...about, ...part } : part;
    lines.push(Buffer.from(`${JSON.stringify(line)}\n`));
  }
  return promisify(deflateRaw)(Buffer.concat(lines), { level: 1 });
}

/** A list as `packKeys` wrote it, or as one line alone. */
export async function unpackKeys(packed: Uint8Array): Promise<KeyList> {
  const bytes = await promisify(inflateRaw)(packed);
  const keys: string[] = [];
  const identifiers: NfseIdentifier[] = [];
  let about: Line | undefined;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const line: Line = JSON.parse(bytes.toString('utf8', from, end === -1 ? bytes.length : end));
    about ??= line;
    for (const key of line.keys) keys.push(key);
    for (const identifier of line.identifiers) identifiers.push(identifier);
    if (end === -1) break;
    from = end + 1;
  }
  return { forms: [], warnings: [], rejected: [], ...about, keys, identifiers };
}
