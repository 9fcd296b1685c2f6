import { type Setting, settings } from '../config/settings.ts';
import { createTranslator } from '../messages/index.ts';
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

/** The text of `--help`. */
export function helpText(language: Language): string {
  const { say } = createTranslator(language);
  const commands = [
    ['docfiscal-mcp', say('help.command.stdio')],
    ['docfiscal-mcp --demo', say('help.command.demo')],
    ['docfiscal-mcp http [--host H] [--port N]', say('help.command.http')],
    ['docfiscal-mcp sandbox [--port N]', say('help.command.sandbox')],
    ['docfiscal-mcp doctor [--demo] [--json]', say('help.command.doctor')],
    ['docfiscal-mcp archive ACTION', say('help.command.archive')],
    ['docfiscal-mcp --help, --version', say('help.command.help')],
  ] as const;
  const rows = settingRows(language).map((row) => {
    const value = row.default === undefined ? '' : ` (${say('help.default', { value: row.default })})`;
    return `  ${[row.variable, ...(row.flag ? [row.flag] : [])].join(', ')}\n      ${row.help}${value}`;
  });
  return [
    say('help.purpose'),
    '',
    `${say('help.commands')}:`,
    ...commands.map(([call, what]) => `  ${call.padEnd(42)}${what}`),
    '',
    `${say('help.settings')}:`,
    ...rows,
    '',
  ].join('\n');
}
