import { archiveActions, type Topic } from '../config/command-line.ts';
import { type Setting, settings } from '../config/settings.ts';
import { createTranslator, type Translator } from '../messages/index.ts';
import type { Language } from '../messages/message.ts';

function describeDefault({ defaultText, defaultValue }: Setting, language: Language): string | undefined {
  return defaultText?.[language] ?? defaultValue;
}

/** The settings as rows for people: variable, flag, help and default. The README's table is made of them too. */
export function settingRows(language: Language) {
  return settings.map((one) => ({
    variable: one.variable,
    flag: one.flag,
    secret: one.secret,
    help: one.help[language],
    default: describeDefault(one, language),
  }));
}

type Row = readonly [call: string, what: string];

function table(heading: string, rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([call]) => call.length)) + 3;
  return ['', `${heading}:`, ...rows.map(([call, what]) => `  ${call.padEnd(width)}${what}`)];
}

function programHelp({ say }: Translator, language: Language): string[] {
  const commands: readonly Row[] = [
    ['docfiscal-mcp', say('help.command.stdio')],
    ['docfiscal-mcp --demo', say('help.command.demo')],
    ['docfiscal-mcp setup', say('help.command.setup')],
    ['docfiscal-mcp http [--host H] [--port N]', say('help.command.http')],
    ['docfiscal-mcp sandbox [--port N]', say('help.command.sandbox')],
    ['docfiscal-mcp doctor [--demo] [--json]', say('help.command.doctor')],
    [
      `docfiscal-mcp archive ${say('help.placeholder.action')}`,
      say('help.command.archive', { actions: archiveActions.join(', ') }),
    ],
    ['docfiscal-mcp token', say('help.command.token')],
    ['docfiscal-mcp --help, --version', say('help.command.help')],
  ];
  const rows = settingRows(language).map((row) => {
    const value = row.default === undefined ? '' : ` (${say('help.default', { value: row.default })})`;
    return `  ${[row.variable, ...(row.flag ? [row.flag] : [])].join(', ')}\n      ${row.help}${value}`;
  });
  return [
    say('help.purpose'),
    ...table(say('help.commands'), commands),
    '',
    `${say('help.settings')}:`,
    ...rows,
  ];
}

function httpHelp({ say }: Translator): string[] {
  const options: readonly Row[] = [
    ['--host H', say('help.http.host')],
    ['--port N', say('help.http.port')],
    ['--demo', say('help.http.demo')],
  ];
  return [
    'docfiscal-mcp http [--host H] [--port N] [--demo]',
    '',
    say('help.http.purpose'),
    ...table(say('help.options'), options),
    '',
    say('help.settings_too'),
  ];
}

function tokenHelp({ say }: Translator): string[] {
  return ['docfiscal-mcp token', '', say('help.token.purpose'), '', say('help.settings_too')];
}

function setupHelp({ say }: Translator): string[] {
  return [
    'docfiscal-mcp setup',
    '',
    say('help.setup.purpose'),
    say('help.setup.exit'),
    say('help.settings_too'),
  ];
}

function sandboxHelp({ say }: Translator): string[] {
  return [
    'docfiscal-mcp sandbox [--port N]',
    '',
    say('help.sandbox.purpose'),
    ...table(say('help.options'), [['--port N', say('help.sandbox.port')]]),
  ];
}

function doctorHelp({ say }: Translator): string[] {
  const options: readonly Row[] = [
    ['--demo', say('help.doctor.demo')],
    ['--json', say('help.doctor.json')],
  ];
  return [
    'docfiscal-mcp doctor [--demo] [--json]',
    '',
    say('help.doctor.purpose'),
    ...table(say('help.options'), options),
    '',
    say('help.doctor.marks'),
    say('help.doctor.exit'),
    say('help.settings_too'),
  ];
}

function archiveHelp({ say }: Translator): string[] {
  const day = say('help.placeholder.day');
  const actions: readonly Row[] = [
    ['info', say('help.archive.info')],
    ['verify', say('help.archive.verify')],
    ['fetch [--refresh]', say('help.archive.fetch')],
    [`import ${say('help.placeholder.paths')}`, say('help.archive.import')],
    [`export --to ${say('help.placeholder.folder')}`, say('help.archive.export')],
    ['purge [--yes]', say('help.archive.purge')],
  ];
  const options: readonly Row[] = [
    ['--company CNPJ', say('help.archive.company')],
    ['--kind nfe|nfse|cte', say('help.archive.kind')],
    [`--from ${day} --until ${day}`, say('help.archive.days')],
  ];
  return [
    `docfiscal-mcp archive ${say('help.placeholder.action')}`,
    '',
    say('help.archive.purpose'),
    ...table(say('help.actions'), actions),
    ...table(say('help.options'), options),
    '',
    say('help.archive.fetch_days'),
    say('help.archive.exit'),
    say('help.settings_too'),
  ];
}

/** The text of `--help`: of the program, or of one of its commands. */
export function helpText(topic: Topic, language: Language): string {
  const translator = createTranslator(language);
  const texts: Readonly<Record<Topic, (translator: Translator, language: Language) => string[]>> = {
    stdio: programHelp,
    setup: setupHelp,
    http: httpHelp,
    sandbox: sandboxHelp,
    doctor: doctorHelp,
    archive: archiveHelp,
    token: tokenHelp,
  };
  return [...texts[topic](translator, language), ''].join('\n');
}
