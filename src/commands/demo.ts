import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../config/configure.ts';
import { Secret } from '../config/secret.ts';

export interface Demo {
  readonly configuration: Configuration;
  close(): Promise<void>;
}

/**
 * Starts the embedded sandbox and points a configuration at it, whatever services it named before: a demo must never
 * reach a real one. What it writes down goes to a folder of its own: one that is removed at the end, or `demo` in the
 * folder that `DFE_DATA_DIR` names. A database that others share gets nothing of it.
 */
export async function startDemo(configuration: Configuration): Promise<Demo> {
  const { startSandbox } = await import('../sandbox/index.ts');
  const sandbox = await startSandbox();
  const [company] = sandbox.companies;
  const ownFolder =
    configuration.sources.dataDir === 'default'
      ? join(tmpdir(), `docfiscal-mcp-demo-${process.pid}`)
      : undefined;
  const { archive } = configuration.settings;
  const {
    accountOauthTokenUrl: _t,
    accountOauthClientId: _c,
    accountOauthClientSecret: _s,
    tenants: _tenants,
    ...kept
  } = configuration.settings;
  return {
    configuration: {
      settings: {
        ...kept,
        url: sandbox.url,
        user: sandbox.credentials.user,
        password: new Secret(sandbox.credentials.password),
        passwordFile: undefined,
        cnpj: company?.id,
        accountUrl: sandbox.url,
        accountApiKey: new Secret(sandbox.account.apiKey),
        accountToken: undefined,
        accountUser: undefined,
        accountLicenseKey: undefined,
        dataDir: ownFolder ?? join(configuration.settings.dataDir, 'demo'),
        archive: archive === 'database' ? 'memory' : archive,
        databaseUrl: undefined,
      },
      sources: {
        ...configuration.sources,
        url: 'demo',
        user: 'demo',
        password: 'demo',
        passwordFile: 'unset',
        cnpj: 'demo',
        accountUrl: 'demo',
        accountApiKey: 'demo',
        accountToken: 'unset',
        accountOauthTokenUrl: 'unset',
        accountOauthClientId: 'unset',
        accountOauthClientSecret: 'unset',
        accountUser: 'unset',
        accountLicenseKey: 'unset',
        dataDir: 'demo',
        archive: archive === 'database' ? 'demo' : configuration.sources.archive,
        databaseUrl: 'unset',
        tenants: 'unset',
      },
    },
    close: async () => {
      await sandbox.close();
      if (ownFolder !== undefined) await rm(ownFolder, { recursive: true, force: true });
    },
  };
}
