import { temporaryFolder } from './built-program.ts';
import { type ClientKind, type Connection, type ConnectOptions, connect } from './clients.ts';
import { company } from './documents.ts';
import { type RecordingUpstream, type Responder, startRecordingUpstream } from './recording-upstream.ts';

/** A password with every character that could break out of a query string; marked, so that leaks are found. */
export const password = 'S3nh@-secreta&x=1';

/** The built program with a client on one side and a recording upstream for both services on the other. */
export interface ConfiguredProgram extends Connection {
  readonly upstream: RecordingUpstream;
  /** The folder of journal and tokens. */
  readonly dataFolder: string;
}

export interface ProgramOptions extends ConnectOptions {
  readonly kind?: ClientKind;
  readonly respond: Responder;
  /** Further environment made from the upstream's address. */
  readonly envAt?: (url: string) => Readonly<Record<string, string>>;
}

/** Settings of the documents service at an address, in English. */
export function documentsEnvironment(url: string): Record<string, string> {
  return { DFE_URL: url, DFE_USER: 'fiscal', DFE_PASSWORD: password, DFE_CNPJ: company, DFE_LANGUAGE: 'en' };
}

/** Starts all three; closing ends all three. */
export async function startConfigured(options: ProgramOptions): Promise<ConfiguredProgram> {
  const { kind = 'v1', respond, envAt, env, ...others } = options;
  const upstream = await startRecordingUpstream(respond);
  const folder = temporaryFolder();
  const dispose = async (): Promise<void> => {
    await upstream.close();
    folder.remove();
  };
  try {
    const connection = await connect(kind, {
      ...others,
      env: {
        ...documentsEnvironment(upstream.url),
        DFE_DATA_DIR: folder.path,
        ...envAt?.(upstream.url),
        ...env,
      },
    });
    return {
      ...connection,
      upstream,
      dataFolder: folder.path,
      close: async () => {
        await connection.close();
        await dispose();
      },
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
