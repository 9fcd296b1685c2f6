import { describe, expect, it } from 'vitest';
import { inputLines, LONGEST_LINE } from '../../src/server/input-lines.ts';

/** A line of input with so many values in a list. */
const listing = (values: number, id: number | string = 7) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { list: Array(values).fill(1) } });

/** What is passed on of lines that arrive in pieces of a few bytes, and what is refused. */
async function passedOn(lines: readonly string[], longest = LONGEST_LINE) {
  const refused: unknown[] = [];
  const stream = inputLines(longest, (excess, id) => refused.push([excess, id]));
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  for (let at = 0; at < bytes.length; at += 1000) stream.write(bytes.subarray(at, at + 1000));
  stream.end();
  const passed: Buffer[] = [];
  for await (const chunk of stream) passed.push(chunk);
  return { refused, lines: Buffer.concat(passed).toString().split('\n').slice(0, -1) };
}

describe('a line of input', () => {
  it('of more values than any call may have is refused, and those beside it are passed on', async () => {
    const [before, after] = [listing(3, 1), listing(2_000, 3)];
    const { refused, lines } = await passedOn([before, listing(30_000, 2), after]);
    expect(lines).toEqual([before, after]);
    expect(refused).toEqual([['elements', 2]]);
  });

  it.each([
    ['members of an object', Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1]))],
    ['empty lists in a list', Array.from({ length: 20_000 }, () => [])],
  ])('of as many %s is refused', async (_, params) => {
    const line = JSON.stringify({ params, method: 'tools/call', id: 'a', jsonrpc: '2.0' });
    expect(await passedOn([line])).toEqual({ lines: [], refused: [['elements', 'a']] });
  });

  it('with as much punctuation in a text is passed on', async () => {
    const text = `{"a":[1,2,\\"x\\"],${',:[{'.repeat(30_000)}"`;
    const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { text } });
    expect(await passedOn([line])).toEqual({ lines: [line], refused: [] });
  });

  it('of more bytes is refused with its own reason', async () => {
    const { refused, lines } = await passedOn([listing(3_000, 'x'), listing(1)], 5_000);
    expect(refused).toEqual([['bytes', 'x']]);
    expect(lines).toEqual([listing(1)]);
  });
});
