import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '../../src/documents/rules/index.ts';
import { dossierMessages } from '../../src/messages/apart/dossier.ts';
import { pageMessages } from '../../src/messages/apart/pages.ts';
import { recipeMessages } from '../../src/messages/apart/recipes.ts';
import { reconcileMessages } from '../../src/messages/apart/reconcile.ts';
import { reportMessages } from '../../src/messages/apart/report.ts';
import { setupMessages } from '../../src/messages/apart/setup.ts';
import { columnMessages, viewMessages } from '../../src/messages/apart/views.ts';
import { catalogue, createTranslator, languages } from '../../src/messages/index.ts';
import { fill, type Message } from '../../src/messages/message.ts';
import { tools } from '../../src/tools/index.ts';
import { groupings, measures } from '../../src/tools/query/groups.ts';

const folder = new URL('../../src/messages/', import.meta.url);
const ofRules = rules.flatMap((rule) =>
  (['title', 'finding', 'todo'] as const).map((part): [string, Message] => [
    `rule.${rule.code}.${part}`,
    rule[part],
  ]),
);
/** Messages that are loaded with their callers. */
const apart = {
  ...setupMessages,
  ...recipeMessages,
  ...reconcileMessages,
  ...reportMessages,
  ...dossierMessages,
  ...pageMessages,
  ...viewMessages,
  ...columnMessages,
};
const entries: [string, Message][] = [...Object.entries(catalogue), ...ofRules, ...Object.entries(apart)];

function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\w+(?=[:}])/g) ?? [])].toSorted();
}

describe('the catalogue', () => {
  it('has every part, and no key in two of them', async () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && name !== 'index.ts',
    );
    const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)));
    const keys = modules.flatMap((module: Record<string, unknown>) =>
      Object.entries(module).flatMap(([name, part]) =>
        name.endsWith('Messages') ? Object.keys(part as object) : [],
      ),
    );
    expect(keys.toSorted()).toEqual([...Object.keys(catalogue), ...Object.keys(apart)].toSorted());
  });

  it.each(entries)('%s is said in both languages, with the same values', (_key, message) => {
    expect(message).toHaveLength(languages.length);
    for (const text of message) {
      expect(text.trim()).not.toBe('');
      expect(text).toBe(text.trim());
      expect(placeholders(text)).toEqual(placeholders(message[1]));
    }
  });

  it('has both words, and no other sign of a plural, wherever a word goes with a number', () => {
    for (const [key, message] of entries) {
      for (const text of message) {
        for (const [inside] of text.matchAll(/\{[^{}]*\}/g)) {
          expect(inside, key).toMatch(/^\{\w+(?::[^|]*\|[^|]+)?\}$/);
        }
        expect(text.replace('http(s)', ''), key).not.toMatch(/\w\(s\)/);
      }
    }
  });

  it('has a title for every tool', () => {
    for (const { name } of tools) expect(Object.keys(catalogue)).toContain(`tool.${name}`);
    const titles = Object.keys(catalogue).filter((key) => key.startsWith('tool.'));
    expect(titles.toSorted()).toEqual(tools.map(({ name }) => `tool.${name}`).toSorted());
  });

  it('has a word for every column that an answer can have, and for no other', () => {
    // Columns of lists and of the amounts of a document, and names beside ids.
    const others =
      'document number entered_on events key authorized_at issuer_name recipient_name counterparty_name payer_name ' +
      'city_name iss_city_name due_dates cancelled_at references deductions receivable cargo withheld';
    const named = Object.keys(columnMessages).filter((key) => key.startsWith('column.'));
    const wanted = [...groupings, ...measures, ...others.split(' ')].map((name) => `column.${name}`);
    expect(named.toSorted()).toEqual([...new Set(wanted)].toSorted());
  });

  it('holds no markup and no end of line that a terminal or a chat would show', () => {
    for (const [key, message] of entries) {
      for (const text of message) expect(text, key).not.toMatch(/<\/?\w+>|[\r\n\t]/);
    }
  });
});

it('a translator chooses singular or plural', () => {
  const portuguese = createTranslator('pt-BR');
  expect(portuguese.say('analysis.groups', { total: 1, shown: 1 })).toBe('1 grupo, 1 mostrado');
  expect(portuguese.say('analysis.groups', { total: 2, shown: 1 })).toBe('2 grupos, 1 mostrado');
  expect(createTranslator('en').say('analysis.rests_on', { documents: 1 })).toBe('Basis: 1 document.');
});

it('a translator names a choice of variables in its language', () => {
  const names = ['DFE_URL', ['DFE_A', 'DFE_B', 'DFE_C']] as const;
  expect(createTranslator('pt-BR').variables(names)).toBe('DFE_URL; DFE_A, DFE_B ou DFE_C');
  expect(createTranslator('en').variables(['DFE_URL', 'DFE_USER'])).toBe('DFE_URL, DFE_USER');
});

describe('filling in', () => {
  it('takes values as they are, with braces and dollar signs', () => {
    expect(fill('{a} and {b}', { a: '{b}', b: '$& $1 $$' })).toBe('{b} and $& $1 $$');
  });

  it.each([
    [0, '0 grupos'],
    [1, '1 grupo'],
    [2, '2 grupos'],
    [1_000_000, '1000000 grupos'],
  ] as const)('chooses the word that goes with %d', (count, words) => {
    expect(fill('{count} {count:grupo|grupos}', { count })).toBe(words);
    expect(fill('{count} {count:grupo|grupos}', { count: String(count) })).toBe(words);
  });
});

it('a cancellation after its deadline (155) is said to have been accepted', () => {
  expect(createTranslator('pt-BR').say('event_status.cancelled_late')).toContain('homologado');
  expect(createTranslator('en').say('event_status.cancelled_late')).toContain('accepted');
});
