#!/usr/bin/env node
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Has Node (22.8 and newer) cache compiled code for the next start, in the user's own cache: in Node's default, a
 * folder for temporary files, another user could replace the code.
 */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  try {
    const caches = XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache');
    enableCompileCache?.(join(caches, 'docfiscal-mcp', 'compiled'));
  } catch {
    // Without a home folder the start is slower, and nothing else.
  }
}

// Before anything else is loaded, so that all later modules come from the compile cache.
keepCompiledCode();
void import('./cli/run.ts').then(({ main }) => main());
