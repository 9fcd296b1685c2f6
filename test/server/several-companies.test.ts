import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { readTenantsFile } from '../../src/config/tenants-file.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { type Connection, completionsOf, connect } from '../support/clients.ts';
import { accessKey, company } from '../support/documents.ts';
import { duringTests } from '../support/during-tests.ts';
import { writeTenants } from '../support/http-server.ts';
import { connectInProcess } from '../support/in-process.ts';
import { json, startRecordingUpstream } from '../support/recording-upstream.ts';
import { runInProcess } from '../support/run-in-process.ts';

const other = '48152036000117';
const branch = '48152036000206';
const foreign = '33000167000101';
const folder = temporaryFolder();
const key = accessKey({ number: 1 });
const period = { document: 'nfe', from: '2026-11-01', to: '2026-11-10' } as const;

const upstream = duringTests(() =>
  startRecordingUpstream((request, response) =>
    request.path.includes('Conectividade') || request.path.includes('Login')
      ? json(response, '1')
      : json(response, `<retChavesNfe><chNFe>${key}</chNFe></retChavesNfe>`),
  ),
);
let env: Record<string, string>;

const tenant = (id: string, companies: readonly string[], settings: Record<string, string> = {}) => ({
  id,
  companies,
  settings: { DFE_URL: upstream.url, DFE_USER: id, DFE_PASSWORD: `pw-${id}`, ...settings },
});

beforeAll(() => {
  mkdirSync(join(folder.path, 'data'));
  env = {
    DFE_LANGUAGE: 'en',
    DFE_DATA_DIR: join(folder.path, 'data'),
    DFE_TENANTS: writeTenants(folder.path, [
      tenant('one', [company]),
      tenant('two', ['48152036*'], { DFE_READ_ONLY: '1' }),
    ]),
  };
});

function inProcess(): Promise<Connection> {
  const { DFE_TENANTS: _, ...others } = env;
  const text = readFileSync(env.DFE_TENANTS ?? '', 'utf8');
  return connectInProcess('v2 modern', {
    env: others,
    definitions: (configuration) => readTenantsFile(text, folder.path, configuration),
  });
}

/** What the last request was made with: credentials and company among it. */
const lastSent = () => upstream.seen.at(-1)?.query.map(([, value]) => value);

describe('one person for several companies', () => {
  const client = duringTests(inProcess);

  it.each([
    [company, 'one'],
    [other, 'two'],
    [branch, 'two'],
  ])('asks about %s with the credentials of its tenant', async (cnpj, user) => {
    const answer = await client.call('list_document_keys', { ...period, cnpj });
    expect(answer.isError, answer.text).toBe(false);
    expect(lastSent()).toEqual(expect.arrayContaining([user, cnpj]));
    const connection = await client.call('check_connection', { cnpj });
    expect(connection.isError, connection.text).toBe(false);
    expect(lastSent()).toContain(user);
  });

  it.each<[tool: string, args: object, words: RegExp]>([
    ['list_document_keys', period, new RegExp(`${company}, 48152036\\*`)],
    ['list_document_keys', { ...period, cnpj: foreign }, new RegExp(foreign)],
    ['query_documents', { ...period, cnpj: [company, other] }, new RegExp(other)],
    ...['all', 'Todas', ['todos']].map((cnpj): [string, object, RegExp] => {
      return ['query_documents', { ...period, cnpj }, /one at a time/];
    }),
    ['manifest_nfe', { key, event: 'ciencia' }, /cnpj/],
    ['check_connection', {}, /cnpj/],
    ['manifest_nfe', { key, event: 'ciencia', cnpj: other }, /DFE_READ_ONLY/],
  ])('learns what is missing from %s with %j, and nothing is asked', async (tool, args, words) => {
    const asked = upstream.seen.length;
    const answer = await client.call(tool, args as Record<string, unknown>);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(words) });
    expect(upstream.seen.length).toBe(asked);
  });

  it('has tools that take the company each', async () => {
    for (const { name, inputSchema } of await client.listTools())
      expect(inputSchema, String(name)).toHaveProperty('properties.cnpj');
  });

  it('must name the company for a prompt about one, and not for one about a document', async () => {
    const { raw } = client as { raw: Client };
    const get = async (name: string, args: Record<string, string>) =>
      JSON.stringify((await raw.getPrompt({ name, arguments: args })).messages);
    await expect(get('month_closing', {})).rejects.toThrow(new RegExp(`cnpj.*${company}`));
    expect(await get('month_closing', { cnpj: other })).toContain(`\\"cnpj\\":\\"${other}\\"`);
    expect(await get('explain_document', { key })).toContain(key);
    expect(await completionsOf(client, 'month_closing', 'cnpj')).toEqual([company]);
  });

  it('writes for the company named', async () => {
    const asked = await client.call('manifest_nfe', { key, event: 'ciencia', cnpj: company });
    expect(asked.structured).toMatchObject({ status: 'confirmation_required' });
  });
});

it('knows a document by the company whose answer named it', async () => {
  const client = await inProcess();
  await expect(client.readResource(`dfe://nfe/${key}/xml`)).rejects.toThrow(/cnpj/);
  await client.call('list_document_keys', { ...period, cnpj: other });
  await client.readResource(`dfe://nfe/${key}/xml`).catch(() => undefined);
  expect(JSON.stringify(upstream.seen.at(-1)?.query)).toContain('two');
});

describe('a tenants file over stdio', () => {
  it('is looked over by doctor, with the service of every tenant', async () => {
    const good = await runInProcess(['doctor', '--json'], env);
    const report = JSON.parse(good.stdout);
    expect(report.tenants.map(({ id }: { id: string }) => id)).toEqual(['one', 'two']);
    expect(report.tenants[0].documents.message).toContain('1');
    expect(good.code).toBe(0);
    expect(good.stdout).not.toContain('pw-one');
    // It was written as anybody's file is.
    expect([report.verdict, ...report.warnings]).toEqual([
      'degraded',
      expect.stringMatching(/^DFE_TENANTS: .*chmod 600/),
    ]);
    const away = tenant('away', [other], { DFE_URL: 'http://127.0.0.1:1' });
    const path = writeTenants(folder.path, [tenant('one', [company]), away], 'away.json');
    const bad = await runInProcess(['doctor'], { ...env, DFE_TENANTS: path });
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(/^one \(/m);
    expect(bad.stdout).toMatch(/^away \(/m);
  });

  it('serves all its companies', async () => {
    const client = await connect('v1', { env });
    const asked = upstream.seen.length;
    const answer = await client.call('list_document_keys', { ...period, cnpj: branch });
    expect(answer.isError, answer.text).toBe(false);
    expect(upstream.seen.length).toBe(asked + 1);
  });

  it('is ignored by --demo', async () => {
    await using client = await connect('v1', { env, args: ['--demo'] });
    const asked = upstream.seen.length;
    const answer = await client.call('list_document_keys', period);
    expect(answer.isError, answer.text).toBe(false);
    expect(upstream.seen.length).toBe(asked);
  });
});
