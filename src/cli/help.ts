import { relative } from 'node:path';
import { archiveActions, type Topic } from '../config/command-line.ts';
import { settings } from '../config/settings.ts';
import { version } from '../config/version.ts';
import { createTranslator, type MessageKey, type Translator } from '../messages/index.ts';
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

/** Options of commands that are not settings, in the order of their help. */
const optionsOf: Readonly<Partial<Record<Topic, readonly string[]>>> = {
  http: ['--host H', '--port N', '--demo'],
  sandbox: ['--port N'],
  doctor: ['--json', '--host NAME', '--demo'],
  archive: ['--company CNPJ', '--kind nfe|nfse|cte', '--from DAY --until DAY'],
};

function programHelp({ say, language }: Translator): string[] {
  const action = say('help.placeholder.action');
  const actions = archiveActions.join(', ');
  const call = (topic: Topic) => {
    const options = optionsOf[topic]?.filter((option) => option !== '--demo') ?? [];
    return ['docfiscal-mcp', topic, ...options.map((option) => `[${option}]`)].join(' ');
  };
  return [
    say('help.purpose'),
    '',
    `${say('help.commands')}:`,
    ...rowsOf([
      ['docfiscal-mcp', say('help.command.stdio')],
      ['docfiscal-mcp --demo', say('help.command.demo')],
      [call('setup'), say('help.command.setup')],
      [call('http'), say('help.command.http')],
      [call('sandbox'), say('help.command.sandbox')],
      [call('doctor'), say('help.command.doctor')],
      [`docfiscal-mcp archive ${action}`, say('help.command.archive', { actions })],
      [call('token'), say('help.command.token')],
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

function commandHelp(topic: Exclude<Topic, 'stdio'>, { say, tell }: Translator): string[] {
  const table = (heading: 'actions' | 'options', rows: readonly Row[]) =>
    rows.length === 0 ? [] : ['', `${say(`help.${heading}`)}:`, ...rowsOf(rows)];
  const values = { hosts: hosts.map(({ id }) => id).join(', ') };
  const options = (optionsOf[topic] ?? []).map((option): Row => {
    const [, name] = /^--([a-z]+)/.exec(option) ?? [];
    const call = option.replaceAll('DAY', say('help.placeholder.day'));
    return [call, tell(`help.${topic}.${name}` as MessageKey, values)];
  });
  const actions: Row[] = [
    ['info', say('help.archive.info')],
    ['verify', say('help.archive.verify')],
    ['fetch [--refresh]', say('help.archive.fetch')],
    [`import ${say('help.placeholder.paths')}`, say('help.archive.import')],
    [`export --to ${say('help.placeholder.folder')}`, say('help.archive.export')],
    ['purge [--yes]', say('help.archive.purge')],
    [`verify-dossier ${say('help.placeholder.file')} [--hash H]`, say('help.archive.verify_dossier')],
  ];
  const isArchive = topic === 'archive';
  const usage = isArchive ? [say('help.placeholder.action')] : options.map(([option]) => `[${option}]`);
  const closing: Readonly<Partial<Record<Topic, readonly string[]>>> = {
    setup: [say('help.setup.exit')],
    doctor: [say('help.doctor.marks'), say('help.doctor.exit')],
    archive: [say('help.archive.fetch_days'), say('help.archive.exit')],
  };
  return [
    ['docfiscal-mcp', topic, ...usage].join(' '),
    '',
    say(`help.${topic}.purpose`),
    ...table('actions', isArchive ? actions : []),
    ...table('options', options),
    ...(topic === 'sandbox' ? [] : ['', ...(closing[topic] ?? []), say('help.settings_too')]),
  ];
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
