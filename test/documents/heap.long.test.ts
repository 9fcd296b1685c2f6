import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';

const repository = join(import.meta.dirname, '../..');

/** Bundled, because Node 20 does not run TypeScript and the test must call the garbage collector. */
const program = `
  import { generateNotes } from './bench/generated-notes.ts';
  import { readDocuments } from './src/documents/summary/read-document.ts';
  const count = 1000;
  const read = (xml) => readDocuments(Buffer.from(xml).toString());
  const keep = () => generateNotes(count, 7).map(read);
  keep();
  gc();
  const before = process.memoryUsage().heapUsed;
  const kept = keep();
  gc();
  const each = (process.memoryUsage().heapUsed - before) / kept.length;
  const text = generateNotes(count, 7).reduce((sum, xml) => sum + xml.length, 0) / count;
  process.stdout.write(JSON.stringify({ each, text }));
`;

it('summaries take less than 14 KB each and do not retain their XML', async () => {
  const outfile = join(temporaryFolder().path, 'heap.cjs');
  await build({
    stdin: { contents: program, resolveDir: repository, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    loader: { '.xml': 'text' },
  });
  const run = spawnSync(process.execPath, ['--expose-gc', outfile], { encoding: 'utf8' });
  const { each, text }: Record<'each' | 'text', number> = JSON.parse(run.stdout);
  expect(text).toBeGreaterThan(15 * 1024);
  expect(each).toBeLessThan(14 * 1024);
});
