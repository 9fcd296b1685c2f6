import type { Archive, Verification } from '../archive/archive.ts';
import { archiveFile } from '../archive/engines/connections.ts';
import { failedFor } from '../archive/errors.ts';
import { DossierUnreadable, verifyDossier } from '../archive/export/dossier.ts';
import { everyArea } from '../archive/references.ts';
import type { PurgeSelection } from '../archive/write/purge.ts';
import type { Company } from '../company/company.ts';
import { NotConfigured, SecretFileUnusable } from '../company/credentials.ts';
import { BadArguments, failureWords, unseenWords } from '../company/failures.ts';
import {
  type ArchiveAction,
  type CommandLine,
  type OptionName,
  unsupportedOptions,
} from '../config/command-line.ts';
import { isDay } from '../documents/days.ts';
import { checkTaxId } from '../documents/identity/tax-ids.ts';
import { kindName } from '../documents/summary/summary.ts';
import { asLine, asWord } from '../documents/untrusted.ts';
import type { Translator } from '../messages/index.ts';
import { dossierWords } from '../tools/dossier/page.ts';
import { holdingLine, leftOutLine } from '../tools/shared/basis.ts';
import { exportArchive, fetchIntoArchive, importIntoArchive, readUserFiles } from './archive-transfer.ts';
import { interruptible, misconfigured, progressLine, refuseToStart } from './standard-error.ts';

type Request = Pick<CommandLine, 'options' | 'paths'> & { readonly action: ArchiveAction };

/** Parses the options of `docfiscal-mcp archive`; any doubtful value is refused. */
function understand({ action, options, paths }: Request, translator: Translator) {
  const { say } = translator;
  const reasons: string[] = [];
  const refuse = (option: OptionName, words: string) =>
    void reasons.push(say('argument.problem', { argument: `--${option}`, words }));
  for (const option of unsupportedOptions(action)) {
    if (options.has(option)) refuse(option, say('archive.not_heeded', { action }));
  }
  if (action === 'export' && !options.has('to')) reasons.push(say('argument.missing', { argument: '--to' }));
  if (action === 'verify-dossier' && paths.length !== 1) reasons.push(say('archive.one_dossier'));
  if (!/^[0-9a-f]{64}$/i.test(options.get('hash') ?? '0'.repeat(64))) refuse('hash', say('archive.bad_hash'));
  const company = options.has('company') ? checkTaxId(options.get('company') ?? '') : undefined;
  if (company?.ok === false) refuse('company', translator.problem(company.problem));
  const area = everyArea.find((one) => one === options.get('kind'));
  if (options.has('kind') && area === undefined) {
    reasons.push(say('argument.not_among', { argument: '--kind', choices: everyArea.join(', ') }));
  }
  const [from, to] = (['from', 'until'] as const).map((option) => {
    const day = options.get(option);
    if (day !== undefined && !isDay(day)) refuse(option, say('argument.date'));
    return day;
  });
  if (reasons.length === 0 && from !== undefined && to !== undefined && from > to) {
    reasons.push(say('argument.reversed', { first: '--from', least: from, last: '--until', most: to }));
  }
  const selection: PurgeSelection = { company: company?.ok ? company.value.id : undefined, area, from, to };
  return { reasons, selection };
}

/** Describes the holdings. Reads the user's files first, so that unread files don't count as empty. */
async function info(company: Company): Promise<string[]> {
  const { translator } = company;
  const { say, moment, period } = translator;
  const look = await interruptible(progressLine(), undefined, (signal) => readUserFiles(company, signal));
  if (look !== undefined && look.unseen.length > 0) process.exitCode = 1;
  const archive = await company.archive();
  const { left_out: leftOut, ...files } = await archive.files.info();
  const { engine, schema_version: schema, with_xml, held, coverage, ...counts } = await archive.info();
  const { bytes, documents, items, events } = counts;
  return [
    say('archive.info', { engine, schema, bytes, documents, items, events, with_xml }),
    ...held.map((one) =>
      holdingLine({ ...one, company: one.company || say('archive.no_company') }, translator),
    ),
    ...(look?.unseen ?? []).map((one) => `✗ ${unseenWords(one, translator)}`),
    ...(look !== undefined || files.files > 0 ? [say('doctor.files_read', files)] : []),
    ...leftOut.map((group) => leftOutLine(group, translator)),
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

async function verify({ settings, translator: { say }, archive }: Company): Promise<string[]> {
  let found: Verification;
  try {
    found = await (await archive()).verify();
  } catch (error) {
    // An archive too damaged to open is a finding as well.
    if (!failedFor('damage', error)) throw error;
    found = { documents: 0, findings: [{ damage: 'engine', detail: `${error.values.code}` }] };
  }
  const { documents, findings } = found;
  const verified = say('archive.verified', { documents, count: findings.length });
  if (findings.length === 0) return [verified];
  process.exitCode = 1;
  const path = settings.archive === 'file' ? archiveFile(settings.dataDir) : undefined;
  return [
    verified,
    ...findings.map(({ damage, detail }) => `- ${damage}: ${detail}`),
    path === undefined ? say('archive.remedy_database') : say('archive.remedy', { path }),
  ];
}

/** A purge without `--yes` removes nothing. */
async function purge(archive: Archive, selection: PurgeSelection, isMeant: boolean, { say }: Translator) {
  const removal = isMeant ? await archive.purge(selection) : await archive.previewPurge(selection);
  const { documents, items, events, kept_for_others: kept } = removal;
  if (isMeant) return [say('archive.purged', { documents, items, events })];
  const companies = removal.companies.map((one) => one || say('archive.no_company')).join(', ') || '–';
  return [say('archive.purge_preview', { documents, items, events, kept, companies })];
}

/** Differences of a dossier listed. */
const MOST_NAMED = 50;

/** Compares a dossier with its manifest, and the manifest with the hash reported at export. */
async function verifyDossierFile(path: string, given: string | undefined, translator: Translator) {
  const say = dossierWords(translator);
  try {
    const { manifestSha256: hash, files, differences } = await verifyDossier(path);
    const isOther = given !== undefined && given.toLowerCase() !== hash;
    const count = differences.length;
    if (isOther || count > 0) process.exitCode = 1;
    return [
      say('dossier.verify.manifest', { hash }),
      given === undefined
        ? say('dossier.verify.no_hash')
        : say(isOther ? 'dossier.verify.hash_differs' : 'dossier.verify.hash_equal', { given }),
      count === 0 ? say('dossier.verify.intact', { files }) : say('dossier.verify.differs', { count, files }),
      ...differences
        .slice(0, MOST_NAMED)
        .map(({ what, file }) => `- ${say(`dossier.verify.${what}`, { file: asWord(file) })}`),
      ...(count > MOST_NAMED ? [say('dossier.verify.more', { count: count - MOST_NAMED })] : []),
    ];
  } catch (error) {
    if (!(error instanceof DossierUnreadable)) throw error;
    process.exitCode = 1;
    return [say(`dossier.problem.${error.problem}`)];
  }
}

/** Imports the archive's own kept documents, also from another version of the archive. */
async function rebuild({ settings, translator: { say } }: Company): Promise<string[]> {
  if (settings.archive !== 'file') return misconfigured(say('archive.rebuild_file_only'));
  const { rebuildArchive } = await import('../archive/rebuild.ts');
  return [say('archive.rebuilt', { ...(await rebuildArchive(settings.dataDir, settings.archiveXml)) })];
}

export async function runArchive(request: Request, company: Company): Promise<void> {
  const { translator, settings } = company;
  const { action, options, paths } = request;
  const { reasons, selection } = understand(request, translator);
  if (reasons.length > 0) {
    const lines = reasons.map((words) => `- ${words}`);
    return refuseToStart(lines, translator, 'docfiscal-mcp archive');
  }
  if (settings.archive === 'memory' && action !== 'verify-dossier') {
    return void misconfigured(translator.say('archive.memory'));
  }
  /** The archive, with the files' documents assigned to the company in question. */
  const placed = async (): Promise<Archive> => {
    const archive = await company.archive();
    if (selection.company !== undefined) await archive.files.adopt(selection.company);
    return archive;
  };
  const act: Readonly<Record<ArchiveAction, () => Promise<string[]>>> = {
    info: () => info(company),
    verify: () => verify(company),
    fetch: () => fetchIntoArchive(company, selection, options.has('refresh')),
    import: () => (paths.length === 0 ? rebuild(company) : importIntoArchive(company, paths)),
    purge: async () => purge(await placed(), selection, options.has('yes'), translator),
    'verify-dossier': () => verifyDossierFile(paths[0] ?? '', options.get('hash'), translator),
    export: async () => exportArchive(await placed(), options.get('to') ?? '.', selection, translator),
  };
  try {
    for (const line of await act[action]()) process.stdout.write(`${asLine(line)}\n`);
  } catch (error) {
    const isOfSettings = error instanceof NotConfigured || error instanceof SecretFileUnusable;
    const words = error instanceof BadArguments ? error.reasons.join('\n') : failureWords(error, translator);
    misconfigured(words);
    if (!isOfSettings && !(error instanceof BadArguments)) process.exitCode = 1;
  } finally {
    await company.close();
  }
}
