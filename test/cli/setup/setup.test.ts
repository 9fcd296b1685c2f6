import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hosts } from '../../../src/cli/setup/hosts.ts';
import { setUp } from '../../../src/cli/setup/setup.ts';
import { configure } from '../../../src/config/configure.ts';
import { nfeXml } from '../../support/documents.ts';
import { duringTests, folderOfEachTest } from '../../support/during-tests.ts';
import { authorisedNote } from '../../support/filed-documents.ts';
import { startNovemberSandbox } from '../../support/november-sandbox.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { scriptedTerminal, type Typed } from '../../support/scripted-terminal.ts';

const sandbox = duringTests(startNovemberSandbox);
const folder = folderOfEachTest();

const at = (...parts: string[]) => join(folder.path, ...parts);
const company = '48152036000117';
const started = {
  node: '/usr/bin/node',
  script: '/opt/docfiscal-mcp.cjs',
  version: '1.0.0',
  platform: 'linux',
} as const;

/** Everything below the home folder, by path. */
const files = () =>
  readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.path.length + 1))
    .sort();

async function run(typed: readonly Typed[], flags: Record<string, string> = {}) {
  const terminal = scriptedTerminal(typed);
  const given = new Map(Object.entries({ DFE_LANGUAGE: 'en', DFE_DATA_DIR: at('data'), ...flags }));
  const machine = { platform: 'linux', home: folder.path, env: {} } as const;
  const isDone = await setUp(configure(given, {}), { terminal, machine, started });
  return { isDone, screen: terminal.screen(), asked: terminal.asked(), left: terminal.left() };
}

function configured(text: string): void {
  mkdirSync(at('.cursor'));
  writeFileSync(at('.cursor/mcp.json'), text);
}

const service = (password = sandbox.credentials.password) => [
  ...['', '1', sandbox.url, sandbox.credentials.user, password],
  ...[company, at('downloads'), 'y', 'n', 'n'],
];
const written = () => JSON.parse(readFileSync(at('.cursor/mcp.json'), 'utf8'));
const hostNumber = (id: string) => String(hosts.findIndex((one) => one.id === id) + 1);
const cursor = () => [hostNumber('cursor'), ''];

describe('setup', () => {
  it('writes the configuration and the password apart from it, for their owner alone', async () => {
    const { isDone, screen, left } = await run([...service('demo'), ...cursor(), 'y']);
    expect(left).toEqual([]);
    expect(isDone, screen).toBe(true);
    expect(files()).toEqual(['.cursor/mcp.json', 'data/password']);
    expect(written()).toEqual({
      mcpServers: {
        docfiscal: {
          command: started.node,
          args: [started.script],
          env: {
            DFE_LANGUAGE: 'en',
            DFE_URL: sandbox.url,
            DFE_USER: 'demo',
            DFE_CNPJ: company,
            DFE_DOWNLOAD_DIR: at('downloads'),
            DFE_ARCHIVE: 'file',
            DFE_DATA_DIR: at('data'),
            DFE_PASSWORD_FILE: at('data/password'),
          },
        },
      },
    });
    expect(readFileSync(at('data/password'), 'utf8')).toBe('demo\n');
    if (process.platform !== 'win32') expect(statSync(at('data/password')).mode & 0o777).toBe(0o600);
  });

  it.each(hosts)('offers $id, for which a demo needs no answers', async (host) => {
    const { isDone, screen } = await run(['', '4', hostNumber(host.id), '', 'y']);
    expect(isDone, screen).toBe(true);
    expect(screen).toContain('--demo');
    expect(files()).toHaveLength(host.addCommand === undefined ? 1 : 0);
    expect(/ mcp add | --add-mcp /.test(screen)).toBe(host.addCommand !== undefined);
  });

  it('gives a host that adds servers itself its command, and writes the password alone', async () => {
    const { isDone, screen } = await run([...service('demo'), hostNumber('codex'), '', 'y']);
    expect(isDone, screen).toBe(true);
    const command = screen.split('\n').find((line) => line.startsWith('codex mcp add docfiscal '));
    expect(command).toContain(`--env DFE_PASSWORD_FILE=${at('data/password')}`);
    expect(command).toMatch(/ -- [^ ]*node [^ ]*docfiscal-mcp\.cjs$/);
    expect(files()).toEqual(['data/password']);
    expect(screen).not.toContain('PASSWORD=demo');
    const accepted = ['', '1', sandbox.url, sandbox.credentials.user, 'other', company, '3'];
    const refused = await run([...accepted, '', 'n', 'n', 'n', hostNumber('codex'), '', 'n']);
    expect(refused.isDone).toBe(false);
    expect(readFileSync(at('data/password'), 'utf8')).toBe('demo\n');
  });

  it('leaves everything as it was when Ctrl+C is pressed, at whatever question', async () => {
    const whole = [...service(), ...cursor()];
    for (let answered = 0; answered <= whole.length; answered++) {
      const { isDone, screen } = await run(whole.slice(0, answered));
      expect({ isDone, files: files() }).toEqual({ isDone: false, files: [] });
      expect(screen).toContain('Nothing was written.');
    }
  });

  it('asks again for what cannot be, and never shows a password', async () => {
    const typed = ['9', '2', '1', 'ftp://x', sandbox.url, '', 'demo', '', 'S3cret-x', '123', company];
    const { screen } = await run([...typed, '4']);
    expect(screen).toContain('Type a number from 1 to 2.');
    expect(screen).toContain('must be an http(s) address');
    expect(screen).toContain('An answer is needed.');
    expect(screen).toContain('must be a valid CNPJ');
    expect(screen).toContain('did not accept the user and password');
    expect(screen).not.toContain('S3cret-x');
    expect(files()).toEqual([]);
  });

  it.each([
    ['only the password', ['1', 'demo']],
    ['all of the access', ['2', '', '', 'demo', '']],
  ])('asks for %s again when the access is refused', async (_what, again) => {
    const access = ['', '1', sandbox.url, sandbox.credentials.user, 'wrong', company];
    const typed = [...access, ...again, '', 'n', 'n', 'n', ...cursor(), 'y'];
    const { isDone, screen, left } = await run(typed);
    expect(screen).toContain('✗ The documents service did not accept');
    expect({ isDone, left }, screen).toEqual({ isDone: true, left: [] });
    expect(readFileSync(at('data/password'), 'utf8')).toBe('demo\n');
  });

  it('takes an address without a scheme for one over https, and names no variable', async () => {
    const { screen } = await run(['', '1', '127.0.0.1:9', 'demo', 'demo', '', '1']);
    expect(screen).toContain('[https://127.0.0.1:9]: ^C');
    const other = await run(['', '1', 'ftp://x', sandbox.url, 'demo', 'demo', '12', '', '', 'y', 'n']);
    expect(screen + other.screen).not.toMatch(/DFE_/);
  });

  it.each([
    ['1', ['k3y-of-account'], { DFE_ACCOUNT_API_KEY: 'k3y-of-account' }],
    ['2', ['t0ken'], { DFE_ACCOUNT_TOKEN: 't0ken' }],
    [
      '3',
      ['id.example/token', 'client', 's3cret'],
      {
        DFE_ACCOUNT_OAUTH_TOKEN_URL: 'https://id.example/token',
        DFE_ACCOUNT_OAUTH_CLIENT_ID: 'client',
        DFE_ACCOUNT_OAUTH_CLIENT_SECRET: 's3cret',
      },
    ],
    ['4', ['ana', 'l1cence'], { DFE_ACCOUNT_USER: 'ana', DFE_ACCOUNT_LICENSE_KEY: 'l1cence' }],
  ])('asks for the account service where it is wanted, way %s', async (way, typed, expected) => {
    const wanted = [...service('demo').slice(0, -1), 'y', 'account.example', way, ...typed];
    const { isDone, screen } = await run([...wanted, ...cursor(), 'y']);
    expect(isDone, screen).toBe(true);
    expect(screen).not.toContain(typed.at(-1));
    const { env } = written().mcpServers.docfiscal;
    expect(env).toMatchObject({ DFE_ACCOUNT_URL: 'https://account.example', ...expected });
    const shown = await run([...wanted, hostNumber('codex'), '', 'y']);
    expect(shown.screen).toContain('Replace each ***');
    expect(shown.screen).not.toContain(typed.at(-1));
  });

  it('works from files alone, and says what is in them', async () => {
    mkdirSync(at('notas'));
    writeFileSync(at('notas/nota.xml'), nfeXml({ number: 1 }));
    // A path as dragged into a terminal, and as typed by hand.
    const beside = relative(process.cwd(), at('notas'));
    for (const typed of [`'${at('notas')}'`, beside]) {
      const answers = ['', '2', at('missing'), typed, '1', '', 'n', ...cursor(), 'y'];
      const { isDone, screen } = await run(answers);
      expect(screen).toContain(`There is no ${at('missing')}`);
      expect(screen).toMatch(/✓ .*1 file read, 1 document/);
      expect(isDone, screen).toBe(true);
      const { env } = written().mcpServers.docfiscal;
      expect(env).toMatchObject({ DFE_FILES: at('notas'), DFE_CNPJ: '11222333000181' });
      expect(screen).toContain('1) 11.222.333/0001-81 "Comercial Exemplo S.A.": 1 document');
      rmSync(at('.cursor'), { recursive: true });
    }
  });

  it('warns of a company that none of the files names, and proposes a question that they answer', async () => {
    mkdirSync(at('notas'));
    writeFileSync(at('notas/nota.xml'), authorisedNote({ number: 1, day: '2025-03-05' }));
    const other = ['3', '58.716.523/0001-19'];
    const { isDone, screen } = await run(['', '2', at('notas'), ...other, '', 'n', ...cursor(), 'y']);
    expect(isDone, screen).toBe(true);
    expect(screen).toContain('⚠ None of these files’ documents is of this company.');
    expect(screen).toContain('Ask: “Which notes are there in my files?”');
  });

  it('replaces a server of that name only after showing it, and keeps a copy', async () => {
    const before =
      '{"mcpServers":{"docfiscal":{"command":"old","env":{"DFE_PASSWORD":"hush-hush"}},"other":{}},"x":1}';
    configured(before);
    chmodSync(at('.cursor/mcp.json'), 0o640);
    const { isDone, screen } = await run([...service(), ...cursor(), 'y']);
    expect(isDone, screen).toBe(true);
    expect(screen).toContain('There is a server "docfiscal" already');
    expect(screen).toContain('"old"');
    expect(screen).not.toContain('hush-hush');
    expect(written()).toMatchObject({
      mcpServers: { other: {}, docfiscal: { command: started.node } },
      x: 1,
    });
    const [backup = ''] = files().filter((name) => name.endsWith('.backup'));
    expect(readFileSync(at(backup), 'utf8')).toBe(before);
    if (process.platform !== 'win32') expect(statSync(at('.cursor/mcp.json')).mode & 0o777).toBe(0o640);
  });

  it('the second time finds that there is nothing to do, or only another password to write', async () => {
    await run([...service('demo'), ...cursor(), 'y']);
    const before = files();
    const again = await run([...service('demo'), ...cursor()]);
    expect(again).toMatchObject({ isDone: true, left: [] });
    expect(again.screen).toContain('is already like this');
    expect(files()).toEqual(before);
    writeFileSync(at('data/password'), 'an older one\n');
    const refused = await run([...service('demo'), ...cursor(), 'n']);
    expect(refused.isDone).toBe(false);
    expect(refused.screen).toContain('Would change the password');
    expect(readFileSync(at('data/password'), 'utf8')).toBe('an older one\n');
    const { isDone } = await run([...service('demo'), ...cursor(), 'y']);
    expect({ isDone, files: files() }).toEqual({ isDone: true, files: before });
    expect(readFileSync(at('data/password'), 'utf8')).toBe('demo\n');
  });

  const put =
    (path: string, text: string, mode = 0o644) =>
    () => {
      mkdirSync(join(at(path), '..'), { recursive: true });
      writeFileSync(at(path), text, { mode });
    };
  const all = () => [...service(), ...cursor()];

  it.each<[what: string, prepare: () => void, typed: () => Typed[], words: RegExp]>([
    ['no yes', () => undefined, () => [...all(), 'maybe', ''], /Answer y or n\./],
    [
      'an address that does not answer',
      () => undefined,
      () => ['', '1', 'http://127.0.0.1:9', 'demo', 'demo', '', '3'],
      /✗ .*(?:reach|connect|answer)/i,
    ],
    [
      'a folder without documents',
      put('notas/leia-me.txt', 'nothing'),
      () => ['', '2', at('notas'), '3'],
      /✗ No fiscal document was found there\./,
    ],
    ...['{ "mcpServers": ', '// mine\n{}', '[]', '\u0000\u0001'].map(
      (text): [string, () => void, () => Typed[], RegExp] => [
        `a file that is not understood: ${JSON.stringify(text)}`,
        put('.cursor/mcp.json', text),
        all,
        /stays as it is.*"DFE_PASSWORD_FILE"/s,
      ],
    ),
    [
      'a write-protected file',
      put('.cursor/mcp.json', '{}', 0o444),
      all,
      /is write-protected and stays as it is.*password was not written: put it alone into .*data\/password/s,
    ],
    ['a folder that cannot be made', put('.cursor', 'a file'), all, /ENOTDIR/],
    ['a password that cannot be kept', put('data', 'a file'), () => [...all(), 'y'], /password could not be/],
  ])('writes nothing after %s', async (_what, prepare, typed, words) => {
    prepare();
    const contents = () => files().map((name) => [name, readFileSync(at(name), 'utf8')]);
    const before = contents();
    const { isDone, screen, left } = await run(typed());
    expect(screen).toMatch(words);
    expect({ isDone, left, contents: contents() }).toEqual({ isDone: false, left: [], contents: before });
  });

  it.skipIf(process.platform === 'win32')(
    'keeps a link to a configuration that lives elsewhere',
    async () => {
      mkdirSync(at('.cursor'));
      writeFileSync(at('dotfiles.json'), '{}');
      symlinkSync(at('dotfiles.json'), at('.cursor/mcp.json'));
      const { isDone } = await run([...service(), ...cursor(), 'y']);
      expect(isDone).toBe(true);
      expect(lstatSync(at('.cursor/mcp.json')).isSymbolicLink()).toBe(true);
      expect(readFileSync(at('dotfiles.json'), 'utf8')).toContain('docfiscal');
    },
  );

  it('leaves a file alone that somebody has written since it was shown', async () => {
    configured('{}');
    const meanwhile = () => {
      writeFileSync(at('.cursor/mcp.json'), '{"theirs":1}');
      return 'y';
    };
    const { isDone, screen } = await run([...service(), ...cursor(), meanwhile]);
    expect(screen).toContain('changed while you answered');
    expect({ isDone, files: files() }).toEqual({ isDone: false, files: ['.cursor/mcp.json'] });
    expect(readFileSync(at('.cursor/mcp.json'), 'utf8')).toBe('{"theirs":1}');
  });

  it('keeps flags that it does not ask for', async () => {
    const answers = ['', '1', sandbox.url, 'demo', 'demo', company, at('downloads'), 'n', 'n', 'n'];
    const { isDone, screen } = await run([...answers, ...cursor(), 'y'], {
      DFE_TIME_ZONE: 'America/Manaus',
      DFE_DATA_DIR: relative(process.cwd(), at('data')),
    });
    expect(isDone, screen).toBe(true);
    const { env } = written().mcpServers.docfiscal;
    expect(env).toMatchObject({
      DFE_TIME_ZONE: 'America/Manaus',
      DFE_DOWNLOAD_DIR: at('downloads'),
      DFE_DATA_DIR: at('data'),
      DFE_PASSWORD_FILE: at('data/password'),
    });
    expect(env).not.toHaveProperty('DFE_ARCHIVE');
  });

  it('only shows the configuration for another host', async () => {
    const { isDone, screen } = await run([...service(), '7', 'my_server']);
    expect({ isDone, exists: existsSync(at('data')) }).toEqual({ isDone: true, exists: false });
    expect(screen).toContain('"my_server"');
  });

  it('needs a terminal', async () => {
    const finished = await runInProcess(['setup'], { DFE_LANGUAGE: 'en' });
    expect(finished).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('needs a terminal'),
    });
  });
});
