import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOfEachTest } from '../support/during-tests.ts';
import { authorisedNote } from '../support/filed-documents.ts';
import { runInProcess } from '../support/run-in-process.ts';

const folder = folderOfEachTest();

const at = (...parts: string[]) => join(folder.path, ...parts);

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

/** A company's folder of one note, and the settings that name it. */
function ownFiles(): Record<string, string> {
  write('notas/nota.xml', authorisedNote({ number: 1 }));
  return { DFE_FILES: at('notas'), DFE_LANGUAGE: 'en', DFE_DATA_DIR: at('data') };
}

const doctor = (host: string, ...more: string[]) =>
  runInProcess(['doctor', '--host', host, ...more], {
    XDG_CONFIG_HOME: at('config'),
    CODEX_HOME: at('codex'),
    DFE_LANGUAGE: 'en',
    // The shell's own settings are not those of the assistant.
    DFE_URL: 'http://127.0.0.1:9',
  });

const desktop = join('config', 'Claude', 'claude_desktop_config.json');
const script = '/nowhere/docfiscal-mcp';
const inJson = (mcpServers: object) => JSON.stringify({ mcpServers });

describe.skipIf(process.platform === 'win32')('doctor --host', () => {
  const inToml = (env: object) =>
    Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);

  it.each<[host: string, path: string, text: (env: object) => string]>([
    ['claude-desktop', desktop, (env) => inJson({ docfiscal: { command: 'docfiscal-mcp', env } })],
    [
      'vscode',
      'config/Code/User/mcp.json',
      (env) =>
        `{ // mine\n "servers": { "x": { "command": "npx", "args": ["-y", "docfiscal-mcp@0.1.0"], "env": ${JSON.stringify(env)} }, } }`,
    ],
    [
      'codex',
      'codex/config.toml',
      (env) =>
        `[mcp_servers.docfiscal]\ncommand = "npx"\nargs = ["-y", "docfiscal-mcp"]\n[mcp_servers.docfiscal.env]\n${inToml(env).join('')}`,
    ],
  ])('examines what %s starts, and none of the shell’s settings', async (host, path, text) => {
    write(path, text(ownFiles()));
    const { code, stdout, stderr } = await doctor(host);
    expect(stderr).toContain(at(path));
    expect(stdout).toMatch(/^✓ Everything that is needed works.*^DFE_FILES +environment +/ms);
    expect(stdout).not.toContain('127.0.0.1:9');
    expect(code).toBe(0);
  });

  it('reads options as well as variables, and lets its own win', async () => {
    const { DFE_FILES = '', ...env } = ownFiles();
    const args = ['/nowhere', '--files', DFE_FILES, '--language', 'pt-BR'];
    write('docfiscal-mcp.cjs', '');
    const entry = { command: process.execPath, args: [at('docfiscal-mcp.cjs'), ...args.slice(1)], env };
    write(desktop, inJson({ docfiscal: entry }));
    expect((await doctor('claude-desktop')).stdout).toMatch(/^✓ Tudo o que é necessário funciona/);
    const { stdout } = await doctor('claude-desktop', '--language', 'en', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'ok',
      files: { message: expect.stringContaining('1 document') },
    });
  });

  it('names the entries of the program that it does not examine', async () => {
    const entry = { command: 'docfiscal-mcp', env: ownFiles() };
    const demo = { ...entry, args: ['--demo'] };
    write(desktop, inJson({ other: { command: 'x' }, 'docfiscal-demo': demo, docfiscal: entry }));
    const { stderr } = await doctor('claude-desktop');
    expect(stderr).toMatch(/server docfiscal of .*\nNot examined in this file: docfiscal-demo\n/);
  });

  it.each([
    [undefined, 'no docfiscal-mcp server in'],
    [inJson({ other: { command: 'x' } }), 'no docfiscal-mcp server in'],
    ['{"mcpServers":{"docfiscal":', 'is no valid JSON in UTF-8'],
    ['\uFEFF\n', 'no docfiscal-mcp server in'],
    [inJson({ docfiscal: { command: script } }), `starts ${script}, which no longer exists`],
    [
      inJson({ d: { command: 'docfiscal-mcp', env: { DFE_LANGUAGE: 'en', DFE_READONLY: '1' } } }),
      'did you mean DFE_READ_ONLY?',
    ],
    [
      inJson({ d: { command: 'docfiscal-mcp', args: ['--language=en', '--readonly'] } }),
      'did you mean --read-only?',
    ],
  ])('fails and says why: %j', async (text, words) => {
    if (text !== undefined) write(desktop, text);
    const { code, stdout, stderr } = await doctor('claude-desktop');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('names the assistants there are for any other', async () => {
    const { code, stderr } = await doctor('emacs');
    expect(code).toBe(2);
    expect(stderr).toContain('claude-desktop, claude-code, vscode, cursor, codex, gemini');
  });
});
