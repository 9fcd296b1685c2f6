import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTranslator } from '../../src/messages/index.ts';
import { failureResult } from '../../src/server/tool-calls.ts';
import { tools } from '../../src/tools/index.ts';

const aborted = AbortSignal.abort();
const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

describe('work that was cut short', () => {
  it.each([
    ['a signal', () => aborted.throwIfAborted()],
    ['a pause of Node', () => sleep(1, undefined, { signal: aborted })],
    ['a time limit', async () => sleep(5, undefined, { signal: AbortSignal.timeout(1) })],
    [
      'a time limit looked at',
      () => Promise.reject(new DOMException('The operation timed out', 'TimeoutError')),
    ],
  ])('by %s is no unexpected failure', async (_, work) => {
    const error = await thrownBy(work);
    const [tool] = tools;
    if (tool === undefined) throw new Error('no tools');
    const { content, isError } = failureResult(error, tool, createTranslator('en'));
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toMatch(/call was cancelled before the reply/);
    expect(JSON.stringify(content)).not.toMatch(/unexpected|reference/i);
  });
});
