import { expect, it } from 'vitest';
import { connect } from '../support/clients.ts';
import { startConfiguredProgram } from '../support/configured-server.ts';
import { accessKey } from '../support/documents.ts';
import { answerEvents } from '../support/event-service.ts';
import { spendAtOnce } from './tokens-at-once.ts';

it('of 400 tokens for one key and event, spent at once in two programs, one brings a sending', async () => {
  const one = await startConfiguredProgram({
    respond: (request, response) => answerEvents(request, response),
    hasNotes: false,
  });
  const other = await connect('v2 modern', { env: one.env });
  try {
    const { done, others } = await spendAtOnce(
      [one, other],
      { key: accessKey({ number: 1 }), event: 'ciencia' },
      400,
    );
    expect(done).toHaveLength(1);
    expect(one.upstream.seen).toHaveLength(1);
    for (const other of others)
      expect(other).toMatchObject({
        structured: { status: 'confirmation_required', reason: 'preview_changed' },
      });
  } finally {
    await other.close();
    await one.close();
  }
});
