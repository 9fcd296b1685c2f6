import { basename } from 'node:path';
import type { CallContext, FileLink } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { type FileName, FileNotWritten, readOwnFile, writeNewFile } from '../../disk/files.ts';
import type { Translator } from '../../messages/index.ts';

/** Saves a file without overwriting; an equal existing file is reused. @throws Unfulfilled */
export async function saveFile(folder: string | undefined, name: string, ending: string, bytes: Uint8Array) {
  if (folder === undefined) throw new Unfulfilled('failure.download_dir');
  // For a file that can't be read the next name is tried.
  const isSame = (path: string) =>
    readOwnFile(path, bytes.length).then(
      (found) => found.equals(bytes),
      () => false,
    );
  try {
    return (await writeNewFile({ folder, name, ending }, [bytes], undefined, isSame)).path;
  } catch (error) {
    if (!(error instanceof FileNotWritten)) throw error;
    throw new Unfulfilled('failure.not_saved', { file: `${name}.${ending}`, code: error.code });
  }
}

/** A link and its expiry, in words. */
export function linkSentence({ url, expiresAt }: FileLink, translator: Translator): string {
  return translator.say('files.link', { url, until: translator.moment(expiresAt) });
}

/** @throws Unfulfilled if there is nowhere to save files */
export function checkFolder({ company, links }: CallContext): void {
  if (company.settings.downloadDir === undefined && links === undefined) {
    throw new Unfulfilled('failure.download_dir');
  }
}

/** A saved file with its location, also in words: a path, or over HTTP a link. */
export type SavedExport = Awaited<ReturnType<typeof saveExport>>;

/** The place of a saved file, with its link; or that nothing is written yet. */
export function savedSentences(saved: SavedExport | undefined, { translator }: CallContext) {
  return saved?.sentences ?? [translator.say('analysis.export_waits')];
}

/**
 * Saves an exported file.
 * @param holds digest of its content, compared when the file of a link has to be rebuilt
 * @throws Unfulfilled; errors of the content
 */
export async function saveExport(
  file: Omit<FileName, 'folder'>,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  holds: () => string,
  { company, translator, signal, links }: CallContext,
) {
  const folder = links === undefined ? company.settings.downloadDir : await links.folder();
  if (folder === undefined) throw new Unfulfilled('failure.download_dir');
  try {
    const { path, bytes } = await writeNewFile({ ...file, folder }, content, signal);
    const saved = (shown: string) => translator.say('document.saved', { path: shown, bytes });
    if (links === undefined) return { bytes, place: { path }, sentences: [saved(path)] };
    const name = basename(path);
    const link = await links.link({ name, path, holds: holds() });
    return { bytes, place: { url: link.url }, sentences: [saved(name), linkSentence(link, translator)] };
  } catch (error) {
    if (!(error instanceof FileNotWritten)) throw error;
    if (links !== undefined) throw new Unfulfilled('failure.not_prepared', { code: error.code });
    throw new Unfulfilled('failure.not_saved', { file: error.file, code: error.code });
  }
}

/** Milliseconds; hosts may give up on a call that is silent for five seconds. */
const PROGRESS_EVERY_MS = 3_000;

/** Reports progress every few seconds while a file is made, and at its end. */
export async function reporting<Made>(
  done: () => number,
  total: number,
  { progress, translator }: CallContext,
  make: () => Promise<Made>,
): Promise<Made> {
  const report = () =>
    void progress(done(), Math.max(total, done()), translator.say('analysis.exporting', { rows: done() }));
  const timer = setInterval(report, PROGRESS_EVERY_MS);
  try {
    const made = await make();
    report();
    return made;
  } finally {
    clearInterval(timer);
  }
}
