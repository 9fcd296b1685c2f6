import type { Archive, HeldDocuments, Verification } from '../archive/archive.ts';
import { earlier, isDay, later, type Period } from '../archive/days.ts';
import { archiveFile } from '../archive/engines/connections.ts';
import { ArchiveUnusable } from '../archive/errors.ts';
import { documentTable } from '../archive/export/document-tables.ts';
import { DossierUnreadable, verifyDossier } from '../archive/export/dossier.ts';
import { writeCsv } from '../archive/export/table.ts';
import type { FileIndex } from '../archive/files/file-index.ts';
import { rootPath } from '../archive/files/folders.ts';
import { type LeftOutTally, leftOutOf } from '../archive/files/left-out.ts';
import { type LookProgress, lookOver } from '../archive/files/look-over.ts';
import { type DocumentArea, everyStatus } from '../archive/references.ts';
import type { PurgeSelection } from '../archive/write/purge.ts';
import type { Company } from '../company/company.ts';
import { explainFailure, reportUnexpected, unseenWords } from '../company/failures.ts';
import type { ArchiveAction, ArchiveRequest } from '../config/command-line.ts';
import { checkTaxId } from '../documents/identity/tax-ids.ts';
import { kindName } from '../documents/summary/summary.ts';
import { asLine, asWord } from '../documents/untrusted.ts';
import type { Translator } from '../messages/index.ts';
import { createDossierWords } from '../tools/dossier/page.ts';
import { groupsOf, knownGroups, leftOutLine } from '../tools/shared/basis.ts';
import { fetchIntoArchive } from './archive-fetch.ts';
import { readUserFiles } from './doctor/files.ts';
import { refuseToStart } from './problems.ts';
import { progressLine, untilStopped } from './progress-line.ts';

const areas: readonly DocumentArea[] = ['nfe', 'nfse', 'cte'];

type Option = Exclude<keyof ArchiveRequest, 'action' | 'paths'>;

const selecting: readonly ArchiveAction[] = ['fetch', 'export', 'purge'];

/** Actions that support an option. Ignoring one would remove what was meant to stay. */
const actionsWith: Readonly<Record<Option, readonly ArchiveAction[]>> = {
  company: selecting,
  kind: selecting,
  from: selecting,
  until: selecting,
  to: ['export'],
  yes: ['purge'],
  refresh: ['fetch'],
  hash: ['verify-dossier'],
};

/** A parsed selection, or its problems in words. */
type Understood =
  | { readonly ok: true; readonly selection: PurgeSelection }
  | { readonly ok: false; readonly reasons: readonly string[] };

/** Parses the options of `docfiscal-mcp archive`; any doubtful value is refused. */
function understand(request: ArchiveRequest, translator: Translator): Understood {
  const { say } = translator;
  const { action, company, kind, from, until } = request;
  const reasons: string[] = [];
  const refuse = (option: Option, words: string) =>
    void reasons.push(say('argument.problem', { argument: `--${option}`, words }));

  for (const [option, actions] of Object.entries(actionsWith) as [Option, readonly ArchiveAction[]][]) {
    const isGiven = request[option] !== undefined && request[option] !== false;
    if (isGiven && !actions.includes(action)) refuse(option, say('archive.not_heeded', { action }));
  }
  if (action === 'export' && request.to === undefined) {
    reasons.push(say('argument.missing', { argument: '--to' }));
  }
  if (action === 'verify-dossier' && request.paths.length !== 1) reasons.push(say('archive.one_dossier'));
  if (request.hash !== undefined && !/^[0-9a-f]{64}$/i.test(request.hash))
    refuse('hash', say('archive.bad_hash'));
  const id = company === undefined ? undefined : checkTaxId(company);
  if (id?.ok === false) refuse('company', translator.problem(id.problem));
  const area = areas.find((one) => one === kind);
  if (kind !== undefined && area === undefined) {
    reasons.push(say('argument.not_among', { argument: '--kind', choices: areas.join(', ') }));
  }
  for (const [option, day] of [['from', from] as const, ['until', until] as const]) {
    if (day !== undefined && !isDay(day)) refuse(option, say('argument.date'));
  }
  if (reasons.length === 0 && from !== undefined && until !== undefined && from > until) {
    reasons.push(say('argument.period_reversed', { from, to: until }));
  }
  if (reasons.length > 0) return { ok: false, reasons };
  return {
    ok: true,
    selection: { company: id?.ok ? id.value.id : undefined, area, from, to: until },
  };
}

/** Describes the holdings. Reads the user's files first, so that unread files don't count as empty. */
async function info(company: Company): Promise<string[]> {
  const { translator } = company;
  const { say, moment, period } = translator;
  const look = await untilStopped((signal) => readUserFiles(company, signal));
  if (look !== undefined && look.unseen.length > 0) process.exitCode = 1;
  const archive = await company.archive();
  const { left_out: leftOut, ...files } = await archive.files.info();
  const { engine, schema_version: schema, with_xml, held, coverage, ...counts } = await archive.info();
  const { bytes, documents, items, events } = counts;
  return [
    say('archive.info', { engine, schema, bytes, documents, items, events, with_xml }),
    ...held.map(({ company: owner, area, documents: count, first = '', last = '' }) =>
      say('archive.held', {
        company: owner || say('archive.no_company'),
        kind: kindName(area),
        documents: count,
        period: period({ from: first, to: last }),
      }),
    ),
    ...(look?.unseen ?? []).map((one) => `✗ ${unseenWords(one, translator)}`),
    ...(look !== undefined || files.files > 0 ? [say('doctor.files_read', files)] : []),
    ...knownGroups(leftOut).map((group) => leftOutLine(group, translator)),
    ...coverage.map(({ company: owner, area, by, from, to, fetched_last: fetched }) =>
      say('archive.covered', {
        company: owner,
        kind: kindName(area),
        by: say(`archive.by_${by}`),
        period: period({ from, to }),
        fetched: moment(fetched),
      }),
    ),
  ];
}

/** An archive too damaged to open is a finding as well. */
async function examined(company: Company): Promise<Verification> {
  try {
    return await (await company.archive()).verify();
  } catch (error) {
    if (!(error instanceof ArchiveUnusable && error.trouble === 'damage')) throw error;
    return { documents: 0, findings: [{ damage: 'engine', detail: error.code }] };
  }
}

async function verify(company: Company): Promise<string[]> {
  const { settings, translator } = company;
  const { say } = translator;
  const { documents, findings } = await examined(company);
  if (findings.length === 0) return [say('archive.verified', { documents })];
  process.exitCode = 1;
  const path = settings.archive === 'file' ? archiveFile(settings.dataDir) : undefined;
  return [
    say('archive.damaged', { documents, count: findings.length }),
    ...findings.map(({ damage, detail }) => `- ${damage}: ${detail}`),
    path === undefined ? say('archive.remedy_database') : say('archive.remedy', { path }),
  ];
}

async function purge(
  archive: Archive,
  selection: PurgeSelection,
  isMeant: boolean,
  { say }: Translator,
): Promise<string[]> {
  const removal = isMeant ? await archive.purge(selection) : await archive.previewPurge(selection);
  const { documents, items, events, kept_for_others: kept } = removal;
  if (isMeant) return [say('archive.purged', { documents, items, events })];
  const companies = removal.companies.map((one) => one || say('archive.no_company')).join(', ') || '–';
  return [say('archive.purge_preview', { documents, items, events, kept, companies })];
}

/** Opens the archive with the files' documents assigned to the company in question. */
async function placedFor({ company: owner }: PurgeSelection, company: Company): Promise<Archive> {
  const archive = await company.archive();
  if (owner !== undefined) await archive.files.adopt(owner);
  return archive;
}

/** Milliseconds between progress lines outside a terminal, and rows between two checks of the clock. */
const PACE_MS = 2_000;
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
async function exportArchive(
  archive: Archive,
  folder: string,
  wanted: PurgeSelection,
  translator: Translator,
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
        if (taken % STRIDE === 0) {
          line.tell(translator.say('analysis.exporting', { rows: taken }), taken, one.documents);
        }
        yield { ...summary, status };
      }
    })();
    const name = [area, company, days.from, days.to].join('-');
    const { path, rows: count } = await writeCsv(rows, documentTable(), {
      folder,
      name,
      language: translator.language,
    }).finally(line.end);
    lines.push(translator.say('archive.exported', { count, path }));
  }
  return lines.length > 0 ? lines : [translator.say('archive.nothing_exported')];
}

/** Differences of a dossier listed. */
const MOST_NAMED = 50;

/** Compares a dossier with its manifest, and the manifest with the hash reported at export. */
async function verifyDossierFile(
  { paths: [path = ''], hash }: ArchiveRequest,
  translator: Translator,
): Promise<string[]> {
  const { say } = createDossierWords(translator);
  try {
    const { manifestSha256, files, differences } = await verifyDossier(path);
    const isOther = hash !== undefined && hash.toLowerCase() !== manifestSha256;
    if (isOther || differences.length > 0) process.exitCode = 1;
    const more = differences.length - MOST_NAMED;
    return [
      say('verify.manifest', { hash: manifestSha256 }),
      hash === undefined
        ? say('verify.no_hash')
        : say(isOther ? 'verify.hash_differs' : 'verify.hash_equal', { given: hash }),
      differences.length === 0
        ? say('verify.intact', { files })
        : say('verify.differs', { count: differences.length, files }),
      ...differences
        .slice(0, MOST_NAMED)
        .map(({ what, file }) => `- ${say(`verify.${what}`, { file: asWord(file) })}`),
      ...(more > 0 ? [say('verify.more', { count: more })] : []),
    ];
  } catch (error) {
    if (!(error instanceof DossierUnreadable)) throw error;
    process.exitCode = 1;
    return [say(`problem.${error.problem}`)];
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
async function importIntoArchive(company: Company, paths: readonly string[]): Promise<string[]> {
  const { translator, settings } = company;
  const { say } = translator;
  const { files: index } = await company.archive();
  const before = await index.info();
  const odd: OddFile[] = [];
  const line = progressLine(PACE_MS);
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

/** Imports the archive's own kept documents, also from another version of the archive. */
async function rebuild({ settings, translator: { say } }: Company): Promise<string[]> {
  if (settings.archive !== 'file') {
    process.exitCode = 2;
    return [say('archive.rebuild_file_only')];
  }
  const { rebuildArchive } = await import('../archive/rebuild.ts');
  return [say('archive.rebuilt', { ...(await rebuildArchive(settings.dataDir, settings.archiveXml)) })];
}

/** Runs the archive actions. A purge without `--yes` removes nothing. */
export async function runArchive(request: ArchiveRequest, company: Company): Promise<void> {
  const { translator, settings } = company;
  const understood = understand(request, translator);
  if (!understood.ok) {
    const reasons = understood.reasons.map((words) => `- ${words}`);
    return refuseToStart(reasons, translator, 'docfiscal-mcp archive');
  }
  const { selection } = understood;
  if (settings.archive === 'memory' && request.action !== 'verify-dossier') {
    console.error(translator.say('archive.memory'));
    process.exitCode = 2;
    return;
  }
  try {
    const act: Readonly<Record<ArchiveAction, () => Promise<string[]>>> = {
      info: () => info(company),
      verify: () => verify(company),
      fetch: () => fetchIntoArchive(company, selection, request.refresh),
      import: () =>
        request.paths.length === 0 ? rebuild(company) : importIntoArchive(company, request.paths),
      purge: async () => purge(await placedFor(selection, company), selection, request.yes, translator),
      'verify-dossier': () => verifyDossierFile(request, translator),
      export: async () =>
        exportArchive(await placedFor(selection, company), request.to ?? '.', selection, translator),
    };
    for (const line of await act[request.action]()) process.stdout.write(`${asLine(line)}\n`);
  } catch (error) {
    console.error(explainFailure(error, translator) ?? reportUnexpected(error, translator));
    process.exitCode = 1;
  } finally {
    await company.close();
  }
}
