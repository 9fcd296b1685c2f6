import { readCommandLine } from '../../src/config/command-line.ts';
import { type Configuration, configure } from '../../src/config/configure.ts';

/** What the program reads from an environment and a command line; fails where it would not start. */
export function configurationOf(
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Configuration & { readonly flags: ReadonlyMap<string, string> } {
  const { flags, problems } = readCommandLine(args);
  const configured = configure(flags, { ...env });
  if (!configured.ok || problems.length > 0) {
    const all = [...problems, ...(configured.ok ? [] : configured.problems)];
    throw new Error(`bad settings: ${JSON.stringify(all)}`);
  }
  return { ...configured.configuration, flags };
}
