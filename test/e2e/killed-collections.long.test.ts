import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../support/built-program.ts';
import { type Connection, connect } from '../support/clients.ts';
import { listsIn, passingOn } from '../support/documents-service.ts';
import { duringTests } from '../support/during-tests.ts';
import { converse } from '../support/modern-conversation.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';
import { until } from '../support/passing-time.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';

const sandbox = duringTests(startNovemberSandbox);

function environment(url: string, dataFolder: string): Record<string, string> {
  return sandboxSettings({ url }, { DFE_DATA_DIR: dataFolder, DFE_ARCHIVE: 'file' });
}

describe('a program that is killed while it collects', () => {
  const period = { from: '2026-07-01', to: '2026-07-31' } as const;
  const question = {
    document: 'nfe',
    by: 'entry',
    ...period,
    group_by: ['issuer', 'month'],
    limit: 500,
  } as const;
  async function ask(connection: Connection): Promise<unknown> {
    const { isError, text, structured } = await connection.call('query_documents', question);
    expect(isError, text).toBe(false);
    expect(structured).toMatchObject({ as_of: expect.any(String) });
    return { ...structured, as_of: undefined };
  }

  const lanes = 5;
  const killsInLane = 10;

  /** Kills the program again and again, each time a little deeper in a window, and gives what the last one answers. */
  async function runLane(lane: number, dataFolder: string): Promise<unknown> {
    await using between = await startRecordingUpstream(passingOn(sandbox.url));
    const env = environment(between.url, dataFolder);
    for (let kill = 0; kill < killsInLane; kill++) {
      const before = listsIn(between.seen).length;
      const program = converse(env);
      program.post('query_documents', question);
      await until(() => listsIn(between.seen).length >= before + 1 + (kill % 4));
      await wait((kill * 7 + lane * 3) % 30);
      await program.kill();
    }
    const { code, stdout } = await runProgram(['archive', 'verify'], env);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    await using last = await connect('v1', { env });
    return await ask(last);
  }

  it('loses and repeats nothing', async () => {
    const folders = Array.from({ length: lanes }, () => temporaryFolder());
    const own = temporaryFolder();
    const program = await connect('v1', { env: environment(sandbox.url, own.path) });
    const undisturbed = await ask(program);
    expect(undisturbed).toMatchObject({ complete: true });
    const answers = await Promise.all(folders.map(({ path }, lane) => runLane(lane, path)));
    for (const answer of answers) expect(answer).toEqual(undisturbed);
  });
});
