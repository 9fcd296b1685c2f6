// Packs `docfiscal-mcp.mcpb`, which desktop hosts open with a double click, has it validated by the format's own program,
// and makes the folders of plugins beside it. Run with `npm run bundle`; the manifest is made by `npm run docs`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pack from '../package.json' with { type: 'json' };
import { install } from './install.mjs';
import { makePlugins } from './plugins.mjs';

const root = join(import.meta.dirname, '..');
const tools = join(root, 'tools', 'bundle');
const target = process.argv[2] ?? join(root, `${pack.name}-${pack.version}.mcpb`);

function run(command, ...args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

install(tools);
const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bundle-'));
try {
  for (const name of pack.files) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['manifest.json', 'icon.png']) cpSync(join(root, 'bundle', name), join(folder, name));
  const mcpb = join(tools, 'node_modules', '.bin', 'mcpb');
  run(mcpb, 'validate', join(folder, 'manifest.json'));
  run(mcpb, 'pack', folder, target);
} finally {
  rmSync(folder, { recursive: true });
}
makePlugins(target.replace(/(?:\.mcpb)?$/, '-plugins'));
