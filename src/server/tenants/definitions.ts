import { dirname, join } from 'node:path';
import { type ProcessSettings, readTenantsFile, type TenantDefinition } from '../../config/tenants-file.ts';
import { version } from '../../config/version.ts';
import { readNamedFile } from '../../disk/regular-file.ts';
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

/** Bytes; a tenant has a few hundred. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** Reads the tenants file, where there is one. @throws TenantsFileWrong, TenantsUnreadable */
export async function readTenants(base: ProcessSettings): Promise<readonly TenantDefinition[] | undefined> {
  const { tenants: path } = base.settings;
  if (path === undefined) return undefined;
  const content = await readNamedFile(path, LARGEST_BYTES).catch((error: NodeJS.ErrnoException) => {
    throw new TenantsUnreadable(error.code ?? 'unreadable');
  });
  return readTenantsFile(content.toString('utf8'), dirname(path), base);
}

/** A tenant's own services: with its credentials, for its companies, and with what it keeps under its name. */
export function servicesOfTenant(
  { id, settings, companies }: TenantDefinition,
  surroundings: Partial<Surroundings>,
): Services {
  const own = { ...settings, dataDir: join(settings.dataDir, 'tenants', id) };
  return createServices(own, `docfiscal-mcp/${version}`, { ...surroundings, tenant: id, companies });
}
