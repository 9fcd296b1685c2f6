// Makes the pictures of sheets in docs/pictures from documents of the sandbox: `node scripts/pictures.mjs`.
// Needs pdftoppm (poppler-utils).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pictures = join(root, 'docs', 'pictures');
const folder = mkdtempSync(join(tmpdir(), 'docfiscal-sheets-'));

function run(program, ...args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined || status !== 0) throw new Error(`${program}: ${error?.message ?? status}`);
}

try {
  run(process.execPath, 'bench/run.mjs', 'sheets', folder);
  mkdirSync(pictures, { recursive: true });
  for (const file of readdirSync(folder)) {
    run(
      'pdftoppm',
      '-r',
      '64',
      '-gray',
      '-png',
      '-singlefile',
      join(folder, file),
      join(pictures, basename(file, '.pdf')),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
