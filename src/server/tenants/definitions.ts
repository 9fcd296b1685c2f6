import { dirname, join } from 'node:path';
import { type Company, type CompanyOptions, createCompany } from '../../company/company.ts';
import { PasswordFileUnreadable, readPassword } from '../../company/credentials.ts';
import { Misconfigured } from '../../config/problem.ts';
import { type ProcessSettings, readTenantsFile, type TenantDefinition } from '../../config/tenants-file.ts';
import { version } from '../../config/version.ts';
import { readNamedFile } from '../../disk/regular-file.ts';

/** Bytes; a tenant takes a few hundred. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** Reads the tenants file, if configured. @throws Misconfigured */
export async function readTenants(base: ProcessSettings): Promise<readonly TenantDefinition[] | undefined> {
  const { tenants: path } = base.settings;
  if (path === undefined) return undefined;
  const content = await readNamedFile(path, LARGEST_BYTES).catch((error: NodeJS.ErrnoException) => {
    const values = { code: error.code ?? 'unreadable' };
    throw new Misconfigured([{ key: 'tenants.unreadable', values }]);
  });
  return readTenantsFile(content.toString('utf8'), dirname(path), base);
}

/** Creates a tenant's company with its credentials, companies and storage. */
export function companyOfTenant(
  { id, settings, companies }: TenantDefinition,
  surroundings: Partial<CompanyOptions>,
): Company {
  const own = { ...settings, dataDir: join(settings.dataDir, 'tenants', id) };
  return createCompany(own, `docfiscal-mcp/${version}`, { ...surroundings, tenant: id, companies });
}

/** A tenant whose password file is unreadable. */
export interface WithoutPassword {
  readonly id: string;
  /** The system's code, e.g. `ENOENT`. */
  readonly code: string;
}

/** Finds tenants whose password file is unreadable. */
export async function tenantsWithoutPassword(
  definitions: readonly TenantDefinition[],
): Promise<WithoutPassword[]> {
  const found: WithoutPassword[] = [];
  for (const { id, settings } of definitions) {
    if (settings.passwordFile === undefined) continue;
    try {
      await readPassword(settings);
    } catch (error) {
      if (!(error instanceof PasswordFileUnreadable)) throw error;
      found.push({ id, code: error.code });
    }
  }
  return found;
}
