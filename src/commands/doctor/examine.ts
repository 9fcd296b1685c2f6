import { ArchiveEngineMissing } from '../../archive/errors.ts';
import type { Configuration } from '../../config/configure.ts';
import { settings as declared, type Settings } from '../../config/settings.ts';
import { version } from '../../config/version.ts';
import { type TableName, tables } from '../../documents/tables/sources.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { accountSetup } from '../../services/account-setup.ts';
import { NotConfigured, PasswordFileUnreadable, readPassword } from '../../services/credentials.ts';
import { explainFailure, reportUnexpected } from '../../services/failures.ts';
import type { Services } from '../../services/services.ts';
import { plainHttpWarnings } from '../warnings.ts';
import { modeOpenToOthers, whyUnwritable } from './folders.ts';
import {
  type Check,
  type Examination,
  findingOf,
  type Part,
  type PartCheck,
  parts,
  type Report,
} from './report.ts';

const ok = (message: string): Check => ({ status: 'ok', message });

function failed(error: unknown, translator: Translator): Check {
  const status = error instanceof NotConfigured ? 'not_configured' : 'failed';
  return { status, message: explainFailure(error, translator) ?? reportUnexpected(error, translator) };
}

/** A service that is out of reach must not hide that the password cannot be read. */
async function passwordMissed({ settings, translator }: Services, found: unknown): Promise<Check[]> {
  if (settings.passwordFile === undefined || found instanceof PasswordFileUnreadable) return [];
  try {
    await readPassword(settings);
    return [];
  } catch (error) {
    return [failed(error, translator)];
  }
}

/** What is answered to `Login` is a number whose meaning is not documented: it is passed on, not judged. */
async function examineDocuments(services: Services): Promise<Check[]> {
  const { translator, documents } = services;
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
      return [...checks, failed(error, translator), ...(await passwordMissed(services, error))];
    }
    const variables = translator.variables(error.variables);
    const message = say('connection.documents_missing', { variables });
    checks.push({ status: 'not_configured', message });
  }
  return checks;
}

function examineAccount({ settings, translator }: Services): Check[] {
  const setup = accountSetup(settings);
  if ('auth' in setup) return [ok(translator.say('connection.account_configured', { way: setup.auth.type }))];
  const variables = translator.variables(setup.missing);
  return [{ status: 'not_configured', message: translator.say('connection.account_missing', { variables }) }];
}

/** A write whose outcome nobody knows, and a record that can't be read, are for a person to look into. */
async function examineWrites({ settings, translator, writeGuards }: Services): Promise<PartCheck[]> {
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

async function examineArchive({ settings, translator, archive }: Services): Promise<Check[]> {
  const { say } = translator;
  try {
    const opened = await archive();
    const isMissed = !opened.canAsk && settings.toolsets.includes('analysis');
    if (isMissed) throw new ArchiveEngineMissing(process.versions.node);
    const { engine, documents } = await opened.info();
    return [ok(say('doctor.archive_usable', { place: settings.archive, engine, documents }))];
  } catch (error) {
    if (!(error instanceof ArchiveEngineMissing)) return [failed(error, translator)];
    const values = { node: error.nodeVersion, engine: error.engine };
    return [{ status: 'failed', message: say('doctor.sqlite_missing', values) }];
  }
}

async function filesChecked(services: Services): Promise<readonly PartCheck[]> {
  try {
    const { examineFiles } = await import('./files.ts');
    return await examineFiles(services);
  } catch (error) {
    return [failed(error, services.translator)];
  }
}

async function examineDownloads({ settings: { downloadDir }, translator }: Services): Promise<Check[]> {
  const { say } = translator;
  if (downloadDir === undefined) return [{ status: 'not_configured', message: say('doctor.no_downloads') }];
  const code = await whyUnwritable(downloadDir);
  return [
    code === undefined
      ? ok(say('doctor.downloads_usable', { path: downloadDir }))
      : { status: 'failed', message: say('doctor.downloads_unusable', { path: downloadDir, code }) },
  ];
}

async function examineTemplate({ settings, translator }: Services): Promise<Check[]> {
  const { createEventLayout } = await import('../../clients/tax-documents/event-layout.ts');
  const layout = createEventLayout(settings.eventTemplate);
  if (layout.ok) return [ok(translator.say('doctor.template', { kind: layout.value.kind }))];
  const words = translator.problem(layout.problem);
  return [{ status: 'failed', message: translator.say('failure.event_template', { words }) }];
}

async function folderWarnings({ dataDir }: Settings, { say }: Translator): Promise<string[]> {
  const mode = await modeOpenToOthers(dataDir);
  return mode === undefined ? [] : [say('doctor.folder_open', { path: dataDir, mode })];
}

/** Whether a part that is not configured is missed: by a group of tools that works with it, or begun and left. */
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

/** How old each table is that the checks compare with. A clock that is behind makes none younger than new. */
function tableAges({ now }: Services): Report['tables'] {
  return Object.entries(tables).map(([name, table]) => {
    const age = Math.floor((now() - Date.parse(table.published_on)) / DAY_MS);
    return { name: name as TableName, ...table, age_days: Math.max(age, 0) };
  });
}

/** Looks at everything a call would need and says what is there, where it came from and how to fix what is not. */
export async function examine(configuration: Configuration, services: Services): Promise<Examination> {
  const { settings } = configuration;
  const { translator } = services;
  const warnings = [
    ...plainHttpWarnings(settings, translator),
    ...(await folderWarnings(settings, translator)),
  ];
  const checks: Record<Part, readonly PartCheck[]> = {
    documents: await examineDocuments(services),
    account: examineAccount(services),
    writes: await examineWrites(services),
    archive: await examineArchive(services),
    files: await filesChecked(services),
    downloads: await examineDownloads(services),
    views: [ok(translator.say(`doctor.views_${settings.apps}`))],
    event_template: await examineTemplate(services),
  };
  const findings = Object.fromEntries(parts.map((part) => [part, findingOf(checks[part])])) as Record<
    Part,
    Check
  >;
  const faults = parts.filter((part) => {
    const { status } = findings[part];
    return status === 'failed' || (status === 'not_configured' && isNeeded(part, settings));
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
      tables: tableAges(services),
      warnings,
    },
    checks,
    faults,
  };
}
