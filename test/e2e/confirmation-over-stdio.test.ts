import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { type Connection, clientKinds, connect, type Form, type FormAnswer } from '../support/clients.ts';
import { isLong, rounds } from '../support/depth.ts';
import { answerEvents, isAbout, keysOf, settingsFor } from '../support/event-service.ts';
import { keyOfNote } from '../support/notes.ts';
import { type RecordingUpstream, startRecordingUpstream } from '../support/recording-upstream.ts';
import { laterBy } from '../support/shifted-clock.ts';

let upstream: RecordingUpstream;
let folder: ReturnType<typeof temporaryFolder>;
let lastNote = 0;

const environment = (more?: Readonly<Record<string, string>>) => settingsFor(upstream, folder, more);

/** A note that no other test uses. */
function nextKey(): string {
  lastNote += 1;
  return keyOfNote(lastNote);
}

const sentFor = (key: string) => upstream.seen.filter(isAbout([key]));

async function tokenFrom(program: Connection, key: string): Promise<unknown> {
  const { structured } = await program.call('manifest_nfe', { key, event: 'ciencia' });
  expect(structured?.confirmation_token).toEqual(expect.any(String));
  return structured?.confirmation_token;
}

beforeAll(async () => {
  folder = temporaryFolder();
  upstream = await startRecordingUpstream((request, response) => answerEvents(request, response), {
    hasNotes: false,
  });
});
afterAll(async () => {
  await upstream.close();
  folder.remove();
});

describe('two processes that share a data folder', () => {
  let one: Connection;
  let other: Connection;

  beforeAll(async () => {
    [one, other] = await Promise.all([
      connect('v1', { env: environment() }),
      connect('v2 modern', { env: environment() }),
    ]);
  });
  afterAll(() => Promise.all([one.close(), other.close()]));

  it('race for one token, and one of them sends', async () => {
    const keys = Array.from({ length: rounds(10, 5) }, nextKey);
    for (const key of keys) {
      const args = { key, event: 'ciencia' };
      const confirmation_token = await tokenFrom(one, key);
      const both = await Promise.all(
        [one, other, one, other].map((each) => each.call('manifest_nfe', { ...args, confirmation_token })),
      );
      const [winners, losers] = [
        both.filter(({ structured }) => structured?.status === 'done'),
        both.filter(({ structured }) => structured?.status !== 'done'),
      ];
      expect(winners).toHaveLength(1);
      for (const { structured, text } of losers) {
        expect(structured).toMatchObject({ status: 'not_sent', reason: 'token_spent' });
        expect(structured).not.toHaveProperty('confirmation_token');
        expect(text).toMatch(/nothing was sent/i);
      }
    }
    expect(keysOf(upstream.seen.filter(isAbout(keys)))).toEqual(keys);
  });

  it('accept a token that the other gave', async () => {
    const key = nextKey();
    const args = { key, event: 'ciencia' };
    const confirmation_token = await tokenFrom(one, key);
    await one.close();
    const done = await other.call('manifest_nfe', { ...args, confirmation_token });
    expect(done.structured).toMatchObject({ status: 'done' });
    expect(sentFor(key)).toHaveLength(1);
  });
});

/** The first client speaks as the second one's older era does, which is asked by test:long. */
const kinds = clientKinds.filter((kind) => isLong || kind !== 'v2 legacy');

it.each(kinds)('asks a %s client with forms once, and sends once after the yes', async (kind) => {
  const key = nextKey();
  const forms: Form[] = [];
  const onForm = (form: Form): FormAnswer => {
    forms.push(form);
    return { action: 'accept', content: { confirm: true } };
  };
  const program = await connect(kind, { onForm, env: environment({ DFE_CONFIRMATION: 'form' }) });
  try {
    const done = await program.call('manifest_nfe', { key, event: 'ciencia' });
    expect(done.structured).toMatchObject({ status: 'done', results: [{ key, status: 'done' }] });
    expect(forms).toMatchObject([{ message: expect.stringContaining(key) }]);
    expect(sentFor(key)).toHaveLength(1);
  } finally {
    await program.close();
  }
});

// The rule is tried with a clock of the test's own by confirmation.test.ts.
it.runIf(isLong)('a token of eleven minutes ago is refused', async () => {
  const key = nextKey();
  const programs = await Promise.all([
    connect('v1', { env: environment() }),
    connect('v1', { env: environment(laterBy(11, folder.path)) }),
  ]);
  const [one, later] = programs;
  const confirmation_token = await tokenFrom(one, key);
  const late = await later.call('manifest_nfe', { key, event: 'ciencia', confirmation_token });
  await Promise.all(programs.map((program) => program.close()));
  expect(late.structured).toMatchObject({
    status: 'confirmation_required',
    reason: 'token_expired',
    preview: expect.any(String),
    confirmation_token: expect.any(String),
  });
  expect(late.text).toMatch(/nothing was sent/i);
  expect(sentFor(key)).toEqual([]);
});
