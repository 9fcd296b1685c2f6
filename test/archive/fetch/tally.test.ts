import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTally } from '../../../src/archive/fetch/tally.ts';
import { Cancelled } from '../../../src/clients/errors.ts';

const call = { service: 'documents', operation: 'Mercadoria/RetornaListaXml' } as const;
const days = { from: '2026-11-05', to: '2026-11-08' };

describe('days that a collection had no time for', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('are missing where nothing came in all that time, by the collection’s limit and not by DFE_TIMEOUT', () => {
    const tally = createTally();
    vi.setSystemTime(Date.now() + 38_000);
    tally.leftOver(days, new Cancelled(call));
    expect(tally.result()).toMatchObject({
      pending: [],
      missing: [{ ...days, error: { kind: 'timed_out', seconds: 38, limit: 'window' } }],
    });
  });

  it('are only not fetched yet where some came, or where it was a short time', () => {
    const short = createTally();
    short.leftOver(days, new Cancelled(call));
    expect(short.result()).toMatchObject({ pending: [days], missing: [] });
    const some = createTally();
    vi.setSystemTime(Date.now() + 38_000);
    some.kept({ from: '2026-11-04', to: '2026-11-04' }, 3);
    some.leftOver(days, new Cancelled(call));
    expect(some.result()).toMatchObject({ pending: [days], missing: [], documents: 3 });
  });
});
