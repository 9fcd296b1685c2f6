import type { FileIndex } from '../archive/files/file-index.ts';
import { rootPath } from '../archive/files/folders.ts';
import { type LeftOutTally, leftOutOf } from '../archive/files/left-out.ts';
import { type LookProgress, lookOver } from '../archive/files/look-over.ts';
import type { Company } from '../company/company.ts';
import { unseenWords } from '../company/failures.ts';
import { groupsOf, knownGroups, leftOutLine } from '../tools/shared/left-out-files.ts';
import { progressLine, untilStopped } from './progress-line.ts';

/** Milliseconds between progress lines. */
const PACE = 2_000;

interface OddFile {
  readonly path: string;
  readonly tally: LeftOutTally;
}

/** Wraps the index so that every file is new and its documents outlive the file. */
function takingOver(index: FileIndex, odd: OddFile[]): FileIndex {
  return {
    ...index,
    known: async () => new Map(),
    folders: async () => [],
    due: async () => [],
    forget: async () => undefined,
    async take(parts, company) {
      for (const { folder, name, isLast, leftOut: tally } of parts) {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (isLast && tally.named.length > 0) odd.push({ path, tally });
      }
      const givenUp = parts.flatMap((part) => part.givenUp);
      await index.takeForGood(
        parts.flatMap(({ documents }) => documents),
        givenUp,
        company,
      );
    },
  };
}

/**
 * Imports the documents of files, folders and ZIPs into the archive for good. Progress goes to standard error. Exit
 * status 1: something was unreadable or the import was interrupted; documents stored so far stay.
 * @throws ArchiveError
 */
export async function importIntoArchive(company: Company, paths: readonly string[]): Promise<string[]> {
  const { translator, settings } = company;
  const { say } = translator;
  const { files: index } = await company.archive();
  const before = await index.info();
  const odd: OddFile[] = [];
  const line = progressLine(PACE);
  const onProgress = ({ read, documents }: LookProgress) =>
    line.tell(say('files.reading_progress', { read, documents }));
  return untilStopped(async (signal) => {
    try {
      const roots = paths.map(rootPath);
      const found = await lookOver(takingOver(index, odd), roots, {
        signal,
        onProgress,
        company: settings.cnpj,
      });
      const { read, unseen } = found;
      if (unseen.length > 0 || found.odd.counts.unreadable !== undefined) process.exitCode = 1;
      const after = await index.info();
      const [documents, events] = [after.documents - before.documents, after.events - before.events];
      return [
        say('files.imported', { read, documents, events }),
        ...knownGroups(leftOutOf(odd)).map((group) => leftOutLine(group, translator)),
        ...groupsOf(found.odd).map((group) => leftOutLine(group, translator)),
        ...unseen.map((one) => `✗ ${unseenWords(one, translator)}`),
      ];
    } catch (error) {
      if (!signal.aborted) throw error;
      line.say(say('files.import_stopped'));
      process.exitCode = 1;
      return [];
    } finally {
      line.end();
    }
  });
}
