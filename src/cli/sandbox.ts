import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration, Source } from '../config/configure.ts';
import { Secret } from '../config/setting-kinds.ts';
import type { Settings } from '../config/settings.ts';
import { errorCode } from '../disk/regular-file.ts';
import type { Translator } from '../messages/index.ts';

export async function runSandbox(port: number | undefined, translator: Translator): Promise<void> {
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox({ port: port ?? 0 }).catch((error: unknown) => {
    const code = errorCode(error) ?? 'unknown';
    console.error(translator.say('sandbox.no_port', { port: port ?? 0, code }));
    process.exitCode = 1;
  });
  if (sandbox === undefined) return;
  const { url, credentials, account, companies } = sandbox;
  const environment = {
    DFE_URL: url,
    DFE_USER: credentials.user,
    DFE_PASSWORD: credentials.password,
    DFE_CNPJ: companies[0]?.id ?? '',
    DFE_ACCOUNT_URL: url,
    DFE_ACCOUNT_API_KEY: account.apiKey,
  };
  process.stdout.write(
    [
      translator.say('sandbox.running', { url }),
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      '',
      translator.say('sandbox.companies'),
      ...companies.map(({ id, name }) => `  ${id}  ${name}`),
      '',
    ].join('\n'),
  );
  const stop = (): void => {
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

export interface Demo {
  readonly configuration: Configuration;
  /** Creates the demo's folder of books and lists, with known faults, and returns its path. */
  readonly lists: () => Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts the embedded sandbox and a configuration that points to it instead of any configured service: a demo must
 * never reach a real one. Its records go to a temporary folder, or to `demo` in `DFE_DATA_DIR`; never to a shared
 * database.
 */
export async function startDemo({ settings, sources }: Configuration): Promise<Demo> {
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox();
  const temporary =
    sources.dataDir === 'default' ? join(tmpdir(), `docfiscal-mcp-demo-${process.pid}`) : undefined;
  const changed: Partial<Settings> = {
    url: sandbox.url,
    user: sandbox.credentials.user,
    password: new Secret(sandbox.credentials.password),
    passwordFile: undefined,
    cnpj: sandbox.companies[0]?.id,
    accountUrl: sandbox.url,
    accountApiKey: new Secret(sandbox.account.apiKey),
    accountToken: undefined,
    accountOauthTokenUrl: undefined,
    accountOauthClientId: undefined,
    accountOauthClientSecret: undefined,
    accountUser: undefined,
    accountLicenseKey: undefined,
    dataDir: temporary ?? join(settings.dataDir, 'demo'),
    databaseUrl: undefined,
    tenants: undefined,
    ...(settings.archive === 'database' && { archive: 'memory' }),
  };
  const changedSources = Object.entries(changed).map(([name, value]): [string, Source] => [
    name,
    value === undefined ? 'unset' : 'demo',
  ]);
  const dataDir = changed.dataDir ?? settings.dataDir;
  return {
    lists: async () => {
      const folder = join(dataDir, 'lists');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const { name, content } of sandbox.lists())
        await writeFile(join(folder, name), content, { mode: 0o600 });
      return folder;
    },
    configuration: {
      settings: { ...settings, ...changed },
      sources: { ...sources, ...Object.fromEntries(changedSources) },
    },
    close: async () => {
      await sandbox.close();
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    },
  };
}
