// Every benchmark at sizes that show whether a cost grows faster than what it is of, and one table of what they found:
//
//   npm run bench -- all                  1,000, 10,000 and 100,000 documents: the better part of an hour
//   npm run bench -- all 10000            no more than so many
//
// Limits hold for an idle machine; ratios beside a yardstick of the same run bear others on it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isStopped, runNode } from './child.mjs';

const most = Number(process.argv[2] ?? 100_000);
const sizes = [1_000, 10_000, 100_000].filter((size) => size <= most);
const runs = [
  ['start'],
  ['http'],
  ['documents'],
  ...sizes.map((size) => ['archive', size]),
  ...[1, 3, 12].filter((months) => months * 8_000 <= most).map((months) => ['collect', months, 'file']),
  ...[1, 12].filter((months) => months * 8_000 <= most).map((months) => ['collect', months, 'memory']),
  ['list', 50],
  ...sizes.map((size) => ['list', Math.min(size, 20_000)]),
  ...sizes.map((size) => ['files', Math.min(size, 20_000), size]),
];

const folder = mkdtempSync(join(tmpdir(), 'docfiscal-bench-'));
const file = join(folder, 'rows');
writeFileSync(file, '');
const rows = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const table = [];
try {
  for (const run of runs) {
    const before = rows().length;
    const command = [join(import.meta.dirname, 'run.mjs'), ...run.map(String)];
    const status = await runNode(command, { env: { ...process.env, BENCH_ROWS: file } });
    const found = rows().slice(before);
    table.push(...found.map((row) => [run.join(' '), ...row]));
    if (status !== 0) table.push([run.join(' '), 'ended with an error', '', '', '', '']);
    if (!isStopped(status)) continue;
    process.exitCode = status;
    break;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const load = loadavg()
  .map((value) => value.toFixed(1))
  .join(', ');
console.log(`\nNode ${process.version}, load ${load}\n`);
for (const row of [
  ['benchmark', 'what', 'ours', 'yardstick', 'ratio', 'limit'],
  Array(6).fill('---'),
  ...table,
])
  console.log(`| ${row.join(' | ')} |`);
