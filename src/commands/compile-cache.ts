import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { keepStartPart } from './kept-start.ts';

/**
 * Where this platform keeps what a program can make again. Node's own choice is a folder below the one for temporary
 * files, where on a shared machine somebody else could have put code in the place of ours.
 */
function cacheFolder(): string {
  const home = homedir();
  if (process.platform === 'win32') {
    return join(process.env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'docfiscal-mcp', 'compiled');
  }
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'docfiscal-mcp');
  return join(process.env.XDG_CACHE_HOME || join(home, '.cache'), 'docfiscal-mcp');
}

/**
 * Keeps the program's compiled code for the next start: Node does it, which writes it when the process ends, or before
 * Node 22.1 we do. Does nothing where the folder cannot be written, and where `NODE_COMPILE_CACHE` or
 * `NODE_DISABLE_COMPILE_CACHE` has decided already.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  try {
    const folder = cacheFolder();
    if (enableCompileCache !== undefined) enableCompileCache(folder);
    else if (!process.env.NODE_DISABLE_COMPILE_CACHE) keepStartPart(folder);
  } catch {
    // Without a home folder the start is slower, and nothing else.
  }
}
