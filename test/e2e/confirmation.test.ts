import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Asking, askThrough } from '../support/asking.ts';
import {
  type ClientKind,
  type Connection,
  clientKinds,
  type Form,
  type FormAnswer,
  type ToolResult,
} from '../support/clients.ts';
import { password } from '../support/configured-server.ts';
import { accessKey } from '../support/documents.ts';
import { duringEachTest } from '../support/during-tests.ts';
import { answerEvents, eventsOf, isAbout } from '../support/event-service.ts';
import { connectInProcess, type InProcessOptions } from '../support/in-process.ts';
import { converseInProcess, type ModernReply } from '../support/modern-conversation.ts';
import { standStill, until } from '../support/passing-time.ts';
import { json } from '../support/recording-upstream.ts';
import { serve } from '../support/served.ts';

/** The second below which a dismissal counts as the host's. */
const READING_MS = 1_000;
const ELEVEN_MINUTES_MS = 660_000;

let lastNote = 0;
/** The clock of the servers, which stands still unless a test moves it. */
let moment = Date.now();
const now = () => moment;

const service = serve({
  respond: (request, response) => {
    if (request.method !== 'PUT') return answerEvents(request, response);
    const id = Number(request.path.split('/').pop());
    json(response, { ...(JSON.parse(request.body) as object), id });
  },
  envAt: (url) => ({ DFE_ACCOUNT_URL: url, DFE_ACCOUNT_API_KEY: 'chave-da-conta' }),
  hasNotes: false,
  now,
});

type Ask = Asking & Pick<Connection, 'close'>;

/** Connects a client to another server of the same service and data folder. */
async function join(kind: ClientKind = 'v1', options: InProcessOptions = {}): Promise<Ask & AsyncDisposable> {
  const env = { ...service.server.env, ...options.env };
  const connection = await connectInProcess(kind, { now, ...options, env });
  return { ...connection, ...askThrough(() => connection) };
}
const strictly = { env: { DFE_CONFIRMATION: 'form' } };

/** A note that no other test uses. */
function nextKey(): string {
  lastNote += 1;
  return accessKey({ number: lastNote });
}
const ciencia = (key = nextKey()) => ({ key, event: 'ciencia' });
const sentFor = (key: string) => service.seen.filter(isAbout([key]));

async function tokenFor(args: object, by: Asking = service, tool = 'manifest_nfe') {
  const { structured } = await by.call(tool, args);
  expect(structured?.confirmation_token).toEqual(expect.any(String));
  return String(structured?.confirmation_token);
}

/** The same token with one of its characters changed. */
function tampered(token: string, place: number): string {
  const other = token[place] === 'A' ? 'B' : 'A';
  return token.slice(0, place) + other + token.slice(place + 1);
}

/** That nothing was sent, and what is said of it instead. */
function expectUnsent({ structured, text }: ToolResult, status: string | undefined, reason?: string): void {
  expect([structured?.status, structured?.reason]).toEqual([status, reason]);
  const isAskedAnew = status === 'confirmation_required';
  expect(typeof structured?.confirmation_token).toBe(isAskedAnew ? 'string' : 'undefined');
  expect(text).toMatch(/nothing was sent/i);
}

describe('a client without forms', () => {
  it('gets a preview and a token, and one request after the yes', async () => {
    const args = { ...ciencia(), event: 'confirmacao' };
    const asked = await service.call('manifest_nfe', args);
    const { preview, confirmation_token, expires_at, status } = asked.structured ?? {};
    expect(status).toBe('confirmation_required');
    expect(preview).toContain(args.key);
    expect(Date.parse(String(expires_at)) - moment).toBe(600_000);
    for (const part of [preview, confirmation_token]) expect(asked.text).toContain(part);
    expect(sentFor(args.key)).toEqual([]);
    const done = await service.call('manifest_nfe', { ...args, confirmation_token });
    expect(done.structured).toMatchObject({ status: 'done' });
    expect(sentFor(args.key)).toMatchObject([
      {
        ...{ method: 'POST', path: '/API/Mercadoria/RealizarManifesto', body: '' },
        query: [
          ['usuario', 'fiscal'],
          ['senha', password],
          ['evento', JSON.stringify({ ChaveNFe: args.key, TipoEvento: '210200', Motivo: '' })],
        ],
      },
    ]);
  });
});

describe.each(clientKinds)('a %s client with forms', (kind) => {
  const forms: Form[] = [];
  let answer: (form: Form) => FormAnswer | Promise<FormAnswer>;
  const by: Record<string, Ask> = {};
  const onForm = (form: Form) => {
    forms.push(form);
    return answer(form);
  };

  beforeAll(async () => {
    by.any = await join(kind, { onForm });
    by.form = await join(kind, { onForm, ...strictly });
  });
  beforeEach(() => void forms.splice(0));

  it.each(['any', 'form'])('asks once and sends once after the yes, policy %s', async (policy) => {
    const args = ciencia();
    answer = () => ({ action: 'accept', content: { confirm: true } });
    const done = await by[policy]?.call('manifest_nfe', args);
    expect(done?.structured).toMatchObject({ status: 'done', results: [{ key: args.key, status: 'done' }] });
    const confirm = { type: 'boolean', default: false };
    expect(forms).toMatchObject([
      {
        message: expect.stringContaining(args.key),
        requestedSchema: { type: 'object', properties: { confirm }, required: ['confirm'] },
      },
    ]);
    expect(sentFor(args.key).flatMap(eventsOf)).toEqual([
      { ChaveNFe: args.key, TipoEvento: '210210', Motivo: '' },
    ]);
  });

  it('asks again if the facts changed while the form was open, and sends after the second yes', async () => {
    const args = ciencia();
    answer = async () => {
      if (forms.length === 1)
        await by.any?.call('get_nfe_event_status', { key: args.key, event: 'confirmacao' });
      return { action: 'accept', content: { confirm: true } };
    };
    const done = await by.any?.call('manifest_nfe', args);
    expect(done?.structured).toMatchObject({ status: 'done' });
    expect(forms.map(({ message }) => /CONCLUSIVE EVENT ALREADY/.test(message))).toEqual([false, true]);
    expect(sentFor(args.key).filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  /** What a person or the host does with the form, after how long, under which policy, and what follows. */
  const slow = READING_MS;
  it.each<[FormAnswer['action'], number, 'any' | 'form', 'no' | 'token']>([
    ['decline', slow, 'any', 'no'],
    ['decline', 0, 'any', 'no'],
    ['decline', 0, 'form', 'no'],
    ['cancel', slow, 'any', 'no'],
    // Faster than reading: the host never showed the form.
    ['cancel', 0, 'any', 'token'],
    ['cancel', 0, 'form', 'no'],
    ['accept', slow, 'any', 'no'],
    ['accept', 0, 'form', 'no'],
  ])(
    'that answers %s without a tick after %i ms, policy %s: %s, and nothing is sent',
    async (action, after, policy, follows) => {
      const args = ciencia();
      answer = () => {
        moment += after;
        return { action, ...(action === 'accept' && { content: { confirm: false } }) };
      };
      const asked = (await by[policy]?.call('manifest_nfe', args)) as ToolResult;
      expect(forms).toHaveLength(1);
      expect(sentFor(args.key)).toEqual([]);
      if (follows === 'no') return expectUnsent(asked, 'not_sent', 'declined');
      expectUnsent(asked, 'confirmation_required');
      const withToken = { ...args, confirmation_token: asked.structured?.confirmation_token };
      // Where a form is required, its token is worth nothing.
      expectUnsent((await by.form?.call('manifest_nfe', withToken)) as ToolResult, 'not_sent', 'declined');
      expect(sentFor(args.key)).toEqual([]);
      await by.any?.call('manifest_nfe', withToken);
      expect(sentFor(args.key)).toHaveLength(1);
    },
  );
});

describe('a client that keeps the form open', () => {
  /** A client whose person says yes when the test says so. */
  async function thinking() {
    let shown = false;
    let sayYes = (): void => undefined;
    const yes = new Promise<FormAnswer>((resolve) => {
      sayYes = () => resolve({ action: 'accept', content: { confirm: true } });
    });
    const onForm = () => {
      shown = true;
      return yes;
    };
    return { sayYes: () => sayYes(), shown: () => until(() => shown), by: await join('v1', { onForm }) };
  }

  it('sends nothing when the person says yes after the client gave the call up', async () => {
    const { sayYes, shown, by } = await thinking();
    await using _open = by;
    const args = ciencia();
    const caller = new AbortController();
    const call = by.call('manifest_nfe', args, { signal: caller.signal });
    await shown();
    caller.abort();
    await expect(call).rejects.toThrow();
    sayYes();
    // Whatever was to follow the yes would follow at once.
    await sleep(200);
    expect(sentFor(args.key)).toEqual([]);
    await by.ask('get_nfe_event_status', args);
    expect(sentFor(args.key).map(({ method }) => method)).toEqual(['GET']);
  });

  it.each([
    ['learns that nothing was sent when nobody answers within ten minutes', 600_000, 'not_sent', 'declined'],
    ['takes no time of the call: the write is sent after nine minutes', 540_000, 'done', undefined],
  ])('%s', async (_, waits, status, reason) => {
    const { sayYes, shown, by } = await thinking();
    await using _open = by;
    const args = ciencia();
    using time = standStill();
    const asked = by.call('manifest_nfe', args, { timeout: 3_600_000 });
    await shown();
    await time.pass(waits);
    if (status === 'done') sayYes();
    const answer = await asked;
    if (status === 'done') expect(answer.structured).toMatchObject({ status });
    else expectUnsent(answer, status, reason);
    expect(sentFor(args.key)).toHaveLength(status === 'done' ? 1 : 0);
  });
});

it.each([
  ['any', 'confirmation_required', {}],
  ['form', 'not_sent', strictly],
])(
  'a client gets three forms if the facts change during each, policy %s: then %s',
  async (_, status, policy) => {
    const args = ciencia();
    const changes = ['confirmacao', 'desconhecimento', 'nao_realizada'];
    let forms = 0;
    const onForm = async (): Promise<FormAnswer> => {
      const event = changes[forms];
      forms += 1;
      if (event) await by.call('get_nfe_event_status', { key: args.key, event });
      return { action: 'accept', content: { confirm: true } };
    };
    await using by = await join('v1', { onForm, ...policy });
    expectUnsent(await by.call('manifest_nfe', args), status, 'preview_changed');
    expect(forms).toBe(3);
    expect(sentFor(args.key).map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
  },
);

describe('the state of a form, which travels through a modern client', () => {
  const yes = { confirm: { action: 'accept', content: { confirm: true } } };
  const conversation = duringEachTest(() => converseInProcess({ now, env: service.server.env }));

  async function stateFor(args: Readonly<Record<string, unknown>>): Promise<string> {
    const { result } = await conversation.call('manifest_nfe', args);
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    return String(result?.requestState);
  }

  function expectNo({ result, error }: ModernReply): void {
    const { status } = (result?.structuredContent ?? {}) as { status?: string };
    const isAskedAnew = result?.resultType === 'input_required';
    expect(error !== undefined || result?.isError === true || isAskedAnew || status === 'not_sent').toBe(
      true,
    );
  }

  it('is refused with other arguments, forged, used, after ten minutes, or for another tool', async () => {
    const args = ciencia();
    const other = ciencia();
    const expired = { requestState: await stateFor(args), inputResponses: yes };
    moment += ELEVEN_MINUTES_MS;
    expectNo(await conversation.call('manifest_nfe', args, expired));
    const requestState = await stateFor(args);
    const retry = { requestState, inputResponses: yes };
    expectNo(await conversation.call('manifest_nfe', other, retry));
    expectNo(await conversation.call('manifest_nfe', { ...args, event: 'confirmacao' }, retry));
    expectNo(await conversation.call('manifest_nfe_batch', { keys: [args.key], event: 'ciencia' }, retry));
    const forgeries = ['', 'x', tampered(requestState, 7), `A${requestState}`, 7, { token: requestState }];
    for (const forged of forgeries)
      expectNo(await conversation.call('manifest_nfe', args, { requestState: forged, inputResponses: yes }));
    expect([...sentFor(args.key), ...sentFor(other.key)]).toEqual([]);
    const { result } = await conversation.call('manifest_nfe', args, retry);
    expect(result).toMatchObject({ structuredContent: { status: 'done' } });
    expectNo(await conversation.call('manifest_nfe', args, retry));
    expect(sentFor(args.key)).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['no answer', undefined],
    ['none of its name', {}],
    ['one of another name', { other: yes.confirm }],
    ['one without a form', { confirm: true }],
    ['one without a tick', { confirm: { action: 'accept' } }],
    ['one with nothing in it', { confirm: { action: 'accept', content: {} } }],
    ['a tick that is a text', { confirm: { action: 'accept', content: { confirm: 'true' } } }],
    ['another action', { confirm: { action: 'sure', content: { confirm: true } } }],
    ['a no with a tick', { confirm: { action: 'decline', content: { confirm: true } } }],
  ])('counts for nothing with %s, and a no uses it up', async (_, inputResponses) => {
    const args = ciencia();
    const requestState = await stateFor(args);
    const no = await conversation.call('manifest_nfe', args, { requestState, inputResponses });
    const { status } = (no.result?.structuredContent ?? {}) as { status?: string };
    if (status === 'not_sent')
      expectNo(await conversation.call('manifest_nfe', args, { requestState, inputResponses: yes }));
    expect(sentFor(args.key)).toEqual([]);
  });

  it('is needed: an answer to a form that was never sent confirms nothing', async () => {
    const args = ciencia();
    expectNo(await conversation.call('manifest_nfe', args, { inputResponses: yes }));
    const withToken = { ...args, confirmation_token: await stateFor(args) };
    expectNo(await conversation.call('manifest_nfe', withToken));
    expect(sentFor(args.key)).toEqual([]);
  });

  it('says itself when the form was sent: a client that dates it anew gets no token after a slow no', async () => {
    const args = ciencia();
    const inputResponses = { confirm: { action: 'cancel' } };
    for (const date of [
      (state: string) => state,
      (state: string) => [moment, ...state.split('.').slice(1)].join('.'),
    ]) {
      const state = await stateFor(args);
      moment += 10 * READING_MS;
      const no = await conversation.call('manifest_nfe', args, { requestState: date(state), inputResponses });
      expect(no.result).toMatchObject({ structuredContent: { status: 'not_sent', reason: 'declined' } });
      expect(JSON.stringify(no)).not.toContain('confirmation_token');
    }
    expect(sentFor(args.key)).toEqual([]);
  });
});

describe('every tool that writes', () => {
  const raw = JSON.stringify({ ChaveNFe: accessKey({ number: 900_003 }), TipoEvento: '210200', Motivo: '' });
  const calls: readonly (readonly [tool: string, args: object, end: string])[] = [
    ['manifest_nfe', ciencia(accessKey({ number: 900_001 })), 'RealizarManifesto'],
    ['manifest_nfe', { raw_event: raw }, 'RealizarManifesto'],
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

  it.each(calls)(
    '%s %j sends one request after a yes, none before, none where the policy wants a form',
    async (tool, args, end) => {
      const token = await tokenFor(args, service, tool);
      const withToken = { ...args, confirmation_token: token };
      const forged = { ...args, confirmation_token: tampered(token, 40) };
      expect(await service.refused(tool, forged)).toMatch(/nothing was sent/i);
      await using strict = await join('v1', strictly);
      for (const one of [args, withToken])
        expect(await strict.refused(tool, one)).toMatch(/nothing was sent/i);
      {
        await using later = await join('v1', { now: () => moment + ELEVEN_MINUTES_MS });
        expectUnsent(await later.call(tool, withToken), 'confirmation_required', 'token_expired');
      }
      expect(service.seen).toEqual([]);
      expect((await service.call(tool, withToken)).structured).toMatchObject({ status: 'done' });
      expectUnsent(await service.call(tool, withToken), 'not_sent', 'token_spent');
      expect(service.seen.map(({ path }) => path.split('/').pop())).toEqual([end]);
    },
  );
});

it('a token that was given for other settings, which would send something else, is not accepted', async () => {
  const args = ciencia();
  const withToken = { ...args, confirmation_token: await tokenFor(args) };
  for (const [name, value] of [
    ['DFE_USER', 'bia'],
    ['DFE_PASSWORD', 'outra-senha'],
    ['DFE_URL', `${service.server.upstream.url}/other`],
    ['DFE_CNPJ', '00000000000191'],
    ['DFE_ACCOUNT_API_KEY', 'another-key'],
    ['DFE_EVENT_TEMPLATE', '{key}|{code}|{justification}'],
  ] as const) {
    await using other = await join('v1', { env: { [name]: value } });
    expectUnsent(await other.call('manifest_nfe', withToken), 'confirmation_required', 'preview_changed');
  }
  expect(sentFor(args.key)).toEqual([]);
  expect((await service.call('manifest_nfe', withToken)).structured).toMatchObject({ status: 'done' });
});

it('a yes is for what was shown, and for nothing else once another event was sent for the note', async () => {
  const args = { ...ciencia(), event: 'confirmacao' };
  const confirmation_token = await tokenFor(args);
  await service.confirmed('manifest_nfe', ciencia(args.key));
  const answer = await service.call('manifest_nfe', { ...args, confirmation_token });
  expectUnsent(answer, 'confirmation_required', 'preview_changed');
  expect(answer.structured?.preview).toMatch(/210210|Ci[eê]ncia/);
  expect(sentFor(args.key)).toHaveLength(1);
  const again = { ...args, confirmation_token: answer.structured?.confirmation_token };
  expect((await service.call('manifest_nfe', again)).structured).toMatchObject({ status: 'done' });
});
