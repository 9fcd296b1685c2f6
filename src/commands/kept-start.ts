import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join } from 'node:path';

/** What every start needs, as `scripts/build.mjs` names it. */
const startPart = /^part-start-.+\.cjs$/;

const [opening, closing] = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'];

// Loaded when they are needed: on a newer Node, which needs neither, a start would wait for them.
const crc32 = (code: Buffer): number => process.getBuiltinModule('node:zlib').crc32(code);

type Loading = (loaded: NodeJS.Module, path: string) => void;

/**
 * Before Node 22.1, which keeps compiled code itself: the part that every start needs is compiled from what V8 made of
 * it the time before. V8 takes kept code only for text of the same length and for its own version and flags, and would
 * crash on code that was damaged; so a line before it says which build it was made of, and what it adds up to. Where
 * Node was asked for source maps, it has to load the part itself.
 *
 * @param folder the person's own, as what lies there is run
 */
export function keepStartPart(folder: string): void {
  if (process.sourceMapsEnabled) return;
  const { _extensions: loaders } = module as unknown as { readonly _extensions: Record<string, Loading> };
  const file = join(folder, `start-${process.version}-${process.arch}`);
  loaders['.cjs'] = (loaded, path) => {
    if (!startPart.test(basename(path))) return loaders['.js']?.(loaded, path);
    const { size, mtimeMs } = statSync(path);
    const build = `${path} ${size} ${mtimeMs}`;
    const cachedData = keptCode(file, build);
    const { Script } = process.getBuiltinModule('node:vm');
    const script = new Script(opening + readFileSync(path, 'utf8') + closing, {
      filename: path,
      columnOffset: -opening.length,
      ...(cachedData && { cachedData }),
    });
    const isNew = cachedData === undefined || script.cachedDataRejected === true;
    // At the end it has what was compiled on the way.
    if (isNew) process.once('exit', () => keep(file, build, script.createCachedData()));
    script
      .runInThisContext()
      .call(loaded.exports, loaded.exports, module.createRequire(path), loaded, path, dirname(path));
  };
}

const firstLine = (build: string, code: Buffer): string => `${build} ${crc32(code)}\n`;

/** What is kept of this very build, or undefined. */
function keptCode(file: string, build: string): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const start = kept.indexOf('\n') + 1;
    const code = kept.subarray(start);
    return kept.toString('utf8', 0, start) === firstLine(build, code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** All of it or nothing: another program may start meanwhile. What can't be kept is made again. */
function keep(file: string, build: string, code: Buffer): void {
  const written = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(written, Buffer.concat([Buffer.from(firstLine(build, code)), code]), { mode: 0o600 });
      renameSync(written, file);
    } finally {
      rmSync(written, { force: true });
    }
  } catch {
    // The next start is as slow as this one was.
  }
}
