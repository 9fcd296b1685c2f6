import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { describeProblem } from '../../src/commands/problems.ts';
import { type Configuration, configure } from '../../src/config/configure.ts';
import { Secret } from '../../src/config/secret.ts';
import { type Settings, settings, toolsets } from '../../src/config/settings.ts';
import { createTranslator } from '../../src/messages/index.ts';

const none = new Map<string, string>();

function settled(env: Record<string, string>, flags: ReadonlyMap<string, string> = none): Configuration {
  const configured = configure(flags, env);
  if (!configured.ok) throw new Error(JSON.stringify(configured.problems));
  return configured.configuration;
}

/** The mistakes in words, as the person who starts the program reads them. */
function problemsOf(env: Record<string, string>, flags: ReadonlyMap<string, string> = none): string[] {
  const configured = configure(flags, env);
  if (configured.ok) return [];
  return configured.problems.map((problem) => describeProblem(problem, createTranslator('en')));
}

const plain = (value: unknown): unknown => (value instanceof Secret ? value.reveal() : value);

/** Every setting of the README, by hand: variable, name in the code, a value, what it becomes. */
const examples: readonly (readonly [string, keyof Settings, string, unknown])[] = [
  ['DFE_URL', 'url', 'https://dfe.example/base/', 'https://dfe.example/base'],
  ['DFE_USER', 'user', 'fiscal', 'fiscal'],
  ['DFE_PASSWORD', 'password', ' s3nh@ ', ' s3nh@ '],
  ['DFE_PASSWORD_FILE', 'passwordFile', '/run/secret', '/run/secret'],
  ['DFE_CNPJ', 'cnpj', '12.abc.345/01de-35', '12ABC34501DE35'],
  ['DFE_DATE_FORMAT', 'dateFormat', 'yyyy-MM-dd', 'yyyy-MM-dd'],
  ['DFE_TIME_FORMAT', 'timeFormat', 'none', 'none'],
  ['DFE_TIME_ZONE', 'timeZone', 'America/Manaus', 'America/Manaus'],
  ['DFE_EVENT_TEMPLATE', 'eventTemplate', '{key};{code}', '{key};{code}'],
  ['DFE_ACCOUNT_URL', 'accountUrl', 'https://account.example', 'https://account.example'],
  ['DFE_ACCOUNT_API_KEY', 'accountApiKey', 'k3y', 'k3y'],
  ['DFE_ACCOUNT_TOKEN', 'accountToken', 't0ken', 't0ken'],
  [
    'DFE_ACCOUNT_OAUTH_TOKEN_URL',
    'accountOauthTokenUrl',
    'https://id.example/token',
    'https://id.example/token',
  ],
  ['DFE_ACCOUNT_OAUTH_CLIENT_ID', 'accountOauthClientId', 'client', 'client'],
  ['DFE_ACCOUNT_OAUTH_CLIENT_SECRET', 'accountOauthClientSecret', 's3cret', 's3cret'],
  ['DFE_ACCOUNT_OAUTH_SCOPE', 'accountOauthScope', 'a b', 'a b'],
  ['DFE_ACCOUNT_USER', 'accountUser', 'joão', 'joão'],
  ['DFE_ACCOUNT_LICENSE_KEY', 'accountLicenseKey', 'l1cence', 'l1cence'],
  ['DFE_ACCOUNT_VENDOR', 'accountVendor', 'Vendor', 'Vendor'],
  ['DFE_ACCOUNT_CLIENT', 'accountClient', 'erp; 7.1', 'erp; 7.1'],
  ['DFE_READ_ONLY', 'readOnly', 'true', true],
  ['DFE_TOOLSETS', 'toolsets', 'documents, account', ['documents', 'account']],
  ['DFE_CONFIRMATION', 'confirmation', 'form', 'form'],
  ['DFE_DOWNLOAD_DIR', 'downloadDir', '/tmp/down', '/tmp/down'],
  ['DFE_DATA_DIR', 'dataDir', '/tmp/data', '/tmp/data'],
  ['DFE_TIMEOUT', 'timeout', '90', 90],
  ['DFE_CONCURRENCY', 'concurrency', '2', 2],
  ['DFE_LANGUAGE', 'language', 'en', 'en'],
];
const secrets = [
  'DFE_PASSWORD',
  'DFE_ACCOUNT_API_KEY',
  'DFE_ACCOUNT_TOKEN',
  'DFE_ACCOUNT_OAUTH_CLIENT_SECRET',
  'DFE_ACCOUNT_LICENSE_KEY',
];

describe('settings', () => {
  it.each(examples)('%s is %s from the environment', (variable, name, text, expected) => {
    const { settings: values, sources } = settled({ [variable]: text });
    expect(plain(values[name])).toEqual(expected);
    expect(sources[name]).toBe('environment');
  });

  it.each(examples.filter(([variable]) => !secrets.includes(variable)))(
    '%s is %s from its flag, which wins',
    (variable, name, text, expected) => {
      const other = variable === 'DFE_CNPJ' ? '11222333000181' : text;
      const { settings: values, sources } = settled({ [variable]: other }, new Map([[variable, text]]));
      expect(values[name]).toEqual(expected);
      expect(sources[name]).toBe('flag');
      const flag = `--${variable.replace('DFE_', '').toLowerCase().replaceAll('_', '-')}`;
      expect(settings.find((one) => one.variable === variable)?.flag).toBe(flag);
    },
  );

  it.each(secrets)('%s has no flag, and is a secret', (variable) => {
    const one = settings.find((setting) => setting.variable === variable);
    expect(one).toMatchObject({ secret: true, flag: undefined });
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
      timeout: 60,
      concurrency: 4,
      language: 'pt-BR',
    });
    expect(values.accountClient).toMatch(/^docfiscal-mcp; \d+\.\d+\.\d+$/);
    for (const name of ['url', 'user', 'password', 'cnpj', 'accountUrl', 'downloadDir'] as const) {
      expect(values[name]).toBeUndefined();
      expect(sources[name]).toBe('unset');
    }
    expect(sources.timeout).toBe('default');
  });

  it.each(examples)('an empty %s counts as unset', (variable, name) => {
    const { settings: values } = settled({ [variable]: '' });
    expect(plain(values[name])).toEqual(plain(settled({}).settings[name]));
  });

  it('are declared once each, with words in both languages', () => {
    expect(new Set(settings.map(({ variable }) => variable)).size).toBe(settings.length);
    for (const { help } of settings) {
      expect(help.en).not.toBe('');
      expect(help['pt-BR']).not.toBe('');
    }
  });

  it.each(['1', 'true', 'TRUE', 'yes', 'on', 'sim'])('DFE_READ_ONLY=%s is on', (text) => {
    expect(settled({ DFE_READ_ONLY: text }).settings.readOnly).toBe(true);
  });

  it.each(['0', 'false', 'no', 'off', 'não'])('DFE_READ_ONLY=%s is off', (text) => {
    expect(settled({ DFE_READ_ONLY: text }).settings.readOnly).toBe(false);
  });

  it('loses the blanks around a value, but not those of a secret', () => {
    const { settings: values } = settled({ DFE_USER: ' fiscal\n', DFE_URL: ' http://localhost:8080 ' });
    expect(values).toMatchObject({ user: 'fiscal', url: 'http://localhost:8080' });
  });

  it('knows every group of tools', () => {
    expect(settled({ DFE_TOOLSETS: toolsets.join(',') }).settings.toolsets).toEqual([...toolsets]);
  });
});

describe('a value that does not fit', () => {
  it.each([
    ['DFE_URL', 'ftp://dfe.example', 'must be an http(s) address'],
    ['DFE_URL', 'dfe.example', 'must be an http(s) address'],
    ['DFE_URL', 'http://dfe.example/?a=1', 'without user, query or fragment'],
    ['DFE_ACCOUNT_URL', 'http://dfe.example/#a', 'without user, query or fragment'],
    ['DFE_CNPJ', '11222333000182', 'must be a valid CNPJ'],
    ['DFE_DATE_FORMAT', 'DD/MM/YYYY', 'must contain day (dd)'],
    ['DFE_DATE_FORMAT', 'dd/MM', 'must contain day (dd)'],
    ['DFE_TIME_FORMAT', 'hh:mm', 'must contain hour (HH)'],
    ['DFE_TIME_FORMAT', 'nenhum', 'or be none'],
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

  it('is told with all others at once', () => {
    const problems = problemsOf({ DFE_TIMEOUT: 'x', DFE_CNPJ: 'y', DFE_READONLY: '1' });
    expect(problems).toHaveLength(3);
  });

  it.each(['DFE_PASSWORD', 'DFE_URL', 'DFE_ACCOUNT_TOKEN'])(
    'is the placeholder that a host left in %s',
    (variable) => {
      const [problem] = problemsOf({ [variable]: `\${user_config.value}` });
      expect(problem).toContain(variable);
      expect(problem).toMatch(/placeholder/);
    },
  );

  it('never shows a credential that stands in an address', () => {
    for (const address of ['http://user:hunter2@dfe.example', 'http://dfe.example/?senha=hunter2#hunter2']) {
      const [problem] = problemsOf({ DFE_URL: address });
      expect(problem).toContain('DFE_URL');
      expect(problem).not.toContain('hunter2');
    }
  });
});

describe('a variable that nobody knows', () => {
  it.each([
    ['DFE_READONLY', 'DFE_READ_ONLY'],
    ['DFE_PASSWRD', 'DFE_PASSWORD'],
    ['DFE_TOOLSET', 'DFE_TOOLSETS'],
    ['DFE_ACCOUNT_APIKEY', 'DFE_ACCOUNT_API_KEY'],
  ])('%s stops the start and points at %s', (name, nearest) => {
    const problems = problemsOf({ [name]: 'hunter2' });
    expect(problems).toEqual([`unknown variable: ${name}; the nearest is ${nearest}`]);
  });

  it('is of no interest where it is not ours', () => {
    expect(problemsOf({ PATH: '/bin', DFEX: '1', dfe_url: 'x' })).toEqual([]);
  });

  it('is told in the language asked for', () => {
    expect(configure(none, { DFE_LANGUAGE: 'en', DFE_X: '1' })).toMatchObject({ ok: false, language: 'en' });
    expect(configure(none, { DFE_X: '1' })).toMatchObject({ ok: false, language: 'pt-BR' });
    expect(configure(none, { DFE_LANGUAGE: 'fr' })).toMatchObject({ ok: false, language: 'pt-BR' });
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

  it.each(pairs)('%s and %s are an error that names both', (first, second) => {
    const problems = problemsOf({ [first]: value(first), [second]: value(second) });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(first);
    expect(problems[0]).toContain(second);
    expect(problems[0]).not.toContain('hunter2');
  });

  it.each(ways.map((variables) => ({ variables })))('$variables.0 alone is none', ({ variables }) => {
    const env = Object.fromEntries(variables.map((variable) => [variable, value(variable)]));
    expect(problemsOf(env)).toEqual([]);
  });

  it('nor are two passwords of the documents service allowed', () => {
    const [problem] = problemsOf({ DFE_PASSWORD: 'hunter2', DFE_PASSWORD_FILE: '/run/secret' });
    expect(problem).toMatch(/DFE_PASSWORD and DFE_PASSWORD_FILE/);
  });
});

describe('a secret', () => {
  const secret = new Secret('hunter2');

  it('gives its value only where it is asked for', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  it.each([
    ['text', String(secret)],
    ['a template', `${secret}`],
    ['a sum of texts', ['', secret].join('')],
    ['JSON', JSON.stringify({ secret })],
    ['a log', inspect(secret)],
    ['a log of what holds it', inspect({ deep: { list: [secret] } }, { depth: null, showHidden: true })],
    ['its keys', JSON.stringify(Object.getOwnPropertyNames(secret))],
    ['a copy', JSON.stringify({ ...secret })],
    ['an error', String(new Error(`bad ${secret}`))],
  ])('shows as *** or not at all in %s', (_name, shown) => {
    expect(shown).not.toContain('hunter2');
  });

  it('is *** in text', () => {
    expect(`${secret} ${JSON.stringify(secret)} ${inspect(secret)}`).toBe('*** "***" ***');
  });

  it('does not show in a whole configuration', () => {
    const env = Object.fromEntries(secrets.slice(0, 2).map((variable) => [variable, 'hunter2']));
    const configuration = settled(env);
    expect(inspect(configuration, { depth: null })).not.toContain('hunter2');
    expect(JSON.stringify(configuration)).not.toContain('hunter2');
  });
});
