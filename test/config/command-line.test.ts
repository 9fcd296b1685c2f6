import { describe, expect, it } from 'vitest';
import { describeProblem } from '../../src/commands/problems.ts';
import { readCommandLine } from '../../src/config/command-line.ts';
import { settings } from '../../src/config/settings.ts';
import { createTranslator } from '../../src/messages/index.ts';

const problemsOf = (...argv: string[]): string[] =>
  readCommandLine(argv).problems.map((problem) => describeProblem(problem, createTranslator('en')));

describe('commands', () => {
  it.each([
    [[], 'stdio'],
    [['--demo'], 'stdio'],
    [['http'], 'http'],
    [['sandbox'], 'sandbox'],
    [['doctor'], 'doctor'],
    [['--help'], 'help'],
    [['--version'], 'version'],
    [['doctor', '--help'], 'help'],
    [['http', '--version'], 'version'],
  ])('%j is %s', (argv, command) => {
    const line = readCommandLine(argv);
    expect(line.command).toBe(command);
    expect(line.problems).toEqual([]);
  });

  it('have options of their own', () => {
    expect(readCommandLine(['--demo'])).toMatchObject({ demo: true, json: false });
    expect(readCommandLine(['doctor', '--json', '--demo'])).toMatchObject({
      demo: true,
      json: true,
      problems: [],
    });
    expect(readCommandLine(['http', '--host', '0.0.0.0', '--port=8080'])).toMatchObject({
      host: '0.0.0.0',
      port: 8080,
      problems: [],
    });
    expect(readCommandLine(['sandbox', '--port', '0'])).toMatchObject({ port: 0, problems: [] });
  });

  it.each([
    [['docter'], 'unknown command: docter; the nearest is doctor'],
    [['sandbx'], 'the nearest is sandbox'],
    [['http', 'doctor'], 'unknown command: http doctor'],
  ])('%j is a mistake', (argv, words) => {
    expect(problemsOf(...argv).join('\n')).toContain(words);
  });

  it.each([
    [['--json'], '--json'],
    [['--port', '1'], '--port'],
    [['sandbox', '--host', 'x'], '--host'],
    [['http', '--demo'], '--demo'],
  ])('%j has an option of another command', (argv, option) => {
    expect(problemsOf(...argv)).toEqual([`unknown option: ${option}`]);
  });

  it.each(['65536', '-1', 'http', '1.5', ''])('--port=%s is a mistake', (port) => {
    expect(problemsOf('sandbox', `--port=${port}`).join('\n')).toContain('--port');
  });
});

describe('settings as flags', () => {
  it.each(
    settings.flatMap(({ flag, variable, isToggle }) =>
      flag && !isToggle ? [[flag, variable] as const] : [],
    ),
  )('%s is %s', (flag, variable) => {
    expect(readCommandLine([flag, 'value']).flags).toEqual(new Map([[variable, 'value']]));
    expect(readCommandLine([`${flag}=value`]).flags).toEqual(new Map([[variable, 'value']]));
    expect(readCommandLine([flag, 'value']).problems).toEqual([]);
  });

  it('need no value where they are on or off', () => {
    expect(readCommandLine(['--read-only']).flags).toEqual(new Map([['DFE_READ_ONLY', 'true']]));
    expect(readCommandLine(['--read-only=false']).flags).toEqual(new Map([['DFE_READ_ONLY', 'false']]));
    expect(readCommandLine(['--read-only', 'doctor'])).toMatchObject({ command: 'doctor', problems: [] });
  });

  it('stand before and after the command', () => {
    const line = readCommandLine(['--cnpj', '11222333000181', 'doctor', '--language=en']);
    expect(line).toMatchObject({ command: 'doctor', problems: [] });
    expect([...line.flags.keys()].toSorted()).toEqual(['DFE_CNPJ', 'DFE_LANGUAGE']);
  });

  it.each([
    ['--readonly', '--read-only'],
    ['--read-onyl', '--read-only'],
    ['--uri', '--url'],
    ['--toolset', '--toolsets'],
  ])('%s is a mistake that points at %s', (flag, nearest) => {
    expect(problemsOf(flag)).toEqual([`unknown option: ${flag}; the nearest is ${nearest}`]);
  });

  it.each(['--password', '--account-api-key', '--account-token', '--account-license-key'])(
    '%s is none, because others can see it, and its value is not repeated',
    (flag) => {
      const variable = `DFE_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;
      for (const argv of [[`${flag}=hunter2`], [flag, 'hunter2']]) {
        const problems = problemsOf(...argv).join('\n');
        expect(problems).toContain(flag);
        expect(problems).toContain(variable);
        expect(problems).not.toContain('hunter2');
      }
    },
  );

  it('are mistakes without their value, and given twice', () => {
    expect(problemsOf('--cnpj')).toEqual(['--cnpj needs a value']);
    expect(problemsOf('--cnpj', '--read-only')).toContain('--cnpj needs a value');
    expect(problemsOf('--timeout', '5', '--timeout', '6')).toEqual(['--timeout is given twice']);
    expect(problemsOf('-r').join('\n')).toContain('unknown option');
  });

  it('are no names that every object has', () => {
    expect(problemsOf('--constructor')).toHaveLength(1);
    expect(problemsOf('--__proto__=1')).toHaveLength(1);
  });
});
