import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, temporaryFolder } from '../support/built-program.ts';
import { connectTo } from '../support/clients.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();

const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));
const plugin = (host: string, ...path: string[]) => join(folder.path, 'docfiscal-plugins', host, ...path);

interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How each host starts the program, with nothing of its form filled in. */
const servers: Readonly<Record<string, () => Server>> = {
  'claude-code': () => json(plugin('claude-code'), '.claude-plugin/plugin.json').mcpServers.docfiscal,
  codex: () => json(plugin('codex'), '.mcp.json').docfiscal,
  cursor: () => json(plugin('cursor'), '.cursor-plugin/plugin.json').mcpServers.docfiscal,
  'gemini-cli': () => json(plugin('gemini-cli'), 'gemini-extension.json').mcpServers.docfiscal,
};

const bundle = join(folder.path, 'docfiscal.mcpb');
beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts', 'bundle.mjs'), bundle], { stdio: 'pipe' });
}, 120_000);

describe.each(Object.entries(servers))('the plugin for %s', (host, serverOf) => {
  it('starts from its own folder and lists the tools', async () => {
    const { args, env = {} } = serverOf();
    await using connection = await connectTo('v2 legacy', {
      args: args.map((text) => text.replace(/\$\{\w+\}/, plugin(host))),
      cwd: plugin(host),
      env: cleanEnvironment(Object.fromEntries(Object.keys(env).map((name) => [name, '']))),
    });
    expect((await connection.listTools()).length).toBeGreaterThan(10);
  });

  it('has every skill under its name', () => {
    const names = readdirSync(plugin(host, 'skills')).toSorted();
    expect(names).toEqual(['manifestation', 'month-closing', 'reconciliation', 'tax-reform']);
    for (const name of names) {
      expect(readFileSync(plugin(host, 'skills', name, 'SKILL.md'), 'utf8')).toContain(`\nname: ${name}\n`);
    }
  });
});

it.each([
  ['claude-code', '.claude-plugin/plugin.json'],
  ['codex', '.codex-plugin/plugin.json'],
])('the manifest for %s is valid by its published schema', (host, path) => {
  const { $schema: _, ...schema } = json(root, 'test/interop/plugin-schemas', `${host}.json`);
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  expect([validate(json(plugin(host), path)), validate.errors]).toEqual([true, null]);
});

it('what a person fills in at a host reaches the program, secrets masked', () => {
  const { userConfig, mcpServers } = json(plugin('claude-code'), '.claude-plugin/plugin.json');
  const fields = Object.values<string>(mcpServers.docfiscal.env).map((text) => text.slice(14, -1));
  expect(fields).toEqual(Object.keys(userConfig));
  expect(userConfig.password.sensitive).toBe(true);
  const { settings } = json(plugin('gemini-cli'), 'gemini-extension.json');
  expect(settings.find(({ envVar }: { envVar: string }) => envVar === 'DFE_PASSWORD').sensitive).toBe(true);
});

it('the bundle validates, and starts as a host unpacks it, with nothing filled in', async () => {
  const unpacked = join(folder.path, 'unpacked');
  const program = join(root, 'tools', 'bundle', 'node_modules', '.bin', 'mcpb');
  execFileSync(process.execPath, [program, 'unpack', bundle, unpacked], { stdio: 'pipe' });
  const {
    server,
    user_config: form,
    tools,
  } = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
  const put = (text: string) =>
    text
      .replaceAll(/\$\{__dirname\}/g, unpacked)
      .replace(/\$\{user_config\.(\w+)\}/g, (_, field) => String(form[field].default));
  const env = Object.entries(server.mcp_config.env as Record<string, string>);
  await using connection = await connectTo('v2 legacy', {
    args: server.mcp_config.args.map(put),
    env: cleanEnvironment(Object.fromEntries(env.map(([name, text]) => [name, put(text)]))),
  });
  const listed = (await connection.listTools()).map(({ name }) => name);
  expect(listed).toEqual(tools.map(({ name }: { name: string }) => name));
});
