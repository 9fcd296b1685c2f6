// What a benchmark finds: a line for a person, and a row of the table that `npm run bench -- all` prints.
import { appendFileSync } from 'node:fs';

/** The limits a figure may have, each with the words for it and whether it holds. */
const limits = {
  times: (most, ours, yardstick) => [`at most ${most} times`, ours <= most * yardstick],
  faster: (least, ours, yardstick) => [`at least ${least} times as fast`, ours * least <= yardstick],
  above: (most, ours, yardstick, unit) => [`at most ${most} ${unit} above`, ours - yardstick <= most],
  most: (most, ours, _yardstick, unit) => [`at most ${most} ${unit}`, ours <= most],
};

function shown(value) {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 1000 ? 3 : 4 });
}

/** @param {import('./report.d.mts').Finding} finding */
export function report({ what, unit, ours, yardstick, beside, ...limit }) {
  const [kind] = Object.keys(limit).filter((name) => limit[name] !== undefined);
  const [words, holds] = kind === undefined ? ['', true] : limits[kind](limit[kind], ours, yardstick, unit);
  const ratio = yardstick === undefined ? undefined : kind === 'faster' ? yardstick / ours : ours / yardstick;
  const row = [
    what,
    `${shown(ours)} ${unit}`,
    yardstick === undefined ? '' : `${shown(yardstick)} ${unit}, ${beside}`,
    ratio === undefined ? '' : ratio.toFixed(ratio < 10 ? 2 : 1),
    words && `${words}${holds ? '' : ': NO'}`,
  ];
  console.log(row.filter(Boolean).join(' | '));
  if (process.env.BENCH_ROWS) appendFileSync(process.env.BENCH_ROWS, `${JSON.stringify(row)}\n`);
}
