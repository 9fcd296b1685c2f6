import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { type FileHost, type Host, hosts } from '../../../src/cli/setup/hosts.ts';
import { planJson } from '../../../src/cli/setup/json-configuration.ts';
import { changedLines } from '../../../src/cli/setup/planned-change.ts';
import { commandLine, serverEntry } from '../../../src/cli/setup/server-entry.ts';

const host = (id: Host['id']): FileHost => {
  const found = hosts.find((one) => one.id === id);
  if (found === undefined || !('format' in found)) throw new Error(`no host ${id} with a file`);
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
          host('cursor'),
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
    const planned = planJson(before, host('claude-desktop'), 'docfiscal', entry, undefined);
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

describe('the command of a host that adds servers itself', () => {
  it.each([
    [
      'claude-code',
      "claude mcp add docfiscal --scope user --env 'DFE_USER=José \"Zé\"' -- node 'C:\\x y\\program.cjs'",
    ],
    ['codex', "codex mcp add docfiscal --env 'DFE_USER=José \"Zé\"' -- node 'C:\\x y\\program.cjs'"],
    [
      'gemini',
      "gemini mcp add --scope user -e 'DFE_USER=José \"Zé\"' docfiscal node -- 'C:\\x y\\program.cjs'",
    ],
  ])('is that of %s', (id, expected) => {
    const found = hosts.find((one) => one.id === id);
    const words = found && 'addCommand' in found ? found.addCommand('docfiscal', entry) : [];
    expect(commandLine(words, 'linux')).toBe(expected);
  });

  it.each([
    ['linux', "it's", `'it'\\''s'`],
    ['win32', 'C:\\x y\\a', '"C:\\x y\\a"'],
    ['win32', 'a"b', '"a\\"b"'],
    ['linux', '/usr/bin/node', '/usr/bin/node'],
  ] as const)('has words quoted as the shell of %s wants it: %s', (platform, word, expected) => {
    expect(commandLine([word], platform)).toBe(expected);
  });
});
