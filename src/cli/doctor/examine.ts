import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ArchiveEngineMissing } from '../../archive/errors.ts';
import type { Company } from '../../company/company.ts';
import { accountSetup, NotConfigured, readPassword, SecretFileUnusable } from '../../company/credentials.ts';
import { explainFailure, reportUnexpected } from '../../company/failures.ts';
import type { Configuration } from '../../config/configure.ts';
import { settings as declared, type Settings } from '../../config/settings.ts';
import { version } from '../../config/version.ts';
import { LAW_LOOKED_UP_ON, type TableName, tables } from '../../documents/tables/sources.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { plainHttpWarnings } from '../problems.ts';
import {
  type Check,
  type Examination,
  findingOf,
  type Part,
  type PartCheck,
  parts,
  type Report,
} from './report.ts';

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}

/**
 * Checks whether a folder is writable; for a missing one, whether it could be created.
 * @returns the system's code if not, e.g. `EACCES`, `ENOTDIR`, `EROFS`
 */
async function whyUnwritable(folder: string): Promise<string | undefined> {
  const path = resolve(folder);
  try {
    if (!(await stat(path)).isDirectory()) return 'ENOTDIR';
    await access(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === 'ENOENT' && dirname(path) !== path ? whyUnwritable(dirname(path)) : code;
  }
}

const OTHERS_READ = 0o055;

/** The mode of a path that others can read, e.g. `755`; undefined on Windows. */
async function modeOpenToOthers(path: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    const { mode } = await stat(path);
    return (mode & OTHERS_READ) === 0 ? undefined : (mode & 0o777).toString(8);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Warnings about secret files that others can read. */
export async function secretFileWarnings(
  files: Readonly<Record<string, string | undefined>>,
  { say }: Translator,
): Promise<string[]> {
  const warnings: string[] = [];
  for (const [variable, path] of Object.entries(files)) {
    const mode = path === undefined ? undefined : await modeOpenToOthers(path);
    if (path !== undefined && mode !== undefined) {
      warnings.push(say('doctor.secret_file_open', { variable, path, mode }));
    }
  }
  return warnings;
}

const ok = (message: string): Check => ({ status: 'ok', message });

function failed(error: unknown, translator: Translator): Check {
  const status = error instanceof NotConfigured ? 'not_configured' : 'failed';
  return { status, message: explainFailure(error, translator) ?? reportUnexpected(error, translator) };
}

/** Checks the password file even when the service is unreachable. */
async function passwordMissed({ settings, translator }: Company, found: unknown): Promise<Check[]> {
  if (settings.passwordFile === undefined || found instanceof SecretFileUnusable) return [];
  try {
    await readPassword(settings);
    return [];
  } catch (error) {
    return [failed(error, translator)];
  }
}

/** `Login` answers an undocumented number: it is passed on uninterpreted. */
async function examineDocuments(company: Company): Promise<Check[]> {
  const { translator, documents } = company;
  const { say } = translator;
  const checks: Check[] = [];
  try {
    const client = await documents();
    const answer = oneLine(await client.call('connectivity', {}), longest.name);
    checks.push(ok(say('connection.reachable', { answer })));
    const login = await client.call('login', {});
    const message =
      login === undefined ? say('connection.login_nothing') : say('connection.login', { answer: login });
    checks.push({ status: 'unclear', message });
  } catch (error) {
    if (!(error instanceof NotConfigured)) {
      return [...checks, failed(error, translator), ...(await passwordMissed(company, error))];
    }
    const variables = translator.variables(error.variables);
    const missing = say('connection.documents_missing', { variables });
    const { url, files } = company.settings;
    const isFirstRun = url === undefined && files === undefined && company.tenant === '';
    const isAsked = isFirstRun && isNeeded('documents', company.settings);
    const message = isAsked ? `${missing} ${say('doctor.run_setup')}` : missing;
    checks.push({ status: 'not_configured', message });
  }
  return checks;
}

function examineAccount({ settings, translator }: Company): Check[] {
  const setup = accountSetup(settings);
  if ('auth' in setup) return [ok(translator.say('connection.account_configured', { way: setup.auth.type }))];
  const variables = translator.variables(setup.missing);
  return [{ status: 'not_configured', message: translator.say('connection.account_missing', { variables }) }];
}

/** Writes of unknown outcome and damaged records need a person's attention. */
async function examineWrites({ settings, translator, writeGuards }: Company): Promise<PartCheck[]> {
  const { say } = translator;
  if (settings.readOnly) return [ok(say('doctor.read_only'))];
  const toLookInto = (message: string) => ({ ...ok(message), isToBeLookedInto: true });
  try {
    const { journal } = await writeGuards();
    await journal.probe();
    const [open, damage] = [await journal.open('everyone'), await journal.damage()];
    const [oldest] = open;
    const at = translator.moment(oldest?.at ?? '');
    return [
      ok(say('doctor.journal_usable')),
      ...(oldest ? [toLookInto(say('journal.open_writes', { count: open.length, at }))] : []),
      ...(damage.count > 0 ? [toLookInto(say('journal.damaged', { count: damage.count }))] : []),
    ];
  } catch (error) {
    return [failed(error, translator)];
  }
}

async function examineArchive({ settings, translator, archive }: Company): Promise<Check[]> {
  const { say } = translator;
  try {
    const { engine, documents } = await (await archive()).info();
    return [ok(say('doctor.archive_usable', { place: settings.archive, engine, documents }))];
  } catch (error) {
    if (!(error instanceof ArchiveEngineMissing)) return [failed(error, translator)];
    const values = { node: error.nodeVersion, engine: error.engine };
    return [{ status: 'failed', message: say('doctor.sqlite_missing', values) }];
  }
}

async function filesChecked(company: Company): Promise<readonly PartCheck[]> {
  try {
    const { examineFiles } = await import('./files.ts');
    return await examineFiles(company);
  } catch (error) {
    return [failed(error, company.translator)];
  }
}

async function examineDownloads({ settings: { downloadDir }, translator }: Company): Promise<Check[]> {
  const { say } = translator;
  if (downloadDir === undefined) return [{ status: 'not_configured', message: say('doctor.no_downloads') }];
  const code = await whyUnwritable(downloadDir);
  return [
    code === undefined
      ? ok(say('doctor.downloads_usable', { path: downloadDir }))
      : { status: 'failed', message: say('doctor.downloads_unusable', { path: downloadDir, code }) },
  ];
}

async function examineTemplate({ settings, translator }: Company): Promise<Check[]> {
  const { createEventLayout } = await import('../../clients/documents/event-layout.ts');
  const layout = createEventLayout(settings.eventTemplate);
  if (layout.ok) return [ok(translator.say('doctor.template', { kind: layout.value.kind }))];
  const words = translator.problem(layout.problem);
  return [{ status: 'failed', message: translator.say('failure.event_template', { words }) }];
}

async function folderWarnings({ dataDir }: Settings, { say }: Translator): Promise<string[]> {
  const mode = await modeOpenToOthers(dataDir);
  return mode === undefined ? [] : [say('doctor.folder_open', { path: dataDir, mode })];
}

/** Whether an unconfigured part is needed: by a toolset, or because its configuration was begun. */
function isNeeded(part: Part, { toolsets, readOnly, ...settings }: Settings): boolean {
  if (part === 'documents') {
    const { url, user, password, passwordFile, files } = settings;
    const isLeftOut = [url, user, password, passwordFile].every((one) => one === undefined);
    return toolsets.some((one) => one !== 'account') && !(files !== undefined && isLeftOut);
  }
  if (part !== 'account' || readOnly || !toolsets.includes('account')) return false;
  const { accountUrl, accountApiKey, accountToken, accountUser, accountLicenseKey } = settings;
  const { accountOauthTokenUrl, accountOauthClientId, accountOauthClientSecret } = settings;
  const isBegun = [
    ...[accountUrl, accountApiKey, accountToken, accountUser, accountLicenseKey],
    ...[accountOauthTokenUrl, accountOauthClientId, accountOauthClientSecret],
  ].some((one) => one !== undefined);
  return isBegun || toolsets.length === 1;
}

function settingLines({ settings, sources }: Configuration): Report['settings'] {
  return declared.map(({ name, variable, show = String }) => {
    const value = settings[name];
    return { variable, source: sources[name], value: value === undefined ? null : show(value) };
  });
}

const DAY_MS = 86_400_000;

/** Whole days since a day of the calendar, never negative. */
function ageInDays(day: string, { now }: Company): number {
  return Math.max(Math.floor((now() - Date.parse(day)) / DAY_MS), 0);
}

/** Age of each official table in days, never negative. */
function tableAges(company: Company): Report['tables'] {
  return Object.entries(tables).map(([name, table]) => ({
    name: name as TableName,
    ...table,
    age_days: ageInDays(table.published_on, company),
  }));
}

/** Checks everything that calls need. */
export async function examine(configuration: Configuration, company: Company): Promise<Examination> {
  const { settings } = configuration;
  const { translator } = company;
  const warnings = [
    ...plainHttpWarnings(settings, translator),
    ...(await folderWarnings(settings, translator)),
    ...(await secretFileWarnings(
      company.tenant === ''
        ? { DFE_PASSWORD_FILE: settings.passwordFile, DFE_SIGNING_KEY_FILE: settings.signingKeyFile }
        : { DFE_PASSWORD_FILE: settings.passwordFile },
      translator,
    )),
  ];
  const checks: Record<Part, readonly PartCheck[]> = {
    documents: await examineDocuments(company),
    account: examineAccount(company),
    writes: await examineWrites(company),
    archive: await examineArchive(company),
    files: await filesChecked(company),
    downloads: await examineDownloads(company),
    views: [ok(translator.say(`doctor.views_${settings.apps}`))],
    event_template: await examineTemplate(company),
  };
  const findings = Object.fromEntries(parts.map((part) => [part, findingOf(checks[part])])) as Record<
    Part,
    Check
  >;
  const faults = parts.filter((part) => {
    const isFailed = checks[part].some((one) => one.status === 'failed' && !one.isToBeLookedInto);
    return isFailed || (findings[part].status === 'not_configured' && isNeeded(part, settings));
  });
  const isToBeLookedInto =
    warnings.length > 0 || parts.some((part) => checks[part].some((check) => check.isToBeLookedInto));
  return {
    report: {
      verdict: faults.length > 0 ? 'failed' : isToBeLookedInto ? 'degraded' : 'ok',
      version,
      node: process.versions.node,
      settings: settingLines(configuration),
      ...findings,
      tables: tableAges(company),
      law: { looked_up_on: LAW_LOOKED_UP_ON, age_days: ageInDays(LAW_LOOKED_UP_ON, company) },
      warnings,
    },
    checks,
    faults,
  };
}
