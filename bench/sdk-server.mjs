// Bundles the yardstick server of bench/sdk-server.ts plainly: one file, nothing left out.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Calls `use` with the path of the bundled server, which is gone afterwards. */
export async function withSdkServer(use) {
  const cache = join(import.meta.dirname, '..', 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'sdk-server-'));
  try {
    const outfile = join(folder, 'server.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'sdk-server.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      minify: true,
      logLevel: 'error',
      banner: { js: "require('node:module').enableCompileCache?.();" },
    });
    return await use(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
