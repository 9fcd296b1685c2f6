import { HeldBack, OutcomeUnknown, Refused, type Service, tokenOperation, Unreachable } from '../errors.ts';
import { type HttpCall, pause } from './call.ts';

/** Our own limits, since the services publish none: above a year's export, far below a runaway loop. */
const callsPerSecond = 100;
const mostAtOnce = 300;

/** Consecutive failed calls, after their retries, that open the breaker. */
const failuresBeforeOpening = 5;
const firstOpenMs = 30_000;
const longestOpenMs = 300_000;
/** Longest time that other calls are held back while one probes the service. */
const trialMs = 15_000;
/** A longer `Retry-After` is shortened to this. */
const longestRetryAfterMs = 3_600_000;
/** Consumo indevido (cStat 656): an hour as a rule. Source: docs/fiscal/events.md. */
const undueConsumptionMs = 3_600_000;
const undueConsumption = '656';
const failingStatuses: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);
const placePauseMs = 100;

/** No hold is longer; a later moment dates from before the clock was set back. */
const longestAheadMs = Math.max(longestRetryAfterMs, undueConsumptionMs);

function isAhead(moment: number, now: number): boolean {
  return moment > now && moment <= now + longestAheadMs;
}

interface Hold {
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly reason: HeldBack['reason'];
  /** Whether a call is probing the service. */
  readonly isTried?: boolean;
}

/** The state of a tenant's calls to a service. */
export interface ServiceState {
  /** Calls allowed at once, as of `at`; negative by the number of waiting calls. */
  readonly budget: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Consecutive failed calls. */
  readonly failures: number;
  /** Consecutive openings of the breaker. */
  readonly openings: number;
  readonly hold?: Hold | undefined;
  /** Companies held back until a moment; the empty name is for calls that name none. */
  readonly companies: Readonly<Record<string, number>>;
}

const unknownState: ServiceState = { budget: mostAtOnce, at: 0, failures: 0, openings: 0, companies: {} };

/** Admits a call, after a wait if the budget is used up, or holds it back. */
function admit(
  state: ServiceState,
  company: string,
  now: number,
  hasWaited: boolean,
): { readonly state: ServiceState; readonly hold?: Hold; readonly wait: number } {
  const heldUntil = state.companies[company] ?? 0;
  const { hold } = state;
  if (isAhead(heldUntil, now)) {
    return { state, hold: { until: heldUntil, reason: 'undue_consumption' }, wait: 0 };
  }
  if (hold !== undefined && isAhead(hold.until, now)) return { state, hold, wait: 0 };
  let admitted = state;
  if (!hasWaited) {
    const gained = (Math.max(0, now - state.at) / 1000) * callsPerSecond;
    const budget = Math.min(mostAtOnce, state.budget + gained);
    admitted = { ...state, budget: budget - 1, at: now };
    if (budget < 1) return { state: admitted, wait: Math.ceil(((1 - budget) / callsPerSecond) * 1000) };
  }
  // The first call after a hold probes the service.
  const trial = hold && { until: now + trialMs, reason: hold.reason, isTried: true };
  return { state: { ...admitted, hold: trial }, wait: 0 };
}

/** State after a call with its error; undefined if the error is inconclusive: a timeout may be due to the query. */
function afterCall(
  state: ServiceState,
  company: string,
  error: unknown,
  now: number,
): ServiceState | undefined {
  if (error instanceof OutcomeUnknown) return afterCall(state, company, error.cause, now);
  const companies = Object.fromEntries(
    Object.entries(state.companies).filter(([, until]) => isAhead(until, now)),
  );
  const answered = { ...state, failures: 0, openings: 0, hold: undefined, companies };
  if (error === undefined) return answered;
  if (!(error instanceof Unreachable)) {
    if (!(error instanceof Refused)) return undefined;
    const { code, status, retryAfter = 0 } = error.refusal;
    if (code === undueConsumption) {
      return { ...answered, companies: { ...companies, [company]: now + undueConsumptionMs } };
    }
    if (retryAfter > 0) {
      const until = now + Math.min(longestRetryAfterMs, retryAfter * 1000);
      return { ...state, companies, hold: { until, reason: 'asked_to_wait' } };
    }
    if (!failingStatuses.has(status)) return answered;
  }
  const { hold, openings } = state;
  const failures = state.failures + 1;
  // Calls that were under way when it opened do not prolong it.
  const isOpen = hold !== undefined && hold.isTried !== true;
  if (isOpen || failures < failuresBeforeOpening) return { ...state, failures, companies };
  const until = now + Math.min(longestOpenMs, firstOpenMs * 2 ** openings);
  return { ...state, failures, openings: openings + 1, companies, hold: { until, reason: 'failing' } };
}

/** Keeps the state of a tenant's calls, for one process or for all replicas. */
export interface CallStates {
  /** Changes the state of a service, undefined at first, under a lock; `now` in milliseconds since 1970. */
  change<T>(
    service: Service,
    work: (
      state: ServiceState | undefined,
      now: number,
    ) => { readonly state: ServiceState; readonly result: T },
  ): Promise<T>;
  /** Takes a slot shared by replicas; undefined if none is free. */
  readonly takePlace?: (service: Service, most: number) => Promise<(() => Promise<void>) | undefined>;
}

export function createLocalStates(now: () => number = Date.now): CallStates {
  const states = new Map<Service, ServiceState>();
  return {
    async change(service, work) {
      const { state, result } = work(states.get(service), now());
      states.set(service, state);
      return result;
    },
  };
}

export type Gate = ReturnType<typeof createGate>;

/**
 * Rate limit and circuit breaker of calls to the services.
 * @param most concurrent calls of a service, over all processes that share the states
 */
export function createGate(states: CallStates, most: number) {
  const open = new Set<Service>();

  function note(service: Service, hold: Hold | undefined): void {
    if (hold?.reason === 'failing') open.add(service);
    else if (hold === undefined) open.delete(service);
  }

  /** Admits a call. Returns whether the service was healthy, so that success changes nothing. */
  async function admitted(call: HttpCall, signal: AbortSignal): Promise<boolean> {
    const { service, company = '' } = call;
    for (let hasWaited = false; ; hasWaited = true) {
      const { hold, wait, wasHealthy, now } = await states.change(service, (state = unknownState, now) => {
        const { state: after, ...verdict } = admit(state, company, now, hasWaited);
        const wasHealthy = state.failures === 0 && state.hold === undefined;
        return { state: after, result: { ...verdict, wasHealthy, now } };
      });
      if (hold !== undefined) {
        note(service, hold);
        throw new HeldBack(call, now, hold.until, hold.reason);
      }
      if (wait === 0) return wasHealthy;
      await pause(wait, signal);
    }
  }

  async function place({ service }: HttpCall, signal: AbortSignal): Promise<() => Promise<void>> {
    for (;;) {
      const release = await (states.takePlace?.(service, most) ?? (async () => undefined));
      if (release !== undefined) return release;
      await pause(placePauseMs * (0.5 + Math.random() / 2), signal);
    }
  }

  return {
    /** Services whose breaker is open. */
    open: open as ReadonlySet<Service>,
    /**
     * Waits until the call may be made; the returned function takes the error that ended it.
     * @throws HeldBack; the signal's reason
     */
    async enter(call: HttpCall, signal: AbortSignal): Promise<(error?: unknown) => Promise<void>> {
      // The token endpoint of OAuth is another server.
      if (call.operation === tokenOperation) return async () => undefined;
      const { service, company = '' } = call;
      // Calls are made even if the shared state fails: the journal and the archive report a failing database.
      const orWithout = (error: unknown): undefined => {
        if (error instanceof HeldBack) throw error;
        signal.throwIfAborted();
      };
      const wasHealthy = await admitted(call, signal).catch(orWithout);
      const release = await place(call, signal).catch(orWithout);
      return async (error) => {
        await release?.().catch(() => undefined);
        if (error === undefined && wasHealthy === true) return;
        const change = states.change(service, (state = unknownState, now) => {
          const after = afterCall(state, company, error, now);
          return { state: after ?? state, result: after };
        });
        await change.then((after) => after && note(service, after.hold)).catch(() => undefined);
      };
    },
  };
}
