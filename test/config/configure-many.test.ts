import { expect, it } from 'vitest';
import { configure, configureMany } from '../../src/config/configure.ts';
import { Secret } from '../../src/config/secret.ts';

const database = 'postgres://fiscal:secret@db.example/fiscal';
const given: readonly Record<string, string>[] = [
  {},
  { DFE_URL: 'https://documents.example/', DFE_TIMEOUT: '7', DFE_READ_ONLY: 'true' },
  { DFE_TIMEOUT: '', DFE_URL: '  ', DFE_READ_ONLY: 'no' },
  { DFE_TIMEOUT: 'soon', DFE_URL: 'ftp://documents.example' },
  { DFE_USER: 'ana', DFE_PASSWORD: 'one' },
  { DFE_PASSWORD_FILE: '/run/secrets/ana' },
  { DFE_PASSWORD_FILE: '$' + '{FILE}' },
  { DFE_DATABASE_URL: database },
  { DFE_DATABASE_URL: database, DFE_ARCHIVE: 'memory' },
  { DFE_ARCHIVE: 'database' },
  { DFE_ACCOUNT_API_KEY: 'key' },
  { DFE_ACCOUNT_USER: 'ana', DFE_ACCOUNT_OAUTH_SCOPE: 'all' },
  { DFE_READONLY: '1', dfe_url: 'x', HOME: '/root' },
];

const plain = (value: unknown) => (value instanceof Secret ? { secret: value.reveal() } : value);
const shown = (values: object) => Object.entries(values).map(([name, value]) => [name, plain(value)]);

/** Without repetitions: what is wrong in common is wrong in what is made of it, too. */
const told = (problems: readonly unknown[]) =>
  [...new Set(problems.map((one) => JSON.stringify(one)))].sort();

it.each(given)('over %j others are as if they had been read whole', (common) => {
  const over = configureMany(common);
  for (const own of given) {
    const whole = configure(new Map(), { ...common, ...own });
    const made = over(own);
    if (whole.ok && made.ok) {
      const { settings } = whole.configuration;
      expect(shown(made.settings)).toEqual(shown(settings));
    } else if (made.ok) {
      throw new Error(`${JSON.stringify(own)} is refused when it is read whole`);
    } else if (whole.ok) {
      // Nobody's mistake is hidden by another's own value.
      expect(configure(new Map(), common).ok).toBe(false);
    } else {
      expect(told(made.problems)).toEqual(expect.arrayContaining(told(whole.problems)));
    }
  }
});
