import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { type Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { cleanText } from '../../documents/untrusted.ts';
import { DOSSIER_FORM, type ListedFile, MANIFEST, sha256 } from './dossier.ts';

/** Why a file can't be verified. */
export type DossierProblem =
  | 'not_found'
  | 'not_a_zip'
  | 'no_manifest'
  | 'manifest_twice'
  | 'manifest_unreadable'
  | 'other_form'
  | 'too_large';

/** A file that is no dossier. The message holds nothing of it. */
export class DossierUnreadable extends Error {
  override readonly name = 'DossierUnreadable';
  readonly problem: DossierProblem;

  constructor(problem: DossierProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** A difference of a dossier from its manifest. */
export interface DossierDifference {
  readonly what: 'changed' | 'removed' | 'added' | 'twice' | 'damaged';
  /** As the ZIP or the manifest has it, without control characters. */
  readonly file: string;
}

export interface DossierVerification {
  /** SHA-256 of the manifest as it stands in the file. */
  readonly manifestSha256: string;
  /** Files that the manifest lists. */
  readonly files: number;
  readonly differences: readonly DossierDifference[];
}

const limits = {
  entries: 2_000_000,
  manifest: 512 * 1024 ** 2,
  /** Unpacked by packed bytes: deflate packs to a thousandth at most. */
  ratio: 1_032,
  small: 1024 ** 2,
} as const;
const LONGEST_NAME = 200;

const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, Buffer.from(fileNameRaw), extraFields, false);

/** The entries of a ZIP by name. @throws DossierUnreadable for a ZIP whose entries share bytes or are too many */
async function entriesOf(zip: ZipFile, size: number): Promise<Map<string, Entry[]>> {
  if (zip.entryCount > limits.entries) throw new DossierUnreadable('too_large');
  const entries = new Map<string, Entry[]>();
  const places: (readonly [start: number, length: number])[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    // Programs that pack a folder again add an empty entry for it.
    if (name.endsWith('/') && entry.uncompressedSize === 0) continue;
    entries.set(name, [...(entries.get(name) ?? []), entry]);
    places.push([entry.relativeOffsetOfLocalHeader, entry.compressedSize]);
    total += entry.uncompressedSize;
  }
  let end = 0;
  for (const [start, length] of places.sort(([one], [other]) => one - other)) {
    if (start < end) throw new DossierUnreadable('too_large');
    end = start + length;
  }
  if (total > Math.max(size * limits.ratio, limits.small)) throw new DossierUnreadable('too_large');
  return entries;
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  yield* await zip.openReadStreamPromise(entry);
}

async function manifestOf(zip: ZipFile, entries: ReadonlyMap<string, readonly Entry[]>): Promise<Buffer> {
  const [entry, ...others] = entries.get(MANIFEST) ?? [];
  if (entry === undefined) throw new DossierUnreadable('no_manifest');
  if (others.length > 0) throw new DossierUnreadable('manifest_twice');
  if (entry.uncompressedSize > limits.manifest) throw new DossierUnreadable('too_large');
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of contentOf(zip, entry)) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    // The library's and zlib's errors have no kind of their own.
    throw new DossierUnreadable('manifest_unreadable');
  }
}

function isListed(file: unknown): file is ListedFile {
  if (typeof file !== 'object' || file === null) return false;
  const { name, bytes, sha256: hash } = file as Partial<ListedFile>;
  return typeof name === 'string' && Number.isSafeInteger(bytes) && /^[0-9a-f]{64}$/.test(String(hash ?? ''));
}

/** The files that a manifest lists, each once. @throws DossierUnreadable */
function filesIn(manifest: Buffer): readonly ListedFile[] {
  let read: unknown;
  try {
    read = JSON.parse(manifest.toString('utf8'));
  } catch {
    throw new DossierUnreadable('manifest_unreadable');
  }
  const { form, files } = (read ?? {}) as { readonly form?: unknown; readonly files?: unknown };
  if (form !== DOSSIER_FORM) throw new DossierUnreadable('other_form');
  const isWhole = Array.isArray(files) && files.every(isListed);
  if (!isWhole || new Set(files.map(({ name }) => name)).size < files.length)
    throw new DossierUnreadable('manifest_unreadable');
  return files;
}

/** Compares an entry with its line of the manifest. */
async function compareEntry(
  zip: ZipFile,
  entry: Entry,
  { bytes, sha256: expected }: ListedFile,
): Promise<'changed' | 'damaged' | undefined> {
  if (entry.isEncrypted()) return 'damaged';
  if (entry.uncompressedSize !== bytes) return 'changed';
  const hash = createHash('sha256');
  try {
    for await (const chunk of contentOf(zip, entry)) hash.update(chunk);
  } catch {
    return 'damaged';
  }
  return hash.digest('hex') === expected ? undefined : 'changed';
}

async function verify(zip: ZipFile, size: number): Promise<DossierVerification> {
  const entries = await entriesOf(zip, size);
  const manifest = await manifestOf(zip, entries);
  const files = filesIn(manifest);
  const differences: DossierDifference[] = [];
  const note = (what: DossierDifference['what'], file: string) =>
    void differences.push({ what, file: cleanText(file, LONGEST_NAME) });
  const names = new Set([MANIFEST]);
  for (const file of files) {
    names.add(file.name);
    const [entry, ...others] = entries.get(file.name) ?? [];
    if (entry === undefined) note('removed', file.name);
    else if (others.length > 0) note('twice', file.name);
    else {
      const what = await compareEntry(zip, entry, file);
      if (what !== undefined) note(what, file.name);
    }
  }
  for (const name of entries.keys()) if (!names.has(name)) note('added', name);
  return { manifestSha256: sha256(manifest), files: files.length, differences };
}

/**
 * Compares a dossier with its own manifest: nothing is written, and no more is held than the manifest.
 * @throws DossierUnreadable where it is none
 */
export async function verifyDossier(path: string): Promise<DossierVerification> {
  let descriptor: number;
  try {
    // A FIFO or a device doesn't hold up who opens it; Windows knows no such flag.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    throw new DossierUnreadable('not_found');
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new DossierUnreadable('not_a_zip');
    const { size } = stat;
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
    const zip = await fromFdPromise(descriptor, options);
    return await verify(zip, size);
  } catch (error) {
    throw error instanceof DossierUnreadable ? error : new DossierUnreadable('not_a_zip');
  } finally {
    closeSync(descriptor);
  }
}
