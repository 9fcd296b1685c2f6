import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { groupsOf, type LeftOutReason, noneLeftOut } from '../../archive/files/left-out.ts';
import { EMPTY } from '../../archive/files/user-files.ts';
import type { Company } from '../../company/company.ts';
import { accountSetup, NotConfigured, readPassword, SecretFileUnusable } from '../../company/credentials.ts';
import { explainFailure, notConfigured, reportUnexpected, unseenWords } from '../../company/failures.ts';
import type { Configuration, Source } from '../../config/configure.ts';
import { accountWays, settings as declared, type Settings } from '../../config/settings.ts';
import { version } from '../../config/version.ts';
import { systemCode } from '../../disk/files.ts';
import { LAW_LOOKED_UP_ON, type TableName, tables } from '../../documents/tables/sources.ts';
import { longest, oneLine } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { holdingLine, leftOutLine } from '../../tools/shared/basis.ts';
import { readUserFiles } from '../archive-transfer.ts';
import { plainHttpWarnings } from '../standard-error.ts';

/** Result of a check. `unclear`: answered, but the answer can't be judged. */
export interface Check {
  readonly status: 'ok' | 'failed' | 'not_configured' | 'unclear';
  readonly message: string;
  /** Even a failed one only degrades the verdict then. */
  readonly needsAttention?: boolean;
}

const ok = (message: string): Check => ({ status: 'ok', message });
const failure = (message: string): Check => ({ status: 'failed', message });
const missing = (message: string): Check => ({ status: 'not_configured', message });
const attention = (check: Check): Check => ({ ...check, needsAttention: true });

export type Examination = Awaited<ReturnType<typeof examine>>;

function failed(error: unknown, translator: Translator): Check {
  const words = explainFailure(error, translator) ?? reportUnexpected(error, translator);
  return error instanceof NotConfigured ? missing(words) : failure(words);
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

/** Warns of files with a secret, and of a data folder, that others can read. @param files paths by variable */
export async function openPathWarnings(
  files: Readonly<Record<string, string | undefined>>,
  { say }: Translator,
  folder?: string,
): Promise<string[]> {
  const warnings: string[] = [];
  for (const [variable, path] of [['', folder], ...Object.entries(files)]) {
    if (path === undefined || process.platform === 'win32') continue;
    const facts = await stat(path).catch((error: unknown) => {
      if (systemCode(error) === undefined) throw error;
    });
    if (facts === undefined || (facts.mode & OTHERS_READ) === 0) continue;
    const mode = (facts.mode & 0o777).toString(8);
    warnings.push(
      variable
        ? say('doctor.secret_file_open', { variable, path, mode })
        : say('doctor.folder_open', { path, mode }),
    );
  }
  return warnings;
}

/** `Login` answers an undocumented number: it is passed on uninterpreted. */
async function examineDocuments({ settings, tenant, translator, documents }: Company): Promise<Check[]> {
  const { say } = translator;
  const checks: Check[] = [];
  try {
    const client = await documents();
    const answer = oneLine(await client.call('connectivity', {}), longest.name);
    checks.push(ok(say('connection.reachable', { answer })));
    const login = await client.call('login', {});
    const message = say('connection.login', { answer: login ?? 'null' });
    return [...checks, { status: 'unclear', message }];
  } catch (error) {
    if (error instanceof NotConfigured) {
      const { url, files } = settings;
      const isFirstRun = url === undefined && files === undefined && tenant === '';
      const hint = isFirstRun && isNeeded('documents', settings) ? ` ${say('doctor.run_setup')}` : '';
      return [missing(`${notConfigured('doctor.documents', error.variables, translator)}${hint}`)];
    }
    checks.push(failed(error, translator));
    // The password file is checked even when the service is unreachable.
    if (settings.passwordFile !== undefined && !(error instanceof SecretFileUnusable)) {
      await readPassword(settings).catch((unread: unknown) => checks.push(failed(unread, translator)));
    }
    return checks;
  }
}

/** Reasons to skip a file that need no attention. */
const harmless: ReadonlySet<LeftOutReason> = new Set([
  'not_xml',
  'no_document',
  'other_model',
  'not_issued',
  'link',
  'special',
]);

/** Checks the user's own files: holdings by company and kind, and files without a document. */
export async function examineFiles(company: Company): Promise<Check[]> {
  const { translator } = company;
  const { say } = translator;
  const files = await company.files();
  if (files === undefined) return [missing(say('doctor.no_files'))];
  const { unseen = [], odd = noneLeftOut } = (await readUserFiles(company)) ?? {};
  const { files: index } = await company.archive();
  const { left_out: leftOut, ...counts } = await index.info();
  const { company: owner, candidates } = await files.whose();
  const holdings = owner === undefined ? [] : await index.holdings(owner);
  const inFolders = groupsOf(odd);
  const links = inFolders.reduce((sum, { reason, count }) => sum + (harmless.has(reason) ? count : 0), 0);
  const groups = [...leftOut, ...inFolders.filter(({ reason }) => !harmless.has(reason))];
  const companies = candidates.map((one) => `${one.company} (${one.documents})`).join(', ');
  return [
    ...unseen.map((one) => {
      const check = failure(unseenWords(one, translator));
      return one.code === EMPTY ? attention(check) : check;
    }),
    (counts.documents === 0 ? failure : ok)(say('doctor.files_read', counts)),
    ...holdings.map((one) => ok(holdingLine(one, translator))),
    ...(owner === undefined && companies !== ''
      ? [{ status: 'unclear', message: say('doctor.files_of_several', { companies }) } as const]
      : []),
    ...groups.map((group) => {
      const line = leftOutLine(group, translator);
      return harmless.has(group.reason) ? ok(line) : attention(failure(line));
    }),
    ...(links > 0 ? [ok(say('doctor.files_not_followed', { count: links }))] : []),
  ];
}

type Examine = (company: Company) => Promise<readonly Check[]>;

/** The parts examined, in their order. */
const examinations = {
  documents: examineDocuments,
  async account({ settings, translator }) {
    const setup = accountSetup(settings);
    return 'auth' in setup
      ? [ok(translator.say('connection.account_configured', { way: setup.auth.type }))]
      : [missing(notConfigured('doctor.account', setup.missing, translator))];
  },
  /** Writes of unknown outcome and damaged records need a person's attention. */
  async writes({ settings, translator, writeGuards }) {
    const { say } = translator;
    if (settings.readOnly) return [ok(say('doctor.read_only'))];
    const { journal } = await writeGuards();
    await journal.probe();
    const [open, damage] = [await journal.open('everyone'), await journal.damage()];
    const checks = [ok(say('doctor.journal_usable'))];
    const at = translator.moment(open[0]?.at ?? '');
    if (open.length > 0) checks.push(attention(ok(say('journal.open_writes', { count: open.length, at }))));
    if (damage.count > 0) checks.push(attention(ok(say('journal.damaged', { count: damage.count }))));
    return checks;
  },
  async archive({ settings, translator: { say }, archive }) {
    const { engine, documents } = await (await archive()).info();
    return [ok(say('doctor.archive_usable', { place: settings.archive, engine, documents }))];
  },
  files: examineFiles,
  async downloads({ settings: { downloadDir: path }, translator: { say } }) {
    if (path === undefined) return [missing(say('doctor.no_downloads'))];
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
} satisfies Readonly<Record<string, Examine>>;

export type Part = keyof typeof examinations;

/** Any of these settings begins the configuration of the account service. */
const accountAccess = ['accountUrl' as const, ...Object.values(accountWays).flat()];

/** Whether an unconfigured part is needed: by a toolset, or because its configuration was begun. */
function isNeeded(part: Part, { toolsets, readOnly, ...settings }: Settings): boolean {
  if (part === 'documents') {
    const { url, user, password, passwordFile, files } = settings;
    const isLeftOut = [url, user, password, passwordFile].every((one) => one === undefined);
    return toolsets.some((one) => one !== 'account') && !(files !== undefined && isLeftOut);
  }
  if (part !== 'account' || readOnly || !toolsets.includes('account')) return false;
  return accountAccess.some((name) => settings[name] !== undefined) || toolsets.length === 1;
}

const worstFirst: readonly Check['status'][] = ['failed', 'unclear', 'not_configured', 'ok'];

const DAY_MS = 86_400_000;

/** Examines a company: the report that `doctor --json` prints, and its parts with their single checks. */
export async function examine({ settings, sources }: Configuration, company: Company) {
  const { translator } = company;
  const { dataDir, passwordFile, signingKeyFile } = settings;
  const ownKey = company.tenant === '' ? { DFE_SIGNING_KEY_FILE: signingKeyFile } : {};
  const warnings = [
    ...plainHttpWarnings(settings, translator),
    ...(await openPathWarnings({ DFE_PASSWORD_FILE: passwordFile, ...ownKey }, translator, dataDir)),
  ];
  const parts = [];
  for (const [name, run] of Object.entries(examinations) as [Part, Examine][]) {
    const checks = await run(company).catch((error: unknown) => [failed(error, translator)]);
    const status = worstFirst.find((one) => checks.some((check) => check.status === one)) ?? 'ok';
    const isFailed = checks.some((one) => one.status === 'failed' && !one.needsAttention);
    const isFault = isFailed || (status === 'not_configured' && isNeeded(name, settings));
    parts.push({ name, status, checks, isFault });
  }
  const findings = parts.map(({ name, status, checks }) => {
    return [name, { status, message: checks.map(({ message }) => message).join(' ') }] as const;
  });
  const isSound =
    warnings.length === 0 && !parts.some(({ checks }) => checks.some((one) => one.needsAttention));
  const ageOf = (day: string) => Math.max(Math.floor((company.now() - Date.parse(day)) / DAY_MS), 0);
  const report = {
    /** `failed`: something needed is missing or broken. `degraded`: it works, but something needs attention. */
    verdict: parts.some(({ isFault }) => isFault)
      ? ('failed' as const)
      : isSound
        ? ('ok' as const)
        : ('degraded' as const),
    version,
    node: process.versions.node,
    /** Secrets show as `***`. */
    settings: declared.map(({ name, variable, kind }) => {
      const value = settings[name];
      const source: Source = sources[name];
      return { variable, source, value: value === undefined ? null : kind.show(value) };
    }),
    ...(Object.fromEntries(findings) as Readonly<Record<Part, Check>>),
    tables: Object.entries(tables).map(([name, table]) => {
      return { name: name as TableName, ...table, age_days: ageOf(table.published_on) };
    }),
    /** When the calendar of the law was last looked up (docs/fiscal/calendar.md). */
    law: { looked_up_on: LAW_LOOKED_UP_ON, age_days: ageOf(LAW_LOOKED_UP_ON) },
    warnings,
  };
  return { report, parts };
}
