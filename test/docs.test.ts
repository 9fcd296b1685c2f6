import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesBelow } from './support/source-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Pages of documentation: those at the top, and docs/. Paths from the repository, with forward slashes. */
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
].map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

/** What happened stays told in the words of its time. */
const history = 'CHANGELOG.md';

const exists = (path: string) => existsSync(join(root, path));

describe('pages', () => {
  it('are there, the ones that the others begin from', () => {
    const names = pages.map(({ name }) => name);
    for (const name of ['docs/README.md', 'docs/architecture.md', 'docs/fiscal-domain.md']) {
      expect(names).toContain(name);
    }
    expect(names.length).toBeGreaterThan(12);
  });

  it('link to pages and files that are there', () => {
    const broken = pages.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => posix.join(dirname(name), target))
        .filter((target) => !exists(target))
        .map((target) => `${name}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('name files that are there', () => {
    const lost = pages
      .filter(({ name }) => name !== history)
      .flatMap(({ name, text }) =>
        [...text.matchAll(/`((?:src|test|bench|scripts|docs|\.ci|\.github)\/[\w./-]+)`/g)]
          .map(([, path = '']) => path)
          .filter((path) => !exists(path))
          .map((path) => `${name}: ${path}`),
      );
    expect(lost).toEqual([]);
  });

  it('are all linked from another page', () => {
    const targets = new Set(
      pages.flatMap(({ name, text }) =>
        [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) =>
          posix.join(dirname(name), target),
        ),
      ),
    );
    const alone = pages.map(({ name }) => name).filter((name) => name.startsWith('docs/'));
    expect(alone.filter((name) => name !== 'docs/README.md' && !targets.has(name))).toEqual([]);
  });
});

describe('what code and comments cite', () => {
  const files = ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
    filesBelow(join(root, folder)).map(({ name, text }) => ({ name: `${folder}/${name}`, text })),
  );

  it('is a page that is there', () => {
    const cited = files.flatMap(({ name, text }) =>
      [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([path]) => ({ name, path })),
    );
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(({ path }) => !exists(path))).toEqual([]);
  });

  it('stands in the repository', () => {
    const outside = new RegExp(
      [
        ['DES', 'IGN'].join(''),
        '[\\w-]+ notes, (?:section )?\\d',
        ['peers-and', 'pitfalls'].join('-'),
        ['mcp-server', 'guide'].join('-'),
        ['technology', 'notes'].join(' '),
        'issue of the \\w+',
        'contract [\\w-]+, section',
      ].join('|'),
    );
    // A comment may break a line in the middle of a citation.
    const flat = (text: string) => text.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
    const found = files.flatMap(({ name, text }) => {
      const [cited] = outside.exec(flat(text)) ?? [];
      return cited === undefined ? [] : [`${name}: ${cited}`];
    });
    expect(found).toEqual([]);
  });
});
