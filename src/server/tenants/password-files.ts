import type { TenantDefinition } from '../../config/tenants-file.ts';
import { PasswordFileUnreadable, readPassword } from '../../services/credentials.ts';

/** A tenant whose password file cannot be read, so that its calls, and no other tenant's, will fail. */
export interface WithoutPassword {
  readonly id: string;
  /** The system's code, e.g. `ENOENT`. */
  readonly code: string;
}

/** Looks at every tenant's password file, one after the other, beside whatever else is going on. */
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
