import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ArchiveError } from '../../src/archive/errors.ts';
import { startDemo } from '../../src/cli/sandbox.ts';
import type { Company } from '../../src/company/company.ts';
import { configurationOf } from '../support/configuration.ts';
import { duringTests, folderOfEachTest } from '../support/during-tests.ts';
import { examined } from '../support/examined.ts';
import { authorisedNote } from '../support/filed-documents.ts';
import { freePort } from '../support/free-port.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { json, startRecordingUpstream } from '../support/recording-upstream.ts';

const sandbox = duringTests(startNovemberSandbox);
const folder = folderOfEachTest();

function working(): Record<string, string> {
  return {
    DFE_URL: sandbox.url,
    DFE_USER: sandbox.credentials.user,
    DFE_PASSWORD: sandbox.credentials.password,
    DFE_CNPJ: sandbox.companies[0]?.id ?? '',
    DFE_ACCOUNT_URL: sandbox.url,
    DFE_ACCOUNT_API_KEY: sandbox.account.apiKey,
  };
}

/** What doctor finds with these settings and a data folder of its own. */
function doctor(env: Readonly<Record<string, string>>, change?: (company: Company) => Company) {
  const data = { DFE_DATA_DIR: join(folder.path, 'data'), DFE_LANGUAGE: 'en' };
  return examined({ ...data, ...env }, change);
}

/** The address of a service that is not there. */
const nowhere = async () => `http://127.0.0.1:${await freePort()}`;
const inFile = () => {
  writeFileSync(join(folder.path, 'a-file'), '');
  return { ...working(), DFE_DATA_DIR: join(folder.path, 'a-file', 'data') };
};
const says = (words: string) => ({ status: 'failed', message: expect.stringContaining(words) });
const notConfigured = (words: string) => ({ ...says(words), status: 'not_configured' });

type Settings = Readonly<Record<string, string>>;

it.each<[what: string, env: () => Settings | Promise<Settings>, report: object, ...text: RegExp[]]>([
  [
    'everything that is needed, which works',
    working,
    {
      ...{ verdict: 'ok', documents: { status: 'unclear', message: expect.stringContaining('Conectado') } },
      ...{ account: { status: 'ok' }, writes: { status: 'ok' }, archive: { status: 'ok' } },
      ...{ downloads: { status: 'not_configured' }, event_template: { status: 'ok' }, warnings: [] },
      views: { status: 'ok', message: expect.stringContaining('DFE_APPS=auto') },
    },
    /^✓ Everything that is needed works\. What is marked with \? cannot be judged/,
  ],
  [
    'nothing configured, and what to set',
    () => ({}),
    {
      verdict: 'failed',
      documents: notConfigured('DFE_URL, DFE_USER, DFE_PASSWORD'),
      account: notConfigured('DFE_ACCOUNT_URL;'),
    },
    /^✗ There is something to fix: Documents service\.\n/,
    /^✗ Documents service: not configured.* Run docfiscal-mcp setup /m,
    /^– Account service: not configured/m,
  ],
  [
    'a documents service that is not there, without its query',
    async () => ({ ...working(), DFE_URL: await nowhere() }),
    {
      ...{ verdict: 'failed', account: { status: 'ok' } },
      documents: { status: 'failed', message: expect.not.stringMatching(/usuario|senha|\?/) },
    },
  ],
  ['a data folder inside a file', inFile, { verdict: 'failed', writes: { status: 'failed' } }],
  [
    'a data folder inside a file, which is not needed read-only',
    () => ({ ...inFile(), DFE_READ_ONLY: 'true' }),
    { writes: { message: expect.stringContaining('read-only') } },
  ],
  [
    'a database that is not reached, without its password',
    async () => ({
      ...working(),
      DFE_DATABASE_URL: `postgresql://fiscal:hush-hush@${(await nowhere()).slice(7)}/dfe`,
    }),
    {
      ...{ verdict: 'failed', archive: says('DFE_DATABASE_URL') },
      settings: expect.arrayContaining([{ variable: 'DFE_ARCHIVE', source: 'default', value: 'database' }]),
    },
  ],
  [
    'an event template that fits nothing',
    () => ({ ...working(), DFE_EVENT_TEMPLATE: 'no key in here' }),
    { verdict: 'failed', event_template: says('DFE_EVENT_TEMPLATE') },
  ],
])('reports %s', async (_, env, expected, ...lines) => {
  const examined = await doctor(await env());
  const { report, text } = examined;
  expect(Object.keys(report)[0]).toBe('verdict');
  expect(report).toMatchObject(expected);
  expect(JSON.stringify(examined)).not.toContain('hush-hush');
  for (const line of lines) expect(text).toMatch(line);
});

describe('a verdict', () => {
  it.each([
    ['2027-01-22T12:00:00Z', 113, /^✓ Dates of the law looked up on .* \(60 days ago\)\.$/m],
    [
      '2027-01-23T12:00:00Z',
      114,
      /^⚠ Dates of the law looked up on .* \(61 days ago\): look for newer acts/m,
    ],
  ])('says how old tables and law are, and warns of an old law alone: %s', async (moment, age, line) => {
    const now = () => Date.parse(moment);
    const { report, text } = await doctor(working(), (company) => ({ ...company, now }));
    expect(report.tables.find(({ name }) => name === 'class_trib')).toMatchObject({
      ...{ published_on: '2026-10-01', age_days: age, source: expect.stringContaining('IT 2025.002') },
    });
    expect(text).toMatch(new RegExp(`✓ Official tables: .*cClassTrib of .*\\(${age} days ago\\)`));
    expect(text).toMatch(line);
    expect(report.verdict).toBe('ok');
  });

  it.each<Record<string, string>>([
    { DFE_URL: 'http://127.0.0.1:9' },
    { DFE_TOOLSETS: 'account' },
    { DFE_FILES: 'test/samples/nfe' },
  ])('does not send to setup where something is configured (%o)', async (some) => {
    expect((await doctor(some)).text).not.toContain('docfiscal-mcp setup');
  });

  it.each<[Record<string, string>, isWanted: boolean]>([
    [{}, false],
    [{ DFE_ACCOUNT_API_KEY: 'hush-hush' }, true],
    [{ DFE_ACCOUNT_USER: 'user' }, true],
    [{ DFE_TOOLSETS: 'documents', DFE_ACCOUNT_USER: 'user' }, false],
    [{ DFE_READ_ONLY: '1', DFE_ACCOUNT_USER: 'user' }, false],
    [{ DFE_TOOLSETS: 'account' }, true],
  ])('needs an account service that is begun or the only one wanted: %o', async (some, isWanted) => {
    const { DFE_ACCOUNT_URL: _url, DFE_ACCOUNT_API_KEY: _key, ...env } = working();
    expect((await doctor({ ...env, ...some })).report).toMatchObject({
      verdict: isWanted ? 'failed' : 'ok',
      account: { status: 'not_configured' },
    });
  });

  it('is in the language asked for, and in no other', async () => {
    const { text } = await doctor({ ...working(), DFE_ACCOUNT_API_KEY: '', DFE_LANGUAGE: 'pt-BR' });
    expect(text).toMatch(/^✗ Há o que corrigir: Serviço de conta\./);
    expect(text).toContain('DFE_ACCOUNT_USER ou DFE_ACCOUNT_OAUTH_CLIENT_ID');
    expect(text).not.toMatch(/\b(?:or|the|is|service)\b/);
  });
});

describe('the documents service', () => {
  it('answers Login with an undocumented number: it is marked and not judged', async () => {
    const right = await doctor(working());
    expect(right.text).toMatch(/^✓ Documents service: it answers/m);
    expect(right.text).toMatch(/^\? Documents service: Login answered 1;/m);
    const wrong = await doctor({ ...working(), DFE_PASSWORD: 'hush-hush' });
    expect(wrong.report.documents).toMatchObject({ status: 'unclear' });
    expect(wrong.text).toMatch(/^\? Documents service: Login answered 0; what that means/m);
    expect(JSON.stringify(wrong)).not.toContain('hush-hush');
  });

  const against = async (answer: (path: string, query: string) => unknown) => {
    await using upstream = await startRecordingUpstream(({ path, rawQuery }, response) => {
      const body = answer(path, rawQuery);
      json(response, body, typeof body === 'object' ? 401 : 200);
    });
    return await doctor({ ...working(), DFE_URL: upstream.url, DFE_PASSWORD: 'hush-hush' });
  };

  it('that refuses the credentials fails, without repeating them', async () => {
    const { report, text } = await against((path, query) =>
      path.endsWith('Login') ? { Message: `No ${query}` } : 'Conectado',
    );
    const message = expect.stringContaining('Check DFE_USER and DFE_PASSWORD');
    expect(report).toMatchObject({ verdict: 'failed', documents: { status: 'failed', message } });
    expect(text).toMatch(/^✓ Documents service: it answers/m);
    expect(JSON.stringify([report, text])).not.toContain('hush-hush');
  });

  it('that answers with more than a line is quoted as one', async () => {
    const { text } = await against((path) =>
      path.endsWith('Login') ? 1 : 'Conectado\n✓ Everything\u202e is fine',
    );
    expect(text).not.toMatch(/^✓ Everything.* is fine|\u202e/m);
  });

  it('needs a password file that can be read', async () => {
    const { DFE_PASSWORD: password = '', ...env } = working();
    const file = join(folder.path, 'password');
    const absent = await doctor({ ...env, DFE_PASSWORD_FILE: file });
    expect(absent.report).toMatchObject({
      verdict: 'failed',
      documents: { status: 'failed', message: expect.stringContaining('ENOENT') },
    });
    const both = await doctor({ ...env, DFE_PASSWORD_FILE: file, DFE_URL: await nowhere() });
    expect(both.report.documents.message).toMatch(/ECONNREFUSED.*ENOENT/);
    writeFileSync(file, `${password}\n`, { mode: 0o600 });
    expect((await doctor({ ...env, DFE_PASSWORD_FILE: file })).report.verdict).toBe('ok');
  });

  it.skipIf(process.platform === 'win32').each(['DFE_PASSWORD_FILE', 'DFE_SIGNING_KEY_FILE'])(
    'has a secret that others can read named: %s',
    async (variable) => {
      const { DFE_PASSWORD: password = '', ...env } = working();
      const files = {
        DFE_PASSWORD_FILE: join(folder.path, 'password'),
        DFE_SIGNING_KEY_FILE: join(folder.path, 'key'),
      };
      for (const path of Object.values(files)) writeFileSync(path, password, { mode: 0o600 });
      expect((await doctor({ ...env, ...files })).report).toMatchObject({ verdict: 'ok', warnings: [] });
      const path = files[variable as keyof typeof files];
      for (const mode of [0o640, 0o604]) {
        chmodSync(path, mode);
        const { report } = await doctor({ ...env, ...files });
        expect(report).toMatchObject({
          verdict: 'degraded',
          warnings: [expect.stringMatching(new RegExp(`^${variable}: .*permissions ${mode.toString(8)}`))],
        });
        expect(report.warnings[0]).toContain(`chmod 600 "${path}"`);
        expect(JSON.stringify(report.warnings)).not.toContain(password);
      }
    },
  );
});

describe('what is written down', () => {
  it.skipIf(process.platform === 'win32').each([
    [0o755, true],
    [0o750, true],
    [0o704, true],
    [0o700, false],
  ])('should not be open to others: %i', async (mode, isOpen) => {
    mkdirSync(join(folder.path, 'data'));
    chmodSync(join(folder.path, 'data'), mode);
    const { report } = await doctor(working());
    const warnings = isOpen ? [expect.stringContaining(`permissions ${mode.toString(8)}`)] : [];
    expect(report).toMatchObject({ verdict: isOpen ? 'degraded' : 'ok', warnings });
  });

  it('is warned about where the outcome of a write is not known', async () => {
    const { report } = await doctor(working(), (company) => ({
      ...company,
      async writeGuards() {
        const guards = await company.writeGuards();
        await guards.journal.begin({ tool: 'manifest_nfe', service: 'documents', operation: 'x', args: {} });
        return guards;
      },
    }));
    expect(report).toMatchObject({
      verdict: 'degraded',
      writes: { status: 'ok', message: expect.stringContaining('There is 1 write whose outcome') },
      warnings: [],
    });
  });
});

describe('the archive', () => {
  it('without SQLite fails, and says what to install', async () => {
    const { report, text } = await doctor(working(), (company) => ({
      ...company,
      archive: async () => {
        throw new ArchiveError('engine_missing', { node: '20.18.1' });
      },
    }));
    expect(report).toMatchObject({
      verdict: 'failed',
      archive: { status: 'failed', message: expect.stringMatching(/SQLite.*20\.18\.1.*libsql.*22\.13/) },
    });
    expect(text).toMatch(/^✗ There is something to fix: Archive\./);
  });
});

describe('the download folder', () => {
  // The superuser may write everywhere.
  const locks = process.platform === 'win32' || process.getuid?.() === 0 ? [] : ['EACCES'];

  it.each(['ENOTDIR', ...locks])('fails where nothing can be saved in it: %s', async (code) => {
    const at = join(folder.path, 'at');
    if (code === 'ENOTDIR') writeFileSync(at, '');
    else mkdirSync(at, { mode: 0o500 });
    for (const path of [at, join(at, 'notas')]) {
      const { report } = await doctor({ ...working(), DFE_DOWNLOAD_DIR: path });
      const message = expect.stringContaining(code);
      expect(report).toMatchObject({ verdict: 'failed', downloads: { status: 'failed', message } });
    }
  });

  it('is left as it is where files can be saved', async () => {
    const path = join(folder.path, 'downloads');
    const unmade = await doctor({ ...working(), DFE_DOWNLOAD_DIR: join(path, 'notas') });
    expect(unmade.report.downloads.status).toBe('ok');
    expect(readdirSync(folder.path)).not.toContain('downloads');
  });
});

describe("the user's own files", () => {
  const note = authorisedNote({ number: 1 });
  const broken = Buffer.from('PK\u0003\u0004 and nothing of a ZIP behind it');
  const page = '<html><body>Entrar</body></html>';
  const good = { '1.xml': note };
  const put = (name: string, contents: Readonly<Record<string, string | Buffer>>) => {
    mkdirSync(join(folder.path, name));
    for (const [file, content] of Object.entries(contents))
      writeFileSync(join(folder.path, name, file), content);
    return join(folder.path, name);
  };
  const two = /^✓ Your files: 2 files read, 1 document /m;

  it.each<[verdict: string, contents: Readonly<Record<string, string | Buffer>>, ...lines: RegExp[]]>([
    ['failed', { 'lote.zip': broken }, /^✗ Your files: 1 file read, 0 documents/m, /✗.*lote\.zip/],
    ['failed', { 'LOTE.ZIP': page }, /^✗ Your files:.* 0 documents/m, /✗.*LOTE\.ZIP/],
    ['failed', {}, /^✗ Your files: 0 files read/m, /✗ Your files: ".*notes" is empty.*mounted/],
    ['failed', { 'leia-me.txt': 'olá' }, /^✗ Your files: 1 file read, 0 documents/m, /✓.*leia-me\.txt/],
    ['degraded', { ...good, 'lote.zip': broken }, two, /^✗ Your files: .*lote\.zip/m],
    ['degraded', { ...good, 'lote.zip': 'olá' }, two, /^✗ Your files: .*lote\.zip/m],
    ['degraded', { ...good, 'LOTE.ZIP': page }, two, /^✗ Your files: .*LOTE\.ZIP/m],
    ['degraded', { ...good, '2.xml': note.slice(0, 900) }, two, /^✗ Your files: .*2\.xml/m],
    ['degraded', { ...good, '2.xml': '' }, two, /^✗ Your files: .*2\.xml/m],
    [
      'ok',
      { '1.zip': note, 'leia-me.txt': 'olá', 'danfe.pdf': '%PDF-1.4' },
      /^✓ Your files: .*leia-me\.txt/m,
    ],
  ])('are %s with %o', async (verdict, contents, ...lines) => {
    const { report, text } = await doctor({ ...working(), DFE_FILES: put('notes', contents) });
    expect(report.verdict).toBe(verdict);
    if (verdict === 'failed') expect(report.files.status).toBe('failed');
    for (const line of lines) expect(text).toMatch(line);
  });

  it('have a folder named in which nothing is, beside one with notes', async () => {
    const folders = [put('notes', good), put('mounted-elsewhere', {})];
    const { report, text } = await doctor({ ...working(), DFE_FILES: folders.join(delimiter) });
    expect(report.verdict).toBe('degraded');
    expect(text).toMatch(/^✗ Your files: ".*mounted-elsewhere" is empty/m);
  });
});

describe('the demo', () => {
  it('uses nothing that was configured for real', async () => {
    const real = {
      ...{ DFE_URL: 'https://dfe.example', DFE_USER: 'fiscal', DFE_PASSWORD: 'hush-hush' },
      DFE_ACCOUNT_URL: 'https://account.example',
      DFE_ACCOUNT_OAUTH_TOKEN_URL: 'https://id.example/token',
      DFE_DATABASE_URL: 'postgresql://fiscal:hush-hush@db.example/dfe',
      ...{ DFE_TENANTS: join(folder.path, 'tenants.json'), DFE_DATA_DIR: folder.path },
    };
    const demo = await startDemo(configurationOf(real));
    try {
      const { settings } = demo.configuration;
      expect(settings).toMatchObject({
        ...{ archive: 'memory', dataDir: join(folder.path, 'demo') },
        ...{ databaseUrl: undefined, tenants: undefined, accountOauthTokenUrl: undefined },
      });
      for (const url of [settings.url, settings.accountUrl]) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
      expect(settings.password?.reveal()).not.toBe('hush-hush');
    } finally {
      await demo.close();
    }
  });
});
