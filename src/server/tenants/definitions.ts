import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ProcessSettings, readTenantsFile, type TenantDefinition } from '../../config/tenants-file.ts';
import { version } from '../../config/version.ts';
import { createServices, type Services, type Surroundings } from '../../services/services.ts';

/** The tenants file cannot be read. */
export class TenantsUnreadable extends Error {
  /** The system's code. */
  readonly code: string;

  constructor(code: string) {
    super(`the tenants file cannot be read (${code})`);
    this.name = 'TenantsUnreadable';
    this.code = code;
  }
}

/** Reads the tenants file, where there is one. @throws TenantsFileWrong, TenantsUnreadable */
export async function readTenants(base: ProcessSettings): Promise<readonly TenantDefinition[] | undefined> {
  const { tenants: path } = base.settings;
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new TenantsUnreadable(error.code ?? 'unreadable');
  });
  return readTenantsFile(text, dirname(path), base);
}

/** A tenant's own services: with its credentials, for its companies, and with what it keeps under its name. */
export function servicesOfTenant(
  { id, settings, companies }: TenantDefinition,
  surroundings: Partial<Surroundings>,
): Services {
  const own = { ...settings, dataDir: join(settings.dataDir, 'tenants', id) };
  return createServices(own, `docfiscal-mcp/${version}`, { ...surroundings, tenant: id, companies });
}
