import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { settings } from '../src/config/settings.ts';
import { createMetrics } from '../src/server/http/telemetry.ts';
import { temporaryFolder } from './support/built-program.ts';
import { freePort } from './support/free-port.ts';
import { member, writeTenants } from './support/http-server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Instruction {
  readonly name: string;
  readonly words: string;
}

/** The stages of the Dockerfile, each with its instructions; lines that go on are one. */
const stages: Instruction[][] = [];
for (const line of read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')) {
  const [, name, words = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
  if (name === undefined) continue;
  if (name === 'FROM') stages.push([]);
  stages.at(-1)?.push({ name, words });
}
const [building = [], final = []] = stages;
const all = (stage: readonly Instruction[], name: string) =>
  stage.filter((one) => one.name === name).map(({ words }) => words);
const one = (name: string): string => all(final, name)[0] ?? '';

const folder = temporaryFolder();
const [source, app, data, config] = ['src', 'app', 'data', 'config'].map((name) =>
  join(folder.path, name),
) as [string, string, string, string];
const running: ChildProcess[] = [];

/** Does what a COPY says: the last word is where to. */
function copy(words: string, from: string, to: string): void {
  const paths = words.split(' ').filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '';
  for (const path of paths) {
    const name = path.replace(/^\/src\//, '');
    const isFolder = statSync(join(from, name)).isDirectory();
    cpSync(join(from, name), join(to, isFolder ? target : join(target, basename(name))), { recursive: true });
  }
}

function makeReadOnly(path: string): void {
  const entry = statSync(path);
  if (entry.isDirectory()) for (const name of readdirSync(path)) makeReadOnly(join(path, name));
  chmodSync(path, entry.mode & 0o555);
}

/** The command of an instruction in its JSON form. */
const command = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')));

function imageEnvironment(): Record<string, string> {
  const pairs = all(final, 'ENV').flatMap((words) => words.split(' '));
  return Object.fromEntries(pairs.filter(Boolean).map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
}

/** Runs the image's command as the compose file has it, on a port of loopback. */
async function start(port: number): Promise<ChildProcess> {
  const [, ...args] = [...command(one('ENTRYPOINT')), ...command(one('CMD'))];
  const own = {
    ...imageEnvironment(),
    DFE_DATA_DIR: data,
    DFE_HTTP_URL: 'https://fiscal.example',
    DFE_HTTP_PORT: String(port),
    DFE_HTTP_HOST: '127.0.0.1',
    DFE_TENANTS: join(config, 'tenants.json'),
    DFE_SIGNING_KEY_FILE: join(config, 'signing_key'),
    DFE_LANGUAGE: 'en',
    HOME: '/nonexistent',
    PATH: process.env.PATH ?? '',
  };
  const paths = args.map((arg) => arg.replace(/^\/app\//, `${app}/`));
  const child = spawn(process.execPath, paths, { env: own, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let told = '';
  child.stderr?.on('data', (text) => {
    told += text;
  });
  while (!told.includes('/mcp')) {
    if (child.exitCode !== null) throw new Error(told);
    await wait(20);
  }
  return child;
}

/** The exit code of the image's health check. */
function health(port: number): number | null {
  const [, ...args] = command(one('HEALTHCHECK').slice(one('HEALTHCHECK').indexOf('CMD')));
  const paths = args.map((arg) => arg.replace(':3717', `:${port}`));
  return spawnSync(process.execPath, paths).status;
}

beforeAll(() => {
  for (const path of [source, app, data, config]) mkdirSync(path);
  for (const words of all(building, 'COPY')) copy(words, root, source);
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: source, stdio: 'ignore' });
  for (const words of all(final, 'COPY')) copy(words, source, app);
  makeReadOnly(app);
  writeTenants(config, [{ id: 'one', who: [member('token')], companies: ['48152036*'] }]);
  writeFileSync(join(config, 'signing_key'), randomBytes(32).toString('base64'));
});

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  execFileSync('chmod', ['-R', 'u+w', app]);
});

describe('the image', () => {
  it('is of what the ignore file lets in, runs as nobody special and says what it is', () => {
    const allowed = read('.dockerignore').split('\n');
    for (const path of all(building, 'COPY').flatMap((words) => words.split(' ').slice(0, -1))) {
      expect(allowed, path).toContain(`!${path}`);
    }
    expect(one('USER')).toBe('node');
    const afterUser = final.slice(final.findIndex(({ name }) => name === 'USER'));
    expect(afterUser.filter(({ name }) => name === 'RUN' || name === 'COPY')).toEqual([]);
    for (const label of ['title', 'description', 'licenses']) {
      expect(one('LABEL')).toContain(`org.opencontainers.image.${label}=`);
    }
    const known = settings.map(({ variable }) => variable);
    for (const name of Object.keys(imageEnvironment()).filter((key) => key.startsWith('DFE_'))) {
      expect(known).toContain(name);
    }
  });

  it('serves from files that cannot be written, is healthy, and ends in peace', async () => {
    const port = await freePort();
    const child = await start(port);
    expect(health(port)).toBe(0);
    const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(health(port)).toBe(1);
  });
});

interface Service {
  readonly deploy?: { readonly replicas: number };
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly stop_grace_period?: string;
  readonly volumes: readonly string[];
}

describe('the compose file', () => {
  const require = createRequire(join(root, 'tools', 'package.json'));
  const compose = require('yaml').parse(read('deploy/compose.yaml'), { merge: true });
  const services: Readonly<Record<string, Service>> = compose.services;
  const { docfiscal, proxy, database } = services;

  it('has two replicas that cannot write but where they keep data, and one door', () => {
    expect(docfiscal?.deploy?.replicas).toBe(2);
    for (const hardened of [docfiscal, proxy]) {
      expect(hardened).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
    expect([docfiscal?.ports, database?.ports]).toEqual([undefined, undefined]);
    expect(docfiscal?.volumes).toContain(`data:${one('VOLUME')}`);
    for (const { secrets = [], volumes } of Object.values(services)) {
      for (const name of secrets) expect(Object.keys(compose.secrets)).toContain(name);
      for (const volume of volumes.filter((one) => !one.startsWith('.'))) {
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      }
    }
  });

  it('sets what there is to be set, and gives calls under way their time', () => {
    const known = settings.map(({ variable }) => variable);
    for (const name of Object.keys(docfiscal?.environment ?? {})) expect(known).toContain(name);
    expect(Number.parseInt(docfiscal?.stop_grace_period ?? '', 10)).toBeGreaterThan(30);
    expect(read('deploy/Caddyfile')).toContain(`docfiscal ${one('EXPOSE')}`);
  });
});

describe('the systemd unit', () => {
  const lines = read('deploy/docfiscal-mcp.service').split('\n');
  const values = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));

  it('starts the program by its name, reads the tenants file again and waits for calls', () => {
    expect(values('ExecStart')).toEqual([`/usr/bin/env ${Object.keys(manifest.bin)[0]} http`]);
    expect(values('ExecReload')[0]).toContain('-HUP');
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(30);
    const known = settings.map(({ variable }) => variable);
    const names = values('Environment').map((pair) => pair.split('=')[0]);
    for (const name of names.filter((one) => one?.startsWith('DFE_'))) expect(known).toContain(name);
    for (const line of lines.filter((one) => one !== '' && !/^[#[]/.test(one))) expect(line).toMatch(/^\w+=/);
  });
});

it('the dashboard asks for numbers that there are, and for each of ours', async () => {
  const metrics = await createMetrics(() => []);
  const there = await metrics.text();
  const { panels } = JSON.parse(read('deploy/grafana-dashboard.json'));
  const asked = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:docfiscal|process)_\w+/g) ?? []),
  );
  const ours = [...there.matchAll(/^# TYPE (docfiscal_\w+) /gm)].map(([, name]) => name);
  expect(new Set(asked.map((name: string) => name.replace(/_bucket$/, '')))).toEqual(
    new Set([...ours, 'process_resident_memory_bytes']),
  );
  for (const name of asked) {
    expect(there, name).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `);
  }
});
