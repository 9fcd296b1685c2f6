import type { Archive, Verification } from '../archive/archive.ts';
import { archiveFile } from '../archive/engines/connections.ts';
import { ArchiveUnusable } from '../archive/errors.ts';
import type { PurgeSelection } from '../archive/write/purge.ts';
import type { Company } from '../company/company.ts';
import { explainFailure, reportUnexpected, unseenWords } from '../company/failures.ts';
import type { ArchiveAction, ArchiveRequest } from '../config/command-line.ts';
import { kindName } from '../documents/summary/summary.ts';
import { asLine } from '../documents/untrusted.ts';
import type { Translator } from '../messages/index.ts';
import { knownGroups, leftOutLine } from '../tools/shared/left-out-files.ts';
import { understand } from './archive-selection.ts';
import { readUserFiles } from './doctor/files.ts';
import { refuseToStart } from './problems.ts';
import { untilStopped } from './progress-line.ts';

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
  const { documents, items, events, kept_for_others: kept, companies } = removal;
  return isMeant
    ? [say('archive.purged', { documents, items, events })]
    : [
        say('archive.purge_preview', {
          documents,
          items,
          events,
          kept,
          companies: companies.map((one) => one || say('archive.no_company')).join(', ') || '–',
        }),
      ];
}

/** Opens the archive with the files' documents assigned to the company in question. */
async function placedFor({ company: owner }: PurgeSelection, company: Company): Promise<Archive> {
  const archive = await company.archive();
  if (owner !== undefined) await archive.files.adopt(owner);
  return archive;
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
      fetch: async () => {
        const { fetchIntoArchive } = await import('./archive-fetch.ts');
        return fetchIntoArchive(company, selection, request.refresh);
      },
      import: async () => {
        if (request.paths.length === 0) return rebuild(company);
        const { importIntoArchive } = await import('./archive-import.ts');
        return importIntoArchive(company, request.paths);
      },
      purge: async () => purge(await placedFor(selection, company), selection, request.yes, translator),
      'verify-dossier': async () => {
        const { verifyDossierFile } = await import('./archive-verify-dossier.ts');
        return verifyDossierFile(request.paths[0] ?? '', request.hash, translator);
      },
      export: async () => {
        const { exportArchive } = await import('./archive-export.ts');
        return exportArchive(await placedFor(selection, company), request.to ?? '.', selection, translator);
      },
    };
    for (const line of await act[request.action]()) process.stdout.write(`${asLine(line)}\n`);
  } catch (error) {
    console.error(explainFailure(error, translator) ?? reportUnexpected(error, translator));
    process.exitCode = 1;
  } finally {
    await company.close();
  }
}
