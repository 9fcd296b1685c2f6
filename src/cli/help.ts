import { relative } from 'node:path';
import { archiveActions, type Topic } from '../config/command-line.ts';
import { settings } from '../config/settings.ts';
import { version } from '../config/version.ts';
import { createTranslator, type Translator } from '../messages/index.ts';
import { type Language, textIn } from '../messages/message.ts';
import { hosts } from './setup/hosts.ts';

/** Rows of the settings: variable, flag, help and default. Also the source of the table in the docs. */
export function settingRows(language: Language) {
  return settings.map(({ variable, flag, secret, help, defaultText, defaultValue }) => ({
    variable,
    flag,
    secret,
    help: textIn(help, language),
    default: defaultText === undefined ? defaultValue : textIn(defaultText, language),
  }));
}

/** A call and what it does. */
type Row = readonly [call: string, what: string];

function rowsOf(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([call]) => call.length)) + 3;
  return rows.map(([call, what]) => `  ${call.padEnd(width)}${what}`);
}

function programHelp({ say, language }: Translator): string[] {
  const action = say('help.placeholder.action');
  const actions = archiveActions.join(', ');
  return [
    say('help.purpose'),
    '',
    `${say('help.commands')}:`,
    ...rowsOf([
      ['docfiscal-mcp', say('help.command.stdio')],
      ['docfiscal-mcp --demo', say('help.command.demo')],
      ['docfiscal-mcp setup', say('help.command.setup')],
      ['docfiscal-mcp http [--host H] [--port N]', say('help.command.http')],
      ['docfiscal-mcp sandbox [--port N]', say('help.command.sandbox')],
      ['docfiscal-mcp doctor [--json] [--host NAME]', say('help.command.doctor')],
      [`docfiscal-mcp archive ${action}`, say('help.command.archive', { actions })],
      ['docfiscal-mcp token', say('help.command.token')],
      ['docfiscal-mcp --help, --version', say('help.command.help')],
    ]),
    '',
    `${say('help.settings')}:`,
    ...settingRows(language).map((row) => {
      const value = row.default === undefined ? '' : ` (${say('help.default', { value: row.default })})`;
      return `  ${[row.variable, ...(row.flag ? [row.flag] : [])].join(', ')}\n      ${row.help}${value}`;
    }),
  ];
}

function commandHelp(topic: Exclude<Topic, 'stdio'>, { say }: Translator): string[] {
  const table = (heading: 'actions' | 'options', ...rows: Row[]) => [
    '',
    `${say(`help.${heading}`)}:`,
    ...rowsOf(rows),
  ];
  const too = say('help.settings_too');
  const folder = say('help.placeholder.folder');
  const day = say('help.placeholder.day');
  const lines: Readonly<Record<typeof topic, () => readonly string[]>> = {
    http: () => [
      'http [--host H] [--port N] [--demo]',
      say('help.http.purpose'),
      ...table(
        'options',
        ['--host H', say('help.http.host')],
        ['--port N', say('help.http.port')],
        ['--demo', say('help.http.demo')],
      ),
      '',
      too,
    ],
    token: () => ['token', say('help.token.purpose'), '', too],
    setup: () => ['setup', say('help.setup.purpose'), say('help.setup.exit'), too],
    sandbox: () => [
      'sandbox [--port N]',
      say('help.sandbox.purpose'),
      ...table('options', ['--port N', say('help.sandbox.port')]),
    ],
    doctor: () => [
      'doctor [--json] [--host NAME] [--demo]',
      say('help.doctor.purpose'),
      ...table(
        'options',
        ['--json', say('help.doctor.json')],
        ['--host NAME', say('help.doctor.host', { hosts: hosts.map(({ id }) => id).join(', ') })],
        ['--demo', say('help.doctor.demo')],
      ),
      '',
      say('help.doctor.marks'),
      say('help.doctor.exit'),
      too,
    ],
    archive: () => [
      `archive ${say('help.placeholder.action')}`,
      say('help.archive.purpose'),
      ...table(
        'actions',
        ['info', say('help.archive.info')],
        ['verify', say('help.archive.verify')],
        ['fetch [--refresh]', say('help.archive.fetch')],
        [`import ${say('help.placeholder.paths')}`, say('help.archive.import')],
        [`export --to ${folder}`, say('help.archive.export')],
        ['purge [--yes]', say('help.archive.purge')],
        [`verify-dossier ${say('help.placeholder.file')} [--hash H]`, say('help.archive.verify_dossier')],
      ),
      ...table(
        'options',
        ['--company CNPJ', say('help.archive.company')],
        ['--kind nfe|nfse|cte', say('help.archive.kind')],
        [`--from ${day} --until ${day}`, say('help.archive.days')],
      ),
      '',
      say('help.archive.fetch_days'),
      say('help.archive.exit'),
      too,
    ],
  };
  const [call, ...others] = lines[topic]();
  return [`docfiscal-mcp ${call}`, '', ...others];
}

export function helpText(topic: Topic, language: Language): string {
  const translator = createTranslator(language);
  const lines = topic === 'stdio' ? programHelp(translator) : commandHelp(topic, translator);
  return [...lines, ''].join('\n');
}

/** How to call the program from here: by name if installed, otherwise through Node. */
function calledAs(script: string): string {
  if (!/\.[cm]?[jt]s$/.test(script)) return 'docfiscal-mcp';
  const path = relative(process.cwd(), script);
  return `node ${/\s/.test(path) ? `"${path}"` : path}`;
}

/**
 * Text for a person who starts the server in a terminal, where it would wait for an assistant.
 * @param script the program's file, as given to Node
 */
export function greeting(isDemo: boolean, script: string, { say }: Translator): string {
  const program = calledAs(script);
  const args = [script, ...(isDemo ? ['--demo'] : [])];
  const doctor: Row[] = isDemo ? [] : [[`${program} doctor`, say('help.command.doctor')]];
  return [
    say(isDemo ? 'greeting.demo' : 'greeting.server', { version }),
    '',
    say('greeting.host'),
    `  "docfiscal": ${JSON.stringify({ command: 'node', args })}`,
    ...(isDemo ? [] : [say('greeting.try')]),
    '',
    say('greeting.type'),
    ...rowsOf([
      [`${program} setup`, say('help.command.setup')],
      ...doctor,
      [`${program} doctor --demo`, say('help.doctor.demo')],
      [`${program} --help`, say('help.command.help')],
    ]),
    '',
    say('greeting.end'),
  ].join('\n');
}
