import { dirname } from 'node:path';
import type { Company } from '../company/company.ts';
import { readPassword, SecretFileUnusable } from '../company/credentials.ts';
import { type Configuration, Misconfigured } from '../config/configure.ts';
import { readTenantsFile, type TenantDefinition } from '../config/tenants-file.ts';
import { readNamedFile } from '../disk/files.ts';
import { tools } from '../tools/index.ts';
import { withCompany } from '../tools/shared/definition.ts';

/** Bytes; a tenant takes a few hundred. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** Reads the tenants file, if configured. @throws Misconfigured */
export async function readTenants(
  configuration: Configuration,
): Promise<readonly TenantDefinition[] | undefined> {
  const { tenants: path } = configuration.settings;
  if (path === undefined) return undefined;
  const content = await readNamedFile(path, LARGEST_BYTES).catch((error: NodeJS.ErrnoException) => {
    const values = { code: error.code ?? 'unreadable' };
    throw new Misconfigured([{ key: 'tenants.unreadable', values }]);
  });
  return readTenantsFile(content.toString('utf8'), dirname(path), configuration);
}

/** Tools with a `cnpj` argument, for several companies. */
export const toolsOfSeveral = tools.map(withCompany);

/** Tenants whose password file is unreadable, each with the system's code: `horizonte (ENOENT)`. */
export async function tenantsWithoutPassword(definitions: readonly TenantDefinition[]): Promise<string[]> {
  const found: string[] = [];
  for (const { id, settings } of definitions.filter((one) => one.settings.passwordFile !== undefined)) {
    await readPassword(settings).catch((error: unknown) => {
      if (!(error instanceof SecretFileUnusable)) throw error;
      found.push(`${id} (${error.code})`);
    });
  }
  return found;
}

/** Concurrent calls of one tenant; upstream calls have their own limit. */
const MOST_CALLS = 256;
const IDLE_MS = 600_000;
/** A disconnect of an older client goes unnoticed: its call runs until its deadline. */
const LONGEST_CALL_MS = 60_000;

interface Held {
  readonly company: Company;
  active: number;
  idleTimer?: NodeJS.Timeout;
}

export type Tenants = ReturnType<typeof createTenants>;

/**
 * Companies by tenant: created on first use, closed when idle.
 * @param make makes a tenant's company; undefined where there is no such tenant
 */
export function createTenants(make: (id: string) => Company | undefined) {
  const held = new Map<string, Held>();
  const closing = new Set<Promise<void>>();

  const retire = (id: string, one: Held): void => {
    clearTimeout(one.idleTimer);
    if (held.get(id) === one) held.delete(id);
    const closed = one.company.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };

  /** Once no call is under way: soon for a tenant that changed, else after a while. */
  const retireWhenIdle = (id: string, one: Held): void => {
    clearTimeout(one.idleTimer);
    if (one.active > 0) return;
    const wait = held.get(id) === one ? IDLE_MS : LONGEST_CALL_MS;
    one.idleTimer = setTimeout(() => retire(id, one), wait).unref();
  };

  return {
    all: () => [...held.values()].map(({ company }) => company),
    /**
     * A tenant's company, leased until a request is over. Undefined where there is no such tenant, `too_many` where it
     * has too many calls under way.
     */
    lease(id: string, over: Promise<unknown>): Company | 'too_many' | undefined {
      const company = held.get(id)?.company ?? make(id);
      if (company === undefined) return undefined;
      const one = held.get(id) ?? { company, active: 0 };
      held.set(id, one);
      if (one.active >= MOST_CALLS) return 'too_many';
      one.active += 1;
      clearTimeout(one.idleTimer);
      void over.then(() => {
        one.active -= 1;
        retireWhenIdle(id, one);
      });
      return company;
    },
    /** Closes changed or removed tenants once their calls are over. */
    reload(changed: readonly string[]): void {
      for (const id of changed) {
        const one = held.get(id);
        held.delete(id);
        if (one !== undefined) retireWhenIdle(id, one);
      }
    },
    async close() {
      for (const [id, one] of held) retire(id, one);
      await Promise.allSettled(closing);
    },
  };
}
