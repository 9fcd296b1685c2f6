import { createHash, randomBytes } from 'node:crypto';
import type { CompanyOptions } from '../company/company.ts';
import { type Configuration, Misconfigured } from '../config/configure.ts';
import { errorCode } from '../disk/files.ts';
import type { Translator } from '../messages/index.ts';
import { startHttp } from '../server/http/start.ts';
import { firstOf } from '../tools/shared/definition.ts';
import { problemLines } from './standard-error.ts';

const GRACE_MS = 30_000;
/** Tenants listed in a warning; `doctor` lists all. */
const MOST_NAMED = 20;

/** Serves MCP over HTTP until it is stopped; SIGHUP reloads the tenants file. @throws Misconfigured */
export async function runHttp(
  configuration: Configuration,
  surroundings: Partial<CompanyOptions>,
  translator: Translator,
  close: () => Promise<void>,
): Promise<void> {
  const { say } = translator;
  const server = await startHttp(configuration, surroundings).catch(async (error: unknown) => {
    await close();
    const code = errorCode(error);
    if (code === undefined) throw error;
    const { httpHost: host, httpPort: port } = configuration.settings;
    console.error(say('http.no_port', { host, port, code }));
    process.exitCode = 1;
  });
  if (!server) return;
  console.error(say('http.running', { url: server.url }));
  if (server.isOpen) console.error(say('http.open'));
  /** After the start: checking every tenant's file would delay it. */
  const warnOfPasswords = async (): Promise<void> => {
    const found = await server.withoutPassword();
    if (found.length === 0) return;
    const tenants = firstOf(found, MOST_NAMED, ', ');
    console.error(say('http.passwords_unreadable', { count: found.length, tenants }));
  };
  void warnOfPasswords();
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    console.error(say('http.stopping', { count: server.active }));
    void Promise.allSettled([server.stop(GRACE_MS).then(close)]).then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  process.on('SIGHUP', () => {
    server.reload().then(
      (count) => {
        console.error(say('http.tenants_reloaded', { count }));
        void warnOfPasswords();
      },
      (error: unknown) => {
        const lines =
          error instanceof Misconfigured
            ? problemLines(error.problems, translator)
            : [error instanceof Error ? error.name : typeof error];
        console.error([say('http.tenants_kept'), ...lines].join('\n'));
      },
    );
  });
}

/** Creates a token for HTTP and prints it once, with the line for the tenants file, which holds only its hash. */
export function runToken({ say }: Translator): void {
  // The prefix is recognised by secret scanners and people.
  const token = `dfe_${randomBytes(32).toString('base64url')}`;
  const hash = createHash('sha256').update(token).digest('hex');
  const line = `{ "token_sha256": "${hash}", "scopes": ["documents:read"] }`;
  process.stdout.write([say('token.made'), token, '', say('token.line'), line, ''].join('\n'));
}
