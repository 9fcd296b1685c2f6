import { homedir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { describeProblem } from '../../src/cli/standard-error.ts';
import { configure, languageOf, type Misconfigured, unknownVariables } from '../../src/config/configure.ts';
import { Secret } from '../../src/config/setting-kinds.ts';
import { settings } from '../../src/config/settings.ts';
import { createTranslator } from '../../src/messages/index.ts';

const none = new Map<string, string>();

const settled = (env: Record<string, string>, flags: ReadonlyMap<string, string> = none) =>
  configure(flags, env);

/** The mistakes in words, as the person who starts the program reads them. */
function problemsOf(env: Record<string, string>, flags: ReadonlyMap<string, string> = none): string[] {
  try {
    settled(env, flags);
    return [];
  } catch (error) {
    const { problems } = error as Misconfigured;
    return problems.map((problem) => describeProblem(problem, createTranslator('en')));
  }
}

const plain = (value: unknown): unknown => (value instanceof Secret ? value.reveal() : value);

const nameOf = (variable: string) => settings.find((one) => one.variable === variable)?.name ?? 'url';

/** Settings of the README, by hand: variable without `DFE_`, a value, what it becomes where that is another. */
const examples = (
  [
    ['URL', 'https://dfe.example/base/', 'https://dfe.example/base'],
    ['USER', 'fiscal'],
    ['PASSWORD', ' s3nh@ '],
    ['PASSWORD_FILE', '/run/secret'],
    ['CNPJ', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['DATE_FORMAT', 'yyyy-MM-dd'],
    ['TIME_FORMAT', 'none'],
    ['TIME_ZONE', 'America/Manaus'],
    ['EVENT_TEMPLATE', '{key};{code}'],
    ['ACCOUNT_URL', 'https://account.example'],
    ['ACCOUNT_API_KEY', 'k3y'],
    ['ACCOUNT_TOKEN', 't0ken'],
    ['ACCOUNT_OAUTH_TOKEN_URL', 'https://id.example/token'],
    ['ACCOUNT_OAUTH_CLIENT_ID', 'client'],
    ['ACCOUNT_OAUTH_CLIENT_SECRET', 's3cret'],
    ['ACCOUNT_OAUTH_SCOPE', 'a b'],
    ['ACCOUNT_USER', 'joão'],
    ['ACCOUNT_LICENSE_KEY', 'l1cence'],
    ['ACCOUNT_VENDOR', 'Vendor'],
    ['ACCOUNT_CLIENT', 'erp; 7.1'],
    ['READ_ONLY', 'true', true],
    ['TOOLSETS', 'documents, account', ['documents', 'account']],
    ['CONFIRMATION', 'form'],
    ['DOWNLOAD_DIR', '/tmp/down'],
    ['DATA_DIR', '/tmp/data'],
    ['ARCHIVE', 'file'],
    ['ARCHIVE_XML', 'true', true],
    ['ARCHIVE_REFRESH', '2:30m', [{ days: 2, olderThanMs: 1_800_000 }]],
    ['DATABASE_URL', 'postgresql://u:p@db.example/dfe'],
    ['TIMEOUT', '90', 90],
    ['CONCURRENCY', '2', 2],
    ['LANGUAGE', 'en'],
  ] as [string, string, unknown?][]
).map(([name, text, value = text]) => [`DFE_${name}`, text, value] as const);
const secrets = /^DFE_(?:PASSWORD|ACCOUNT_(?:API_KEY|TOKEN|OAUTH_CLIENT_SECRET|LICENSE_KEY)|DATABASE_URL)$/;

/** On or off, or numbers: a blank in one of these is a mistyped value. */
const refusingBlanks = [
  ...['DFE_READ_ONLY', 'DFE_ARCHIVE_XML', 'DFE_HTTP_INSECURE'],
  ...['DFE_TIMEOUT', 'DFE_CONCURRENCY', 'DFE_HTTP_PORT', 'DFE_METRICS_PORT'],
];

describe('settings', () => {
  it.each(examples)('%s is %s, by variable or flag, which wins, and unset if empty', (...one) => {
    const [variable, text, expected] = one;
    const name = nameOf(variable);
    const isSecret = secrets.test(variable);
    const from = (env: Record<string, string>, flags: Record<string, string> = {}) => {
      const { settings: values, sources } = settled(env, new Map(Object.entries(flags)));
      return [plain(values[name]), sources[name]];
    };
    expect(from({ [variable]: text })).toEqual([expected, 'environment']);
    const flag = `--${variable.replace('DFE_', '').toLowerCase().replaceAll('_', '-')}`;
    const setting = settings.find((each) => each.variable === variable);
    expect(setting).toMatchObject({ secret: isSecret, flag: isSecret ? undefined : flag });
    const other = variable === 'DFE_CNPJ' ? '11222333000181' : text;
    if (!isSecret) expect(from({ [variable]: other }, { [variable]: text })).toEqual([expected, 'flag']);
    if (variable === 'DFE_DATA_DIR') return;
    const unset = from({});
    expect(from({ [variable]: '' })).toEqual(unset);
    if (!isSecret && !refusingBlanks.includes(variable)) expect(from({ [variable]: ' ' })).toEqual(unset);
  });

  it('have the defaults of the design', () => {
    const { settings: values, sources } = settled({});
    expect(values).toMatchObject({
      dateFormat: 'dd/MM/yyyy',
      timeFormat: 'HH:mm:ss',
      timeZone: 'America/Sao_Paulo',
      eventTemplate: '{"ChaveNFe":"{key}","TipoEvento":"{code}","Motivo":"{justification}"}',
      readOnly: false,
      toolsets: ['documents', 'manifestation', 'account', 'analysis'],
      confirmation: 'any',
      archive: 'memory',
      archiveXml: false,
      archiveRefresh: [
        { days: 7, olderThanMs: 5 * 60_000 },
        { days: 35, olderThanMs: 24 * 60 * 60_000 },
        { days: 100, olderThanMs: 7 * 24 * 60 * 60_000 },
      ],
      timeout: 40,
      concurrency: 4,
      language: 'pt-BR',
    });
    expect(values.accountClient).toMatch(/^docfiscal-mcp; \d+\.\d+\.\d+$/);
    for (const name of ['url', 'password', 'cnpj', 'downloadDir'] as const)
      expect([values[name], sources[name]]).toEqual([undefined, 'unset']);
    expect(sources.timeout).toBe('default');
  });

  it.each(refusingBlanks)('%s of blanks stops the start, by variable and by flag', (variable) => {
    const flag = new Map([[variable, '\t']]);
    for (const problems of [problemsOf({ [variable]: ' ' }), problemsOf({}, flag)]) {
      expect(problems).toEqual([expect.stringContaining(`${variable} cannot be "`)]);
    }
  });

  it.each(['', ' '])('an empty DFE_DATA_DIR (%j) is a mistake, because it holds the journal', (nothing) => {
    expect(problemsOf({ DFE_DATA_DIR: nothing })).toEqual([
      'DFE_DATA_DIR is empty: name a folder or remove the variable',
    ]);
    expect(settled({ DFE_DATA_DIR: nothing }, new Map([['DFE_DATA_DIR', '/data']])).settings.dataDir).toBe(
      '/data',
    );
  });

  it.each([
    ['~', homedir()],
    ['~/notas fiscais', join(homedir(), 'notas fiscais')],
    ['/srv/~/notas', '/srv/~/notas'],
    ['notas~', 'notas~'],
  ])('a path has ~ for the home folder: %s', (text, path) => {
    expect(settled({ DFE_DOWNLOAD_DIR: text }).settings.downloadDir).toBe(path);
    const words = expect.stringContaining('DFE_DOWNLOAD_DIR cannot be "~maria/notas"');
    expect(problemsOf({ DFE_DOWNLOAD_DIR: '~maria/notas' })).toEqual([words]);
  });

  it('keep documents in the database that is configured, unless another place is named', () => {
    const DFE_DATABASE_URL = 'postgres://u:p@db.example/dfe';
    const placeOf = (env: Record<string, string>) => settled(env).settings.archive;
    expect(placeOf({ DFE_DATABASE_URL })).toBe('database');
    expect(placeOf({ DFE_DATABASE_URL, DFE_ARCHIVE: 'database' })).toBe('database');
    expect(placeOf({ DFE_DATABASE_URL, DFE_ARCHIVE: 'memory' })).toBe('memory');
    expect(problemsOf({ DFE_ARCHIVE: 'database' })).toEqual(['DFE_ARCHIVE=database needs DFE_DATABASE_URL']);
  });

  it.each('1 true TRUE yes on sim 0 false no off não'.split(' '))('DFE_READ_ONLY=%s is on or off', (text) => {
    expect(settled({ DFE_READ_ONLY: text }).settings.readOnly).toBe(/^(?:1|true|yes|on|sim)$/i.test(text));
  });

  it('loses the blanks around a value, but not those of a secret', () => {
    const { settings: values } = settled({ DFE_USER: ' fiscal\n', DFE_URL: ' http://localhost:8080 ' });
    expect(values).toMatchObject({ user: 'fiscal', url: 'http://localhost:8080' });
  });
});

describe('a value that does not fit', () => {
  it.each([
    ['DFE_URL', 'ftp://dfe.example', 'must be an http(s) address'],
    ['DFE_URL', 'dfe.example', 'must be an http(s) address'],
    ['DFE_URL', 'http://dfe.example/?a=1', 'without user, password, query or fragment'],
    ['DFE_ACCOUNT_URL', 'http://dfe.example/#a', 'without user, password, query or fragment'],
    ['DFE_ARCHIVE', 'disk', 'memory, file, database'],
    ['DFE_CNPJ', '11222333000182', 'must be a valid CNPJ'],
    ['DFE_DATE_FORMAT', 'DD/MM/YYYY', 'like dd/MM/yyyy, in this case'],
    ['DFE_DATE_FORMAT', 'dd/MM', 'like dd/MM/yyyy'],
    ['DFE_TIME_FORMAT', 'hh:mm', 'like HH:mm:ss'],
    ['DFE_TIME_FORMAT', 'nenhum', 'HH:mm, none, in this case'],
    ['DFE_TIME_ZONE', 'Mars/Base', 'America/Sao_Paulo'],
    ['DFE_ACCOUNT_VENDOR', 'Bad Vendor', 'letters, digits and hyphens'],
    ['DFE_ACCOUNT_CLIENT', 'integração', 'printable ASCII'],
    ['DFE_READ_ONLY', 'maybe', 'must be true or false'],
    ['DFE_TOOLSETS', 'documents,reports', 'documents, manifestation, account, analysis'],
    ['DFE_CONFIRMATION', 'never', 'any, form'],
    ['DFE_TIMEOUT', '0', 'from 1 to 3600'],
    ['DFE_TIMEOUT', '1.5', 'from 1 to 3600'],
    ['DFE_TIMEOUT', '1e3', 'from 1 to 3600'],
    ['DFE_CONCURRENCY', '65', 'from 1 to 64'],
    ['DFE_CONCURRENCY', '-1', 'from 1 to 64'],
    ['DFE_LANGUAGE', 'fr', 'pt-BR, en'],
  ])('%s=%s is refused by name', (variable, value, words) => {
    const problems = problemsOf({ [variable]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(variable);
    expect(problems[0]).toContain(words);
    expect(problemsOf({}, new Map([[variable, value]]))).toEqual(problems);
  });

  it('is reported with all others at once', () => {
    expect(problemsOf({ DFE_TIMEOUT: 'x', DFE_CNPJ: 'y', DFE_READONLY: '1' })).toHaveLength(3);
  });

  it.each(['DFE_PASSWORD', 'DFE_URL'])('is the placeholder that a host left in %s', (variable) => {
    const [problem] = problemsOf({ [variable]: `\${user_config.value}` });
    expect(problem).toMatch(new RegExp(`${variable}.*placeholder`));
  });

  it.each(['DFE_URL', 'DFE_ACCOUNT_OAUTH_TOKEN_URL'])(
    '%s with a credential is refused in any spelling, unquoted',
    (variable) => {
      const host = 'dfe.example';
      const spellings = [
        ...['user:', ':', ''].map((user) => `http://${user}hunter2@${host}`),
        ...['http:/', 'http:', 'http:///', 'http:\\\\', 'ht\ttps://', 'https//', ''].map(
          (scheme) => `${scheme}user:hunter2@${host}`,
        ),
        ...['http://user:hunter2@', `https://user:hunter2\\@${host}`, `https://${host}@hunter2`],
        ...[`https://user:hun%74er2hunter2@${host}/path`, `https://${host}:hunter2/path`],
        ...['?senha=', '#', ' '].map((mark) => `http://${host}/${mark}hunter2`),
        ...['user:12', 'user'].map((user) => `http://${user}/hunter2@${host}`),
      ];
      for (const spelling of spellings) {
        const problems = problemsOf({ [variable]: spelling });
        expect(problems, spelling).toHaveLength(1);
        expect(problems[0]).toContain(variable);
        expect(problems[0]).toContain('must be an http(s) address without user');
        expect(problems[0]).not.toContain('hunter2');
      }
    },
  );

  it('is no address with a port, a path, capitals or of IPv6', () => {
    for (const url of ['http://localhost:8080/base/path', 'HTTPS://DFE.example/', 'http://[::1]:80'])
      expect(problemsOf({ DFE_URL: url })).toEqual([]);
  });

  it.each([
    ['DFE_ARCHIVE', 'postgres://u:hunter2@db/dfe'],
    ['DFE_ARCHIVE', 'hunter2@db'],
    ['DFE_ARCHIVE', 'mysql://hunter2'],
    ['DFE_DATABASE_URL', 'mysql://u:hunter2@db/dfe'],
    ['DFE_DATABASE_URL', 'db:hunter2'],
    ['DFE_DATABASE_URL', 'postgres:u:hunter2@db'],
    ['DFE_DATABASE_URL', 'postgres://u:12/hunter2@db/dfe'],
  ])('%s=%s is none, points at the right one, and is not repeated', (variable, value) => {
    const [problem] = problemsOf({ [variable]: value });
    expect(problem).toContain(variable);
    expect(problem).toContain('DFE_DATABASE_URL');
    expect(problem).not.toContain('hunter2');
  });

  it.each([
    ...['7', '7:5', '7:5s', '7:5m,', '7:5m, 35:1d', '7:0m', '0:5m', '07:5m', '7.5:5m'],
    ...['35:1d,7:5m', '7:5m,7:1d', '7:1d,35:5m', '7:5m;35:1d'],
  ])('DFE_ARCHIVE_REFRESH=%s is refused', (value) => {
    expect(problemsOf({ DFE_ARCHIVE_REFRESH: value })).toEqual([
      expect.stringContaining('must be like 7:5m,35:1d,100:7d'),
    ]);
  });

  it.each('7:5m,35:1d,100:7d 1:90m 3:36h,10:2d 30:60m'.split(' '))(
    'DFE_ARCHIVE_REFRESH=%s is shown as given',
    (value) => {
      const steps = settled({ DFE_ARCHIVE_REFRESH: value }).settings.archiveRefresh;
      const shown = settings.find(({ name }) => name === 'archiveRefresh')?.kind.show(steps) ?? '';
      expect(settled({ DFE_ARCHIVE_REFRESH: shown }).settings.archiveRefresh).toEqual(steps);
    },
  );
});

describe('a variable that nobody knows', () => {
  it.each([
    ['DFE_READONLY', 'DFE_READ_ONLY'],
    ['DFE_PASSWRD', 'DFE_PASSWORD'],
    ['DFE_TOOLSET', 'DFE_TOOLSETS'],
    ['DFE_ACCOUNT_APIKEY', 'DFE_ACCOUNT_API_KEY'],
    ['dfe_read_only', 'DFE_READ_ONLY'],
    ['Dfe_Read_Only', 'DFE_READ_ONLY'],
    ['DFE-READ-ONLY', 'DFE_READ_ONLY'],
    ['DFE.READ.ONLY', 'DFE_READ_ONLY'],
    ['dfe-url', 'DFE_URL'],
  ])('%s stops the start and points at %s', (name, nearest) => {
    const problems = problemsOf({ [name]: 'hunter2' });
    expect(problems).toEqual([`unknown variable: ${name}; did you mean ${nearest}?`]);
  });

  it.each([
    [' DFE_READ_ONLY', '" DFE_READ_ONLY"'],
    ['\tDFE_READ_ONLY', '"\\tDFE_READ_ONLY"'],
    ['DFE_READ_ONLY ', '"DFE_READ_ONLY "'],
    ['\u200bDFE_READ_ONLY', '"\\u{200b}DFE_READ_ONLY"'],
    ["'DFE_READ_ONLY'", `"'DFE_READ_ONLY'"`],
    ['DFEREADONLY', 'DFEREADONLY'],
    ['dfeReadOnly', 'dfeReadOnly'],
    ['ＤＦＥ_READ_ONLY', '"ＤＦＥ_READ_ONLY"'],
    ['DF\u0415_READ_ONLY', '"DF\u0415_READ_ONLY"'],
  ])('%j stops the start, with what cannot be seen made visible', (name, shown) => {
    expect(problemsOf({ [name]: '1' })).toEqual([`unknown variable: ${shown}; did you mean DFE_READ_ONLY?`]);
  });

  it('is reported with its new name where it had another', () => {
    expect(problemsOf({ DFE_ARCHIVE_REFRESH_DAYS: '7' })).toEqual([
      'DFE_ARCHIVE_REFRESH_DAYS is now called DFE_ARCHIVE_REFRESH',
    ]);
  });

  it('is of no interest where it is not ours', () => {
    const names = ['PATH', 'DFEX', '_DFE_URL', 'MY_DFE_URL', 'dfe', 'DFEURLS', 'ДФЕУРЛ'];
    expect(problemsOf(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('may be in any case in Windows, where names have none', () => {
    expect(unknownVariables({ dfe_url: 'x' }, 'win32')).toEqual([]);
    expect(unknownVariables({ 'dfe-url': 'x' }, 'win32')).toHaveLength(1);
    expect(unknownVariables({ dfe_url: 'x' }, 'linux')).toHaveLength(1);
  });

  it.each<[flag: string | undefined, variable: string | undefined, string]>([
    [undefined, undefined, 'pt-BR'],
    [undefined, 'en', 'en'],
    [undefined, 'fr', 'pt-BR'],
    [undefined, 'en-US', 'en'],
    ['pt-BR', 'en', 'pt-BR'],
    ['en', 'pt-BR', 'en'],
  ])('uses the language asked for: %s %s', (flag, variable, language) => {
    const flags = new Map(flag === undefined ? [] : [['DFE_LANGUAGE', flag]]);
    expect(languageOf(flags, { DFE_LANGUAGE: variable })).toBe(language);
  });
});

describe('two ways of authenticating to the account service', () => {
  const ways = [
    ['DFE_ACCOUNT_API_KEY'],
    ['DFE_ACCOUNT_TOKEN'],
    ['DFE_ACCOUNT_OAUTH_CLIENT_ID', 'DFE_ACCOUNT_OAUTH_TOKEN_URL', 'DFE_ACCOUNT_OAUTH_CLIENT_SECRET'],
    ['DFE_ACCOUNT_USER', 'DFE_ACCOUNT_LICENSE_KEY'],
  ] as const;
  const value = (variable: string) => (variable.endsWith('_URL') ? 'https://id.example/token' : 'hunter2');
  const pairs = ways.flatMap((one, i) =>
    ways.slice(i + 1).flatMap((other) => one.flatMap((a) => other.map((b) => [a, b] as const))),
  );

  const passwords = ['DFE_PASSWORD', 'DFE_PASSWORD_FILE'] as const;
  it.each([...pairs, passwords])('%s and %s are an error that names both', (first, second) => {
    const [problem, ...others] = problemsOf({ [first]: value(first), [second]: value(second) });
    for (const name of [first, second]) expect(problem).toContain(name);
    expect(problem).not.toContain('hunter2');
    expect(others).toEqual([]);
  });

  it('alone are none', () => {
    for (const variables of ways) {
      const env = Object.fromEntries(variables.map((variable) => [variable, value(variable)]));
      expect(problemsOf(env)).toEqual([]);
    }
  });
});

it('a secret gives its value only where it is asked for', () => {
  const secret = new Secret('hunter2');
  expect(secret.reveal()).toBe('hunter2');
  const configuration = settled({ DFE_PASSWORD: 'hunter2', DFE_ACCOUNT_API_KEY: 'hunter2' });
  for (const shown of [
    `${secret}`,
    ['', secret].join(''),
    JSON.stringify({ secret, copied: { ...secret }, names: Object.getOwnPropertyNames(secret) }),
    inspect({ deep: { list: [secret] } }, { depth: null, showHidden: true }),
    String(new Error(`bad ${secret}`)),
    inspect(configuration, { depth: null }) + JSON.stringify(configuration),
  ])
    expect(shown).not.toContain('hunter2');
});
