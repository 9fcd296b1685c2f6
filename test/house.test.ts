import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pageMessages } from '../src/messages/apart/pages.ts';
import { viewMessages } from '../src/messages/apart/views.ts';
import { catalogue as spoken } from '../src/messages/index.ts';
import { filesBelow, type Import, importsOf, roomOf } from './support/source-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

const files = filesBelow(source);

const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** What each room imports, in the order of the table in docs/architecture.md. */
const table = new Map(
  [...architecture.matchAll(/^\| `([\w.]+)` \| [^|]+ \| ([^|]*) ?\|$/gm)].map(
    ([, room = '', others = '']): [string, string[]] => [
      room,
      [...others.matchAll(/`(\w+)`/g)].map(([, other = '']) => other),
    ],
  ),
);

const imports = files.flatMap(importsOf);

const arrow = ({ from, to }: Import) => `${from} → ${to}`;

describe('rooms', () => {
  it('import what the table in docs/architecture.md says, each only rooms before it', () => {
    const rooms = new Map<string, Set<string>>(files.map(({ name }) => [roomOf(name), new Set()]));
    for (const { from, to } of imports) {
      const isVersion = from === 'config/version.ts' && to === '../package.json';
      if (roomOf(from) !== roomOf(to) && !isVersion) rooms.get(roomOf(from))?.add(roomOf(to));
    }
    const order = [...table.keys()];
    expect(order.toSorted()).toEqual([...rooms.keys()].toSorted());
    for (const [room, others] of table) {
      expect([...(rooms.get(room) ?? [])].toSorted(), room).toEqual(others.toSorted());
      expect(others.filter((other) => order.indexOf(other) >= order.indexOf(room))).toEqual([]);
    }
  });

  it('are drawn in the picture with the arrows from which all imports follow', () => {
    const arrows = [...architecture.matchAll(/^ {2}([\w]+)(?:\[.*\])? (?:-->|-\.->) (.+)$/gm)].map(
      ([, from = '', to = '']): [string, string[]] => [from.replace('_', '.'), to.split(' & ')],
    );
    const reached = (from: string): string[] =>
      arrows.flatMap(([room, others]) =>
        room === from ? others.flatMap((other) => [other, ...reached(other)]) : [],
      );
    for (const [room, others] of table) expect(reached(room), room).toEqual(expect.arrayContaining(others));
    for (const [room, others] of arrows) expect(table.get(room)).toEqual(expect.arrayContaining(others));
  });

  it('have no two files that import each other, by whatever way round', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (name: string, way: readonly string[]): void => {
      if (way.includes(name)) circles.push([...way.slice(way.indexOf(name)), name].join(' → '));
      if (done.has(name) || way.includes(name)) return;
      for (const { from, to } of imports) if (from === name) visit(to, [...way, name]);
      done.add(name);
    };
    for (const { name } of files) visit(name, []);
    expect(circles).toEqual([]);
  });

  it('leave the sandbox unloaded until it is asked for', () => {
    const others = imports.filter(({ from, to }) => roomOf(to) === 'sandbox' && roomOf(from) !== 'sandbox');
    expect(others.filter(({ isDynamic }) => !isDynamic).map(arrow)).toEqual([]);
    expect(others.map(({ from }) => from).sort()).toEqual(['cli/sandbox.ts', 'cli/sandbox.ts']);
  });

  it('import files, with their endings', () => {
    expect(imports.filter(({ to }) => !/\.(ts|json|xml|md)$/.test(to)).map(arrow)).toEqual([]);
  });

  it('keep the documents and the operations free of the protocol, the network and the file system', () => {
    const outside = /from '(?:@modelcontextprotocol|undici|node:(?:fs|http|https|net|os|child_process))/;
    const pure = files.filter(({ name }) => roomOf(name) === 'documents');
    expect(pure.filter(({ text }) => outside.test(text)).map(({ name }) => name)).toEqual([]);
    const protocol = files.filter(({ text }) => /from '@modelcontextprotocol/.test(text));
    expect([...new Set(protocol.map(({ name }) => roomOf(name)))].sort()).toEqual(['server', 'tools']);
  });
});

describe('files', () => {
  it('have one reason to exist: none over 400 lines, none a place for everything', () => {
    const long = files.filter(({ text }) => text.split('\n').length > 401);
    expect(long.map(({ name }) => name)).toEqual([]);
    const vague = /(^|\/)(utils?|helpers?|commons?|types|misc|lib)(\.ts$|\/)/;
    expect(files.map(({ name }) => name).filter((name) => vague.test(name))).toEqual([]);
  });

  it('are named in kebab case', () => {
    const names = files.flatMap(({ name }) => name.split('/'));
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?(\.ts)?$/.test(name))).toEqual([]);
  });

  it('print nothing but errors', () => {
    const printing = /\bconsole\.(?!error\b)\w+\(/;
    expect(files.filter(({ text }) => printing.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it('have nothing unfinished in them', () => {
    const unfinished = new RegExp(`\\b(?:${['TO', 'DO|FIX', 'ME|HA', 'CK'].join('')})\\b`);
    const suspended = /\b(?:it|test|describe)\.(?:skip|only|todo)\b/;
    const all = [...files, ...filesBelow(join(root, 'test')), ...filesBelow(join(root, 'scripts'))];
    const found = all.filter(({ text }) => unfinished.test(text) || suspended.test(text));
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('name no machine and no one who wrote them', () => {
    const machine = /(?:^|[\s'"`(])\/(?:home|root|work|Users)\/\w/m;
    const session = new RegExp(
      `\\b(?:${['Clau' + 'de', 'Anthro' + 'pic', 'sub' + 'agent'].join('|')})\\b`,
      'i',
    );
    // Hosts that the program is set up for are named as their makers do.
    const hosts = new RegExp(
      `(?:${'Clau' + 'de'} (?:Desktop|Code)|\\.?${'clau' + 'de'}[-_.](?:ai|desktop|code|json|plugin)|code\\.${'clau' + 'de'}\\.com|${'CLAU' + 'DE'}_PLUGIN_ROOT|${'clau' + 'de'} mcp add|'${'Clau' + 'de'}')`,
      'g',
    );
    const all = [...files, ...filesBelow(join(root, 'test')), ...filesBelow(join(root, 'scripts'))];
    const found = all.filter(
      ({ text }) => machine.test(text) || session.test(text.replaceAll(hosts, 'a host')),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('export no default, and silence no check of types', () => {
    const loose = /^export default\b|@ts-(?:ignore|expect-error|nocheck)/m;
    expect(files.filter(({ text }) => loose.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

describe('exported functions', () => {
  it('say what they give, by a docstring or a name that asks a question or names what is created', () => {
    const rooms = /^(documents|sheets|clients|writes|archive|messages|company|tools)\//;
    const silent = files
      .filter(({ name }) => rooms.test(name))
      .flatMap(({ name, text }) =>
        [...text.matchAll(/(\*\/)?\nexport (?:async )?function (?!is[A-Z]|create[A-Z])(\w+)/g)].flatMap(
          ([, docstring, called]) => (docstring === undefined ? [`${name}: ${called}`] : []),
        ),
      );
    expect(silent).toEqual([]);
  });
});

it('the message catalogue has no text that nothing says', () => {
  // `test/messages/catalogue.test.ts` compares the names of columns.
  const keys = Object.keys({ ...spoken, ...pageMessages, ...viewMessages });
  const code = files.map(({ text }) => text).join('\n');
  const declared = /^ {2}'([\w.]+)':/gm;
  const written = code.replaceAll(declared, '').matchAll(/'([\w.]+)'/g);
  const said = new Set([...written].map(([, key]) => key));
  // Keys that are composed, and words of views, which are said by their group and the word.
  const openings = [...code.matchAll(/`([a-z_]+\.(?:[\w.]+)?)\$\{/g)].map(([, opening = '']) => opening);
  for (const [, group] of code.matchAll(/\bname\('(\w+)'/g)) openings.push(`${group}.`);
  const isComposed = (key: string) => openings.some((opening) => key.startsWith(opening));
  expect(keys.filter((key) => !said.has(key) && !isComposed(key))).toEqual([]);
});
