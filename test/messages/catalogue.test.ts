import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogue, createTranslator, languages, type MessageKey } from '../../src/messages/index.ts';
import { fill } from '../../src/messages/message.ts';
import { tools } from '../../src/tools/index.ts';

const folder = new URL('../../src/messages/', import.meta.url);
const entries = Object.entries(catalogue);

function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted();
}

describe('the catalogue', () => {
  it('has every part, and no key in two of them', async () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'index.ts');
    const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
    const keys = modules.flatMap((module: Record<string, unknown>) =>
      Object.entries(module).flatMap(([name, part]) =>
        name.endsWith('Messages') ? Object.keys(part as object) : [],
      ),
    );
    expect(keys.toSorted()).toEqual(Object.keys(catalogue).toSorted());
  });

  it.each(entries)('%s is said in both languages, with the same values', (_key, message) => {
    expect(Object.keys(message).toSorted()).toEqual([...languages].toSorted());
    for (const language of languages) {
      expect(message[language].trim()).not.toBe('');
      expect(message[language]).toBe(message[language].trim());
      expect(placeholders(message[language])).toEqual(placeholders(message.en));
    }
  });

  it('has a title for every tool', () => {
    for (const { name } of tools) expect(Object.keys(catalogue)).toContain(`tool.${name}`);
    const titles = Object.keys(catalogue).filter((key) => key.startsWith('tool.'));
    expect(titles.toSorted()).toEqual(tools.map(({ name }) => `tool.${name}`).toSorted());
  });

  it('holds no markup and no end of line that a terminal or a chat would show', () => {
    for (const [key, message] of entries) {
      for (const language of languages) expect(message[language], key).not.toMatch(/<\/?\w+>|[\r\n\t]/);
    }
  });
});

describe('a translator', () => {
  it('says things in its language', () => {
    expect(createTranslator('en').say('argument.missing', { argument: 'from' })).toBe('"from" is missing');
    expect(createTranslator('pt-BR').say('argument.missing', { argument: 'from' })).toBe('falta "from"');
  });

  it('says the same by a key known at run time', () => {
    const key: MessageKey = 'argument.missing';
    expect(createTranslator('en').tell(key, { argument: 'to' })).toBe('"to" is missing');
  });

  it('has words for a problem', () => {
    const problem = { code: 'key_check_digit', values: { found: '1', expected: '2' } } as const;
    for (const language of languages) {
      const words = createTranslator(language).problem(problem);
      expect(words).toMatch(/1/);
      expect(words).toMatch(/2/);
    }
  });
});

describe('filling in', () => {
  it('does not fill in what a value brings along', () => {
    expect(fill('{a} and {b}', { a: '{b}', b: 'x' })).toBe('{b} and x');
  });

  it('takes values as they are, dollar signs too', () => {
    expect(fill('{a}', { a: '$& $1 $$' })).toBe('$& $1 $$');
  });

  it('shows what has no value', () => {
    expect(fill('{a} {b}', { a: 1 })).toBe('1 {b}');
  });
});
