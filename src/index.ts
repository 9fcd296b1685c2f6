#!/usr/bin/env node
import { keepCompiledCode } from './commands/compile-cache.ts';

// Before anything else is loaded, so that what follows need not be compiled again.
keepCompiledCode();
void import('./commands/main.ts');
