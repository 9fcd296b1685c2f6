import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { temporaryFolder } from '../support/built-program.ts';
import { endsBehindTests } from '../support/ending.ts';
import { freePort } from '../support/free-port.ts';

const run = promisify(execFile);
const installations = '/usr/lib/postgresql';
const startAttempts = 100;

/** The programs of the newest PostgreSQL server that is installed. */
export function findPostgres(): string | undefined {
  if (!existsSync(installations)) return undefined;
  const versions = readdirSync(installations).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(installations, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

export interface PostgresServer {
  /**
   * A new database, empty or a copy, and its owner's address, who may do nothing else; `adminUrl` is a superuser's.
   */
  createDatabase(copyOf?: string): Promise<{ name: string; url: string; adminUrl: string }>;
  /** As after a failure: every connection is cut. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The server refuses to run as root. */
function unprivileged(command: string, args: readonly string[]): [string, string[]] {
  return process.getuid?.() === 0
    ? ['runuser', ['-u', 'postgres', '--', command, ...args]]
    : [command, [...args]];
}

async function connected(url: string): Promise<pg.Client> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt >= startAttempts) throw error;
      await sleep(100);
    }
  }
}

/** Starts a server of its own on the loopback, with its data in a folder that goes with it. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('no PostgreSQL server is installed');
  const folder = temporaryFolder().path;
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  const port = await freePort();
  const initdb = ['-D', data, '-U', 'tester', '-A', 'trust', '--no-sync', '-E', 'UTF8'];
  await run(...unprivileged(join(bin, 'initdb'), initdb));
  const values = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off'];
  const settings = values.flatMap((value) => ['-c', value]);
  const command = unprivileged(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings]);
  const start = () => {
    const server = spawn(...command, { stdio: 'ignore' });
    return new Promise((resolve) => server.once('exit', resolve));
  };
  let ended = start();
  const end = async () => {
    await run(...unprivileged(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop']));
    await ended;
  };
  const urlOf = (database: string, user = 'tester') => `postgres://${user}@127.0.0.1:${port}/${database}`;
  let client = await connected(urlOf('postgres'));
  await client.query('create role keeper login');
  let databases = 0;
  return {
    async createDatabase(copyOf = 'template1') {
      const name = `archive_${++databases}`;
      await client.query(`create database ${name} owner keeper template ${copyOf}`);
      return { name, url: urlOf(name, 'keeper'), adminUrl: urlOf(name) };
    },
    async restart() {
      await client.end();
      await end();
      ended = start();
      client = await connected(urlOf('postgres'));
    },
    close: endsBehindTests(async () => {
      await client.end();
      await end();
    }),
  };
}
