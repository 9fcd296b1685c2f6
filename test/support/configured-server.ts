import { temporaryFolder } from './built-program.ts';
import { type ClientKind, type Connection, connect } from './clients.ts';
import { company } from './documents.ts';
import { connectInProcess, type InProcessOptions } from './in-process.ts';
import { type Responder, startRecordingUpstream, type UpstreamOptions } from './recording-upstream.ts';

/** A password with every character that could break out of a query string; marked, so that leaks are found. */
export const password = 'S3nh@-secreta&x=1';

/** A server with a client on one side and a recording upstream for both services on the other. */
export type ConfiguredServer = Awaited<ReturnType<typeof start>>;

export interface ConfiguredOptions extends InProcessOptions, UpstreamOptions {
  readonly kind?: ClientKind;
  readonly respond: Responder;
  /** Further environment made from the upstream's address. */
  readonly envAt?: (url: string) => Readonly<Record<string, string>>;
}

/** Settings of the documents service at an address, in English. */
function documentsEnvironment(url: string): Record<string, string> {
  return { DFE_URL: url, DFE_USER: 'fiscal', DFE_PASSWORD: password, DFE_CNPJ: company, DFE_LANGUAGE: 'en' };
}

/** Starts all three within this process; all three end after the tests. */
export const startConfigured = (options: ConfiguredOptions) => start(connectInProcess, options);

/** The same with the built program over stdio, whose clock can't be set. */
export const startConfiguredProgram = (options: Omit<ConfiguredOptions, 'now'>) => start(connect, options);

async function start(
  connectTo: (kind: ClientKind, options: InProcessOptions) => Promise<Connection>,
  options: ConfiguredOptions,
) {
  const { kind = 'v1', respond, envAt, env, hasNotes, ...others } = options;
  const upstream = await startRecordingUpstream(respond, { hasNotes });
  const folder = temporaryFolder();
  const settings = {
    ...documentsEnvironment(upstream.url),
    DFE_DATA_DIR: folder.path,
    ...envAt?.(upstream.url),
    ...env,
  };
  const connection = await connectTo(kind, { ...others, env: settings });
  return {
    ...connection,
    upstream,
    /** The folder of journal and tokens. */
    dataFolder: folder.path,
    /** Its settings, for another server beside it. */
    env: settings,
    close: async () => {
      await connection.close();
      await upstream.close();
    },
  };
}
