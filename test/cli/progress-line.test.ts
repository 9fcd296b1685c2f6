import { describe, expect, it } from 'vitest';
import { progressLine } from '../../src/cli/standard-error.ts';

/** A screen that keeps what was written, and a clock that goes on by hand. */
function stage(isTTY: boolean, columns = 60) {
  let [text, time] = ['', 1_000];
  const write = (part: string | Uint8Array) => {
    text += part;
    return true;
  };
  const screen = { isTTY, columns, write };
  return { screen, now: () => time, pass: (ms: number) => (time += ms), text: () => text };
}

/** What a terminal shows of it in the end. */
const shown = (text: string) => text.split('\n').map((line) => line.split('\r\u001b[K').at(-1));

describe('in a terminal', () => {
  it('one line is drawn anew, with its part where the end is known, and is gone at the end', () => {
    const { screen, now, pass, text } = stage(true);
    const line = progressLine(2_000, screen, now);
    line.tell('3 of 12 days', 3, 12);
    expect(shown(text())).toEqual([' 25% 3 of 12 days']);
    line.tell('too soon', 4, 12);
    pass(100);
    line.tell('50 files read');
    expect(shown(text())).toEqual(['50 files read']);
    line.say('stays');
    line.end();
    expect(shown(text())).toEqual(['stays', '']);
  });

  it('the line is never wider than the screen, and no part is more than the whole', () => {
    const { screen, now, pass, text } = stage(true, 30);
    const line = progressLine(0, screen, now);
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
    progressLine(0, unknown.screen, unknown.now).tell('27 documents');
    expect(shown(unknown.text())).toEqual(['27 documents']);
  });
});

describe('elsewhere', () => {
  it('plain lines come at their pace, none for work that is soon over', () => {
    const { screen, now, pass, text } = stage(false);
    const line = progressLine(2_000, screen, now);
    line.tell('1', 1, 9);
    pass(1_999);
    line.tell('2', 2, 9);
    pass(1);
    line.tell('3', 3, 9);
    line.tell('4', 4, 9);
    line.end();
    expect(text()).toBe('3\n');
  });
});
