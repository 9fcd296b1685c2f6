import type { Archive, HeldDocuments } from '../archive/archive.ts';
import { earlier, later, type Period } from '../archive/days.ts';
import { documentTable } from '../archive/export/document-tables.ts';
import { writeCsv } from '../archive/export/table.ts';
import { type LeftOutTally, leftOutOf } from '../archive/files/contents.ts';
import type { FileIndex } from '../archive/files/file-index.ts';
import { rootPath } from '../archive/files/folders.ts';
import { type LookProgress, type LookResult, lookOver } from '../archive/files/look-over.ts';
import { type DocumentArea, everyArea, everyStatus } from '../archive/references.ts';
import type { PurgeSelection } from '../archive/write/purge.ts';
import { UpstreamError } from '../clients/errors.ts';
import type { CallContext } from '../company/call-context.ts';
import type { Company } from '../company/company.ts';
import { NotConfigured, SecretFileUnusable } from '../company/credentials.ts';
import { noDeadline } from '../company/deadline.ts';
import { BadArguments, explainFailure, unseenWords } from '../company/failures.ts';
import { kindName } from '../documents/summary/summary.ts';
import type { Translator } from '../messages/index.ts';
import {
  basisSentences,
  groupsOf,
  knownGroups,
  leftOutLine,
  unknownDocuments,
} from '../tools/shared/basis.ts';
import { ensureFetched } from '../tools/shared/fetching.ts';
import { statuses } from '../tools/shared/filters.ts';
import { recentDays } from '../tools/shared/period.ts';
import { MISCONFIGURED, type ProgressLine, progressLine, untilStopped } from './standard-error.ts';

/** Without dates: the days whose notes may still change. Source: docs/fiscal/events.md. */
const LAST_DAYS = 100;

/** A daily schedule starts the next run by then, and commands read files without another deadline. */
const LONGEST_MS = 24 * 3_600_000;

/** Milliseconds between progress lines outside a terminal. */
const PACE_MS = 2_000;

const onFilesRead =
  (line: ProgressLine, { say }: Translator) =>
  ({ read, documents }: LookProgress) =>
    line.tell(say('files.reading_progress', { read, documents }));

/**
 * Reads the user's files completely, with progress on standard error, and assigns documents to the company that most
 * of them share. Undefined if no files are configured.
 */
export async function readUserFiles(company: Company, signal: AbortSignal): Promise<LookResult | undefined> {
  const files = await company.files();
  if (files === undefined) return undefined;
  const line = progressLine(PACE_MS);
  const onProgress = onFilesRead(line, company.translator);
  const reading = files.ready({ deadline: Date.now() + LONGEST_MS, signal, onProgress });
  const { result } = await reading.finally(line.end);
  const { company: owner } = await files.whose();
  if (owner !== undefined) await files.adopt(owner);
  return result;
}

function misconfigured(words: string): string[] {
  console.error(words);
  process.exitCode = MISCONFIGURED;
  return [];
}

/**
 * Fetches missing and stale days of a period; all days with `--refresh`. Progress goes to standard error, a line per
 * kind to standard output. Exit status 1: still incomplete; 2: settings are missing.
 * @throws ArchiveError
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
  return untilStopped(async (signal) => {
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
    const lines: string[] = [];
    try {
      const days = recentDays({ from, to }, LAST_DAYS, context);
      // Fails without a service; otherwise the user's files would answer and nothing would be fetched.
      await company.documents();
      for (const one of area === undefined ? everyArea : [area]) {
        lines.push(...(await fetchKind({ company: owner, area: one, ...days }, refresh, context, line)));
      }
    } catch (error) {
      if (signal.aborted) {
        line.say(translator.say('archive.fetch_stopped'));
        process.exitCode = 1;
        return lines;
      }
      const isOfSettings = error instanceof NotConfigured || error instanceof SecretFileUnusable;
      if (error instanceof BadArguments) return misconfigured(error.reasons.join('\n'));
      if (isOfSettings) return misconfigured(explainFailure(error, translator) ?? error.message);
      throw error;
    }
    return lines;
  }).finally(line.end);
}

async function fetchKind(
  asked: { readonly company: string; readonly area: DocumentArea } & Period,
  refresh: boolean,
  context: CallContext,
  line: ProgressLine,
): Promise<string[]> {
  const { say, period } = context.translator;
  const kind = kindName(asked.area);
  const subject = [kind, say('cover.company', { company: asked.company }), period(asked)].join(', ');
  line.say(say('archive.fetching', { subject }));
  const progress = (done: number, total: number, words: string) =>
    context.progress(done, total, `${kind}: ${words}`);
  try {
    const since = refresh ? new Date(context.company.now()) : undefined;
    const fetching = { since, deadline: Date.now() + LONGEST_MS };
    const found = await ensureFetched({ ...asked, by: 'issue' }, { ...context, progress }, fetching);
    // Days skipped at the deadline are reported like failed ones.
    const reason = say('archive.fetch_time_over');
    const missing = [...found.missing, ...found.pending.map((range) => ({ ...range, reason }))];
    const basis = { ...found, missing, pending: [] };
    const selection = { ...asked, by: 'issue', filters: { status: statuses } } as const;
    const { total } = await basis.archive.list({ ...selection, limit: 1 });
    if (missing.length + unknownDocuments(basis.unreadable).length > 0) process.exitCode = 1;
    return [
      say('archive.fetched', { subject, documents: basis.fetched }),
      ...basisSentences(basis, total, [], context).map((sentence) => `  ${sentence}`),
    ];
  } catch (error) {
    // A failure of one kind must not stop the others.
    if (!(error instanceof UpstreamError) || context.signal.aborted) throw error;
    process.exitCode = 1;
    return [
      say('archive.fetch_failed', { subject, reason: explainFailure(error, context.translator) ?? '' }),
    ];
  }
}

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
      const documents = parts.flatMap((part) => part.documents);
      await index.takeForGood(
        documents,
        parts.flatMap((part) => part.givenUp),
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
  const line = progressLine(PACE_MS);
  const onProgress = onFilesRead(line, translator);
  return untilStopped(async (signal) => {
    try {
      const roots = paths.map(rootPath);
      const options = { signal, onProgress, company: settings.cnpj };
      const found = await lookOver(takingOver(index, odd), roots, options);
      const { read, unseen } = found;
      if (unseen.length > 0 || found.odd.counts.unreadable !== undefined) process.exitCode = 1;
      const after = await index.info();
      const [documents, events] = [after.documents - before.documents, after.events - before.events];
      const groups = [...knownGroups(leftOutOf(odd)), ...groupsOf(found.odd)];
      return [
        say('files.imported', { read, documents, events }),
        ...groups.map((group) => leftOutLine(group, translator)),
        ...unseen.map((one) => `✗ ${unseenWords(one, translator)}`),
      ];
    } catch (error) {
      if (!signal.aborted) throw error;
      line.say(say('files.import_stopped'));
      process.exitCode = 1;
      return [];
    }
  }).finally(line.end);
}

/** Rows between two checks of the clock. */
const STRIDE = 100;

/** Days of the selection that are held; undefined for none. */
function wantedDays(held: HeldDocuments, { company, area, from, to }: PurgeSelection): Period | undefined {
  const { first, last } = held;
  if (first === undefined || last === undefined) return undefined;
  if ((company ?? held.company) !== held.company || (area ?? held.area) !== held.area) return undefined;
  const days = { from: later(first, from ?? first), to: earlier(last, to ?? last) };
  return days.from <= days.to ? days : undefined;
}

/** Exports the archive, or the selected part of it: one CSV per company and kind. */
export async function exportArchive(
  archive: Archive,
  folder: string,
  wanted: PurgeSelection,
  { say, language }: Translator,
): Promise<string[]> {
  const { held } = await archive.info();
  const lines: string[] = [];
  for (const one of held) {
    const days = wantedDays(one, wanted);
    if (days === undefined) continue;
    const { company, area } = one;
    const selection = { company, area, by: 'issue', ...days, filters: { status: everyStatus } } as const;
    const line = progressLine(PACE_MS);
    const rows = (async function* () {
      let taken = 0;
      for await (const { summary, status } of archive.read(selection)) {
        taken += 1;
        if (taken % STRIDE === 0) line.tell(say('analysis.exporting', { rows: taken }), taken, one.documents);
        yield { ...summary, status };
      }
    })();
    const name = [area, company, days.from, days.to].join('-');
    const target = { folder, name, language };
    const { path, rows: count } = await writeCsv(rows, documentTable(), target).finally(line.end);
    lines.push(say('archive.exported', { count, path }));
  }
  return lines.length > 0 ? lines : [say('archive.nothing_exported')];
}
