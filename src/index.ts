#!/usr/bin/env node
import { run } from './commands/run.ts';

// Standard output carries protocol only, whatever a dependency may print.
console.log = console.error;
console.info = console.error;
console.debug = console.error;
console.warn = console.error;

process.on('unhandledRejection', (reason) => {
  console.error(
    `docfiscal-mcp: unhandled rejection (${reason instanceof Error ? reason.name : typeof reason})`,
  );
});
process.on('uncaughtException', (error) => {
  console.error(`docfiscal-mcp: uncaught exception (${error.name})`);
  process.exit(1);
});

run(process.argv.slice(2), process.env).catch((error: unknown) => {
  console.error(`docfiscal-mcp: ${error instanceof Error ? error.name : 'unexpected error'}`);
  process.exit(1);
});
