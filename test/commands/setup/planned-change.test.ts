import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { type Host, hosts } from '../../../src/commands/setup/hosts.ts';
import { planJson } from '../../../src/commands/setup/json-configuration.ts';
import { changedLines } from '../../../src/commands/setup/planned-change.ts';
import { serverEntry } from '../../../src/commands/setup/server-entry.ts';
import { planToml } from '../../../src/commands/setup/toml-configuration.ts';

const host = (id: Host['id']): Host => {
  const found = hosts.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no host ${id}`);
  return found;
};
const entry = { command: 'node', args: ['C:\\x y\\program.cjs'], env: { DFE_USER: 'José "Zé"' } };
const input = { id: 'docfiscal-password', description: 'Password' };

describe('a server in a host’s JSON', () => {
  it('is put into an empty file, or where there is none', () => {
    for (const text of ['', ' \n', '{}', '\uFEFF{}']) {
      const planned = planJson(text, host('cursor'), 'docfiscal', entry, undefined);
      expect(planned).toMatchObject({ ok: true, isReplacing: false });
      const after = planned.ok ? planned.after : '';
      expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
      expect(JSON.parse(after.replace('\uFEFF', ''))).toEqual({ mcpServers: { docfiscal: entry } });
    }
  });

  it('leaves all else as it stands: comments, order, indentation, ends of lines', () => {
    const text =
      '// mine\r\n{\r\n\t"servers": {\r\n\t\t"other": { "command": "x" }, // keep\r\n\t},\r\n}\r\n';
    const planned = planJson(text, host('vscode'), 'docfiscal', entry, input);
    const after = planned.ok ? planned.after : '';
    expect(parse(after, [], { allowTrailingComma: true })).toEqual({
      servers: { other: { command: 'x' }, docfiscal: { type: 'stdio', ...entry } },
      inputs: [{ type: 'promptString', ...input, password: true }],
    });
    for (const part of ['// mine\r\n{', '// keep']) expect(after).toContain(part);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('asks for a secret once, however often it is put there', () => {
    const once = planJson('{}', host('vscode'), 'docfiscal', entry, input);
    const twice = planJson(once.ok ? once.after : '', host('vscode'), 'docfiscal', entry, input);
    expect(twice).toEqual({ ok: true, after: once.ok && once.after, isReplacing: true });
  });

  it.each([
    ['{ "mcpServers": ', 'broken', 1],
    ['{\n "a": 1,,\n}', 'broken', 2],
    ['{} {}', 'broken', 1],
    ['[]', 'not_an_object', 1],
    ['{\n "mcpServers": []\n}', 'not_an_object', 2],
    ['{\n // mine\n}', 'comments', 2],
    ['{ "a": 1,\n }', 'comments', 2],
    ['{ "mcpServers": {}, "mcpServers": {} }', 'twice', undefined],
    ['{ "mcpServers": { "a": {}, "a": {} } }', 'twice', undefined],
  ])('is kept out of what is not understood: %j', (text, reason, line) => {
    const planned = planJson(text, host('claude-desktop'), 'docfiscal', entry, undefined);
    expect(planned).toMatchObject({ ok: false, reason, ...(line && { line }) });
  });

  it('changes nothing else, whatever is there', () => {
    const servers = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
    const whole = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), servers);
    void fc.assert(
      fc.property(whole, fc.constantFrom(0, 2, '\t'), ([others, there], indent) => {
        const before = { ...others, mcpServers: there };
        const planned = planJson(
          JSON.stringify(before, null, indent),
          host('gemini'),
          'docfiscal',
          entry,
          undefined,
        );
        const meant = { ...before, mcpServers: { ...there, docfiscal: entry } };
        const expected = JSON.parse(JSON.stringify(meant));
        // A name that an object can't have as its own would be lost: then the file is left alone.
        const isOdd = JSON.stringify(before).includes('__proto__');
        if (!isOdd) expect(JSON.parse(planned.ok ? planned.after : '')).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a server in a host’s TOML', () => {
  const added = [
    '[mcp_servers.docfiscal]',
    'command = "node"',
    'args = ["C:\\\\x y\\\\program.cjs"]',
    '',
    '[mcp_servers.docfiscal.env]',
    'DFE_USER = "José \\"Zé\\""',
    '',
  ].join('\n');

  it('comes last, and what was there stays', () => {
    expect(planToml('', 'docfiscal', entry)).toEqual({ ok: true, after: added, isReplacing: false });
    const before = 'model = "x" # mine\n[mcp_servers.other]\ncommand = "y"';
    expect(planToml(before, 'docfiscal', entry)).toMatchObject({ after: `${before}\n\n${added}` });
  });

  it.each([
    ['[mcp_servers.docfiscal]', 'taken'],
    ['a = 1\n[ mcp_servers . "docfiscal" ]', 'taken'],
    ['[mcp_servers.docfiscal.env]', 'taken'],
    ['mcp_servers = {}', 'servers_elsewhere'],
    ['mcp_servers.other.command = "x"', 'servers_elsewhere'],
    ['[mcp_servers]\nother = { command = "x" }', 'servers_elsewhere'],
    ['a = """ open', 'broken'],
  ])('is kept out of %j', (text, reason) => {
    expect(planToml(text, 'docfiscal', entry)).toMatchObject({ ok: false, reason });
  });

  it('stands beside one whose name only begins like it', () => {
    expect(planToml('[mcp_servers.docfiscal-demo]', 'docfiscal', entry)).toMatchObject({ ok: true });
  });
});

describe('the lines of a change', () => {
  it('show no secret, in the former entry either', () => {
    const asked = `\${input:p}`;
    const before = '{\n"DFE_PASSWORD": "hush \\" hush",\n"API_KEY": "hush"\n}';
    const shown = changedLines(before, `{\n"DFE_PASSWORD": "${asked}"\n}`).join('\n');
    expect(shown).not.toContain('hush');
    expect(shown).toContain(`+ "DFE_PASSWORD": "${asked}"`);
    expect(changedLines('a\nb\nc\n', 'a\nx\nc\n')).toEqual(['- b', '+ x']);
  });
});

describe('a change of a file without line breaks', () => {
  it('is shown without all that stands beside it', () => {
    const others = Object.fromEntries(
      Array.from({ length: 99 }, (_, at) => [`private-${at}`, 'x'.repeat(20)]),
    );
    const before = JSON.stringify({ ...others, mcpServers: { other: { command: 'y' } }, last: 'hush' });
    const planned = planJson(before, host('claude-code'), 'docfiscal', entry, undefined);
    const shown = changedLines(before, planned.ok ? planned.after : '').join('\n');
    expect(shown).toContain('docfiscal');
    expect(shown).not.toMatch(/private-|hush/);
    expect(shown.length).toBeLessThan(600);
  });
});

describe('how the program is started again', () => {
  const started = {
    node: '/usr/bin/node',
    script: '/opt/d/docfiscal-mcp.cjs',
    version: '1.2.3',
    platform: 'linux',
  } as const;
  const swept = '/var/cache/_npx/1f/node_modules/docfiscal-mcp/dist/docfiscal-mcp.cjs';

  it.each([
    [started, { command: '/usr/bin/node', args: [started.script, '--demo'] }],
    [
      { ...started, script: swept },
      { command: 'npx', args: ['-y', 'docfiscal-mcp@1.2.3', '--demo'] },
    ],
    [
      { ...started, script: swept.replaceAll('/', '\\'), platform: 'win32' as const },
      { command: 'cmd', args: ['/c', 'npx', '-y', 'docfiscal-mcp@1.2.3', '--demo'] },
    ],
  ])('%j', (how, expected) => {
    expect(serverEntry(how, {}, true)).toEqual({ ...expected, env: {} });
  });
});
