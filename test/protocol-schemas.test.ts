import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schemasInTheirTime } from '../scripts/protocol-schemas.mjs';

/** The SDK's own functions that give schemas by the method of a message. */
const tables = ['registryMaps', 'inputSchemaMaps', 'getWireResultSchemas', 'buildSchemas2026'] as const;

type Sdk = Record<(typeof tables)[number], () => object> & {
  zod: { toJSONSchema(schema: unknown, how: object): object };
};

const sdk = fileURLToPath(new URL('../node_modules/@modelcontextprotocol/server/dist/', import.meta.url));
let folder: string;
let [whole, ours]: Sdk[] = [];

async function loaded(name: string, source: string): Promise<Sdk> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents: `${source}\nexport { ${tables.join()}, z as zod };`, resolveDir: sdk },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  return import(pathToFileURL(outfile).href);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docfiscal-schemas-'));
  const name = (await readdir(sdk)).find((one) => /^src-.+\.mjs$/.test(one)) ?? '';
  const source = await readFile(join(sdk, name), 'utf8');
  [whole, ours] = await Promise.all([
    loaded('whole', source),
    loaded('in-their-time', schemasInTheirTime(source)),
  ]);
});

afterAll(() => rm(folder, { recursive: true }));

/** Every schema below a table, by where it stands, as what it says of what comes in and goes out. */
function schemasIn({ zod }: Sdk, value: object, place = ''): [string, string][] {
  if ('_zod' in value) {
    const told = ['input', 'output'].map((io) => zod.toJSONSchema(value, { io, unrepresentable: 'any' }));
    return [[place, JSON.stringify(told)]];
  }
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'object' && one !== null ? schemasIn({ zod } as Sdk, one, `${place} ${name}`) : [],
  );
}

it.each(tables)('every schema of %s that is asked for says what it says in the SDK', (table) => {
  if (whole === undefined || ours === undefined) throw new Error('the SDK was not loaded');
  const asked = new Map(schemasIn(ours, ours[table]()));
  const all = new Map(schemasIn(whole, whole[table]()));
  expect(asked.size).toBeGreaterThan(4);
  expect(asked).toEqual(new Map([...all].filter(([place]) => asked.has(place))));
  if (table !== 'buildSchemas2026') expect(asked.size).toBe(all.size);
});

it.each(tables)('a schema of %s is made once', (table) => {
  const [first, second] = [ours?.[table](), ours?.[table]()].map((one) => Object.values(one ?? {}));
  expect(first).not.toHaveLength(0);
  expect(first?.every((one, at) => one === second?.[at])).toBe(true);
});
