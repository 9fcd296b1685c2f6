import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemLines } from '../../src/cli/standard-error.ts';
import { allowsCompany } from '../../src/company/company.ts';
import { configure, Misconfigured } from '../../src/config/configure.ts';
import { readTenantsFile } from '../../src/config/tenants-file.ts';
import { createTranslator } from '../../src/messages/index.ts';

const base = (env: Record<string, string> = {}, flags: Record<string, string> = {}) =>
  configure(new Map(Object.entries(flags)), env);

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

const tenantOf = (fields: object, process = base()) =>
  read({ tenants: [{ ...good, ...fields }] }, process)[0];

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
    expect(tenantOf({ companies: ['48.152.036/0001-17'] })?.settings.cnpj).toBe('48152036000117');
    expect(tenantOf({ companies: ['48152036*'] })?.settings.cnpj).toBeUndefined();
  });

  it('has what holds for the whole process, but nobody else’s credentials', () => {
    const process = base(
      { DFE_TIMEOUT: '7', DFE_USER: 'of the process', DFE_CNPJ: '11222333000181', DFE_ACCOUNT_API_KEY: 'k' },
      { DFE_CONCURRENCY: '3' },
    );
    expect(tenantOf({ settings: { DFE_URL: 'https://x.example' } }, process)?.settings).toMatchObject({
      ...{ timeout: 7, concurrency: 3, user: undefined, cnpj: undefined, accountApiKey: undefined },
    });
  });

  it('has paths relative to its own folder, each of several, and none made of nothing', () => {
    const several = ['notas', '/srv/notas', '~/notas'].join(delimiter);
    const settings = { DFE_FILES: several, DFE_TRUST_STORE: 'roots.pem', DFE_DOWNLOAD_DIR: '' };
    expect(tenantOf({ settings })?.settings).toMatchObject({
      files: ['/etc/docfiscal/notas', '/srv/notas', join(homedir(), 'notas')],
      ...{ trustStore: '/etc/docfiscal/roots.pem', downloadDir: undefined },
    });
  });

  it('may have a database of its own, and then documents are kept there', () => {
    const DFE_DATABASE_URL = 'postgres://u:p@db.example/horizonte';
    const { archive, databaseUrl } = tenantOf({ settings: { DFE_DATABASE_URL } })?.settings ?? {};
    expect([archive, databaseUrl?.reveal()]).toEqual(['database', DFE_DATABASE_URL]);
  });

  it.each([
    ['true', base(), true],
    ['false', base(), false],
    ['false', base({ DFE_READ_ONLY: 'true' }), true],
    ['false', base({}, { DFE_READ_ONLY: 'true' }), true],
  ])('may make a tenant read-only and not undo that: %s', (own, process, isReadOnly) => {
    expect(tenantOf({ settings: { DFE_READ_ONLY: own } }, process)?.settings.readOnly).toBe(isReadOnly);
  });

  const company = '"companies": ["48152036*"]';
  const a = `"id": "a", ${company}`;
  const reading = '"scopes": ["documents:read"]';
  const who = (fields: string) => `${company}, "who": [{${fields}}]`;
  const set = (settings: string) => `${company}, "settings": {${settings}}`;

  it.each<[string, string, line: number, string]>([
    ['no JSON', '{\n  "tenants": [\n    }\n]', 3, 'tenants.syntax'],
    ['empty', '', 1, 'tenants.syntax'],
    ['a comment', '{\n// x\n"tenants": []}', 2, 'tenants.syntax'],
    ['another form', '[]', 1, 'tenants.expected'],
    ['brackets without end', '['.repeat(200_000), 1, 'tenants.syntax'],
    ['nothing in many brackets', '['.repeat(200_000) + ']'.repeat(200_000), 1, 'tenants.syntax'],
    ['no tenants', '{"tenants": []}', 1, 'tenants.expected'],
    ['an unknown field', `{"tenants": [\n{${a},\n"campanies": []}]}`, 3, 'tenants.unknown_field'],
    ['a field twice', `{"tenants": [\n{"id": "a",\n"id": "b", ${company}}]}`, 3, 'tenants.twice'],
    ['an id twice', `{"tenants": [{${a}},\n{${a}}]}`, 2, 'tenants.same_id'],
    ['an id that would be another folder', `{"tenants": [{"id": "../a", ${company}}]}`, 1, 'tenants.id'],
    ...[
      ['a wrong check digit', '"companies": ["48152036000118"]', 'tenants.company'],
      ['a wide pattern', '"companies": ["*"]', 'tenants.company'],
      ['a text for a list', '"companies": "48152036*"', 'tenants.expected'],
      ['nothing for a list', `${company}, "who": null`, 'tenants.expected'],
      ['an unknown scope', who('"claim": "c", "value": "v", "scopes": ["all"]'), 'tenants.scope'],
      ['a token in clear', who(`"token_sha256": "secret", ${reading}`), 'tenants.expected'],
      ['a mistyped setting', set('"DFE_READONLY": "true"'), 'config.unknown_variable'],
      ['a setting of blanks', set('"DFE_READ_ONLY": " "'), 'config.bad_value'],
      ['a number of blanks', set('"DFE_TIMEOUT": " "'), 'config.bad_value'],
      ['no setting', set('"PASSWORD_FILE": "x"'), 'tenants.unknown_field'],
      ['two ways', set('"DFE_PASSWORD": "x", "DFE_PASSWORD_FILE": "y"'), 'config.two_ways'],
      ['a setting of the process', set('"DFE_DATA_DIR": "/tmp"'), 'tenants.not_a_tenants_setting'],
      [
        'a field twice, spelt in two ways behind what looks like the end of a text',
        who(`"claim": "\\": \\\\", "value": "v", "v\\u0061lue": "w", ${reading}`),
        'tenants.twice',
      ],
    ].map(([what = '', fields, key = '']): [string, string, number, string] => {
      return [what, `{ "tenants": [{ "id": "a",\n${fields} }] }`, 2, key];
    }),
  ])('with %s is refused as a whole, said once with the line', (_, text, line, key) => {
    expect(problemsIn(text)).toEqual([[line, key]]);
  });

  it('with whatever a text may hold between its quotes is read', () => {
    const value = '": {"id": \\" \\\\ é \u2028 tab\t';
    const who = [{ claim: '{"a":1}', value, scopes: ['documents:read'] as const }];
    expect(read(JSON.stringify({ tenants: [{ ...good, who }] }))[0]?.who).toEqual(who);
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
    const { problems } = thrown(JSON.stringify({ tenants: [{ ...good, ...wrong }] })) as Misconfigured;
    const [line, ...others] = problemLines(problems, createTranslator('en'));
    expect(others).toEqual([]);
    for (const part of ['- DFE_TENANTS, line 1: ', named, allowed]) expect(line).toContain(part);
  });

  it('never repeats a value that may be a secret', () => {
    const who = [{ token_sha256: 'hunter2', scopes: ['x'] }];
    const error = thrown(JSON.stringify({ tenants: [{ ...good, who }] }));
    expect(error).toBeInstanceOf(Misconfigured);
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
});

it('a company is allowed by itself or by its root', () => {
  const companies = ['48152036*', '11222333000181'];
  const asked = ['48152036000206', '11222333000181', '11222333000262', '4815203'];
  expect(asked.map((id) => allowsCompany(companies, id))).toEqual([true, true, false, false]);
});
