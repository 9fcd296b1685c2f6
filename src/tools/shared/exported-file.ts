import { basename } from 'node:path';
import type { StoredDocument } from '../../archive/archive.ts';
import type { Exported, ExportOptions } from '../../archive/export/table.ts';
import type { CallContext, FileLink } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { FileNotWritten, writeNewFile } from '../../disk/new-file.ts';
import { readOwnFile, systemCode } from '../../disk/regular-file.ts';
import type { Translator } from '../../messages/index.ts';
import type { Part } from './fetching.ts';

/** Saves a file without overwriting; an equal existing file is reused. @throws Unfulfilled */
export async function saveFile(
  folder: string | undefined,
  name: string,
  ending: string,
  bytes: Uint8Array,
): Promise<string> {
  if (folder === undefined) throw new Unfulfilled('failure.download_dir');
  const isSame = async (path: string) => {
    if (bytes.length === 0) return false;
    try {
      return Buffer.compare(await readOwnFile(path, bytes.length), bytes) === 0;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      // Not a readable file of ours: try the next name.
      return false;
    }
  };
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
    throw new Unfulfilled('failure.export_dir');
  }
}

/** A saved file with its location: a path, or over HTTP a link. */
export interface SavedExport<File> {
  readonly file: File;
  readonly place: { readonly path?: string; readonly url?: string };
  /** The file as an answer names it. */
  readonly shown: string;
  readonly linkSentences: readonly string[];
}

/**
 * Saves an exported file.
 * @param holds digest compared when the file of a link has to be rebuilt
 * @throws Unfulfilled
 */
export async function saveExport<File extends Exported>(
  name: string,
  context: CallContext,
  save: (options: ExportOptions) => Promise<File>,
  holds: (file: File) => string,
): Promise<SavedExport<File>> {
  const { company, translator, signal, links } = context;
  const folder = links === undefined ? company.settings.downloadDir : await links.folder();
  if (folder === undefined) throw new Unfulfilled('failure.export_dir');
  const options: ExportOptions = {
    folder,
    name,
    language: translator.language,
    signal,
    onProgress(rows) {
      void context.progress(rows, rows, translator.say('analysis.exporting', { rows }));
    },
  };
  try {
    const file = await save(options);
    const { path } = file;
    if (links === undefined) return { file, place: { path }, shown: path, linkSentences: [] };
    const link = await links.link({ name: basename(path), path, holds: holds(file) });
    const linkSentences = [linkSentence(link, translator)];
    return { file, place: { url: link.url }, shown: basename(path), linkSentences };
  } catch (error) {
    if (!(error instanceof FileNotWritten)) throw error;
    if (links !== undefined) throw new Unfulfilled('failure.not_prepared', { code: error.code });
    throw new Unfulfilled('failure.not_saved', { file: error.file, code: error.code });
  }
}

/** Documents of one kind, with their number. */
export interface CountedPart extends Part {
  readonly total: number;
}

/** Documents of all kinds, after the offset. */
export async function* readAll(
  parts: readonly CountedPart[],
  offset: number,
): AsyncGenerator<StoredDocument> {
  let left = offset;
  for (const { selection, basis, total } of parts) {
    if (left < total) yield* basis.archive.read(selection, left);
    left = Math.max(0, left - total);
  }
}
