import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../fuzz/random.ts';
import { accessKeys } from '../support/documents.ts';
import { answerEvents, isAbout, keysOf } from '../support/event-service.ts';
import { converse, type ModernProgram } from '../support/modern-conversation.ts';
import { until } from '../support/passing-time.ts';
import { serve } from '../support/served.ts';
import { doctorOnWrites, justification, structuredOf, toldOf } from './remembered-writes.ts';

const service = serve({
  respond: async (request, response) => {
    await sleep(20);
    answerEvents(request, response);
  },
  hasNotes: false,
});
const startModern = (dataFolder: string) => converse({ ...service.server.env, DFE_DATA_DIR: dataFolder });

describe('fifty kills at random moments', () => {
  const LANES = 5;
  const ROUNDS = 10;
  const KEYS = 12;
  const LATEST_KILL_MS = 60;

  /**
   * Begins a batch and kills the process at some moment after so many requests of it, however long the process takes
   * to come to them.
   */
  async function beginAndKill(
    conversation: ModernProgram,
    keys: readonly string[],
    { requests, killAfter }: { requests: number; killAfter: number },
  ): Promise<void> {
    const args = { keys, event: 'nao_realizada', justification };
    const { confirmation_token } = structuredOf(await conversation.call('manifest_nfe_batch', args));
    conversation.post('manifest_nfe_batch', { ...args, confirmation_token });
    await until(() => service.seen.filter(isAbout(keys)).length >= requests);
    await sleep(killAfter);
    await conversation.kill();
  }

  interface Tally {
    sent: number;
    unknown: number;
    done: number;
  }

  async function checkRound(conversation: ModernProgram, keys: readonly string[], tally: Tally) {
    const args = { keys, event: 'nao_realizada', justification };
    const told = toldOf(keys, structuredOf(await conversation.call('manifest_nfe_batch', args)).preview);
    const sent = keysOf(service.seen.filter(isAbout(keys)));
    expect(new Set(sent).size).toBe(sent.length);
    for (const key of sent) expect(told.get(key)).toMatch(/outcome unknown|registered \(135/);
    for (const [key, line] of told) {
      if (!sent.includes(key)) expect(line).toMatch(/outcome unknown/);
      if (/outcome unknown/.test(line)) tally.unknown += 1;
      else tally.done += 1;
    }
    tally.sent += sent.length;
  }

  async function runLane(lane: number): Promise<Tally> {
    const random = createRandom(lane + 1);
    const tally: Tally = { sent: 0, unknown: 0, done: 0 };
    const dataFolder = join(service.server.dataFolder, `lane-${lane}`);
    let previous: string[] | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      const conversation = startModern(dataFolder);
      if (previous !== undefined) await checkRound(conversation, previous, tally);
      previous = accessKeys(KEYS, { first: 1 + KEYS * (ROUNDS * lane + round) });
      await beginAndKill(conversation, previous, {
        requests: round % 3,
        killAfter: random.below(LATEST_KILL_MS),
      });
    }
    const last = startModern(dataFolder);
    await checkRound(last, previous ?? [], tally);
    const message = await doctorOnWrites(dataFolder);
    const [, count = '0'] = /There (?:is|are) (\d+) writes?/.exec(message) ?? [];
    expect(Number(count)).toBe(tally.unknown);
    return tally;
  }

  it('leave a journal that names every event that may have been performed', async () => {
    const tallies = await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
    const sum = (part: keyof Tally) => tallies.reduce((total, tally) => total + tally[part], 0);
    expect(sum('sent')).toBeGreaterThan(0);
    expect(sum('unknown')).toBeGreaterThan(0);
    expect(sum('done')).toBeGreaterThan(0);
  });
});
