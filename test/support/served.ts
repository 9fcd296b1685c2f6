import { beforeAll, beforeEach } from 'vitest';
import { askThrough } from './asking.ts';
import { type ConfiguredOptions, type ConfiguredServer, startConfigured } from './configured-server.ts';
import { emptyReply } from './documents.ts';
import { json, type Responder } from './recording-upstream.ts';

/** Answers everything with one reply. */
export const saying =
  (reply: unknown): Responder =>
  (_request, response) =>
    json(response, reply);

/** A server whose service the test plays. */
export type Served = ReturnType<typeof serve>;

interface ServeOptions extends Omit<ConfiguredOptions, 'respond'> {
  readonly respond?: Responder;
  /** A server of its own for each test. */
  readonly anew?: boolean;
}

/** Starts both before the tests of a file or a block, or before each, and ends them behind. */
export function serve(options: ServeOptions | (() => ServeOptions) = {}) {
  let server: ConfiguredServer;
  let respond: Responder;
  const begin = async () => {
    const given = typeof options === 'function' ? options() : options;
    respond = given.respond ?? saying(emptyReply);
    server = await startConfigured({ ...given, respond });
  };
  const isAnew = typeof options === 'object' && options.anew;
  (isAnew ? beforeEach : beforeAll)(begin);
  beforeEach(() => {
    server.upstream.respond(respond);
    server.upstream.seen.length = 0;
  });
  return {
    ...askThrough(() => server),
    get server() {
      return server;
    },
    /** The requests of this test. */
    get seen() {
      return server.upstream.seen;
    },
    /** Replaces the service's answers until the end of the test. */
    respond: (responder: Responder) => server.upstream.respond(responder),
  };
}
