import type { Company } from '../../company/company.ts';

/** The services of one tenant, leased for one request. */
export interface Lease {
  readonly company: Company;
  /** Call once when the request is over. */
  end(): void;
}

/** Services per tenant: created on first use, closed when idle. */
export interface Tenants {
  /** @throws NoSuchTenant */
  lease(id: string): Lease;
  /** Requests under way. */
  readonly active: number;
  /** Company currently open. */
  all(): readonly Company[];
  /** Closes the services of changed or removed tenants once their calls are over. */
  reload(changed: readonly string[]): void;
  close(): Promise<void>;
}

export class NoSuchTenant extends Error {
  constructor() {
    super('no such tenant');
    this.name = 'NoSuchTenant';
  }
}

export class TooManyCalls extends Error {
  constructor() {
    super('too many calls of one tenant at once');
    this.name = 'TooManyCalls';
  }
}

interface Held {
  readonly company: Company;
  active: number;
  idleTimer: NodeJS.Timeout | undefined;
  isRetired: boolean;
}

/** Concurrent calls of one tenant; upstream calls have their own limit. */
const MOST_CALLS = 256;
const IDLE_MS = 600_000;
/** A disconnect of an older client goes unnoticed: its call runs until its deadline. */
const LONGEST_CALL_MS = 60_000;

/**
 * @param make makes a tenant's services; undefined where there is no such tenant
 */
export function createTenants(make: (id: string) => Company | undefined): Tenants {
  const held = new Map<string, Held>();
  const retired = new Set<Promise<void>>();
  let active = 0;

  const retire = (id: string, one: Held): void => {
    if (one.isRetired) return;
    one.isRetired = true;
    clearTimeout(one.idleTimer);
    if (held.get(id) === one) held.delete(id);
    const closing = one.company.close().finally(() => retired.delete(closing));
    retired.add(closing);
  };

  const retireAfter = (id: string, one: Held, ms: number): void => {
    clearTimeout(one.idleTimer);
    one.idleTimer = setTimeout(() => {
      if (one.active === 0) retire(id, one);
    }, ms);
    one.idleTimer.unref();
  };

  return {
    get active() {
      return active;
    },
    all: () => [...held.values()].map(({ company }) => company),
    lease(id) {
      let one = held.get(id);
      if (one === undefined) {
        const company = make(id);
        if (company === undefined) throw new NoSuchTenant();
        one = { company, active: 0, idleTimer: undefined, isRetired: false };
        held.set(id, one);
      }
      if (one.active >= MOST_CALLS) throw new TooManyCalls();
      const leased = one;
      leased.active += 1;
      active += 1;
      clearTimeout(leased.idleTimer);
      let isOver = false;
      return {
        company: leased.company,
        end() {
          if (isOver) return;
          isOver = true;
          leased.active -= 1;
          active -= 1;
          if (leased.active > 0) return;
          retireAfter(id, leased, held.get(id) === leased ? IDLE_MS : LONGEST_CALL_MS);
        },
      };
    },
    reload(changed) {
      for (const id of changed) {
        const one = held.get(id);
        held.delete(id);
        if (one?.active === 0) retireAfter(id, one, LONGEST_CALL_MS);
      }
    },
    async close() {
      for (const [id, one] of held) retire(id, one);
      await Promise.allSettled(retired);
    },
  };
}
