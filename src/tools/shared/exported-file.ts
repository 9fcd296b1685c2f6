import { basename } from 'node:path';
import type { Exported, ExportOptions } from '../../archive/export/index.ts';
import type { CallContext, FileLink } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { FileNotWritten } from '../../disk/new-file.ts';

/** @throws Unfulfilled if there is nowhere to save files */
export function checkFolder({ company, links }: CallContext): void {
  if (company.settings.downloadDir === undefined && links === undefined) {
    throw new Unfulfilled('failure.export_dir');
  }
}

export type Save = (options: ExportOptions) => Promise<Exported>;

/** Saves an exported file. @throws Unfulfilled */
export async function saveExport(name: string, context: CallContext, save: Save): Promise<Exported> {
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
    return await save(options);
  } catch (error) {
    if (!(error instanceof FileNotWritten)) throw error;
    if (links !== undefined) throw new Unfulfilled('failure.not_prepared', { code: error.code });
    throw new Unfulfilled('failure.not_saved', { file: error.file, code: error.code });
  }
}

/**
 * Location of the file: a path, or over HTTP a link.
 * @param holds digest compared when the file has to be rebuilt
 */
export async function placeOf(
  file: Exported | undefined,
  holds: string,
  { links }: CallContext,
): Promise<{ path?: string; link?: FileLink }> {
  if (file === undefined || links === undefined) return { path: file?.path };
  const { path } = file;
  return { link: await links.link({ name: basename(path), path, holds }) };
}
