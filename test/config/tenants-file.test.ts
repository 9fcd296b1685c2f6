import { describe, expect, it } from 'vitest';
import { problemLines } from '../../src/cli/problems.ts';
import { allowsCompany } from '../../src/company/company.ts';
import { configure } from '../../src/config/configure.ts';
import { Misconfigured } from '../../src/config/problem.ts';
import { type ProcessSettings, readTenantsFile } from '../../src/config/tenants-file.ts';
import { createTranslator } from '../../src/messages/index.ts';

function base(env: Record<string, string> = {}, flags: Record<string, string> = {}): ProcessSettings {
  const given = new Map(Object.entries(flags));
  const configured = configure(given, env);
  if (!configured.ok) throw new Error('bad settings');
  return { settings: configured.configuration.settings, flags: given, env };
}

const token = 'a'.repeat(64);
const good = {
  id: 'horizonte',
  who: [
    { claim: 'groups', value: 'fiscal-horizonte', scopes: ['documents:read', 'manifestation:write'] },
    { token_sha256: token, scopes: ['documents:read'] },
  ],
  companies: ['48152036000117', '48152036*'],
  settings: { DFE_URL: 'https://documents.example', DFE_USER: 'ana', DFE_PASSWORD_FILE: 'secrets/horizonte' },
};
const read = (value: unknown, process = base()) =>
  readTenantsFile(
    typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    '/etc/docfiscal',
    process,
  );

function thrown(text: string, process = base()): unknown {
  try {
    return void read(text, process);
  } catch (error) {
    return error;
  }
}

function problemsIn(text: string, process = base()): [number, string][] {
  const error = thrown(text, process);
  if (error === undefined) return [];
  if (error instanceof Misconfigured) return error.problems.map(({ line = 0, key }) => [line, key]);
  throw error;
}

const words = createTranslator('en');

describe('a tenants file', () => {
  it('says who belongs where, with which companies and settings', () => {
    const [tenant, ...others] = read({ tenants: [good] });
    expect(others).toEqual([]);
    expect(tenant?.id).toBe('horizonte');
    expect(tenant?.companies).toEqual(['48152036000117', '48152036*']);
    expect(tenant?.who).toEqual([
      { claim: 'groups', value: 'fiscal-horizonte', scopes: ['documents:read', 'manifestation:write'] },
      { tokenSha256: Buffer.from(token, 'hex'), scopes: ['documents:read'] },
    ]);
    expect(tenant?.settings).toMatchObject({ user: 'ana', passwordFile: '/etc/docfiscal/secrets/horizonte' });
    expect(tenant?.settings.cnpj).toBeUndefined();
  });

  it('means the only company where there is one', () => {
    const [tenant] = read({ tenants: [{ ...good, companies: ['48.152.036/0001-17'] }] });
    expect(tenant?.settings.cnpj).toBe('48152036000117');
    const [other] = read({ tenants: [{ ...good, companies: ['48152036*'] }] });
    expect(other?.settings.cnpj).toBeUndefined();
  });

  it('has what holds for the whole process, but nobody else’s credentials', () => {
    const process = base(
      { DFE_TIMEOUT: '7', DFE_USER: 'of the process', DFE_CNPJ: '11222333000181', DFE_ACCOUNT_API_KEY: 'k' },
      { DFE_CONCURRENCY: '3' },
    );
    const [tenant] = read({ tenants: [{ ...good, settings: { DFE_URL: 'https://x.example' } }] }, process);
    expect(tenant?.settings).toMatchObject({ timeout: 7, concurrency: 3 });
    expect(tenant?.settings.user).toBeUndefined();
    expect(tenant?.settings.cnpj).toBeUndefined();
    expect(tenant?.settings.accountApiKey).toBeUndefined();
  });

  it('may make a tenant read-only and not undo that', () => {
    const at = (own: string, process: ProcessSettings) =>
      read({ tenants: [{ ...good, settings: { DFE_READ_ONLY: own } }] }, process)[0]?.settings.readOnly;
    expect(at('true', base())).toBe(true);
    expect(at('false', base())).toBe(false);
    expect(at('false', base({ DFE_READ_ONLY: 'true' }))).toBe(true);
    expect(at('false', base({}, { DFE_READ_ONLY: 'true' }))).toBe(true);
  });

  it.each<[string, string, [number, string][]]>([
    ['no JSON', '{\n  "tenants": [\n    }\n]', [[3, 'tenants.syntax']]],
    ['empty', '', [[1, 'tenants.syntax']]],
    ['a comment', '{\n// x\n"tenants": []}', [[2, 'tenants.syntax']]],
    ['another form', '[]', [[1, 'tenants.expected']]],
    ['brackets without end', '['.repeat(200_000), [[1, 'tenants.syntax']]],
    ['nothing in many brackets', '['.repeat(200_000) + ']'.repeat(200_000), [[1, 'tenants.syntax']]],
    ['no tenants', '{"tenants": []}', [[1, 'tenants.expected']]],
    [
      'an unknown field',
      '{"tenants": [\n{"id": "a", "companies": ["48152036*"],\n"campanies": []}]}',
      [[3, 'tenants.unknown_field']],
    ],
    [
      'a field twice',
      '{"tenants": [\n{"id": "a",\n"id": "b", "companies": ["48152036*"]}]}',
      [[3, 'tenants.twice']],
    ],
    [
      'an id twice',
      '{"tenants": [{"id": "a", "companies": ["48152036*"]},\n{"id": "a", "companies": ["48152036*"]}]}',
      [[2, 'tenants.same_id']],
    ],
    [
      'an id that would be another folder',
      '{"tenants": [{"id": "../a", "companies": ["48152036*"]}]}',
      [[1, 'tenants.id']],
    ],
    [
      'a wrong check digit',
      '{"tenants": [{"id": "a",\n"companies": ["48152036000118"]}]}',
      [[2, 'tenants.company']],
    ],
    ['a wide pattern', '{"tenants": [{"id": "a",\n"companies": ["*"]}]}', [[2, 'tenants.company']]],
    [
      'an unknown scope',
      '{"tenants": [{"id": "a", "companies": ["48152036*"], "who": [\n{"claim": "c", "value": "v", "scopes": ["all"]}]}]}',
      [[2, 'tenants.scope']],
    ],
    [
      'a token in clear',
      '{"tenants": [{"id": "a", "companies": ["48152036*"], "who": [\n{"token_sha256": "secret", "scopes": ["documents:read"]}]}]}',
      [[2, 'tenants.expected']],
    ],
    [
      'a mistyped setting',
      '{"tenants": [{"id": "a", "companies": ["48152036*"], "settings": {\n"DFE_READONLY": "true"}}]}',
      [[2, 'config.unknown_variable']],
    ],
    [
      'a setting that is no setting',
      '{"tenants": [{"id": "a", "companies": ["48152036*"], "settings": {\n"PASSWORD_FILE": "x"}}]}',
      [[2, 'tenants.unknown_field']],
    ],
    [
      'a field twice, spelt in two ways behind what looks like the end of a text',
      '{"tenants": [{"id": "a", "companies": ["48152036*"], "who": [\n{"claim": "\\": \\\\", "value": "v",\n"v\\u0061lue": "w", "scopes": ["documents:read"]}]}]}',
      [[3, 'tenants.twice']],
    ],
    [
      'two ways of one and the same, one of them the process’s',
      '{"tenants": [{"id": "a", "companies": ["48152036*"], "settings": {\n"DFE_PASSWORD": "x", "DFE_PASSWORD_FILE": "y"}}]}',
      [[2, 'config.two_ways']],
    ],
    [
      'a setting of the process',
      '{"tenants": [{"id": "a", "companies": ["48152036*"], "settings": {\n"DFE_DATA_DIR": "/tmp"}}]}',
      [[2, 'tenants.not_a_tenants_setting']],
    ],
  ])('with %s is refused as a whole, with the line', (_, text, expected) => {
    expect(problemsIn(text)).toEqual(expected);
  });

  it('with whatever a text may hold between its quotes is read', () => {
    const value = '": {"id": \\" \\\\ é \u2028 tab\t';
    const who = [{ claim: '{"a":1}', value, scopes: ['documents:read'] as const }];
    expect(read(JSON.stringify({ tenants: [{ ...good, who }] }))[0]?.who).toEqual(who);
  });

  it.each<[string, string, [number, string][]]>([
    ['a text for a list', '"companies": "48152036*"', [[2, 'tenants.expected']]],
    ['nothing for a list', '"companies": ["48152036*"], "who": null', [[2, 'tenants.expected']]],
  ])('with %s is refused, said once', (_, fields, problems) => {
    expect(problemsIn(`{ "tenants": [\n{ "id": "a", ${fields} }\n] }`)).toEqual(problems);
  });

  it.each([
    [{ id: 'Horizonte' }, 'the id "Horizonte" cannot be used', 'lower-case letters, digits, - and _'],
    [
      { who: [{ claim: 'c', value: 'v', scopes: ['documents:read', 'documents:write'] }] },
      'there is no scope "documents:write"',
      'documents:read, manifestation:write, account:write',
    ],
    [{ id: `dfe_${'x'.repeat(43)}!` }, 'the id "***" cannot be used', '63 at most'],
  ])('names a wrong id or scope and what is allowed: %j', (wrong, named, allowed) => {
    const lines = problemLines(thrown(JSON.stringify({ tenants: [{ ...good, ...wrong }] })), words);
    expect(lines).toEqual([expect.stringMatching(/^- DFE_TENANTS, line 1: /)]);
    expect(lines?.[0]).toContain(named);
    expect(lines?.[0]).toContain(allowed);
  });

  it.each(['DFE_READ_ONLY', 'DFE_TIMEOUT', 'DFE_ARCHIVE_XML'])('with %s of blanks is refused', (variable) => {
    const settings = { [variable]: ' ' };
    expect(problemsIn(JSON.stringify({ tenants: [{ ...good, settings }] }))).toEqual([
      [1, 'config.bad_value'],
    ]);
  });

  it('never repeats a value that may be a secret', () => {
    const text = JSON.stringify({
      tenants: [{ ...good, who: [{ token_sha256: 'hunter2', scopes: ['x'] }] }],
    });
    expect(() => read(text)).toThrow(Misconfigured);
    try {
      read(text);
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('hunter2');
    }
  });
});

it('a company is allowed by itself or by its root', () => {
  const companies = ['48152036*', '11222333000181'];
  expect(allowsCompany(companies, '48152036000206')).toBe(true);
  expect(allowsCompany(companies, '11222333000181')).toBe(true);
  expect(allowsCompany(companies, '11222333000262')).toBe(false);
  expect(allowsCompany(companies, '4815203')).toBe(false);
});
