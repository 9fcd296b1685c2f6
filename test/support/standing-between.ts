import { daysAsked, json, type SeenRequest, startRecordingUpstream } from './recording-upstream.ts';

/** A window as the service was asked for it; days as `YYYY-MM-DD`. */
export interface AskedWindow {
  readonly from: string;
  readonly to: string;
  readonly path: string;
}

/** A fault of a window: a status instead of its reply, or a delay of so many milliseconds before it. */
export type Trouble = { readonly status: number } | { readonly delayMs: number };

const windowOf = (request: SeenRequest): AskedWindow => ({ ...daysAsked(request), path: request.path });

export type StandingBetween = Awaited<ReturnType<typeof startBetween>>;

/** A service between the program and the sandbox, in which chosen windows go wrong. */
export async function startBetween(sandboxUrl: string) {
  let choose: ((window: AskedWindow) => Trouble | undefined) | undefined;
  let abandoned = 0;
  const upstream = await startRecordingUpstream(async (request, response) => {
    const trouble = choose?.(windowOf(request));
    if (trouble !== undefined && 'status' in trouble) {
      json(response, { Message: 'An error has occurred.' }, trouble.status);
      return;
    }
    const gone = new Promise<void>((resolve) => response.once('close', resolve));
    if (trouble !== undefined) {
      const waited = new Promise<void>((resolve) => setTimeout(resolve, trouble.delayMs));
      await Promise.race([gone, waited]);
      if (response.destroyed) {
        abandoned += 1;
        return;
      }
    }
    const reply = await fetch(`${sandboxUrl}${request.path}?${request.rawQuery}`);
    const body = Buffer.from(await reply.arrayBuffer());
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
    response.end(body);
  });
  return {
    ...upstream,
    /** Undefined lets everything through. */
    trouble(next: typeof choose) {
      choose = next;
    },
    windows: () => upstream.seen.filter(({ path }) => path.includes('RetornaLista')).map(windowOf),
    /** Calls whose caller went away before the reply. */
    get abandoned() {
      return abandoned;
    },
  };
}

/** Every window that holds the day answers with a status. */
export const failingOn =
  (day: string, status = 500) =>
  ({ from, to, path }: AskedWindow): Trouble | undefined =>
    path.includes('RetornaLista') && from <= day && day <= to ? { status } : undefined;
