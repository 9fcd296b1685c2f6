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
import { systemCode } from '../../disk/regular-file.ts';
import { LAW_LOOKED_UP_ON, type TableName, tables } from '../../documents/tables/sources.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { plainHttpWarnings } from '../problems.ts';
import { type Check, type Examination, findingOf, type Part, type PartCheck, parts } from './report.ts';

const ok = (message: string): Check => ({ status: 'ok', message });
const failure = (message: string): Check => ({ status: 'failed', message });

function failed(error: unknown, translator: Translator): Check {
  const status = error instanceof NotConfigured ? 'not_configured' : 'failed';
  return { status, message: explainFailure(error, translator) ?? reportUnexpected(error, translator) };
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

export async function secretFileWarnings(
  files: Readonly<Record<string, string | undefined>>,
  { say }: Translator,
): Promise<string[]> {
  const warnings = Object.entries(files).map(async ([variable, path]) => {
    const mode = path === undefined ? undefined : await modeOpenToOthers(path);
    return path === undefined || mode === undefined
      ? []
      : [say('doctor.secret_file_open', { variable, path, mode })];
  });
  return (await Promise.all(warnings)).flat();
}

/** Checks the password file even when the service is unreachable. */
async function passwordMissed({ settings, translator }: Company, found: unknown): Promise<Check[]> {
  if (settings.passwordFile === undefined || found instanceof SecretFileUnusable) return [];
  return readPassword(settings).then(
    () => [],
    (error: unknown) => [failed(error, translator)],
  );
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
    return [...checks, { status: 'unclear', message }];
  } catch (error) {
    if (!(error instanceof NotConfigured)) {
      return [...checks, failed(error, translator), ...(await passwordMissed(company, error))];
    }
    const { url, files } = company.settings;
    const isFirstRun = url === undefined && files === undefined && company.tenant === '';
    const isAsked = isFirstRun && isNeeded('documents', company.settings);
    const missing = say('connection.documents_missing', { variables: translator.variables(error.variables) });
    const message = isAsked ? `${missing} ${say('doctor.run_setup')}` : missing;
    return [{ status: 'not_configured', message }];
  }
}

/** The other parts; what they throw is a failed check. */
const examinations: Readonly<
  Record<Exclude<Part, 'documents'>, (company: Company) => Promise<readonly PartCheck[]>>
> = {
  async account({ settings, translator }) {
    const setup = accountSetup(settings);
    if ('auth' in setup)
      return [ok(translator.say('connection.account_configured', { way: setup.auth.type }))];
    const variables = translator.variables(setup.missing);
    const message = translator.say('connection.account_missing', { variables });
    return [{ status: 'not_configured', message }];
  },
  /** Writes of unknown outcome and damaged records need a person's attention. */
  async writes({ settings, translator, writeGuards }) {
    const { say } = translator;
    if (settings.readOnly) return [ok(say('doctor.read_only'))];
    const toLookInto = (message: string) => ({ ...ok(message), isToBeLookedInto: true });
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
  },
  async archive({ settings, translator: { say }, archive }) {
    try {
      const { engine, documents } = await (await archive()).info();
      return [ok(say('doctor.archive_usable', { place: settings.archive, engine, documents }))];
    } catch (error) {
      if (!(error instanceof ArchiveEngineMissing)) throw error;
      return [failure(say('doctor.sqlite_missing', { node: error.nodeVersion, engine: error.engine }))];
    }
  },
  files: async (company) => (await import('./files.ts')).examineFiles(company),
  async downloads({ settings: { downloadDir: path }, translator: { say } }) {
    if (path === undefined) return [{ status: 'not_configured', message: say('doctor.no_downloads') }];
    const code = await whyUnwritable(path);
    if (code !== undefined) return [failure(say('doctor.downloads_unusable', { path, code }))];
    return [ok(say('doctor.downloads_usable', { path }))];
  },
  views: async ({ settings, translator }) => [ok(translator.say(`doctor.views_${settings.apps}`))],
  async event_template({ settings, translator }) {
    const { createEventLayout } = await import('../../clients/documents/event-layout.ts');
    const layout = createEventLayout(settings.eventTemplate);
    if (layout.ok) return [ok(translator.say('doctor.template', { kind: layout.value.kind }))];
    const words = translator.problem(layout.problem);
    return [failure(translator.say('failure.event_template', { words }))];
  },
};

async function examinePart(part: Part, company: Company): Promise<readonly PartCheck[]> {
  if (part === 'documents') return examineDocuments(company);
  return examinations[part](company).catch((error: unknown) => [failed(error, company.translator)]);
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

const DAY_MS = 86_400_000;

export async function examine({ settings, sources }: Configuration, company: Company): Promise<Examination> {
  const { translator } = company;
  const { dataDir, passwordFile, signingKeyFile } = settings;
  const ownKey = company.tenant === '' ? { DFE_SIGNING_KEY_FILE: signingKeyFile } : {};
  const mode = await modeOpenToOthers(dataDir);
  const warnings = [
    ...plainHttpWarnings(settings, translator),
    ...(mode === undefined ? [] : [translator.say('doctor.folder_open', { path: dataDir, mode })]),
    ...(await secretFileWarnings({ DFE_PASSWORD_FILE: passwordFile, ...ownKey }, translator)),
  ];
  const checks: Partial<Record<Part, readonly PartCheck[]>> = {};
  for (const part of parts) checks[part] = await examinePart(part, company);
  const of = (part: Part) => checks[part] ?? [];
  const findings = Object.fromEntries(parts.map((part) => [part, findingOf(of(part))])) as Record<
    Part,
    Check
  >;
  const faults = parts.filter((part) => {
    const isFailed = of(part).some((one) => one.status === 'failed' && !one.isToBeLookedInto);
    return isFailed || (findings[part].status === 'not_configured' && isNeeded(part, settings));
  });
  const isToBeLookedInto =
    warnings.length > 0 || parts.some((part) => of(part).some((check) => check.isToBeLookedInto));
  const working = isToBeLookedInto ? 'degraded' : 'ok';
  const ageOf = (day: string) => Math.max(Math.floor((company.now() - Date.parse(day)) / DAY_MS), 0);
  return {
    report: {
      verdict: faults.length > 0 ? 'failed' : working,
      version,
      node: process.versions.node,
      settings: declared.map(({ name, variable, kind }) => {
        const value = settings[name];
        return { variable, source: sources[name], value: value === undefined ? null : kind.show(value) };
      }),
      ...findings,
      tables: Object.entries(tables).map(([name, table]) => {
        return { name: name as TableName, ...table, age_days: ageOf(table.published_on) };
      }),
      law: { looked_up_on: LAW_LOOKED_UP_ON, age_days: ageOf(LAW_LOOKED_UP_ON) },
      warnings,
    },
    checks: checks as Examination['checks'],
    faults,
  };
}
