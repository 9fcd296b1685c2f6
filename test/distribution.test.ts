import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import pack from '../package.json' with { type: 'json' };
import { settings } from '../src/config/settings.ts';
import { configurationOf } from './support/configuration.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const server = JSON.parse(read('server.json'));
const manifest = JSON.parse(read('bundle/manifest.json'));
const readmes = [
  { language: 'en', text: read('README.md') + read('docs/install.md') },
  { language: 'pt-BR', text: read('README.pt-BR.md') + read('docs/install.md') },
] as const;

/**
 * What the registry takes of an entry like ours: the parts of its schema of 2025-12-11 that ours has, and no others.
 * Source: CONTRIBUTING.md, Releasing.
 */
const text = z.string().min(1);
const variable = z.strictObject({
  ...{ name: text, description: text.optional(), default: z.string().optional() },
  ...{ isRequired: z.boolean().optional(), isSecret: z.boolean().optional() },
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  choices: z.array(text).optional(),
});
const entrySchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: text.regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/).max(200),
  title: text.max(100).optional(),
  description: text.max(100),
  version: text.regex(/^\d+\.\d+\.\d+/).max(255),
  repository: z.strictObject({ url: text.regex(/^https:\/\//), source: z.literal('github') }).optional(),
  packages: z.array(
    z.strictObject({
      ...{ registryType: z.literal('npm'), identifier: text, runtimeHint: z.literal('npx').optional() },
      version: text.refine((version) => version !== 'latest'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(variable).optional(),
    }),
  ),
});

/** A manifest's words with what a person left empty put in, as a desktop host does it. */
function filledIn(values: Record<string, unknown> = {}): Record<string, string> {
  const env: Record<string, string> = manifest.server.mcp_config.env;
  return Object.fromEntries(
    Object.entries(env).map(([variable, word]) => {
      const [, field = ''] = /^\$\{user_config\.(\w+)\}$/.exec(word) ?? [];
      expect(manifest.user_config).toHaveProperty(field);
      return [variable, String(values[field] ?? manifest.user_config[field].default)];
    }),
  );
}

describe('the registry’s entry', () => {
  it('is one that the registry takes, of this package', () => {
    expect(entrySchema.safeParse(server).error?.issues).toBeUndefined();
    expect(server).toMatchObject({ name: pack.mcpName, version: pack.version });
    // Both name the same home, or neither does.
    const home = (pack as { repository?: { url: string } }).repository?.url;
    expect(server.repository?.url).toBe(home?.replace(/^git\+|\.git$/g, ''));
    expect(server.packages[0]).toMatchObject({ identifier: pack.name, version: pack.version });
  });

  it('marks every secret, and no default starts anything else than none would', () => {
    const told: { name: string; isSecret: boolean; default?: string }[] =
      server.packages[0].environmentVariables;
    const secrets = settings.filter(({ secret }) => secret).map(({ variable }) => variable);
    expect(told.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(secrets);
    const defaults = told.flatMap((one) => (one.default === undefined ? [] : [[one.name, one.default]]));
    const [given, none] = [configurationOf(Object.fromEntries(defaults)), configurationOf()];
    expect(given.settings).toEqual(none.settings);
  });
});

describe('the bundle’s manifest', () => {
  it('starts the program with nothing filled in, and with all of it', () => {
    const [given, none] = [configurationOf(filledIn()), configurationOf()];
    expect(given.settings).toEqual(none.settings);
    const all = {
      ...{ url: 'https://documents.example', user: 'fiscal', password: 'p$&', cnpj: '48152036000117' },
      ...{ files: '/notas', download_dir: '/downloads', archive: 'file', read_only: true, language: 'en' },
    };
    expect(Object.keys(all)).toEqual(Object.keys(manifest.user_config));
    const settings = { archive: 'file', readOnly: true };
    expect(configurationOf(filledIn(all))).toMatchObject({ settings });
  });

  it('has every secret of its form kept as one', () => {
    const fields: Record<string, { sensitive: boolean }> = manifest.user_config;
    for (const [variable, word] of Object.entries(manifest.server.mcp_config.env as Record<string, string>)) {
      const field = fields[word.slice('${user_config.'.length, -1)];
      expect(field?.sensitive, variable).toBe(settings.find((one) => one.variable === variable)?.secret);
    }
  });
});

describe.each(readmes)('the ways to install in $language', ({ text }) => {
  const entries = [...text.matchAll(/```json\n(\{.*?\n\})\n```/gs)].map(([, json = '']) => JSON.parse(json));
  const servers = entries.flatMap((entry) => Object.values(entry.mcpServers ?? entry.servers ?? {}));

  it('are configurations that start', () => {
    expect(servers.length).toBeGreaterThanOrEqual(2);
    for (const { env } of servers as { env: Record<string, string> }[]) {
      const known = Object.entries(env).filter(([, value]) => !value.startsWith('${input:'));
      expect(() => configurationOf(Object.fromEntries(known))).not.toThrow();
    }
  });

  it('are links with the same in them, secrets asked for and none kept', () => {
    const link = (host: string) =>
      new URL(/\((https:[^)]*)\)/.exec(text.slice(text.indexOf(`](https://${host}`) + 1))?.[1] ?? '');
    const asked = link('insiders.vscode.dev').searchParams;
    const config = JSON.parse(asked.get('config') ?? '');
    const inputs: { id: string; password?: boolean }[] = JSON.parse(asked.get('inputs') ?? '');
    expect(config).toMatchObject({ type: 'stdio', command: 'npx', args: ['-y', pack.name] });
    for (const { id } of inputs) expect(Object.values(config.env)).toContain(`\${input:${id}}`);
    expect(inputs.filter(({ password }) => password).map(({ id }) => id)).toEqual(['dfe-password']);
    const entry = JSON.parse(
      Buffer.from(link('cursor.com').searchParams.get('config') ?? '', 'base64').toString(),
    );
    expect(() => configurationOf(entry.env)).not.toThrow();
    expect(entry).toMatchObject({ command: 'npx', args: ['-y', pack.name] });
  });
});
