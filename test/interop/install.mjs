// Installs what the tests of this folder need, from the lock file: `npm run test:interop` begins with it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const [major, minor] = process.versions.node.split('.').map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 19);
// The lock file brings a newer Node too, for where the one at work is older than what is installed here asks for.
const scope = isNewEnough ? ['--omit=optional'] : [];
const wanted = `${readFileSync(join(here, 'package-lock.json'), 'utf8')}${scope}`;
const stamp = join(here, 'node_modules', '.installed');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...scope], {
    cwd: here,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status === 0) writeFileSync(stamp, wanted);
  else process.exitCode = 1;
}
