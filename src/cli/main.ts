import { placeOf } from '../company/failures.ts';
import { run } from './run.ts';

// Standard output carries only the protocol, whatever a dependency prints.
console.log = console.error;
console.info = console.error;
console.debug = console.error;
console.warn = console.error;

/** The message may quote a service, so it is omitted. */
function report(what: string, error: unknown): void {
  const [name, place] = error instanceof Error ? [error.name, placeOf(error)] : [typeof error, []];
  console.error([`docfiscal-mcp: ${what} (${name})`, ...place].join('\n'));
}

process.on('unhandledRejection', (reason) => report('unhandled rejection', reason));
process.on('uncaughtException', (error) => {
  report('uncaught exception', error);
  process.exit(1);
});

run(process.argv.slice(2), process.env).catch((error: unknown) => {
  report('unexpected error', error);
  process.exit(1);
});
