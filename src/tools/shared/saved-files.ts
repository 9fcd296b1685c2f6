import type { FileLink } from '../../company/call-context.ts';
import { Unfulfilled } from '../../company/failures.ts';
import { FileNotWritten, writeNewFile } from '../../disk/new-file.ts';
import { readOwnFile } from '../../disk/regular-file.ts';
import type { Translator } from '../../messages/index.ts';
import { systemCode } from '../../writes/data-folder.ts';

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
