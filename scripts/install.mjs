import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs a folder that is a package of its own from its lock file, unless that has been done. Ends the process if
 * that fails.
 */
export function install(folder, ...scope) {
  const wanted = `${readFileSync(join(folder, 'package-lock.json'), 'utf8')}${scope}`;
  const stamp = join(folder, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...scope], {
    cwd: folder,
    // Standard output belongs to the program that is run with it.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(1);
  writeFileSync(stamp, wanted);
}
