import type { Plugin } from 'vitest/config';

export function compiledSources(): Plugin;
