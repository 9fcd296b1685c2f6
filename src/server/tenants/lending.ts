import type { Services } from '../../services/services.ts';

/** The services of one tenant, lent for one request. */
export interface Lease {
  readonly services: Services;
  /** Must be called when the request is over, once. */
  end(): void;
}

/** Every tenant's own services: made on first use, ended when idle. */
export interface Tenants {
  /** @throws NoSuchTenant */
  lend(id: string): Lease;
  /** Requests under way. */
  readonly active: number;
  /** The services that are there now. */
  all(): readonly Services[];
  /** Ends the services of tenants that were changed or taken away, once the calls under way are over. */
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
  readonly services: Services;
  active: number;
  idleTimer: NodeJS.Timeout | undefined;
  isRetired: boolean;
}

/** Calls of one tenant at once, of a large office's people; calls of the services have a limit of their own. */
const MOST_CALLS = 256;
const IDLE_MS = 600_000;
/** A client of the older protocol that left is not seen to have left: its call runs on for as long as a call may. */
const LONGEST_CALL_MS = 60_000;

/**
 * @param make makes a tenant's services; undefined where there is no such tenant
 */
export function createTenants(make: (id: string) => Services | undefined): Tenants {
  const held = new Map<string, Held>();
  const retired = new Set<Promise<void>>();
  let active = 0;

  const retire = (id: string, one: Held): void => {
    if (one.isRetired) return;
    one.isRetired = true;
    clearTimeout(one.idleTimer);
    if (held.get(id) === one) held.delete(id);
    const closing = one.services.close().finally(() => retired.delete(closing));
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
    all: () => [...held.values()].map(({ services }) => services),
    lend(id) {
      let one = held.get(id);
      if (one === undefined) {
        const services = make(id);
        if (services === undefined) throw new NoSuchTenant();
        one = { services, active: 0, idleTimer: undefined, isRetired: false };
        held.set(id, one);
      }
      if (one.active >= MOST_CALLS) throw new TooManyCalls();
      const lent = one;
      lent.active += 1;
      active += 1;
      clearTimeout(lent.idleTimer);
      let isOver = false;
      return {
        services: lent.services,
        end() {
          if (isOver) return;
          isOver = true;
          lent.active -= 1;
          active -= 1;
          if (lent.active > 0) return;
          retireAfter(id, lent, held.get(id) === lent ? IDLE_MS : LONGEST_CALL_MS);
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
