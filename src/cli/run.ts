import { type Company, createCompany } from '../company/company.ts';
import { singleCompany } from '../company/company-resolver.ts';
import { type CommandLine, readCommandLine, type Topic } from '../config/command-line.ts';
import { type Configuration, configure, languageOf, type Problem } from '../config/configure.ts';
import { version } from '../config/version.ts';
import { createTranslator } from '../messages/index.ts';
import type { Language } from '../messages/message.ts';
import { describeProblem, plainHttpWarnings, refuseToStart } from './problems.ts';

function refuse(problems: readonly Problem[], topic: Topic, language: Language): void {
  const translator = createTranslator(language);
  const lines = problems.map((problem) => `- ${describeProblem(problem, translator)}`);
  refuseToStart(lines, translator, topic === 'stdio' ? 'docfiscal-mcp' : `docfiscal-mcp ${topic}`);
}

/** Runs the command line. Modules of other commands stay unloaded. */
export async function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const line = readCommandLine(argv);
  const language = languageOf(line.flags, env);
  if (line.problems.length > 0) return refuse(line.problems, line.topic, language);
  if (line.command === 'version') return void process.stdout.write(`${version}\n`);
  if (line.command === 'help') {
    const { helpText } = await import('./help.ts');
    return void process.stdout.write(helpText(line.topic, language));
  }
  if (line.host !== undefined) return runDoctorOfHost(line, line.host, env, language);
  return runConfigured(line, env, language);
}

async function runConfigured(line: CommandLine, env: NodeJS.ProcessEnv, language: Language): Promise<void> {
  const configured = configure(line.flags, env);
  if (!configured.ok) return refuse(configured.problems, 'stdio', language);
  return runCommand(line, configured.configuration, env);
}

/** Examines the entry in an assistant's configuration instead of this process's options. */
async function runDoctorOfHost(
  line: CommandLine,
  id: string,
  env: NodeJS.ProcessEnv,
  asked: Language,
): Promise<void> {
  const { serverOfHost } = await import('./doctor/host.ts');
  const { homedir } = await import('node:os');
  const found = await serverOfHost(id, { platform: process.platform, home: homedir(), env });
  if (!found.ok) return refuse([found.problem], 'doctor', asked);
  const { host, name, path, others, ...server } = found.server;
  const started = readCommandLine(server.args);
  const flags = new Map([...started.flags, ...line.flags]);
  const language = languageOf(flags, server.env);
  const { say } = createTranslator(language);
  console.error(say('doctor.of_host', { host, name, path }));
  if (others.length > 0) console.error(say('doctor.other_servers', { names: others.join(', ') }));
  if (started.problems.length > 0) return refuse(started.problems, 'stdio', language);
  return runConfigured({ ...line, demo: started.demo, flags }, server.env, language);
}

async function runCommand(line: CommandLine, given: Configuration, env: NodeJS.ProcessEnv): Promise<void> {
  if (line.command === 'token') {
    const { runToken } = await import('./http.ts');
    return runToken(createTranslator(given.settings.language));
  }
  if (line.command === 'setup') {
    const { runSetup } = await import('./setup/setup.ts');
    return runSetup(given, line.flags, env);
  }
  if (line.command === 'sandbox') {
    const { runSandbox } = await import('./sandbox.ts');
    return runSandbox(line.port, createTranslator(given.settings.language));
  }
  const demo = line.demo ? await (await import('./sandbox.ts')).startDemo(given) : undefined;
  const configuration = demo?.configuration ?? given;
  const surroundings = { mode: demo === undefined ? 'real' : 'demo', lists: demo?.lists } as const;
  const close = async () => demo?.close();
  if (line.command === 'http') {
    const { runHttp } = await import('./http.ts');
    const { settings } = configuration;
    return runHttp(
      { settings, flags: line.flags, env },
      surroundings,
      createTranslator(settings.language),
      close,
    );
  }
  if (configuration.settings.tenants !== undefined && line.archive?.action !== 'verify-dossier') {
    const { runSeveral } = await import('./several-companies.ts');
    return runSeveral(line, configuration, env);
  }
  const company = createCompany(configuration.settings, `docfiscal-mcp/${version}`, surroundings);
  if (line.command === 'doctor') return runDoctor(configuration, company, line.json, close);
  if (line.archive !== undefined) {
    const { runArchive } = await import('./archive.ts');
    return runArchive(line.archive, company);
  }
  return serve(line, configuration, company, close);
}

async function serve(
  { demo }: CommandLine,
  { settings }: Configuration,
  company: Company,
  close: () => Promise<void>,
): Promise<void> {
  const { translator } = company;
  for (const warning of plainHttpWarnings(settings, translator)) console.error(warning);
  if (process.stdin.isTTY) {
    const { greeting } = await import('./help.ts');
    console.error(greeting(demo, process.argv[1] ?? '', translator));
  }
  const { runStdio } = await import('../server/stdio.ts');
  runStdio(singleCompany(company), async () => {
    await Promise.all([company.close(), close()]);
  });
}

async function runDoctor(
  configuration: Configuration,
  company: Company,
  asJson: boolean,
  close: () => Promise<void>,
): Promise<void> {
  const { examine } = await import('./doctor/examine.ts');
  const { asText } = await import('./doctor/report.ts');
  try {
    const examination = await examine(configuration, company);
    const { report } = examination;
    const text = asJson ? `${JSON.stringify(report, null, 2)}\n` : asText(examination, company.translator);
    process.stdout.write(text);
    if (report.verdict === 'failed') process.exitCode = 1;
  } finally {
    await company.close();
    await close();
  }
}
