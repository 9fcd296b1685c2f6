import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planChange } from '../../../src/cli/setup/host-file.ts';
import { commandLine, hosts, serverEntry } from '../../../src/cli/setup/hosts.ts';

const entry = { command: 'node', args: ['C:\\x y\\program.cjs'], env: { DFE_USER: 'José "Zé"' } };
const plan = (text: string | undefined) => planChange({ path: 'mcp.json', text }, 'docfiscal', entry);

describe('a server in a host’s JSON', () => {
  it.each([undefined, '', ' \n', '{}', '\uFEFF{}'])('is put into an empty file: %j', (text) => {
    const { after, replaced } = plan(text);
    expect(replaced).toBeUndefined();
    expect(after.startsWith('\uFEFF')).toBe(text?.startsWith('\uFEFF') === true);
    expect(JSON.parse(after.replace('\uFEFF', ''))).toEqual({ mcpServers: { docfiscal: entry } });
  });

  it('leaves all else unchanged: order, indentation, ends of lines', () => {
    const text = '{\r\n\t"b": 1.50,\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" }\r\n\t}\r\n}\r\n';
    const { after } = plan(text);
    for (const part of ['{\r\n\t"b": 1.50,', '\r\n\t\t"docfiscal": {']) expect(after).toContain(part);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(plan(after)).toEqual({ after, replaced: entry });
  });

  it.each([
    ['{ "mcpServers": ', 1],
    ['{\n "a": 1,,\n}', 2],
    ['{} {}', 1],
    ['[]', 1],
    ['{\n "mcpServers": []\n}', 1],
    ['{\n // mine\n}', 2],
    ['{ "a": 1,\n }', 2],
    ['{ "mcpServers": {}, "mcpServers": {} }', 1],
  ])('is kept out of what is not understood: %j', (text, line) => {
    expect(() => plan(text)).toThrow(expect.objectContaining({ code: 'BROKEN', line }));
  });

  it('changes nothing else, whatever is there', () => {
    const servers = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
    const whole = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), servers);
    void fc.assert(
      fc.property(whole, fc.constantFrom(0, 2, '\t'), ([others, there], indent) => {
        const before = { ...others, mcpServers: there };
        // A name that an object can't have as its own would be lost: then the file is left alone.
        if (JSON.stringify(before).includes('__proto__')) return;
        const meant = { ...before, mcpServers: { ...there, docfiscal: entry } };
        const { after } = plan(JSON.stringify(before, null, indent));
        expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify(meant)));
      }),
      { numRuns: 200 },
    );
  });
});

describe('how the program is started again', () => {
  const script = '/opt/d/docfiscal-mcp.cjs';
  const started = { node: '/usr/bin/node', script, version: '1.2.3', platform: 'linux' } as const;
  const swept = '/var/cache/_npx/1f/node_modules/docfiscal-mcp/dist/docfiscal-mcp.cjs';
  const packed = '/downloads/docfiscal-mcp-1.2.3.tgz';

  it.each([
    [started, ['/usr/bin/node', script, '--demo']],
    [{ ...started, script: swept }, 'npx -y docfiscal-mcp@1.2.3 --demo'.split(' ')],
    [
      { ...started, script: swept, packageFile: packed },
      `npx -y --package ${packed} docfiscal-mcp --demo`.split(' '),
    ],
    [
      { ...started, script: swept.replaceAll('/', '\\'), platform: 'win32' as const },
      'cmd /c npx -y docfiscal-mcp@1.2.3 --demo'.split(' '),
    ],
  ])('%j', (how, [command, ...args]) => {
    expect(serverEntry(how, {}, true)).toEqual({ command, args, env: {} });
  });
});

describe('the command of a host that adds servers itself', () => {
  const env = `'DFE_USER=José "Zé"'`;
  const program = "'C:\\x y\\program.cjs'";

  it.each([
    ['claude-code', `claude mcp add docfiscal --scope user --env ${env} -- node ${program}`],
    ['codex', `codex mcp add docfiscal --env ${env} -- node ${program}`],
    [
      'vscode',
      'code --add-mcp \'{"name":"docfiscal","command":"node","args":["C:\\\\x y\\\\program.cjs"],"env":{"DFE_USER":"José \\"Zé\\""}}\'',
    ],
    ['gemini', `gemini mcp add --scope user -e ${env} docfiscal node -- ${program}`],
  ])('is that of %s', (id, expected) => {
    const words = hosts.find((one) => one.id === id)?.addCommand?.('docfiscal', entry) ?? [];
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
