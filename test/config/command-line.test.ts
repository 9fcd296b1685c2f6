import { describe, expect, it } from 'vitest';
import { describeProblem } from '../../src/cli/standard-error.ts';
import { readCommandLine } from '../../src/config/command-line.ts';
import { settings } from '../../src/config/settings.ts';
import { createTranslator } from '../../src/messages/index.ts';

const problemsOf = (...argv: string[]): string[] =>
  readCommandLine(argv).problems.map((problem) => describeProblem(problem, createTranslator('en')));

describe('commands', () => {
  it.each([
    [[], 'stdio', 'stdio'],
    [['--demo'], 'stdio', 'stdio'],
    [['sandbox'], 'sandbox', 'sandbox'],
    [['doctor'], 'doctor', 'doctor'],
    [['archive', 'info'], 'archive', 'archive'],
    [['--help'], 'help', 'stdio'],
    [['--demo', '--help'], 'help', 'stdio'],
    [['--version'], 'version', 'stdio'],
    [['doctor', '--help'], 'help', 'doctor'],
    [['sandbox', '--help'], 'help', 'sandbox'],
    [['archive', '--help'], 'help', 'archive'],
    [['archive', 'purge', '--help'], 'help', 'archive'],
    [['doctor', '--version'], 'version', 'doctor'],
  ])('%j is %s about %s', (argv, command, topic) => {
    expect(readCommandLine(argv)).toMatchObject({ command, topic, problems: [] });
  });

  it('have options of their own', () => {
    const { options, problems } = readCommandLine(['doctor', '--json', '--demo']);
    expect([Object.fromEntries(options), problems]).toEqual([{ json: 'true', demo: 'true' }, []]);
    expect(readCommandLine(['sandbox', '--port=0']).options).toEqual(new Map([['port', '0']]));
  });

  it.each([
    [['docter'], 'unknown command: docter; did you mean doctor?'],
    [['sandbx'], 'unknown command: sandbx; did you mean sandbox?'],
    [['archiv'], 'unknown command: archiv; did you mean archive?'],
    [['help'], 'unknown command: help; did you mean --help?'],
    [['archive', 'inf'], 'unknown command: archive inf; did you mean archive info?'],
    [['archive'], 'archive needs an action: info, verify, fetch, import, export, purge, verify-dossier'],
    [['doctor', 'sandbox'], 'unknown command: doctor sandbox; did you mean sandbox?'],
    [['http://user:hunter2@host'], 'unknown command: ***'],
    [['hunter2'], 'unknown command: ***'],
  ])('%j is a mistake', (argv, words) => {
    expect(problemsOf(...argv)).toEqual([words]);
  });

  it.each([
    [['--json'], '--json'],
    [['--port', '1'], '--port'],
    [['sandbox', '--json'], '--json'],
    [['archive', 'info', '--demo'], '--demo'],
    [['doctor', '--yes'], '--yes'],
  ])('%j has an option of another command', (argv, option) => {
    expect(problemsOf(...argv)).toEqual([`unknown option: ${option}`]);
  });

  it('take no value where they are on or off: it must not be taken for its opposite', () => {
    for (const flag of ['--demo=1', '--demo=false', '--json=yes'])
      expect(problemsOf('doctor', flag)).toEqual([`${flag.replace(/=.*/, '')} takes no value`]);
  });

  it('have ports from 0 to 65535', () => {
    for (const port of ['65536', '-1', 'http', '1.5', ''])
      expect(problemsOf('sandbox', `--port=${port}`)).toEqual([expect.stringContaining('--port')]);
  });
});

describe('settings as flags', () => {
  it('are all settings that are no secrets', () => {
    for (const { flag, variable, isToggle } of settings) {
      if (flag === undefined || isToggle) continue;
      const expected = { flags: new Map([[variable, 'value']]), problems: [] };
      expect(readCommandLine([flag, 'value'])).toMatchObject(expected);
      expect(readCommandLine([`${flag}=value`])).toMatchObject(expected);
    }
  });

  it('need no value where they are on or off', () => {
    expect(readCommandLine(['--read-only']).flags).toEqual(new Map([['DFE_READ_ONLY', 'true']]));
    expect(readCommandLine(['--read-only=false']).flags).toEqual(new Map([['DFE_READ_ONLY', 'false']]));
    expect(readCommandLine(['--read-only', 'doctor'])).toMatchObject({ command: 'doctor', problems: [] });
  });

  it('may precede and follow the command', () => {
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
    expect(problemsOf(flag)).toEqual([`unknown option: ${flag}; did you mean ${nearest}?`]);
  });

  const secrets = ['--password', '--account-api-key', '--account-token', '--account-license-key'];
  it.each(secrets)('%s is none, because others can see it, and its value is not repeated', (flag) => {
    const variable = `DFE_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`;
    for (const argv of [[`${flag}=hunter2`], [flag, 'hunter2']]) {
      const problems = problemsOf(...argv).join('\n');
      for (const name of [flag, variable]) expect(problems).toContain(name);
      expect(problems).not.toContain('hunter2');
    }
  });

  it.each([
    [['--cnpj'], '--cnpj needs a value'],
    [['--cnpj', '--read-only'], '--cnpj needs a value'],
    [['--cnpj='], '--cnpj needs a value'],
    [['--read-only='], '--read-only needs a value'],
    [['--timeout', '5', '--timeout', '6'], '--timeout is given twice'],
    [['--constructor'], expect.stringContaining('unknown option')],
    [['--__proto__=1'], expect.stringContaining('unknown option')],
  ])('%j is a mistake', (argv, words) => {
    expect(problemsOf(...argv)).toEqual([words]);
  });

  it('are spelt out: a single dash is a mistake, and what follows it is not repeated', () => {
    for (const flag of ['-r', '-rhunter2', '-r=hunter2']) {
      expect(problemsOf(flag)).toEqual([expect.stringMatching(/^unknown option: -r; did you mean --/)]);
    }
  });
});
