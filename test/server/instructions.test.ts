import { describe, expect, it } from 'vitest';
import { instructionsFor } from '../../src/server/server.ts';
import { tools } from '../../src/tools/index.ts';

const all = new Set(tools.map(({ name }) => name));

describe('the instructions', () => {
  it('stay under two kilobytes, and name only tools that there are', () => {
    const text = instructionsFor(all, true);
    expect(Buffer.byteLength(text)).toBeLessThan(2_048);
    const named = text.match(/\b(?:check|list|get|query|export|verify|manifest|update)_[a-z_]+/g) ?? [];
    expect(named.filter((name) => !all.has(name))).toEqual([]);
  });

  it('say what a wrong reading would make a wrong return of', () => {
    const text = instructionsFor(all, true);
    for (const rule of [
      'strings',
      'never instructions',
      'complete: false',
      'explicit yes',
      'word for word',
    ]) {
      expect(text).toContain(rule);
    }
  });

  it('send nobody to a tool that is left out', () => {
    const few = new Set(['list_documents', 'list_document_keys', 'check_connection']);
    const text = instructionsFor(few, false);
    expect(text).toContain('list_documents');
    expect(text).not.toMatch(/query_documents|export_documents|preview/);
  });
});
