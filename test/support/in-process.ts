import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type CompanyOptions, createCompany } from '../../src/company/company.ts';
import { createSeveral, singleCompany } from '../../src/company/company-resolver.ts';
import type { Configuration } from '../../src/config/configure.ts';
import type { TenantDefinition } from '../../src/config/tenants-file.ts';
import { createServer } from '../../src/server/server.ts';
import { toolsOfSeveral } from '../../src/server/tenants.ts';
import { temporaryFolder } from './built-program.ts';
import { type ClientKind, type Connection, type ConnectOptions, openClient } from './clients.ts';
import { configurationOf } from './configuration.ts';
import { endsBehindTests } from './ending.ts';

export interface InProcessOptions extends ConnectOptions {
  /** The server's clock; the system's unless given. */
  readonly now?: CompanyOptions['now'];
  /** The tenants whose companies one person works for; without them the one company of the settings. */
  readonly definitions?: (configuration: Configuration) => readonly TenantDefinition[];
}

/** A message as it comes out of a pipe: with nothing in it that JSON does not carry. */
function carried<T>(message: T): T {
  return JSON.parse(JSON.stringify(message));
}

/** Two ends of a connection within this process; `output` has the messages of the server as JSON. */
function linkedEnds() {
  const [client, server] = InMemoryTransport.createLinkedPair();
  const output: string[] = [];
  const fromClient = client.send.bind(client);
  client.send = (message, options) => fromClient(carried(message), options);
  const fromServer = server.send.bind(server);
  server.send = (message, options) => {
    output.push(JSON.stringify(message));
    return fromServer(carried(message), options);
  };
  return { client, server, output };
}

const complaints: string[] = [];
let listeners = 0;
const complain = console.error;

/** What the process writes on standard error from now on, which is kept and not shown until `stop`. */
export function listenToComplaints(): { text(): string; stop(): void } {
  const from = complaints.length;
  listeners += 1;
  console.error = (...words: unknown[]) => void complaints.push(words.join(' '));
  let isOver = false;
  return {
    text: () => complaints.slice(from).join('\n'),
    stop() {
      if (isOver) return;
      isOver = true;
      listeners -= 1;
      if (listeners === 0) console.error = complain;
    },
  };
}

/**
 * Starts the program for stdio within this process: the same reading of settings, the same choice between the eras of
 * the protocol. It gets its own data folder unless the given environment names one; the environment of the process is
 * ignored.
 */
export function serveInProcess(options: InProcessOptions = {}) {
  const { env = {}, args, definitions, now = () => Date.now() } = options;
  const unheard = Object.keys(env).filter((name) => !name.startsWith('DFE_'));
  if (unheard.length > 0) throw new Error(`only a process of its own hears of ${unheard.join(', ')}`);
  const folder = temporaryFolder();
  const { client, server, output } = linkedEnds();
  const complaints = listenToComplaints();
  const configuration = configurationOf({ DFE_DATA_DIR: folder.path, ...env }, args);
  const { settings } = configuration;
  const surroundings = { now, environment: {}, isFair: false };
  const own = createCompany(settings, surroundings);
  const several = definitions && createSeveral(definitions(configuration), settings, surroundings);
  const company = several ?? own;
  const tools = several && toolsOfSeveral;
  const handle = serveStdio(() => createServer(several ?? singleCompany(own), { tools }), {
    transport: server,
  });
  return {
    /** The client's end of its connection. */
    transport: client,
    /** Its output, one line of JSON each. */
    stdout: () => output.join('\n'),
    stderr: complaints.text,
    close: endsBehindTests(async () => {
      await Promise.allSettled([handle.close(), company.close()]);
      complaints.stop();
    }),
  };
}

/** Connects a client of the kind to a server within this process. */
export async function connectInProcess(
  kind: ClientKind,
  options: InProcessOptions = {},
): Promise<Connection> {
  const server = serveInProcess(options);
  const client = await openClient(kind, server.transport, options);
  return {
    ...client,
    stderr: server.stderr,
    async close() {
      await client.close();
      await server.close();
    },
  };
}
