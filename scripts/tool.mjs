// Runs a program of tools/, which is installed when it is first needed: `node scripts/tool.mjs tsc`. Without a name it
// only installs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install } from './install.mjs';

const root = join(import.meta.dirname, '..');
const tools = join(root, 'tools');
const [name, ...args] = process.argv.slice(2);
install(tools);
if (name !== undefined) {
  const program = join(tools, 'node_modules', '.bin', name);
  const { status } = spawnSync(program, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = status ?? 1;
}
