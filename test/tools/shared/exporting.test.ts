import { expect, it } from 'vitest';
import { type CountedPart, readAll } from '../../../src/tools/shared/exporting.ts';

/** Parts of so many documents each, named by part and place. */
const partsOf = (...totals: number[]): CountedPart[] =>
  totals.map((total, part) => {
    async function* read(_: object, offset: number) {
      for (let place = offset; place < total; place++) yield `${part}.${place}`;
    }
    return { total, selection: {}, basis: { archive: { read } } } as unknown as CountedPart;
  });

async function taken(offset: number, signal = new AbortController().signal, onRead = () => {}) {
  const all: unknown[] = [];
  for await (const one of readAll(partsOf(2, 0, 3), offset, signal)) {
    all.push(one);
    onRead();
  }
  return all;
}

it.each([
  [0, ['0.0', '0.1', '2.0', '2.1', '2.2']],
  [1, ['0.1', '2.0', '2.1', '2.2']],
  [2, ['2.0', '2.1', '2.2']],
  [4, ['2.2']],
  [5, []],
])('documents of all kinds after %d are read', async (offset, documents) => {
  expect(await taken(offset)).toEqual(documents);
});

it('documents are read no further than the call lasts', async () => {
  const controller = new AbortController();
  const reason = new Error('no longer wanted');
  await expect(taken(0, controller.signal, () => controller.abort(reason))).rejects.toBe(reason);
});
