import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { greeting, helpText } from '../../src/cli/help.ts';
import { archiveActions, namedCommands, readCommandLine, type Topic } from '../../src/config/command-line.ts';
import { settings } from '../../src/config/settings.ts';
import { createTranslator } from '../../src/messages/index.ts';
import { languages } from '../../src/messages/message.ts';

const topics: readonly Topic[] = ['stdio', ...namedCommands];

describe('--help', () => {
  it('names every command and every setting', () => {
    const help = helpText('stdio', 'en');
    for (const command of namedCommands) expect(help).toContain(`docfiscal-mcp ${command}`);
    for (const { variable } of settings) expect(help).toMatch(new RegExp(`\\b${variable}\\b`));
    expect(help).toContain('DFE_READ_ONLY, --read-only');
    expect(help).toContain('7:5m,35:1d,100:7d');
  });

  it('is of each command alone where that is asked', () => {
    for (const action of archiveActions) expect(helpText('archive', 'en')).toContain(`  ${action} `);
    expect(helpText('sandbox', 'en')).toContain('--port N');
    expect(helpText('doctor', 'en')).toContain('? cannot be judged');
    for (const topic of namedCommands) {
      expect(helpText(topic, 'en')).toMatch(new RegExp(`^docfiscal-mcp ${topic}`));
      expect(helpText(topic, 'en')).not.toContain('DFE_CNPJ');
    }
  });

  it.each(topics)('of %s offers only what can be called', (topic) => {
    for (const language of languages) {
      const help = helpText(topic, language);
      const calls = [...help.matchAll(/docfiscal-mcp ([a-z]+)\b/g)].map(([, command]) => command);
      expect(calls.filter((command) => !namedCommands.some((one) => one === command))).toEqual([]);
      const flags = [...help.matchAll(/(?<![\w-])--[a-z-]+/g)].map(([flag]) => flag);
      expect(flags.length).toBeGreaterThan(0);
      const problems = flags.flatMap((flag) => readCommandLine([flag]).problems);
      const isUnknown = problems.filter((problem) => 'nearest' in problem && problem.nearest !== undefined);
      expect(isUnknown).toEqual([]);
    }
  });

  it('is in one language', () => {
    for (const topic of topics) {
      expect(helpText(topic, 'en')).not.toMatch(/[çãõ]|\b(?:ou|para|com)\b/);
      expect(helpText(topic, 'pt-BR')).not.toMatch(/\b(?:or|the|with|without)\b/);
    }
  });
});

const english = createTranslator('en');
const script = join(process.cwd(), 'dist', 'docfiscal-mcp.cjs');

describe('the greeting in a terminal', () => {
  const dist = join('dist', 'docfiscal-mcp.cjs');

  it.each([
    [false, ['is an MCP server', `node ${dist} doctor `, `node ${dist} --help `, '"--demo"'], [script]],
    [true, ['invented data', `node ${dist} doctor --demo `], [script, '--demo']],
  ])('says how a host starts it and what to type (demo: %s)', (isDemo, words, args) => {
    const text = greeting(isDemo, script, english);
    for (const one of words) expect(text).toContain(one);
    expect(JSON.parse(/"docfiscal": (.*)$/m.exec(text)?.[1] ?? '')).toEqual({ command: 'node', args });
  });

  it('names the program as it was called', () => {
    expect(greeting(false, '/usr/local/bin/docfiscal-mcp', english)).toContain('  docfiscal-mcp doctor ');
    const spaced = join('my programs', 'docfiscal-mcp.cjs');
    expect(greeting(false, join(process.cwd(), spaced), english)).toContain(`  node "${spaced}" doctor `);
  });
});
