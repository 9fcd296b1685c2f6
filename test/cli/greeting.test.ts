import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { greeting } from '../../src/cli/help.ts';
import { createTranslator } from '../../src/messages/index.ts';

const english = createTranslator('en');
const script = join(process.cwd(), 'dist', 'docfiscal-mcp.cjs');

/** The host's configuration that a greeting shows. */
function shownEntry(text: string): unknown {
  return JSON.parse(/"docfiscal": (.*)$/m.exec(text)?.[1] ?? '');
}

describe('the greeting in a terminal', () => {
  it('says what the program is, how a host starts it and what to type', () => {
    const text = greeting(false, script, english);
    expect(text).toContain('is an MCP server');
    expect(shownEntry(text)).toEqual({ command: 'node', args: [script] });
    expect(text).toContain(`node ${join('dist', 'docfiscal-mcp.cjs')} doctor `);
    expect(text).toContain(`node ${join('dist', 'docfiscal-mcp.cjs')} --help `);
    expect(text).toContain('"--demo"');
  });

  it('of the demo says that its data are invented', () => {
    const text = greeting(true, script, english);
    expect(text).toContain('invented data');
    expect(shownEntry(text)).toEqual({ command: 'node', args: [script, '--demo'] });
  });

  it('names the program as it was called', () => {
    expect(greeting(false, '/usr/local/bin/docfiscal-mcp', english)).toContain('  docfiscal-mcp doctor ');
    const spaced = join(process.cwd(), 'my programs', 'docfiscal-mcp.cjs');
    expect(greeting(false, spaced, english)).toContain(
      `node "${join('my programs', 'docfiscal-mcp.cjs')}" doctor `,
    );
  });

  it('is in the language asked for', () => {
    expect(greeting(true, script, createTranslator('pt-BR'))).toContain('dados inventados');
  });
});
