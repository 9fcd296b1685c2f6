import type { FileIndex } from '../archive/files/file-index.ts';
import { rootPath } from '../archive/files/folders.ts';
import { type LeftOutPart, leftOutReasons } from '../archive/files/left-out.ts';
import { type LookProgress, lookOver } from '../archive/files/look-over.ts';
import type { ReadPart } from '../archive/files/take.ts';
import type { Company } from '../company/company.ts';
import { unseenWords } from '../company/failures.ts';
import { progressLine } from './progress-line.ts';
import { untilStopped } from './until-stopped.ts';
import { groupsOf, leftOutLine } from './user-files.ts';

/** Milliseconds between two lines of progress. */
const PACE = 2_000;
/** Files named for each reason. */
const MOST_NAMED = 5;

/** What is taken over for good belongs to no file that could go away. */
const forGood = { root: '', folder: '', name: '', size: 0, changed: 0 } as const;

interface Odd {
  count: number;
  readonly named: string[];
}

type OddByReason = Map<LeftOutPart['reason'], Odd>;

/** Counts and names what of a part, whose tally has the parts before it too, gave no document. */
function noteOdd(odd: OddByReason, { folder, name, isLast, leftOut }: ReadPart): void {
  if (!isLast) return;
  const file = folder === '' ? name : `${folder}/${name}`;
  for (const reason of leftOutReasons) {
    const count = leftOut.counts[reason] ?? 0;
    if (count === 0) continue;
    const one = odd.get(reason) ?? { count: 0, named: [] };
    one.count += count;
    const named = leftOut.named.filter((part) => part.reason === reason);
    const places = named.map(({ place }) => (place === undefined ? file : `${file}: ${place}`));
    one.named.push(...places.slice(0, MOST_NAMED - one.named.length));
    odd.set(reason, one);
  }
}

/** An index to which every file is new and whose documents stay whatever becomes of the files. */
function takingOver(index: FileIndex, odd: OddByReason): FileIndex {
  return {
    ...index,
    known: async () => new Map(),
    folders: async () => [],
    forget: async () => undefined,
    async take(parts, company) {
      for (const part of parts) noteOdd(odd, part);
      const kept = parts.map(
        ({ documents, givenUp }): ReadPart => ({
          ...forGood,
          documents,
          givenUp,
          isFirst: true,
          isLast: true,
          leftOut: { counts: {}, named: [] },
        }),
      );
      await index.take(kept, company);
    },
  };
}

/**
 * Takes the documents of files, folders and ZIPs over into the archive for good. Progress goes to standard error. The
 * exit status is 1 where something could not be looked into or the work was interrupted; what was taken by then stays.
 * @throws ArchiveError
 */
export async function importIntoArchive(company: Company, paths: readonly string[]): Promise<string[]> {
  const { translator, settings } = company;
  const { say } = translator;
  const { files: index } = await company.archive();
  const before = await index.info();
  const odd: OddByReason = new Map();
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
        ...[...odd].map(([reason, one]) => leftOutLine({ reason, ...one }, translator)),
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
