import { relative } from 'node:path';
import { version } from '../config/version.ts';
import type { Translator } from '../messages/index.ts';

/** How the program can be called again from here: by its name where it is installed, else as a file of Node's. */
function calledAs(script: string): string {
  if (!/\.[cm]?[jt]s$/.test(script)) return 'docfiscal-mcp';
  const path = relative(process.cwd(), script);
  return `node ${/\s/.test(path) ? `"${path}"` : path}`;
}

/**
 * What a person reads who starts the server in a terminal, where it would wait for ever for an assistant.
 * @param script the program's file, as Node was given it
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
