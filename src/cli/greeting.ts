import { relative } from 'node:path';
import { version } from '../config/version.ts';
import type { Translator } from '../messages/index.ts';

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
