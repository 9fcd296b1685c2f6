import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration, Source } from '../config/configure.ts';
import { Secret } from '../config/setting-kinds.ts';
import { accountWays, type SettingName, type Settings } from '../config/settings.ts';
import { errorCode } from '../disk/files.ts';
import type { Translator } from '../messages/index.ts';

export async function runSandbox(port: number, { say }: Translator): Promise<void> {
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox({ port }).catch((error: unknown) => {
    console.error(say('http.no_port', { host: '127.0.0.1', port, code: errorCode(error) ?? 'unknown' }));
    process.exitCode = 1;
  });
  if (sandbox === undefined) return;
  const { url, credentials, account, companies } = sandbox;
  const lines = [
    say('sandbox.running', { url }),
    `DFE_URL=${url}`,
    `DFE_USER=${credentials.user}`,
    `DFE_PASSWORD=${credentials.password}`,
    `DFE_CNPJ=${companies[0]?.id ?? ''}`,
    `DFE_ACCOUNT_URL=${url}`,
    `DFE_ACCOUNT_API_KEY=${account.apiKey}`,
    '',
    say('sandbox.companies'),
    ...companies.map(({ id, name }) => `  ${id}  ${name}`),
    '',
  ];
  process.stdout.write(lines.join('\n'));
  const stop = (): void => {
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

/**
 * Starts the embedded sandbox and a configuration that points to it instead of any configured service: a demo must
 * never reach a real one. Its records go to a temporary folder, or to `demo` in `DFE_DATA_DIR`; never to a shared
 * database.
 */
export async function startDemo(configured: Configuration) {
  const { settings, sources } = configured;
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox();
  const temporary =
    sources.dataDir === 'default' ? join(tmpdir(), `docfiscal-mcp-demo-${process.pid}`) : undefined;
  const dataDir = temporary ?? join(settings.dataDir, 'demo');
  const changed: Partial<Settings> = {
    url: sandbox.url,
    user: sandbox.credentials.user,
    password: new Secret(sandbox.credentials.password),
    passwordFile: undefined,
    cnpj: sandbox.companies[0]?.id,
    accountUrl: sandbox.url,
    ...Object.fromEntries(Object.values(accountWays).flatMap((way) => way.map((name) => [name, undefined]))),
    accountApiKey: new Secret(sandbox.account.apiKey),
    dataDir,
    databaseUrl: undefined,
    tenants: undefined,
    ...(settings.archive === 'database' && { archive: 'memory' }),
  };
  const sourceOf = ([name, value]: [string, unknown]) => [name, value === undefined ? 'unset' : 'demo'];
  const changedSources: Partial<Record<SettingName, Source>> = Object.fromEntries(
    Object.entries(changed).map(sourceOf),
  );
  const configuration: Configuration = {
    ...configured,
    settings: { ...settings, ...changed },
    sources: { ...sources, ...changedSources },
  };
  return {
    configuration,
    /** Creates the demo's folder of books and lists, with known faults, and returns its path. */
    async lists() {
      const folder = join(dataDir, 'lists');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const { name, content } of sandbox.lists())
        await writeFile(join(folder, name), content, { mode: 0o600 });
      return folder;
    },
    async close() {
      await sandbox.close();
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    },
  };
}
