// The SDK's schemas of the protocol, as the program has them: each is made when a message is first checked with it. The
// SDK makes what the whole protocol has when it is loaded, and what an era has with the era's first message.
import { readFile } from 'node:fs/promises';

const changed = () => new Error('the SDK keeps its schemas in another way than it did');

/** As `text.replace`, of what has to be there. */
function replaced(text, pattern, by) {
  const result = text.replace(pattern, by);
  if (result === text) throw changed();
  return result;
}

/** What the rewritten code is made with. */
const whenAsked = `
function whenAsked(make) {
	let made;
	return () => made ??= make();
}
function eachWhenAsked(makers) {
	for (const [key, make] of Object.entries(makers)) Object.defineProperty(makers, key, { get: whenAsked(make) });
	return makers;
}
`;

const bodyOf = (name) => new RegExp(`^function ${name.replace('$', '\\$')}\\(\\) \\{\\n[\\s\\S]+?^\\}$`, 'm');

const table = /^(\t(?:const \w+[sS]chemas\w* =|return)) \{\n([\s\S]+?)\n\t\};$/gm;
const constant = /^\tconst ([\w$]+) = ([\s\S]+?);\n(?=\t(?:const|function|return|\/))/gm;
const usedOf = (names) =>
  new RegExp(
    `(?<![\\w$])(?<!(?<!\\.\\.)\\.)(?:${names.join('|').replaceAll('$', '\\$')})(?![\\w$])(?!:| =)`,
    'g',
  );

/** Of the entries of a table, each beginning a line with two tabs, makers of their values; of the last only those asked for. */
function makersOf(entries, isAsked) {
  const makers = entries.split(/,\n(?=\t\t\S)/).flatMap((entry) => {
    const [, key, value = key] = /^\t\t("[^"]+"|\w+)(?:: ([\s\S]+))?$/.exec(entry) ?? [];
    if (key === undefined) throw changed();
    return isAsked(key) ? [`\t\t${key}: () => (${value})`] : [];
  });
  return `eachWhenAsked({\n${makers.join(',\n')}\n\t})`;
}

/** Without constants that nothing uses, and those that then nothing uses. */
function withoutUnused(code) {
  const names = [...code.matchAll(constant)].map(([, name]) => name);
  const used = new Set(code.match(usedOf(names)));
  const result = code.replace(constant, (all, name) => (used.has(name) ? all : ''));
  return result === code ? code : withoutUnused(result);
}

/**
 * A function that makes all schemas of an era, so that each is made when it, or another made with it, is asked for.
 * @param asked names of those that are
 */
function eachInItsTime(made, asked) {
  const makers = replaced(made, table, (_, before, entries) => {
    const isResult = before.trim() === 'return';
    return `${before} ${makersOf(entries, (key) => !isResult || asked.has(key))};`;
  });
  const code = withoutUnused(makers);
  const names = [...code.matchAll(constant)].map(([, name]) => name);
  return code.replace(usedOf(names), '$&()').replace(constant, '\tconst $1 = whenAsked(() => ($2));\n');
}

/** The SDK's module that makes the schemas of both eras, with each of them made when it is asked for. */
export function schemasInTheirTime(source) {
  const asked = new Set([...source.matchAll(/\b(?:s|buildSchemas\d+\(\))\.(\w+)/g)].map(([, name]) => name));
  const built = ['build$1', 'build'].reduce(
    (text, name) => replaced(text, bodyOf(name), (made) => eachInItsTime(made, asked)),
    replaced(source, /^for \(const .+\) register\(key, .+\);\n/gm, ''),
  );
  const looked = ['registryMaps', 'getWireResultSchemas'].reduce(
    (text, name) =>
      replaced(text, bodyOf(name), (body) =>
        replaced(body, /^(\t+)("[^"]+"|\w+): (s\.\w+)(,?)$/gm, '$1get $2() { return $3; }$4'),
      ),
    built,
  );
  return looked + whenAsked;
}

/**
 * The SDK without the table of all schemas that nothing of ours looks at. Said to have no other effect, those that
 * nothing uses are left out; those of an era are made one by one.
 */
export const usedSchemas = {
  name: 'used-schemas',
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/]@modelcontextprotocol[\\/]core[\\/]dist[\\/](schemas|auth)-[^\\/]+\.mjs$/ },
      async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replace(
          /^const (\w+) = ((?:z|\w+Schema)\.[\s\S]+?);$(?=\n+(?:const|export|\/))/gm,
          'const $1 = /* @__PURE__ */ (() => $2)();',
        ),
        loader: 'js',
      }),
    );
    onLoad(
      { filter: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]src-[^\\/]+\.mjs$/ },
      async ({ path }) => ({ contents: schemasInTheirTime(await readFile(path, 'utf8')), loader: 'js' }),
    );
  },
};
