import { expect, it } from 'vitest';
import { progressLine } from '../../src/cli/standard-error.ts';

/** A line on a screen that keeps what was written, with a clock that goes on by hand. */
function stage(isTTY: boolean, columns = 60) {
  let [text, time] = ['', 1_000];
  const write = (part: string | Uint8Array) => {
    text += part;
    return true;
  };
  const line = progressLine(2_000, { isTTY, columns, write }, () => time);
  return {
    ...{ line, pass: (ms: number) => (time += ms), text: () => text },
    /** What a terminal shows of it in the end. */
    shown: () => text.split('\n').map((one) => one.split('\r\u001b[K').at(-1)),
  };
}

it('in a terminal one line is redrawn, with its part where the end is known, and is gone at the end', () => {
  const { line, pass, shown } = stage(true);
  line.tell('3 of 12 days', 3, 12);
  expect(shown()).toEqual([' 25% 3 of 12 days']);
  line.tell('too soon', 4, 12);
  pass(100);
  line.tell('50 files read');
  expect(shown()).toEqual(['50 files read']);
  line.say('stays');
  line.end();
  expect(shown()).toEqual(['stays', '']);
});

it('in a terminal the line is never wider than the screen, and no part is more than the whole', () => {
  const { line, pass, text } = stage(true, 30);
  for (const [done, total] of [
    [5, 4],
    [-1, 4],
    [0, 0],
  ]) {
    line.tell('x'.repeat(99), done, total);
    pass(100);
  }
  for (const drawn of text().split('\r\u001b[K')) expect(drawn.length).toBeLessThan(30);
  expect(text()).not.toMatch(/NaN|Infinity|1\d\d%.*1\d\d%/);
  const unknown = stage(true, 0);
  unknown.line.tell('27 documents');
  expect(unknown.shown()).toEqual(['27 documents']);
});

it('elsewhere plain lines come at their pace, none for work that is soon over', () => {
  const { line, pass, text } = stage(false);
  line.tell('1', 1, 9);
  pass(1_999);
  line.tell('2', 2, 9);
  pass(1);
  line.tell('3', 3, 9);
  line.tell('4', 4, 9);
  line.end();
  expect(text()).toBe('3\n');
});
