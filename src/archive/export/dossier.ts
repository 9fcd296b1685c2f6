import { createHash } from 'node:crypto';
import { writeNewFile } from '../../disk/new-file.ts';
import type { Exported, ExportOptions } from './table.ts';
import { type ZipEntry, zipped } from './zip-container.ts';

/** Name of the list of a dossier's files, which is its last entry. */
export const MANIFEST = 'manifest.json';
/** Format of the manifest, which distinguishes a dossier from other ZIPs. */
export const DOSSIER_FORM = 'docfiscal-dossier/1';

/** A file of a dossier. */
export interface DossierFile {
  readonly name: string;
  readonly content: Uint8Array;
  /** ISO 8601. */
  readonly modified?: string | undefined;
}

/** A file as the manifest lists it. */
export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Dossier extends Exported {
  /** SHA-256 of the manifest, hexadecimal: kept apart, it proves that nothing was changed. */
  readonly manifestSha256: string;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Writes files into one ZIP and the list of them with their hashes, the manifest, at its end.
 * @param about what the manifest says of the dossier, asked for when all files are written
 * @throws FileNotWritten, the signal's reason, or the files' error; nothing is left behind then
 */
export async function writeDossier(
  files: AsyncIterable<DossierFile>,
  about: () => Readonly<Record<string, unknown>>,
  { folder, name, signal }: ExportOptions,
): Promise<Dossier> {
  const listed: ListedFile[] = [];
  let manifestSha256 = '';
  async function* entries(): AsyncGenerator<ZipEntry> {
    for await (const file of files) {
      signal?.throwIfAborted();
      const { name: entry, content } = file;
      listed.push({ name: entry, bytes: content.length, sha256: sha256(content) });
      yield file;
    }
    const manifest = { form: DOSSIER_FORM, ...about(), files: listed };
    const content = Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`);
    manifestSha256 = sha256(content);
    yield { name: MANIFEST, content };
  }
  const saved = await writeNewFile({ folder, name, ending: 'zip' }, zipped(entries()), signal);
  return { ...saved, rows: listed.length, manifestSha256 };
}
