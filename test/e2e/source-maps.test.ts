import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { decode } from '@jridgewell/sourcemap-codec';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, program, runProgram, temporaryFolder } from '../support/built-program.ts';
import { debugging } from '../support/debugging.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

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

/** Where a debugger finds a line of ours, by the maps alone: a part, and line and column in it counted from 0. */
function generatedPlaceOf({ path, line }: { readonly path: string; readonly line: number }) {
  for (const part of parts) {
    const { sources, mappings } = mapOf(part);
    const source = sources.indexOf(`../${path}`);
    for (const [lineNumber, segments] of decode(mappings).entries()) {
      const first = segments.find((segment) => segment[1] === source && segment[2] === line - 1);
      if (source >= 0 && first !== undefined) return { part, lineNumber, columnNumber: first[0] };
    }
  }
  throw new Error(`no part has ${path}:${line}`);
}

/** Which line of ours a place in a part is, by the maps alone. */
function sourcePlaceOf(part: string, at: { readonly lineNumber: number; readonly columnNumber: number }) {
  const { sources, mappings } = mapOf(part);
  const segments = decode(mappings)[at.lineNumber] ?? [];
  const [, source, line] = segments.findLast(([column]) => column <= at.columnNumber) ?? [];
  if (source === undefined || line === undefined) return undefined;
  return { path: sources[source]?.replace('../', ''), line: line + 1 };
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
      for (const source of map.sources) named.add(source.replace('../', ''));
    }
    expect([...named].filter((path) => !/^src\/.+\.ts$/.test(path))).toEqual([]);
    expect(named.size).toBeGreaterThan(200);
    for (const path of named) expect(readFileSync(join(root, path), 'utf8')).not.toBe('');
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

describe('a breakpoint in src/archive', () => {
  it('holds there', async () => {
    const place = placeInArchive();
    const { part, lineNumber, columnNumber } = generatedPlaceOf(place);
    const child = spawn(process.execPath, ['--inspect-brk=127.0.0.1:0', program, ...openArchive], {
      env: cleanEnvironment(settings),
    });
    try {
      const session = await debugging(child);
      await session.send('Debugger.enable');
      const url = pathToFileURL(join(dist, part)).href;
      const { breakpointId } = await session.send('Debugger.setBreakpointByUrl', {
        url,
        lineNumber,
        columnNumber,
      });
      const started = session.next('Debugger.paused');
      await session.send('Runtime.runIfWaitingForDebugger');
      await started;
      const held = session.next('Debugger.paused');
      await session.send('Debugger.resume');
      const { hitBreakpoints, callFrames } = await held;
      expect(hitBreakpoints).toEqual([breakpointId]);
      const [frame] = callFrames as [{ location: { lineNumber: number; columnNumber: number } }];
      expect(sourcePlaceOf(part, frame.location)).toEqual(place);
      session.close();
    } finally {
      child.kill('SIGKILL');
    }
  });
});
