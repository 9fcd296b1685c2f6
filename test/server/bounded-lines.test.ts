import { describe, expect, it } from 'vitest';
import { boundedLines } from '../../src/server/bounded-lines.ts';

const LONGEST = 5_000;
const long = 'y\\"{[\\\\'.repeat(1_000);

/** What is passed on of lines that arrive in pieces of a few bytes, and whose requests are refused. */
async function passedOn(lines: readonly string[]) {
  const refused: unknown[] = [];
  const stream = boundedLines(LONGEST, (id) => refused.push(id));
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  for (let at = 0; at < bytes.length; at += 700) stream.write(bytes.subarray(at, at + 700));
  stream.end();
  const passed: Buffer[] = [];
  for await (const chunk of stream) passed.push(chunk);
  return { refused, lines: Buffer.concat(passed).toString().split('\n').slice(0, -1) };
}

describe('a line of input', () => {
  const short = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

  it('that is short enough is passed on as it is, whatever stands beside it', async () => {
    const lines = [short, `{"id":2,"method":"x","params":{"a":"${long}"}}`, 'garbage', short];
    expect(await passedOn(lines)).toEqual({ refused: [2], lines: [short, 'garbage', short] });
  });

  it.each([
    ['its id first', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"${long}"}}`, 7],
    ['its id last', `{"method":"tools/call","params":{"a":"${long}"},"jsonrpc":"2.0","id":7}`, 7],
    [
      'its id before the version',
      `{"method":"x","params":{"a":"${long}"},"id":"ação","jsonrpc":"2.0"}`,
      'ação',
    ],
    ['blanks in it', `{ "jsonrpc" : "2.0" , "method" : "x", "params": {"a":"${long}"} , "id" : -3 }`, -3],
    ['another id inside', `{"jsonrpc":"2.0","method":"x","params":{"id":77,"a":"${long}"},"id":8}`, 8],
    ['only another id inside', `{"jsonrpc":"2.0","method":"x","params":{"a":"${long}","id":77}}`, undefined],
    ['an id in a text at its end', `{"method":"x","a":"${long} \\"id\\":5}"}`, undefined],
    ['an id that is null', `{"jsonrpc":"2.0","id":null,"method":"x","params":{"a":"${long}"}}`, undefined],
    ['an answer in it', `{"jsonrpc":"2.0","result":{"a":"${long}"},"id":3}`, undefined],
    ['a list in it', `[${'1,'.repeat(LONGEST)}1]`, undefined],
    ['no JSON in it', long, undefined],
  ])('that is too long, with %s, is refused to whom it is from', async (_, line, id) => {
    expect(await passedOn([line])).toEqual({ lines: [], refused: [id] });
  });
});
