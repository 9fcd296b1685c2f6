import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const archive = fileURLToPath(new URL('../../src/archive', import.meta.url));

/** What each room of the archive may import, besides the files at its top (`''`). */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  '': [],
  schema: [],
  engines: ['schema'],
  write: ['schema', 'engines'],
  ask: ['schema', 'engines', 'write'],
  files: ['schema', 'engines', 'write', 'ask'],
  export: ['files'],
  archive: ['schema', 'engines', 'write', 'ask', 'files'],
  fetch: ['archive', 'write'],
  remember: ['archive', 'files', 'fetch'],
};

const opening = ['archive.ts', 'rebuild.ts'];

function room(path: string): string {
  const name = relative(archive, path).split(sep).join('/');
  return opening.includes(name) ? 'archive' : relative(archive, dirname(path)).split(sep).join('/');
}

it('the rooms of the archive build on each other in one direction', () => {
  const order = Object.keys(mayImport);
  const files = readdirSync(archive, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(archive, name));
  const wrong = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)]
      .map(([, target = '']) => join(dirname(file), target))
      .filter((target) => target.startsWith(archive + sep))
      .map((target) => [room(file), room(target)] as const)
      .filter(([from, to]) => from !== to && to !== '' && !mayImport[from]?.includes(to))
      .map(([from, to]) => `${relative(archive, file)}: ${from} → ${to}`),
  );
  expect(wrong).toEqual([]);
  for (const [one, others] of Object.entries(mayImport)) {
    expect(others.filter((other) => order.indexOf(other) >= order.indexOf(one))).toEqual([]);
  }
});
