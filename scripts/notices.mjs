// Writes THIRD-PARTY-NOTICES.md: the packages whose code is in the built program, with versions and licences; `--check`
// only reports whether it is current. The bundler lists the packages; their versions must be those of the lock file.
// Run with `npm run docs`.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundle } from './build.mjs';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const notices = here('THIRD-PARTY-NOTICES.md');

/** Folders of the packages whose code is in the program, from the repository's root. */
async function bundledFolders() {
  const { metafile } = await bundle();
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs: all }) =>
    Object.entries(all).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  const folders = inputs.map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders)].filter((folder) => folder !== undefined).sort();
}

async function licenceText(folder) {
  const files = (await readdir(here(folder))).filter((name) => /^licen[cs]e/i.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(here(`${folder}/${name}`), 'utf8')));
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim()).join('\n\n');
}

/** A package's entry in the notices. Fails if the installed version is not that of the lock file. */
async function describe(folder, lock) {
  const { name, version, author, ...named } = JSON.parse(
    await readFile(here(`${folder}/package.json`), 'utf8'),
  );
  const locked = lock.packages[folder];
  if (locked?.version !== version || locked.integrity === undefined) {
    throw new Error(`${name} ${version} is bundled, the lock file has ${locked?.version}: run npm ci`);
  }
  const own = await licenceText(folder);
  const license = named.license ?? /^(\w+) License$/m.exec(own)?.[1];
  if (license === undefined) throw new Error(`${name} ${version} names no licence`);
  const holder = typeof author === 'string' ? author : author?.name;
  const text = own || `Licence: ${license}${holder ? `; ${holder}` : ''}`;
  return { name, version, license, text };
}

function page(packages) {
  const rows = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  const texts = [...new Set(packages.map(({ text }) => text))].map((text) => {
    const names = packages.filter((one) => one.text === text).map(({ name }) => name);
    return `## ${names.join(', ')}\n\n\`\`\`text\n${text}\n\`\`\``;
  });
  return [
    '# Third-party notices',
    '',
    'The published program holds code of these packages. Made by `npm run docs`.',
    '',
    '| Package | Version | Licence |',
    '| --- | --- | --- |',
    ...rows,
    '',
    texts.join('\n\n'),
    '',
  ].join('\n');
}

const lock = JSON.parse(await readFile(here('package-lock.json'), 'utf8'));
const folders = await bundledFolders();
const current = page(await Promise.all(folders.map((folder) => describe(folder, lock))));
const before = await readFile(notices, 'utf8').catch(() => '');
if (!process.argv.includes('--check')) await writeFile(notices, current);
else if (before !== current) {
  console.error('THIRD-PARTY-NOTICES.md is not current: run npm run docs');
  process.exitCode = 1;
}
