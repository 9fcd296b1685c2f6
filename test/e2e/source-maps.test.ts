import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { program, runProgram, temporaryFolder } from '../support/built-program.ts';

const folder = temporaryFolder();

const dist = dirname(program);
const parts = readdirSync(dist).filter((name) => name.endsWith('.cjs'));
const root = fileURLToPath(new URL('../..', import.meta.url));

interface SourceMap {
  readonly version: number;
  readonly sources: readonly string[];
  readonly sourcesContent?: unknown;
  readonly mappings: string;
}

const mapOf = (part: string): SourceMap => JSON.parse(readFileSync(join(dist, `${part}.map`), 'utf8'));

/** A place in `src/archive` that every opening of an archive file passes: it makes the folder. */
function placeInArchive(): { readonly path: string; readonly line: number } {
  for (const path of readdirSync(join(root, 'src/archive'), { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue;
    const lines = readFileSync(join(root, 'src/archive', path), 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes('await mkdir(folder'));
    if (line >= 0) return { path: join('src/archive', path).replaceAll('\\', '/'), line: line + 1 };
  }
  throw new Error('nothing in src/archive makes a folder');
}

describe('every part of the program', () => {
  it('has a source map that names files of ours, which exist, and holds no source', () => {
    expect(parts.length).toBeGreaterThan(10);
    const named = new Set<string>();
    for (const part of parts) {
      expect(readFileSync(join(dist, part), 'utf8')).toContain(`\n//# sourceMappingURL=${part}.map\n`);
      const map = mapOf(part);
      expect(map).toMatchObject({ version: 3 });
      expect(map.sourcesContent).toBeUndefined();
      const ours = map.sources.filter((source) => source.startsWith('../src/'));
      for (const source of ours) named.add(source.replace('../', ''));
    }
    expect(named.size).toBeGreaterThan(200);
    for (const path of named) expect(readFileSync(join(root, path), 'utf8')).not.toBe('');
  });
});

describe('the part that a start loads', () => {
  it('has no reader, no database, and none of the other languages of zod', () => {
    const late =
      /src\/(?:documents\/(?:layouts|xml)|clients\/documents\/(?:decoding|replies)|archive\/(?:engines|write))\/|node_modules\/(?:kysely|undici)\/|zod\/v4\/locales\/(?!en\.)/;
    const start = parts.map(mapOf).find(({ sources }) => sources.includes('../src/cli/run.ts'));
    expect(start?.sources.length).toBeGreaterThan(100);
    expect(start?.sources.filter((source) => late.test(source))).toEqual([]);
  });
});

const openArchive = ['archive', 'info'];
const settings = { DFE_ARCHIVE: 'file', DFE_DATA_DIR: join(folder.path, 'data') };

describe('an error thrown in src/archive', () => {
  it('names its line on standard error, and not what it says', async () => {
    const breaking = join(folder.path, 'breaking.cjs');
    writeFileSync(
      breaking,
      `require('node:fs/promises').mkdir = () => { throw new TypeError('secret\\n    at secret (place)'); };`,
    );
    const { code, stderr } = await runProgram(openArchive, {
      ...settings,
      NODE_OPTIONS: `--enable-source-maps --require "${breaking.replaceAll('\\', '/')}"`,
    });
    const { path, line } = placeInArchive();
    expect(code).toBe(1);
    expect(stderr.replaceAll('\\', '/')).toContain(`/${path}:${line}:`);
    expect(stderr).toContain('TypeError');
    expect(stderr).not.toContain('secret');
  });
});
