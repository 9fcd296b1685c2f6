import { createHash, randomBytes } from 'node:crypto';
import type { CompanyOptions } from '../company/company.ts';
import type { ProcessSettings } from '../config/tenants-file.ts';
import { errorCode } from '../disk/regular-file.ts';
import type { Translator } from '../messages/index.ts';
import { type HttpServer, startHttp } from '../server/http/start.ts';
import { problemLines, refuseToStart } from './problems.ts';

const GRACE_MS = 30_000;

/** Says why the server can't start, and sets the exit status. @throws any other error */
function refuse(error: unknown, { settings }: ProcessSettings, translator: Translator): void {
  const lines = problemLines(error, translator);
  if (lines !== undefined) return void refuseToStart(lines, translator);
  const code = errorCode(error);
  if (code === undefined) throw error;
  const { httpHost: host, httpPort: port } = settings;
  console.error(translator.say('http.no_port', { host, port, code }));
  process.exitCode = 1;
}

/** Tenants listed in a warning; `doctor` lists all. */
const MOST_NAMED = 20;

/** Warns about unreadable passwords after the start: checking every tenant's file would delay it. */
async function tellPasswords(server: HttpServer, { say }: Translator): Promise<void> {
  const found = await server.withoutPassword();
  if (found.length === 0) return;
  const named = found.slice(0, MOST_NAMED).map(({ id, code }) => `${id} (${code})`);
  const tenants = [...named, ...(found.length > MOST_NAMED ? ['…'] : [])].join(', ');
  console.error(say('http.passwords_unreadable', { count: found.length, tenants }));
}

/** Serves MCP over HTTP until it is stopped; SIGHUP reloads the tenants file. */
export async function runHttp(
  base: ProcessSettings,
  surroundings: Partial<CompanyOptions>,
  translator: Translator,
  close: () => Promise<void>,
): Promise<void> {
  const server = await startHttp(base, surroundings).catch((error: unknown) =>
    refuse(error, base, translator),
  );
  if (!server) return close();
  console.error(translator.say('http.running', { url: server.url }));
  if (server.isOpen) console.error(translator.say('http.open'));
  void tellPasswords(server, translator);
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    console.error(translator.say('http.stopping', { count: server.active }));
    void Promise.allSettled([server.stop(GRACE_MS).then(close)]).then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  process.on('SIGHUP', () => {
    server.reload().then(
      (count) => {
        console.error(translator.say('http.tenants_reloaded', { count }));
        void tellPasswords(server, translator);
      },
      (error: unknown) => {
        const lines = problemLines(error, translator) ?? [error instanceof Error ? error.name : typeof error];
        console.error([translator.say('http.tenants_kept'), ...lines].join('\n'));
      },
    );
  });
}

/** Recognisable by secret scanners and people. */
const PREFIX = 'dfe_';
const RANDOM_BYTES = 32;

/** Creates a token for HTTP and prints it once, with the line for the tenants file, which holds only its hash. */
export function runToken(translator: Translator): void {
  const token = `${PREFIX}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  const hash = createHash('sha256').update(token).digest('hex');
  const line = `{ "token_sha256": "${hash}", "scopes": ["documents:read"] }`;
  process.stdout.write(
    [translator.say('token.made'), token, '', translator.say('token.line'), line, ''].join('\n'),
  );
}
