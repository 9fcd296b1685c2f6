import type { Archive } from '../archive/archive.ts';
import { documentTable } from '../archive/export/document-tables.ts';
import { csvOf } from '../archive/export/table.ts';
import type { FileIndex } from '../archive/files/file-index.ts';
import { rootPath } from '../archive/files/folders.ts';
import { groupsOf, type LeftOutTally, leftOutOf } from '../archive/files/left-out.ts';
import { type LookProgress, type LookResult, lookOver } from '../archive/files/user-files.ts';
import { type DocumentArea, everyArea, everyStatus } from '../archive/references.ts';
import type { PurgeSelection } from '../archive/write/purge.ts';
import type { CallContext } from '../company/call-context.ts';
import type { Company } from '../company/company.ts';
import { noDeadline } from '../company/deadline.ts';
import { unseenWords } from '../company/failures.ts';
import { writeNewFile } from '../disk/files.ts';
import { earlier, later, type Period } from '../documents/days.ts';
import { kindName } from '../documents/summary/summary.ts';
import type { Translator } from '../messages/index.ts';
import { basisSentences, leftOutLine, unknownDocuments } from '../tools/shared/basis.ts';
import { fetchParts, jointBasis } from '../tools/shared/fetching.ts';
import { recentDays } from '../tools/shared/period.ts';
import { interruptible, misconfigured, type ProgressLine, progressLine } from './standard-error.ts';

/** Without dates: the days whose notes may still change. Source: docs/fiscal/events.md. */
const LAST_DAYS = 100;

/** A daily schedule starts the next run by then, and commands read files without another deadline. */
const LONGEST_MS = 24 * 3_600_000;

const onFilesRead =
  (line: ProgressLine, { say }: Translator) =>
  ({ read, documents }: LookProgress) =>
    line.tell(say('files.reading_progress', { read, documents }));

/**
 * Reads the user's files completely, with progress on standard error, and assigns documents to the company that most
 * of them share. Undefined if no files are configured.
 */
export async function readUserFiles(
  { files: open, translator }: Company,
  signal = new AbortController().signal,
): Promise<LookResult | undefined> {
  const files = await open();
  if (files === undefined) return undefined;
  const line = progressLine();
  const reading = { deadline: Date.now() + LONGEST_MS, signal, onProgress: onFilesRead(line, translator) };
  const { result } = await files.ready(reading).finally(line.end);
  const { company: owner } = await files.whose();
  if (owner !== undefined) await files.adopt(owner);
  return result;
}

/**
 * Fetches missing and stale days of a period; all days with `--refresh`. Progress goes to standard error, a line per
 * kind to standard output. Exit status 1: still incomplete; 2: settings are missing.
 * @throws ArchiveError, BadArguments, NotConfigured, SecretFileUnusable
 */
export async function fetchIntoArchive(
  company: Company,
  { company: named, area, from, to }: PurgeSelection,
  refresh: boolean,
): Promise<string[]> {
  const { translator, settings } = company;
  const owner = named ?? settings.cnpj;
  if (owner === undefined) return misconfigured(translator.say('archive.fetch_company'));
  const line = progressLine(0);
  const lines: string[] = [];
  await interruptible(line, translator.say('archive.stopped'), async (signal) => {
    const context: CallContext = {
      company,
      translator,
      signal,
      caller: signal,
      deadline: noDeadline(),
      principal: 'local',
      hasViews: false,
      isDue: () => true,
      progress: async (done, total, message) => line.tell(message, done, total),
    };
    const days = recentDays({ from, to }, LAST_DAYS, context);
    // Fails without a service; otherwise the user's files would answer and nothing would be fetched.
    await company.documents();
    for (const one of area === undefined ? everyArea : [area]) {
      lines.push(...(await fetchKind({ company: owner, area: one, ...days }, refresh, context, line)));
    }
  });
  return lines;
}

/** Fetches one kind and says how far it came; where the service fails, all its days are missing. */
async function fetchKind(
  asked: { readonly company: string; readonly area: DocumentArea } & Period,
  refresh: boolean,
  context: CallContext,
  line: ProgressLine,
): Promise<string[]> {
  const { say, period } = context.translator;
  const { company, area, from, to } = asked;
  const kind = kindName(area);
  const subject = [kind, say('cover.company', { company }), period(asked)].join(', ');
  line.say(say('archive.fetching', { subject }));
  const progress = (done: number, total: number, words: string) =>
    context.progress(done, total, `${kind}: ${words}`);
  const since = refresh ? new Date(context.company.now()) : undefined;
  const question = { companies: [company], areas: [area], from, to, by: 'issue' } as const;
  const fetching = { since, deadline: Date.now() + LONGEST_MS, mayBeEmpty: true };
  const found = jointBasis(await fetchParts(question, { ...context, progress }, fetching));
  // Days skipped at the deadline are reported like failed ones.
  const reason = say('archive.fetch_time_over');
  const missing = [...found.missing, ...found.pending.map((range) => ({ ...range, reason }))];
  const basis = { ...found, missing, pending: [] };
  const selection = { ...asked, by: 'issue', filters: { status: everyStatus } } as const;
  const { total } = await basis.archive.list({ ...selection, limit: 1 });
  if (missing.length + unknownDocuments(basis.unreadable).length > 0) process.exitCode = 1;
  return [
    say('archive.fetched', { subject, documents: basis.fetched }),
    ...basisSentences(basis, total, [], context).map((sentence) => `  ${sentence}`),
  ];
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
  const odd: { readonly path: string; readonly tally: LeftOutTally }[] = [];
  // To this index every file is new, and its documents outlive the file.
  const takingOver: FileIndex = {
    ...index,
    filesOf: async () => [],
    folders: async () => [],
    due: async () => [],
    forget: async () => undefined,
    async take(parts, owner) {
      for (const { folder, name, isLast, leftOut: tally } of parts) {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (isLast && tally.named.length > 0) odd.push({ path, tally });
      }
      const documents = parts.flatMap((part) => part.documents);
      const givenUp = parts.flatMap((part) => part.givenUp);
      await index.takeForGood(documents, givenUp, owner);
    },
  };
  const line = progressLine();
  const lines = await interruptible(line, say('archive.stopped'), async (signal) => {
    const options = { signal, onProgress: onFilesRead(line, translator), company: settings.cnpj };
    const { read, unseen, odd: inFolders } = await lookOver(takingOver, paths.map(rootPath), options);
    if (unseen.length > 0 || inFolders.counts.unreadable !== undefined) process.exitCode = 1;
    const after = await index.info();
    const [documents, events] = [after.documents - before.documents, after.events - before.events];
    const groups = [...leftOutOf(odd), ...groupsOf(inFolders)];
    return [
      say('files.imported', { read, documents, events }),
      ...groups.map((group) => leftOutLine(group, translator)),
      ...unseen.map((one) => `✗ ${unseenWords(one, translator)}`),
    ];
  });
  return lines ?? [];
}

/** Rows between two checks of the clock. */
const STRIDE = 100;

/** Exports the archive, or the selected part of it: one CSV per company and kind. */
export async function exportArchive(
  archive: Archive,
  folder: string,
  wanted: PurgeSelection,
  { say, language }: Translator,
): Promise<string[]> {
  const { held } = await archive.info();
  const lines: string[] = [];
  for (const { company, area, documents, from, to } of held) {
    if (from === undefined || to === undefined) continue;
    if ((wanted.company ?? company) !== company || (wanted.area ?? area) !== area) continue;
    const days = { from: later(from, wanted.from ?? from), to: earlier(to, wanted.to ?? to) };
    if (days.from > days.to) continue;
    const selection = { company, area, by: 'issue', ...days, filters: { status: everyStatus } } as const;
    const line = progressLine();
    let taken = 0;
    const rows = (async function* () {
      for await (const { summary, status } of archive.read(selection)) {
        taken += 1;
        if (taken % STRIDE === 0) line.tell(say('analysis.exporting', { rows: taken }), taken, documents);
        yield { ...summary, status };
      }
    })();
    const file = { folder, name: [area, company, days.from, days.to].join('-'), ending: 'csv' };
    const { path } = await writeNewFile(file, csvOf(rows, documentTable(), language)).finally(line.end);
    lines.push(say('archive.exported', { count: taken, path }));
  }
  return lines.length > 0 ? lines : [say('archive.nothing_exported')];
}
