import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import * as z from 'zod';
import { cleanText, parseJson } from '../../documents/untrusted.ts';
import { contentOf, entriesOf, zipOptions } from '../files/zip.ts';
import { type ZipEntry, zipped } from './zip.ts';

/** Name of the manifest, a dossier's last entry. */
const MANIFEST = 'manifest.json';
/** Format of the manifest, which distinguishes a dossier from other ZIPs. */
const DOSSIER_FORM = 'docfiscal-dossier/1';

export type DossierFile = ZipEntry & { readonly content: Uint8Array };

const listedFile = z.object({
  name: z.string(),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
type ListedFile = z.infer<typeof listedFile>;

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Files as one ZIP that ends with a manifest of names and hashes.
 * @param about returns the manifest's description of the dossier, once all files are written
 * @returns the bytes, and the manifest's digest and file count, set once all bytes are written
 */
export function createDossier(
  files: AsyncIterable<DossierFile>,
  about: () => Readonly<Record<string, unknown>>,
) {
  const listed: ListedFile[] = [];
  const written = {
    /** SHA-256 of the manifest, hexadecimal: stored separately, it proves the dossier unchanged. */
    manifestSha256: '',
    files: 0,
  };
  async function* entries(): AsyncGenerator<ZipEntry> {
    for await (const file of files) {
      const { name, content } = file;
      listed.push({ name, bytes: content.length, sha256: sha256(content) });
      yield file;
    }
    const manifest = { form: DOSSIER_FORM, ...about(), files: listed };
    const content = Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`);
    Object.assign(written, { manifestSha256: sha256(content), files: listed.length });
    yield { name: MANIFEST, content };
  }
  return { bytes: zipped(entries()), written };
}

type DossierProblem =
  | 'not_found'
  | 'not_a_zip'
  | 'no_manifest'
  | 'manifest_twice'
  | 'manifest_unreadable'
  | 'other_form'
  | 'too_large';

/** The file is no dossier. The message includes none of its content. */
export class DossierUnreadable extends Error {
  override readonly name = 'DossierUnreadable';
  readonly problem: DossierProblem;

  constructor(problem: DossierProblem) {
    super(problem);
    this.problem = problem;
  }
}

export interface DossierDifference {
  readonly what: 'changed' | 'removed' | 'added' | 'twice' | 'damaged';
  /** Name in the ZIP or the manifest, without control characters. */
  readonly file: string;
}

/** Deflate compresses at most to about a thousandth. */
const bounds = { entries: 2_000_000, ratio: 1_032, small: 1024 ** 2 } as const;
const LARGEST_MANIFEST = 512 * 1024 ** 2;
const LONGEST_NAME = 200;

function filesIn(manifest: Buffer): readonly ListedFile[] {
  const read = parseJson(manifest.toString('utf8')) as { form?: unknown; files?: unknown } | null | undefined;
  if (read === undefined) throw new DossierUnreadable('manifest_unreadable');
  if (read?.form !== DOSSIER_FORM) throw new DossierUnreadable('other_form');
  const files = z.array(listedFile).safeParse(read.files).data;
  if (files === undefined || new Set(files.map(({ name }) => name)).size < files.length)
    throw new DossierUnreadable('manifest_unreadable');
  return files;
}

async function compareEntry(
  zip: ZipFile,
  entry: Entry,
  { bytes, sha256: expected }: ListedFile,
): Promise<'changed' | 'damaged' | undefined> {
  if (entry.isEncrypted()) return 'damaged';
  if (entry.uncompressedSize !== bytes) return 'changed';
  const hash = createHash('sha256');
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) hash.update(chunk);
  } catch {
    return 'damaged';
  }
  return hash.digest('hex') === expected ? undefined : 'changed';
}

async function verify(zip: ZipFile, size: number) {
  const listed = await entriesOf(zip, size, bounds);
  if (listed === undefined) throw new DossierUnreadable('too_large');
  const entries = new Map<string, Entry[]>();
  for (const { name, entry } of listed) entries.set(name, [...(entries.get(name) ?? []), entry]);
  const [manifestEntry, ...otherManifests] = entries.get(MANIFEST) ?? [];
  if (manifestEntry === undefined) throw new DossierUnreadable('no_manifest');
  if (otherManifests.length > 0) throw new DossierUnreadable('manifest_twice');
  if (manifestEntry.uncompressedSize > LARGEST_MANIFEST) throw new DossierUnreadable('too_large');
  const manifest = await contentOf(zip, manifestEntry).catch(() => {
    // The library's and zlib's errors have no distinct class.
    throw new DossierUnreadable('manifest_unreadable');
  });
  const files = filesIn(manifest);
  const differences: DossierDifference[] = [];
  const note = (what: DossierDifference['what'], file: string) =>
    void differences.push({ what, file: cleanText(file, LONGEST_NAME) });
  for (const file of files) {
    const [entry, ...others] = entries.get(file.name) ?? [];
    if (entry === undefined) note('removed', file.name);
    else if (others.length > 0) note('twice', file.name);
    else {
      const what = await compareEntry(zip, entry, file);
      if (what !== undefined) note(what, file.name);
    }
  }
  const names = new Set([MANIFEST, ...files.map(({ name }) => name)]);
  for (const name of entries.keys()) if (!names.has(name)) note('added', name);
  return { manifestSha256: sha256(manifest), files: files.length, differences };
}

/** Verifies a dossier against its manifest, in bounded memory. @throws DossierUnreadable if it is no dossier */
export async function verifyDossier(path: string) {
  let descriptor: number;
  try {
    // Opening a FIFO or a device must not block; Windows lacks the flag.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    throw new DossierUnreadable('not_found');
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new DossierUnreadable('not_a_zip');
    return await verify(await fromFdPromise(descriptor, zipOptions), stat.size);
  } catch (error) {
    throw error instanceof DossierUnreadable ? error : new DossierUnreadable('not_a_zip');
  } finally {
    closeSync(descriptor);
  }
}
