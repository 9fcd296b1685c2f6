import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, connect, type ToolResult } from '../support/clients.ts';
import { type ConfiguredServer, startConfiguredProgram } from '../support/configured-server.ts';
import { accessKeys } from '../support/documents.ts';
import { answerEvents, keysOf } from '../support/event-service.ts';

const [shown = '', shared = ''] = accessKeys(2);
const manifestation = (key: string) => ({ key, event: 'ciencia' });

describe('two processes that share a data folder', () => {
  let one: ConfiguredServer;
  let other: Connection;

  beforeAll(async () => {
    one = await startConfiguredProgram({
      respond: (request, response) => answerEvents(request, response),
      hasNotes: false,
    });
    other = await connect('v2 modern', { env: one.env });
  });
  afterAll(async () => {
    await other.close();
    await one.close();
  });

  async function tokenFor(key: string): Promise<unknown> {
    const { structured } = await one.call('manifest_nfe', manifestation(key));
    expect(structured?.confirmation_token).toEqual(expect.any(String));
    return structured?.confirmation_token;
  }

  /** Gives the tokens back at once, in turn to each of the processes: the answers that tell of no sending. */
  async function unsent(key: string, tokens: readonly unknown[]): Promise<ToolResult[]> {
    const answers = await Promise.all(
      tokens.map((confirmation_token, i) =>
        (i % 2 === 0 ? one : other).call('manifest_nfe', { ...manifestation(key), confirmation_token }),
      ),
    );
    const others = answers.filter(({ structured }) => structured?.status !== 'done');
    expect(answers.length - others.length).toBe(1);
    expect(keysOf(one.upstream.seen).filter((sent) => sent === key)).toEqual([key]);
    for (const { text } of others) expect(text).toMatch(/nothing was sent/i);
    return others;
  }

  it('race for one note with many tokens, and one of them sends', async () => {
    const tokens: unknown[] = [];
    while (tokens.length < 40) tokens.push(await tokenFor(shown));
    for (const { structured } of await unsent(shown, tokens))
      expect(structured).toMatchObject({ status: 'confirmation_required', reason: 'preview_changed' });
  });

  it('accept a token that the other gave', async () => {
    const confirmation_token = await tokenFor(shared);
    const done = await other.call('manifest_nfe', { ...manifestation(shared), confirmation_token });
    expect(done.structured).toMatchObject({ status: 'done', results: [{ key: shared, status: 'done' }] });
  });
});
