import { readCommandLine } from '../../src/config/command-line.ts';
import { type Configuration, configure, Misconfigured } from '../../src/config/configure.ts';

/** The configuration of an environment and a command line; throws where the program would not start. */
export function configurationOf(
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Configuration {
  const { flags, problems } = readCommandLine(args);
  if (problems.length > 0) throw new Misconfigured(problems);
  return configure(flags, env);
}
