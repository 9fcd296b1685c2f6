/** Our own limits, since the services publish none: above a year's export, far below a loop that has gone wrong. */
const callsPerSecond = 100;
const mostAtOnce = 300;

/** So many calls in a row that reach no working service, each after its repeats, and no more are made for a while. */
const failuresBeforeOpening = 5;
const firstOpenMs = 30_000;
const longestOpenMs = 300_000;
/** While one call tries whether the service is back, the others are held back for so long at most. */
const trialMs = 15_000;
/** A `Retry-After` beyond this is told, and tried again after this all the same. */
const longestHeedMs = 3_600_000;
/** Consumo indevido (cStat 656): an hour as a rule. Source: docs/fiscal/events.md. */
const undueConsumptionMs = 3_600_000;

/** Nothing is put off for longer than this: what seems to be is from before the clock was set back, and counts no more. */
const longestAheadMs = Math.max(longestHeedMs, undueConsumptionMs);

function isAhead(moment: number, now: number): boolean {
  return moment > now && moment <= now + longestAheadMs;
}

/** Why calls are held back. */
export type HoldReason = 'failing' | 'asked_to_wait' | 'undue_consumption';

export interface Hold {
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly reason: HoldReason;
  /** Whether a call is on its way that tries for all. */
  readonly isTried?: boolean;
}

/** What is known of a tenant's calls to a service. */
export interface ServiceState {
  /** Calls that may be made at once, as of `at`; below zero where that many wait for their turn. */
  readonly budget: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Calls in a row that failed. */
  readonly failures: number;
  /** How often in a row the service was found not to be back. */
  readonly openings: number;
  readonly hold?: Hold | undefined;
  /** Companies that nothing is asked for until a moment; the empty name is for calls that name none. */
  readonly companies: Readonly<Record<string, number>>;
}

export const unknownState: ServiceState = {
  budget: mostAtOnce,
  at: 0,
  failures: 0,
  openings: 0,
  companies: {},
};

/** What became of a call. */
export type CallOutcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'asked_to_wait'; readonly seconds: number }
  | { readonly kind: 'undue_consumption' };

/** Whether a call may be made now, or when: `turn` is its own, in milliseconds since 1970. */
export type Verdict =
  | { readonly may: 'go' }
  | { readonly may: 'wait'; readonly turn: number }
  | { readonly may: 'not'; readonly hold: Hold };

/** Decides about a company's call at a moment. @param turn the one it was given, where it has waited for it */
export function admit(
  state: ServiceState,
  company: string,
  now: number,
  turn?: number,
): { readonly verdict: Verdict; readonly state: ServiceState } {
  const heldUntil = state.companies[company] ?? 0;
  if (isAhead(heldUntil, now)) {
    return { verdict: { may: 'not', hold: { until: heldUntil, reason: 'undue_consumption' } }, state };
  }
  const { hold } = state;
  if (hold !== undefined && isAhead(hold.until, now)) return { verdict: { may: 'not', hold }, state };
  if (turn !== undefined && isAhead(turn, now)) return { verdict: { may: 'wait', turn }, state };
  const taken = turn === undefined ? takeTurn(state, now) : { state, turn: now };
  if (taken.turn > now) return { verdict: { may: 'wait', turn: taken.turn }, state: taken.state };
  // The first call after a hold tries for all whether the service is back.
  const trial = hold === undefined ? undefined : { until: now + trialMs, reason: hold.reason, isTried: true };
  return { verdict: { may: 'go' }, state: { ...taken.state, hold: trial } };
}

function takeTurn(state: ServiceState, now: number): { readonly state: ServiceState; readonly turn: number } {
  const gained = (Math.max(0, now - state.at) / 1000) * callsPerSecond;
  const budget = Math.min(mostAtOnce, state.budget + gained);
  const lacking = Math.max(0, 1 - budget);
  return {
    state: { ...state, budget: budget - 1, at: now },
    turn: now + Math.ceil((lacking / callsPerSecond) * 1000),
  };
}

/** What is known after a call gave up its turn. */
export function afterGivingUp(state: ServiceState): ServiceState {
  return { ...state, budget: state.budget + 1 };
}

/** What is known after a call. */
export function afterCall(
  state: ServiceState,
  company: string,
  outcome: CallOutcome,
  now: number,
): ServiceState {
  const companies = Object.fromEntries(
    Object.entries(state.companies).filter(([, until]) => isAhead(until, now)),
  );
  switch (outcome.kind) {
    case 'answered':
      return { ...state, failures: 0, openings: 0, hold: undefined, companies };
    case 'undue_consumption':
      return {
        ...state,
        failures: 0,
        openings: 0,
        hold: undefined,
        companies: { ...companies, [company]: now + undueConsumptionMs },
      };
    case 'asked_to_wait': {
      const until = now + Math.min(longestHeedMs, outcome.seconds * 1000);
      return { ...state, companies, hold: { until, reason: 'asked_to_wait' } };
    }
    case 'failed': {
      const { hold, openings } = state;
      const failures = state.failures + 1;
      // Those that were under way when the others had failed make it no longer.
      const isOpen = hold !== undefined && hold.isTried !== true;
      if (isOpen || failures < failuresBeforeOpening) return { ...state, failures, companies };
      const openMs = Math.min(longestOpenMs, firstOpenMs * 2 ** openings);
      const next = { until: now + openMs, reason: 'failing' } as const;
      return { ...state, failures, openings: openings + 1, companies, hold: next };
    }
  }
}
