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

type Row = readonly [call: string, what: string];

interface CommandHelp {
  readonly call: string;
  readonly purpose: readonly string[];
  readonly actions?: readonly Row[];
  readonly options?: readonly Row[];
  readonly notes?: readonly string[];
}

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
    ['docfiscal-mcp doctor [--json] [--host NAME]', say('help.command.doctor')],
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
  const heading = `${say('help.settings')}:`;
  return [say('help.purpose'), ...table(say('help.commands'), commands), '', heading, ...rows];
}

function commandHelp(topic: Exclude<Topic, 'stdio'>, { say }: Translator): CommandHelp {
  const day = say('help.placeholder.day');
  const helps: Readonly<Record<typeof topic, CommandHelp>> = {
    http: {
      call: 'http [--host H] [--port N] [--demo]',
      purpose: [say('help.http.purpose')],
      options: [
        ['--host H', say('help.http.host')],
        ['--port N', say('help.http.port')],
        ['--demo', say('help.http.demo')],
      ],
      notes: [say('help.settings_too')],
    },
    token: { call: 'token', purpose: [say('help.token.purpose')], notes: [say('help.settings_too')] },
    setup: {
      call: 'setup',
      purpose: [say('help.setup.purpose'), say('help.setup.exit'), say('help.settings_too')],
    },
    sandbox: {
      call: 'sandbox [--port N]',
      purpose: [say('help.sandbox.purpose')],
      options: [['--port N', say('help.sandbox.port')]],
    },
    doctor: {
      call: 'doctor [--json] [--host NAME] [--demo]',
      purpose: [say('help.doctor.purpose')],
      options: [
        ['--json', say('help.doctor.json')],
        ['--host NAME', say('help.doctor.host', { hosts: hosts.map(({ id }) => id).join(', ') })],
        ['--demo', say('help.doctor.demo')],
      ],
      notes: [say('help.doctor.marks'), say('help.doctor.exit'), say('help.settings_too')],
    },
    archive: {
      call: `archive ${say('help.placeholder.action')}`,
      purpose: [say('help.archive.purpose')],
      actions: [
        ['info', say('help.archive.info')],
        ['verify', say('help.archive.verify')],
        ['fetch [--refresh]', say('help.archive.fetch')],
        [`import ${say('help.placeholder.paths')}`, say('help.archive.import')],
        [`export --to ${say('help.placeholder.folder')}`, say('help.archive.export')],
        ['purge [--yes]', say('help.archive.purge')],
        [`verify-dossier ${say('help.placeholder.file')} [--hash H]`, say('help.archive.verify_dossier')],
      ],
      options: [
        ['--company CNPJ', say('help.archive.company')],
        ['--kind nfe|nfse|cte', say('help.archive.kind')],
        [`--from ${day} --until ${day}`, say('help.archive.days')],
      ],
      notes: [say('help.archive.fetch_days'), say('help.archive.exit'), say('help.settings_too')],
    },
  };
  return helps[topic];
}

export function helpText(topic: Topic, language: Language): string {
  const translator = createTranslator(language);
  if (topic === 'stdio') return [...programHelp(translator, language), ''].join('\n');
  const { call, purpose, actions, options, notes } = commandHelp(topic, translator);
  const lines = [
    ...[`docfiscal-mcp ${call}`, '', ...purpose],
    ...(actions ? table(translator.say('help.actions'), actions) : []),
    ...(options ? table(translator.say('help.options'), options) : []),
    ...(notes ? ['', ...notes] : []),
  ];
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
  const commands = [
    [`${program} setup`, say('help.command.setup')] as const,
    ...(isDemo ? [] : ([[`${program} doctor`, say('help.command.doctor')]] as const)),
    [`${program} doctor --demo`, say('help.doctor.demo')] as const,
    [`${program} --help`, say('help.command.help')] as const,
  ];
  const width = Math.max(...commands.map(([call]) => call.length)) + 3;
  const args = [script, ...(isDemo ? ['--demo'] : [])];
  return [
    say(isDemo ? 'greeting.demo' : 'greeting.server', { version }),
    '',
    say('greeting.host'),
    `  "docfiscal": ${JSON.stringify({ command: 'node', args })}`,
    ...(isDemo ? [] : [say('greeting.try')]),
    '',
    say('greeting.type'),
    ...commands.map(([call, what]) => `  ${call.padEnd(width)}${what}`),
    '',
    say('greeting.end'),
  ].join('\n');
}
