import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientKind,
  type Connection,
  clientKinds,
  type Form,
  type FormAnswer,
  type ToolResult,
} from '../support/clients.ts';
import { type ConfiguredServer, password, startConfigured } from '../support/configured-server.ts';
import { accessKey } from '../support/documents.ts';
import { answerEvents, eventsOf, isAbout } from '../support/event-service.ts';
import { connectInProcess, type InProcessOptions } from '../support/in-process.ts';
import {
  converseInProcess,
  type ModernConversation,
  type ModernReply,
} from '../support/modern-conversation.ts';
import { standStill, until } from '../support/passing-time.ts';
import { json } from '../support/recording-upstream.ts';

/** The second below which a dismissal counts as the host's. */
const READING_MS = 1_000;
const ELEVEN_MINUTES_MS = 660_000;

let lastNote = 0;
/** Servers with one data folder: one of now, and one for which it is eleven minutes later. */
let elsewhere: ConfiguredServer;
let later: Connection;
/** The clock of the servers, which stands still unless a test moves it. */
let moment = Date.now();
const now = () => moment;

/** Connects a client to another server of the same service and data folder. */
function join(kind: ClientKind, options: InProcessOptions = {}): Promise<Connection> {
  return connectInProcess(kind, { now, ...options, env: { ...elsewhere.env, ...options.env } });
}

/** A note that no other test uses. */
function nextKey(): string {
  lastNote += 1;
  return accessKey({ number: lastNote });
}

function sentFor(key: string) {
  return elsewhere.upstream.seen.filter(isAbout([key]));
}

function tokenOf(result: ToolResult): string {
  const token = result.structured?.confirmation_token;
  expect(token).toEqual(expect.any(String));
  return String(token);
}

/** The same token with one of its characters changed. */
function tampered(token: string, place: number): string {
  const other = token[place] === 'A' ? 'B' : 'A';
  return token.slice(0, place) + other + token.slice(place + 1);
}

function expectRefused(result: ToolResult): void {
  expect(result.isError).toBe(true);
  expect(result.structured).toBeUndefined();
  expect(result.text).toMatch(/nothing was sent/i);
}

/** A yes that came too late or for what no longer holds: no error, nothing sent, and the person sees it anew. */
function expectAskedAnew(result: ToolResult, reason: 'preview_changed' | 'token_expired'): void {
  expect(result.structured).toMatchObject({
    status: 'confirmation_required',
    reason,
    preview: expect.any(String),
    confirmation_token: expect.any(String),
  });
  expect(result.text).toMatch(/nothing was sent/i);
}

function expectSpent(result: ToolResult): void {
  expect(result.structured).toMatchObject({ status: 'not_sent', reason: 'token_spent' });
  expect(result.structured).not.toHaveProperty('confirmation_token');
  expect(result.text).toMatch(/nothing was sent/i);
}

beforeAll(async () => {
  elsewhere = await startConfigured({
    respond: (request, response) => {
      if (request.method !== 'PUT') return answerEvents(request, response);
      const id = Number(request.path.split('/').pop());
      json(response, { ...(JSON.parse(request.body) as object), id });
    },
    envAt: (url) => ({ DFE_ACCOUNT_URL: url, DFE_ACCOUNT_API_KEY: 'chave-da-conta' }),
    hasNotes: false,
    now,
  });
  later = await join('v1', { now: () => moment + ELEVEN_MINUTES_MS });
});

afterAll(async () => {
  await later.close();
  await elsewhere.close();
});

describe('a client without forms', () => {
  let connection: Connection;
  let strict: Connection;

  beforeAll(async () => {
    [connection, strict] = await Promise.all([join('v1'), join('v1', { env: { DFE_CONFIRMATION: 'form' } })]);
  });

  afterAll(() => Promise.all([connection.close(), strict.close()]));

  it('gets a preview and a token, and one request after the yes', async () => {
    const key = nextKey();
    const asked = await connection.call('manifest_nfe', { key, event: 'confirmacao' });
    expect(asked.isError).toBe(false);
    expect((await connection.call('manifest_nfe', { key, event: 'confirmacao' })).isError).toBe(false);
    expect(asked.structured).toMatchObject({
      status: 'confirmation_required',
      preview: expect.stringContaining(key),
      confirmation_token: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(Date.parse(String(asked.structured?.expires_at)) - moment).toBe(600_000);
    expect(asked.text).toContain(String(asked.structured?.preview));
    expect(asked.text).toContain(tokenOf(asked));
    expect(sentFor(key)).toEqual([]);

    const done = await connection.call('manifest_nfe', {
      key,
      event: 'confirmacao',
      confirmation_token: tokenOf(asked),
    });
    expect(done.structured).toMatchObject({ status: 'done' });
    const [request, ...others] = sentFor(key);
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/API/Mercadoria/RealizarManifesto',
      body: '',
      query: [
        ['usuario', 'fiscal'],
        ['senha', password],
        ['evento', JSON.stringify({ ChaveNFe: key, TipoEvento: '210200', Motivo: '' })],
      ],
    });
  });

  it('may not write at all where the policy wants a form, token or not', async () => {
    const key = nextKey();
    const args = { key, event: 'ciencia' };
    const token = tokenOf(await connection.call('manifest_nfe', args));
    for (const confirmation of [{}, { confirmation_token: token }]) {
      expectRefused(await strict.call('manifest_nfe', { ...args, ...confirmation }));
    }
    expect(sentFor(key)).toEqual([]);
  });
});

describe.each(clientKinds)('a %s client with forms', (kind) => {
  let forms: Form[];
  let answer: (form: Form) => FormAnswer | Promise<FormAnswer>;
  let connection: Connection;
  let strict: Connection;

  const onForm = (form: Form) => {
    forms.push(form);
    return answer(form);
  };

  beforeAll(async () => {
    [connection, strict] = await Promise.all([
      join(kind, { onForm }),
      join(kind, { onForm, env: { DFE_CONFIRMATION: 'form' } }),
    ]);
  });

  beforeEach(() => {
    forms = [];
  });

  afterAll(() => Promise.all([connection.close(), strict.close()]));

  it.each(['any', 'form'])('asks once and sends once after the yes, policy %s', async (policy) => {
    const key = nextKey();
    answer = () => ({ action: 'accept', content: { confirm: true } });
    const done = await (policy === 'any' ? connection : strict).call('manifest_nfe', {
      key,
      event: 'ciencia',
    });
    expect(done.structured).toMatchObject({ status: 'done', results: [{ key, status: 'done' }] });
    expect(forms).toHaveLength(1);
    expect(forms[0]?.message).toContain(key);
    expect(forms[0]?.requestedSchema).toMatchObject({
      type: 'object',
      properties: { confirm: { type: 'boolean', default: false } },
      required: ['confirm'],
    });
    expect(sentFor(key).flatMap(eventsOf)).toEqual([{ ChaveNFe: key, TipoEvento: '210210', Motivo: '' }]);
  });

  /** What a person or the host does with the form, after how long, under which policy, and what follows. */
  const slow = READING_MS;
  const noes: readonly (readonly [FormAnswer['action'], number, 'any' | 'form', 'no' | 'token'])[] = [
    ['decline', slow, 'any', 'no'],
    ['decline', 0, 'any', 'no'],
    ['decline', 0, 'form', 'no'],
    ['cancel', slow, 'any', 'no'],
    // Faster than reading: the host never showed the form.
    ['cancel', 0, 'any', 'token'],
    ['cancel', 0, 'form', 'no'],
    ['accept', slow, 'any', 'no'],
    ['accept', 0, 'form', 'no'],
  ];

  it.each(noes)(
    'that answers %s without a tick after %i ms, policy %s: %s, and nothing is sent',
    async (...no) => {
      const [action, after, policy, follows] = no;
      const args = { key: nextKey(), event: 'ciencia' };
      answer = () => {
        moment += after;
        return { action, ...(action === 'accept' && { content: { confirm: false } }) };
      };
      const asked = await (policy === 'any' ? connection : strict).call('manifest_nfe', args);
      expect(asked.isError).toBe(false);
      expect(asked.text).toMatch(/nothing was sent/i);
      expect(forms).toHaveLength(1);
      expect(sentFor(args.key)).toEqual([]);
      if (follows === 'no') {
        expect(asked.structured).toMatchObject({ status: 'not_sent', reason: 'declined' });
        expect(JSON.stringify(asked)).not.toContain('confirmation_token');
        return;
      }
      expect(asked.structured).toMatchObject({ status: 'confirmation_required' });
      const withToken = { ...args, confirmation_token: tokenOf(asked) };
      // Where a form is required, its token is worth nothing.
      const refused = await strict.call('manifest_nfe', withToken);
      expect(refused.structured).toMatchObject({ status: 'not_sent', reason: 'declined' });
      expect(sentFor(args.key)).toEqual([]);
      await connection.call('manifest_nfe', withToken);
      expect(sentFor(args.key)).toHaveLength(1);
    },
  );
});

describe('a client that keeps the form open', () => {
  it('sends nothing when the person says yes after the client gave the call up', async () => {
    const key = nextKey();
    const caller = new AbortController();
    let shown = false;
    let sayYes = (): void => undefined;
    const yes = new Promise<FormAnswer>((resolve) => {
      sayYes = () => resolve({ action: 'accept', content: { confirm: true } });
    });
    await using connection = await join('v1', {
      onForm: () => {
        shown = true;
        return yes;
      },
    });
    const args = { key, event: 'ciencia' };
    const call = connection.call('manifest_nfe', args, { signal: caller.signal });
    await until(() => shown);
    caller.abort();
    await expect(call).rejects.toThrow();
    sayYes();
    // Whatever was to follow the yes would follow at once.
    await sleep(200);
    expect(sentFor(key)).toEqual([]);
    const after = await connection.call('get_nfe_event_status', args);
    expect(after.isError).toBe(false);
    expect(sentFor(key).map(({ method }) => method)).toEqual(['GET']);
  });

  it('is told that nothing was sent when nobody answers within ten minutes', async () => {
    const key = nextKey();
    let shown = false;
    await using connection = await join('v1', {
      onForm: () => {
        shown = true;
        return new Promise<FormAnswer>(() => undefined);
      },
    });
    using time = standStill();
    const anHour = { timeout: 3_600_000 };
    const asked = connection.call('manifest_nfe', { key, event: 'ciencia' }, anHour);
    await until(() => shown);
    await time.pass(600_000);
    const no = await asked;
    expect(no.structured).toMatchObject({ status: 'not_sent', reason: 'declined' });
    expect(no.text).toMatch(/nothing was sent/i);
    expect(sentFor(key)).toEqual([]);
  });
});

describe('the state of a form, which travels through a modern client', () => {
  const yes = { confirm: { action: 'accept', content: { confirm: true } } };
  let conversation: ModernConversation;

  beforeEach(() => {
    conversation = converseInProcess({ now, env: elsewhere.env });
  });

  afterEach(async () => {
    await conversation.close();
  });

  async function stateFor(args: Readonly<Record<string, unknown>>): Promise<string> {
    const { result } = await conversation.call('manifest_nfe', args);
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    return String(result?.requestState);
  }

  function expectNo({ result, error }: ModernReply): void {
    const { status } = (result?.structuredContent ?? {}) as { status?: string };
    expect(
      error !== undefined ||
        result?.isError === true ||
        result?.resultType === 'input_required' ||
        status === 'not_sent',
    ).toBe(true);
  }

  it('is refused with other arguments, forged, used, for another tool, or after a no', async () => {
    const key = nextKey();
    const other = nextKey();
    const args = { key, event: 'ciencia' };
    const requestState = await stateFor(args);
    const retry = { requestState, inputResponses: yes };

    expectNo(await conversation.call('manifest_nfe', { key: other, event: 'ciencia' }, retry));
    expectNo(await conversation.call('manifest_nfe', { key, event: 'confirmacao' }, retry));
    expectNo(await conversation.call('manifest_nfe_batch', { keys: [key], event: 'ciencia' }, retry));
    for (const forged of [
      '',
      'x',
      tampered(requestState, 7),
      `A${requestState}`,
      7,
      { token: requestState },
    ]) {
      expectNo(await conversation.call('manifest_nfe', args, { requestState: forged, inputResponses: yes }));
    }
    expect([...sentFor(key), ...sentFor(other)]).toEqual([]);

    const { result } = await conversation.call('manifest_nfe', args, retry);
    expect(result).toMatchObject({ structuredContent: { status: 'done' } });
    expectNo(await conversation.call('manifest_nfe', args, retry));
    expect(sentFor(key)).toHaveLength(1);
  });

  it('is used up by a no', async () => {
    const key = nextKey();
    const args = { key, event: 'ciencia' };
    const requestState = await stateFor(args);
    const no = await conversation.call('manifest_nfe', args, {
      requestState,
      inputResponses: { confirm: { action: 'decline' } },
    });
    expect(no.result).toMatchObject({ structuredContent: { status: 'not_sent', reason: 'declined' } });
    expectNo(await conversation.call('manifest_nfe', args, { requestState, inputResponses: yes }));
    expect(sentFor(key)).toEqual([]);
  });

  it('counts for nothing without an answer that was accepted and ticked', async () => {
    const key = nextKey();
    const args = { key, event: 'ciencia' };
    const answers: unknown[] = [
      undefined,
      {},
      { other: yes.confirm },
      { confirm: true },
      { confirm: { action: 'accept' } },
      { confirm: { action: 'accept', content: {} } },
      { confirm: { action: 'accept', content: { confirm: 'true' } } },
      { confirm: { action: 'sure', content: { confirm: true } } },
      { confirm: { action: 'decline', content: { confirm: true } } },
    ];
    for (const inputResponses of answers) {
      const requestState = await stateFor(args);
      await conversation.call('manifest_nfe', args, { requestState, inputResponses });
    }
    expect(sentFor(key)).toEqual([]);
  });

  it('is needed: an answer to a form that was never sent confirms nothing', async () => {
    const key = nextKey();
    const args = { key, event: 'ciencia' };
    expectNo(await conversation.call('manifest_nfe', args, { inputResponses: yes }));
    const withToken = { ...args, confirmation_token: await stateFor(args) };
    expectNo(await conversation.call('manifest_nfe', withToken));
    expect(sentFor(key)).toEqual([]);
  });

  it('says itself when the form was sent: a client that dates it anew gets no token after a slow no', async () => {
    const key = nextKey();
    const args = { key, event: 'ciencia' };
    const inputResponses = { confirm: { action: 'cancel' } };
    const dated = [(state: string) => state, (state: string) => `${state.split('.')[0]}.${moment}`];
    for (const date of dated) {
      const requestState = await stateFor(args);
      moment += 10 * READING_MS;
      const no = await conversation.call('manifest_nfe', args, {
        requestState: date(requestState),
        inputResponses,
      });
      expect(no.result).toMatchObject({ structuredContent: { status: 'not_sent', reason: 'declined' } });
      expect(JSON.stringify(no)).not.toContain('confirmation_token');
    }
    expect(sentFor(key)).toEqual([]);
  });

  it('is refused after ten minutes', async () => {
    const key = nextKey();
    const args = { key, event: 'ciencia' };
    const retry = { requestState: await stateFor(args), inputResponses: yes };
    moment += ELEVEN_MINUTES_MS;
    expectNo(await conversation.call('manifest_nfe', args, retry));
    expect(sentFor(key)).toEqual([]);
  });
});

describe('every tool that writes', () => {
  const calls: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['manifest_nfe', { key: accessKey({ number: 900_001 }), event: 'ciencia' }, 'RealizarManifesto'],
    [
      'manifest_nfe_batch',
      { keys: [accessKey({ number: 900_002 })], event: 'ciencia' },
      'RealizarLoteManifesto',
    ],
    ['update_company_setting', { company_id: 12, id: 34, set: 'X-Plugin', name: 'cor', value: 'azul' }, '34'],
    [
      'update_subscription',
      { account_id: 5, id: 67, subscription_type_id: 3, clear: ['effective_date', 'end_date'] },
      '67',
    ],
  ];

  it.each(calls)('%s sends one request after a yes and none before', async (tool, args, end) => {
    const before = elsewhere.upstream.seen.length;
    const asked = await elsewhere.call(tool, args);
    const token = tokenOf(asked);
    expect(asked.structured).toMatchObject({ status: 'confirmation_required' });
    expectRefused(await elsewhere.call(tool, { ...args, confirmation_token: tampered(token, 40) }));
    expectAskedAnew(await later.call(tool, { ...args, confirmation_token: token }), 'token_expired');
    expect(elsewhere.upstream.seen.length).toBe(before);
    const done = await elsewhere.call(tool, { ...args, confirmation_token: token });
    expect(done.structured).toMatchObject({ status: 'done' });
    expectSpent(await elsewhere.call(tool, { ...args, confirmation_token: token }));
    expect(elsewhere.upstream.seen.slice(before).map(({ path }) => path.split('/').pop())).toEqual([end]);
  });

  it.each([
    ['DFE_READ_ONLY', { DFE_READ_ONLY: 'true' }, calls.map(([tool]) => tool)],
    ['DFE_TOOLSETS', { DFE_TOOLSETS: 'documents,account' }, ['manifest_nfe', 'manifest_nfe_batch']],
    ['DFE_TOOLSETS', { DFE_TOOLSETS: 'manifestation' }, ['update_company_setting', 'update_subscription']],
  ] as const)('is neither listed nor callable by name where %s leaves it out', async (_, env, absent) => {
    await using connection = await join('v1', { env });
    const names = (await connection.listTools()).map(({ name }) => name);
    const before = elsewhere.upstream.seen.length;
    for (const [tool, args] of calls.filter(([name]) => absent.some((one) => one === name))) {
      expect(names).not.toContain(tool);
      const attempt = await connection.call(tool, args).then(
        ({ isError }) => isError,
        () => true,
      );
      expect(attempt).toBe(true);
    }
    expect(elsewhere.upstream.seen.length).toBe(before);
    expect(names.length).toBeGreaterThan(0);
  });
});

it('a token that was given for other settings, which would send something else, is not accepted', async () => {
  const key = nextKey();
  const args = { key, event: 'ciencia' };
  const confirmation_token = tokenOf(await elsewhere.call('manifest_nfe', args));
  for (const [name, value] of [
    ['DFE_USER', 'bia'],
    ['DFE_PASSWORD', 'outra-senha'],
    ['DFE_URL', `${elsewhere.upstream.url}/other`],
    ['DFE_CNPJ', '00000000000191'],
    ['DFE_ACCOUNT_API_KEY', 'another-key'],
    ['DFE_EVENT_TEMPLATE', '{key}|{code}|{justification}'],
  ] as const) {
    await using other = await join('v1', { env: { [name]: value } });
    const answer = await other.call('manifest_nfe', { ...args, confirmation_token });
    expect([name, answer.structured?.status]).toEqual([name, 'confirmation_required']);
    expectAskedAnew(answer, 'preview_changed');
  }
  expect(sentFor(key)).toEqual([]);
  const done = await elsewhere.call('manifest_nfe', { ...args, confirmation_token });
  expect(done.structured).toMatchObject({ status: 'done' });
});

describe('a yes is for what was shown', () => {
  it('and for nothing else once another event was sent for the note', async () => {
    const key = nextKey();
    const args = { key, event: 'confirmacao' };
    const confirmation_token = tokenOf(await elsewhere.call('manifest_nfe', args));
    const other = { key, event: 'ciencia' };
    await elsewhere.call('manifest_nfe', {
      ...other,
      confirmation_token: tokenOf(await elsewhere.call('manifest_nfe', other)),
    });
    const answer = await elsewhere.call('manifest_nfe', { ...args, confirmation_token });
    expectAskedAnew(answer, 'preview_changed');
    expect(answer.structured?.preview).toMatch(/210210|Ci[eê]ncia/);
    expect(sentFor(key)).toHaveLength(1);
    const again = await elsewhere.call('manifest_nfe', { ...args, confirmation_token: tokenOf(answer) });
    expect(again.structured).toMatchObject({ status: 'done' });
  });
});
