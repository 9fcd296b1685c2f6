import { type CommandLine, readCommandLine } from '../config/command-line.ts';
import { type Configuration, type ConfigurationProblem, configure } from '../config/configure.ts';
import { version } from '../config/version.ts';
import { createTranslator } from '../messages/index.ts';
import type { Language } from '../messages/message.ts';
import { createServices, type Services } from '../services/services.ts';
import { describeProblem } from './problems.ts';
import { plainHttpWarnings } from './warnings.ts';

/** Exit status for a configuration that cannot be used. */
const MISCONFIGURED = 2;

function refuseToStart(problems: readonly ConfigurationProblem[], language: Language): void {
  const translator = createTranslator(language);
  const lines = problems.map((problem) => `- ${describeProblem(problem, translator)}`);
  console.error([translator.say('cli.stopped'), ...lines, translator.say('cli.see_help')].join('\n'));
  process.exitCode = MISCONFIGURED;
}

function languageOf(line: CommandLine, env: NodeJS.ProcessEnv): Language {
  return (line.flags.get('DFE_LANGUAGE') ?? env.DFE_LANGUAGE) === 'en' ? 'en' : 'pt-BR';
}

/** Does what the command line asks. Every part that a command does not need stays unloaded. */
export async function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const line = readCommandLine(argv);
  if (line.problems.length > 0) return refuseToStart(line.problems, languageOf(line, env));
  if (line.command === 'version') return void process.stdout.write(`${version}\n`);
  if (line.command === 'help') {
    const { helpText } = await import('./help.ts');
    return void process.stdout.write(helpText(languageOf(line, env)));
  }
  const configured = configure(line.flags, env);
  if (!configured.ok) return refuseToStart(configured.problems, configured.language);
  return runCommand(line, configured.configuration);
}

async function runCommand(line: CommandLine, given: Configuration): Promise<void> {
  const translator = createTranslator(given.settings.language);
  if (line.command === 'sandbox') {
    const { runSandbox } = await import('./sandbox.ts');
    return runSandbox(line.port, translator);
  }
  if (line.command === 'http') {
    console.error(translator.say('cli.http_missing'));
    process.exitCode = MISCONFIGURED;
    return;
  }
  const demo = line.demo ? await (await import('./demo.ts')).startDemo(given) : undefined;
  const configuration = demo?.configuration ?? given;
  const services = createServices(configuration.settings, `docfiscal-mcp/${version}`);
  if (line.command === 'doctor') return runDoctor(configuration, services, line.json, demo?.close);
  if (line.archive !== undefined) {
    const { runArchive } = await import('./archive.ts');
    return runArchive(line.archive, services);
  }
  for (const warning of plainHttpWarnings(configuration.settings, translator)) console.error(warning);
  const { runStdio } = await import('../server/stdio.ts');
  runStdio(services, async () => demo?.close());
}

async function runDoctor(
  configuration: Configuration,
  services: Services,
  asJson: boolean,
  close: (() => Promise<void>) | undefined,
): Promise<void> {
  const { examine } = await import('./doctor.ts');
  try {
    const { text, isWell } = await examine(configuration, services, asJson);
    process.stdout.write(text);
    if (!isWell) process.exitCode = 1;
  } finally {
    await services.close();
    await close?.();
  }
}
