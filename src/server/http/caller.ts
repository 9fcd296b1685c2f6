import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Scope } from '../../config/scopes.ts';

/** Who calls, as far as the server needs to know. */
export interface Caller {
  /** The tenant they belong to; the nameless one where the process serves only one. */
  readonly tenant: string;
  /** Whom confirmations, links and cursors are bound to: the same for the same person or program, in every replica. */
  readonly principal: string;
  readonly scopes: readonly Scope[];
}

/** The caller in the form in which the SDK hands it to whoever serves the request. */
export function authInfoOf(caller: Caller, token: string, expiresAt: number): AuthInfo {
  return {
    token,
    clientId: `${caller.tenant}/${caller.principal}`,
    scopes: [...caller.scopes],
    expiresAt,
    extra: { caller },
  };
}

/** The caller that `authInfoOf` put there. */
export function callerOf(auth: AuthInfo | undefined): Caller | undefined {
  return auth?.extra?.caller as Caller | undefined;
}
