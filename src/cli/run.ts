import { createCompany } from '../company/company.ts';
import { createSeveral, singleCompany } from '../company/company-resolver.ts';
import { placeOf } from '../company/failures.ts';
import { type CommandLine, type OptionName, readCommandLine } from '../config/command-line.ts';
import { type Configuration, configure, languageOf, Misconfigured } from '../config/configure.ts';
import { version } from '../config/version.ts';
import { createTranslator } from '../messages/index.ts';
import { misconfigured, plainHttpWarnings, problemLines, refuseToStart } from './standard-error.ts';

/** The message may quote a service, so it is omitted. */
function report(what: string, error: unknown): void {
  const [name, place] = error instanceof Error ? [error.name, placeOf(error)] : [typeof error, []];
  console.error([`docfiscal-mcp: ${what} (${name})`, ...place].join('\n'));
}

/** Runs the process's own command line. */
export function main(): void {
  // Standard output carries only the protocol, whatever a dependency prints.
  console.log = console.info = console.debug = console.warn = console.error;
  process.on('unhandledRejection', (reason) => report('unhandled rejection', reason));
  const exit = (what: string) => (error: unknown) => {
    report(what, error);
    process.exit(1);
  };
  process.on('uncaughtException', exit('uncaught exception'));
  run(process.argv.slice(2), process.env).catch(exit('unexpected error'));
}

/** Runs a command line. Modules of other commands stay unloaded. */
export function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  return runLine(readCommandLine(argv), env);
}

async function runLine(line: CommandLine, env: NodeJS.ProcessEnv): Promise<void> {
  const { command, topic, options, flags, problems } = line;
  const language = languageOf(flags, env);
  try {
    if (problems.length > 0) {
      throw new Misconfigured(problems, topic === 'stdio' ? 'docfiscal-mcp' : `docfiscal-mcp ${topic}`);
    }
    if (command === 'version') return void process.stdout.write(`${version}\n`);
    if (command === 'help') {
      const { helpText } = await import('./help.ts');
      return void process.stdout.write(helpText(topic, language));
    }
    const host = command === 'doctor' ? options.get('host') : undefined;
    if (host !== undefined) return await runDoctorOfHost(line, host, env);
    await runCommand(line, configure(flags, env));
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    const translator = createTranslator(language);
    refuseToStart(problemLines(error.problems, translator), translator, error.command);
  }
}

/** Examines the entry in an assistant's configuration instead of this process's options. */
async function runDoctorOfHost(line: CommandLine, id: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { serverOfHost } = await import('./setup/host-file.ts');
  const { homedir } = await import('node:os');
  const server = await serverOfHost(id, { platform: process.platform, home: homedir(), env });
  const { host, name, path, others } = server;
  const started = readCommandLine(server.args);
  const flags = new Map([...started.flags, ...line.flags]);
  const { say } = createTranslator(languageOf(flags, server.env));
  console.error(say('doctor.of_host', { host, name, path }));
  if (others.length > 0) console.error(say('doctor.other_servers', { names: others.join(', ') }));
  const kept = (one: CommandLine, option: OptionName) => [...one.options].filter(([name]) => name === option);
  const options = new Map([...kept(started, 'demo'), ...kept(line, 'json')]);
  await runLine({ ...line, topic: 'stdio', options, flags, problems: started.problems }, server.env);
}

async function runCommand(line: CommandLine, given: Configuration): Promise<void> {
  const { command, action, options } = line;
  const translator = createTranslator(given.settings.language, given.settings.timeZone);
  if (command === 'token') return (await import('./http.ts')).runToken(translator);
  if (command === 'setup') return (await import('./setup/setup.ts')).runSetup(given);
  if (command === 'sandbox') {
    return (await import('./sandbox.ts')).runSandbox(Number(options.get('port') ?? 0), translator);
  }
  const demo = options.has('demo') ? await (await import('./sandbox.ts')).startDemo(given) : undefined;
  const configuration = demo?.configuration ?? given;
  const { settings } = configuration;
  const surroundings = { mode: demo === undefined ? 'real' : 'demo', lists: demo?.lists } as const;
  const close = async () => demo?.close();
  if (command === 'http') {
    const { runHttp } = await import('./http.ts');
    return runHttp(configuration, surroundings, translator, close);
  }
  if (settings.tenants !== undefined && action !== 'verify-dossier') {
    return runForTenants(line, configuration);
  }
  const company = createCompany(settings, surroundings);
  const end = async () => void (await Promise.all([company.close(), close()]));
  if (command === 'doctor') {
    const { examineCompany } = await import('./doctor/report.ts');
    return examineCompany(configuration, company, options.has('json')).finally(end);
  }
  if (action !== undefined) return (await import('./archive.ts')).runArchive({ ...line, action }, company);
  for (const warning of plainHttpWarnings(settings, translator)) console.error(warning);
  if (process.stdin.isTTY) {
    const { greeting } = await import('./help.ts');
    console.error(greeting(demo !== undefined, process.argv[1] ?? '', translator));
  }
  const { runStdio } = await import('../server/server.ts');
  runStdio(singleCompany(company), end);
}

/** Runs a command for every company of the tenants file, each with its own credentials. @throws Misconfigured */
async function runForTenants({ command, action, options }: CommandLine, configuration: Configuration) {
  const { settings } = configuration;
  const translator = createTranslator(settings.language, settings.timeZone);
  if (action !== undefined) return void misconfigured(translator.say('archive.of_tenants'));
  const { readTenants, toolsOfSeveral } = await import('../server/tenants.ts');
  const definitions = (await readTenants(configuration)) ?? [];
  if (command === 'doctor') {
    const { examineTenants } = await import('./doctor/report.ts');
    return examineTenants(definitions, configuration, options.has('json'));
  }
  const warnings = definitions.flatMap((one) => plainHttpWarnings(one.settings, translator));
  for (const warning of new Set(warnings)) console.error(warning);
  const several = createSeveral(definitions, settings, {});
  const { runStdio } = await import('../server/server.ts');
  runStdio(several, () => several.close(), toolsOfSeveral);
}
