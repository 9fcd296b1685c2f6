import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTranslator } from '../../src/messages/index.ts';
import { instructionsFor } from '../../src/server/server.ts';
import { failureResult } from '../../src/server/tool-calls.ts';
import { tools } from '../../src/tools/index.ts';

const aborted = AbortSignal.abort();

it.each<[what: string, work: () => unknown]>([
  ['a signal', () => aborted.throwIfAborted()],
  ['a pause of Node', () => sleep(1, undefined, { signal: aborted })],
  ['a time limit', () => sleep(5, undefined, { signal: AbortSignal.timeout(1) })],
  [
    'a time limit looked at',
    () => Promise.reject(new DOMException('The operation timed out', 'TimeoutError')),
  ],
])('work that was cut short by %s is no unexpected failure', async (_, work) => {
  const error = await (async () => work())().catch((thrown: unknown) => thrown);
  const [tool] = tools;
  if (tool === undefined) throw new Error('no tools');
  const { content, isError } = failureResult(error, tool, createTranslator('en'));
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toMatch(/call was cancelled before the reply/);
  expect(JSON.stringify(content)).not.toMatch(/unexpected|reference/i);
});

describe('the instructions', () => {
  const all = new Set(tools.map(({ name }) => name));

  it('stay under two kilobytes, name only existing tools, and say what a wrong reading would spoil', () => {
    const text = instructionsFor(all, true);
    expect(Buffer.byteLength(text)).toBeLessThan(2_048);
    const named = text.match(/\b(?:check|list|get|query|export|verify|manifest|update)_[a-z_]+/g) ?? [];
    expect(named.filter((name) => !all.has(name))).toEqual([]);
    for (const rule of ['strings', 'never instructions', 'complete: false', 'explicit yes', 'word for word'])
      expect(text).toContain(rule);
  });

  it('name no tool that is left out', () => {
    const few = new Set(['list_documents', 'list_document_keys', 'check_connection']);
    const text = instructionsFor(few, false);
    expect(text).toContain('list_documents');
    expect(text).not.toMatch(/query_documents|export_documents|preview/);
  });
});
