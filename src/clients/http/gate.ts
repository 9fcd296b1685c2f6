import { HeldBack, OutcomeUnknown, Refused, type Service, tokenOperation, Unreachable } from '../errors.ts';
import type { HttpCall } from './call.ts';
import {
  admit,
  afterCall,
  afterGivingUp,
  type CallOutcome,
  type Hold,
  type ServiceState,
  unknownState,
} from './fairness.ts';
import { pause } from './signals.ts';

/** Where what is known of a tenant's calls is kept, for one process or for all replicas. */
export interface CallStates {
  /** Changes what is known of a service while nobody else does; `now` in milliseconds since 1970. */
  change<T>(
    service: Service,
    work: (state: ServiceState, now: number) => { readonly state: ServiceState; readonly result: T },
  ): Promise<T>;
  /** Takes one of the places that replicas share; undefined while there is none. */
  readonly takePlace?: (service: Service, most: number) => Promise<(() => Promise<void>) | undefined>;
}

/** Keeps it in this process. */
export function createLocalStates(now: () => number = Date.now): CallStates {
  const states = new Map<Service, ServiceState>();
  return {
    async change(service, work) {
      const { state, result } = work(states.get(service) ?? unknownState, now());
      states.set(service, state);
      return result;
    },
  };
}

/** What every call goes through before it is sent and after it is over. */
export interface Gate {
  /** Waits until the call may be made; the returned function takes the error that ended it. @throws HeldBack */
  enter(call: HttpCall, signal: AbortSignal): Promise<(error?: unknown) => Promise<void>>;
  /** Services whose calls are held back because they fail. */
  readonly open: ReadonlySet<Service>;
}

const failingStatuses: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);
const undueConsumption = '656';
const placePauseMs = 100;

/** What an error tells of the service; undefined where it tells nothing: a time-out may be the question's fault. */
function outcomeOf(error: unknown): CallOutcome | undefined {
  if (error === undefined) return { kind: 'answered' };
  if (error instanceof OutcomeUnknown) return outcomeOf(error.cause);
  if (error instanceof Unreachable) return { kind: 'failed' };
  if (!(error instanceof Refused)) return undefined;
  const { code, status, retryAfter } = error.refusal;
  if (code === undueConsumption) return { kind: 'undue_consumption' };
  if (retryAfter !== undefined && retryAfter > 0) return { kind: 'asked_to_wait', seconds: retryAfter };
  return failingStatuses.has(status) ? { kind: 'failed' } : { kind: 'answered' };
}

/** Whether there is nothing that a call which was answered would change. */
const isUntroubled = ({ failures, hold }: ServiceState): boolean => failures === 0 && hold === undefined;

/** @param most calls of a service at once, of all who share the states */
export function createGate(states: CallStates, most: number): Gate {
  const open = new Set<Service>();

  async function admitted(call: HttpCall, signal: AbortSignal): Promise<boolean> {
    const { service, company = '' } = call;
    for (let turn: number | undefined; ; ) {
      const { verdict, isCalm, wait, now } = await states.change(service, (state, now) => {
        const after = admit(state, company, now, turn);
        const { verdict } = after;
        const ms = verdict.may === 'wait' ? verdict.turn - now : 0;
        return { state: after.state, result: { verdict, isCalm: isUntroubled(state), wait: ms, now } };
      });
      if (verdict.may === 'go') return isCalm;
      if (verdict.may === 'not') {
        note(service, verdict.hold);
        throw new HeldBack(call, now, verdict.hold.until, verdict.hold.reason);
      }
      turn = verdict.turn;
      await pause(wait, signal).catch(async (error: unknown) => {
        await states.change(service, (state) => ({ state: afterGivingUp(state), result: undefined }));
        throw error;
      });
    }
  }

  function note(service: Service, hold: Hold | undefined): void {
    if (hold?.reason === 'failing') open.add(service);
    else if (hold === undefined) open.delete(service);
  }

  async function place(call: HttpCall, signal: AbortSignal): Promise<() => Promise<void>> {
    const { takePlace } = states;
    if (takePlace === undefined) return async () => undefined;
    for (;;) {
      const giveBack = await takePlace(call.service, most);
      if (giveBack !== undefined) return giveBack;
      await pause(placePauseMs * (0.5 + Math.random() / 2), signal);
    }
  }

  return {
    open,
    async enter(call, signal) {
      // The token endpoint of OAuth is another server.
      if (call.operation === tokenOperation) return async () => undefined;
      const { service, company = '' } = call;
      const isCalm = await admitted(call, signal).catch(goingOnWithout(signal));
      const giveBack = await place(call, signal).catch(async (error: unknown) => {
        goingOnWithout(signal)(error);
        return async () => undefined;
      });
      return async (error) => {
        await giveBack().catch(() => undefined);
        const outcome = outcomeOf(error);
        if (outcome === undefined || (outcome.kind === 'answered' && isCalm === true)) return;
        const change = states.change(service, (state, now) => {
          const after = afterCall(state, company, outcome, now);
          return { state: after, result: after.hold };
        });
        await change.then((hold) => note(service, hold)).catch(() => undefined);
      };
    },
  };
}

/** Without what replicas share a call is made all the same: what guards writes and documents says what is wrong. */
function goingOnWithout(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof HeldBack || signal.aborted) throw error;
    return undefined;
  };
}
