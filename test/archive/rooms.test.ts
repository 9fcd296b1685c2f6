import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const archive = fileURLToPath(new URL('../../src/archive', import.meta.url));

/** What each room of the archive may import, besides the files at its top (`''`). */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  '': [],
  export: [],
  'files/reading': [],
  'store/schema': [],
  'store/rollups': ['store/schema'],
  'store/migrations': ['store/schema', 'store/rollups'],
  'store/engines': ['store/schema', 'store/migrations'],
  'store/write': ['store/schema', 'store/rollups', 'store/engines'],
  'store/ask': ['store/schema', 'store/rollups', 'store/migrations', 'store/engines', 'store/write'],
  'store/files': [
    'files/reading',
    'store/schema',
    'store/rollups',
    'store/engines',
    'store/write',
    'store/ask',
  ],
  // The interface of what `open.ts` opens, which stands after all that implements it.
  store: ['store/schema', 'store/engines', 'store/write', 'store/ask', 'store/files'],
  'store/plain': [
    'store',
    'store/schema',
    'store/rollups',
    'store/migrations',
    'store/write',
    'store/ask',
    'store/files',
  ],
  'store/open': [
    'store',
    'store/schema',
    'store/engines',
    'store/write',
    'store/ask',
    'store/files',
    'store/plain',
  ],
  files: ['files/reading', 'store', 'store/schema', 'store/files'],
  fetch: ['store', 'store/write'],
  memory: ['store', 'files', 'fetch'],
};

function room(path: string): string {
  const name = relative(archive, path).split(sep).join('/');
  return name === 'store/open.ts' ? 'store/open' : relative(archive, dirname(path)).split(sep).join('/');
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
