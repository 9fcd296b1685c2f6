import { describe, expect, it } from 'vitest';
import { helpText } from '../../src/cli/help.ts';
import { archiveActions, namedCommands, readCommandLine, type Topic } from '../../src/config/command-line.ts';
import { languages } from '../../src/messages/message.ts';

const topics: readonly Topic[] = ['stdio', ...namedCommands];

describe('--help', () => {
  it('names every command and every setting', () => {
    const help = helpText('stdio', 'en');
    for (const command of namedCommands) expect(help).toContain(`docfiscal-mcp ${command}`);
    const variables = [
      'URL USER PASSWORD PASSWORD_FILE CNPJ DATE_FORMAT TIME_FORMAT TIME_ZONE EVENT_TEMPLATE ACCOUNT_URL',
      'ACCOUNT_API_KEY ACCOUNT_TOKEN ACCOUNT_OAUTH_TOKEN_URL ACCOUNT_OAUTH_CLIENT_ID ACCOUNT_OAUTH_CLIENT_SECRET',
      'ACCOUNT_OAUTH_SCOPE ACCOUNT_USER ACCOUNT_LICENSE_KEY ACCOUNT_VENDOR ACCOUNT_CLIENT READ_ONLY TOOLSETS',
      'CONFIRMATION DOWNLOAD_DIR DATA_DIR ARCHIVE ARCHIVE_XML ARCHIVE_REFRESH DATABASE_URL TIMEOUT CONCURRENCY LANGUAGE',
    ];
    for (const name of variables.join(' ').split(' ')) expect(help).toMatch(new RegExp(`\\bDFE_${name}\\b`));
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
