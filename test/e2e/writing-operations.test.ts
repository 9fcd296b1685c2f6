import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConfiguredServer, password, startConfigured } from '../support/configured-server.ts';
import { accessKeys } from '../support/documents.ts';
import { json, type SeenRequest } from '../support/recording-upstream.ts';

type Pairs = readonly (readonly [string, string])[];

const credentials: Pairs = [
  ['usuario', 'fiscal'],
  ['senha', password],
];

/** Calls a write twice: for the preview, and with the token in it. */
async function confirmed(program: ConfiguredServer, tool: string, args: object): Promise<void> {
  const preview = await program.call(tool, { ...args });
  expect(preview.structured, preview.text).toMatchObject({ status: 'confirmation_required' });
  expect(program.upstream.seen).toEqual([]);
  const token = preview.structured?.confirmation_token;
  const result = await program.call(tool, { ...args, confirmation_token: token });
  expect(result.isError, result.text).toBe(false);
  expect(result.structured, result.text).toMatchObject({ status: 'done' });
}

describe('the operations that manifest', () => {
  let program: ConfiguredServer;
  const [first = '', second = ''] = accessKeys(2);
  const record = (key: string) => ({
    ChaveNFe: key,
    Evento: '210240',
    Mensagem: '135 - Evento registrado e vinculado a NF-e',
    Sucesso: 1,
    Usuario: 'fiscal',
  });

  beforeAll(async () => {
    program = await startConfigured({
      hasNotes: false,
      respond: ({ path }, response) =>
        json(response, path.endsWith('RealizarManifesto') ? record(first) : [record(second), record(first)]),
    });
  });
  afterAll(() => program.close());
  beforeEach(() => {
    program.upstream.seen.length = 0;
  });

  it('RealizarManifesto', async () => {
    const justification = 'Mercadoria não chegou & foi recusada';
    await confirmed(program, 'manifest_nfe', { key: first, event: 'nao_realizada', justification });
    expect(program.upstream.seen).toHaveLength(1);
    const [request] = program.upstream.seen;
    expect(request).toMatchObject({ method: 'POST', path: '/API/Mercadoria/RealizarManifesto', body: '' });
    expect(request?.query.slice(0, 2)).toEqual(credentials);
    expect(request?.query.map(([name]) => name)).toEqual(['usuario', 'senha', 'evento']);
    expect(JSON.parse(request?.query[2]?.[1] ?? '')).toEqual({
      ChaveNFe: first,
      TipoEvento: '210240',
      Motivo: justification,
    });
  });

  it('RealizarLoteManifesto', async () => {
    await confirmed(program, 'manifest_nfe_batch', { keys: [first, second], event: 'confirmacao' });
    expect(program.upstream.seen).toHaveLength(1);
    const [request] = program.upstream.seen;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/API/Mercadoria/RealizarLoteManifesto',
      body: '',
    });
    expect(request?.query.map(([name]) => name)).toEqual(['usuario', 'senha', 'eventos']);
    expect(request?.query.slice(0, 2)).toEqual(credentials);
    expect(JSON.parse(request?.query[2]?.[1] ?? '')).toEqual([
      { ChaveNFe: first, TipoEvento: '210200', Motivo: '' },
      { ChaveNFe: second, TipoEvento: '210200', Motivo: '' },
    ]);
  });

  it.each([
    ['confirmacao', '210200'],
    ['ciencia', '210210'],
    ['desconhecimento', '210220'],
  ])('sends %s as %s', async (event, code) => {
    await confirmed(program, 'manifest_nfe', { key: first, event });
    expect(JSON.parse(program.upstream.seen[0]?.query[2]?.[1] ?? '')).toMatchObject({ TipoEvento: code });
  });

  it('sends a raw event as it is', async () => {
    const raw = '<evento chave="&amp;">ç + á</evento>';
    const preview = await program.call('manifest_nfe', { raw_event: raw });
    await program.call('manifest_nfe', {
      raw_event: raw,
      confirmation_token: preview.structured?.confirmation_token,
    });
    expect(program.upstream.seen.map(({ query }) => query[2])).toEqual([['evento', raw]]);
  });
});

/** The four ways of authenticating to the account service. Source: docs/upstream-services.md. */
const ways = [
  {
    name: 'an API key as it is',
    env: () => ({ DFE_ACCOUNT_API_KEY: 'k3y as it is' }),
    authorization: 'k3y as it is',
  },
  {
    name: 'a bearer token',
    env: () => ({ DFE_ACCOUNT_TOKEN: 't0ken.part' }),
    authorization: 'Bearer t0ken.part',
  },
  {
    name: 'HTTP Basic',
    env: () => ({ DFE_ACCOUNT_USER: 'joão', DFE_ACCOUNT_LICENSE_KEY: 'l1cence:key' }),
    authorization: `Basic ${Buffer.from('joão:l1cence:key', 'utf8').toString('base64')}`,
  },
  {
    name: 'OAuth client credentials',
    env: (url: string) => ({
      DFE_ACCOUNT_OAUTH_TOKEN_URL: `${url}/token`,
      DFE_ACCOUNT_OAUTH_CLIENT_ID: 'client',
      DFE_ACCOUNT_OAUTH_CLIENT_SECRET: 's3cret',
      DFE_ACCOUNT_OAUTH_SCOPE: 'account',
    }),
    authorization: 'Bearer fetched-token',
  },
] as const;

/** Answers with what is put, as the account service does, and with a token where one is asked for. */
function store({ path, body }: SeenRequest, response: ServerResponse): void {
  if (path === '/token') {
    json(response, { access_token: 'fetched-token', token_type: 'Bearer', expires_in: 3600 });
  } else {
    json(response, JSON.parse(body));
  }
}

describe('the operations that replace', () => {
  let program: ConfiguredServer | undefined;

  afterEach(async () => {
    await program?.close();
    program = undefined;
  });

  async function startWith(way: (typeof ways)[number], more: Record<string, string> = {}) {
    program = await startConfigured({
      respond: store,
      envAt: (url) => ({ DFE_ACCOUNT_URL: url, ...way.env(url), ...more }),
    });
    return program;
  }

  it.each(ways)('with $name', async (way) => {
    const { upstream, ...others } = await startWith(way);
    const running = { ...others, upstream };
    await confirmed(running, 'update_company_setting', {
      company_id: 12,
      id: 34,
      set: 'X-docfiscal',
      name: 'lembrete',
      value: 'dia 5 — "fechar"',
    });
    const setting = upstream.seen.filter(({ method }) => method === 'PUT');
    expect(setting).toHaveLength(1);
    expect(setting[0]).toMatchObject({ path: '/api/v2/companies/12/settings/34', rawQuery: '' });
    expect(setting[0]?.headers).toMatchObject({
      authorization: way.authorization,
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(JSON.parse(setting[0]?.body ?? '')).toEqual({
      id: 34,
      companyId: 12,
      set: 'X-docfiscal',
      name: 'lembrete',
      value: 'dia 5 — "fechar"',
    });
    const vendorHeaders = Object.keys(setting[0]?.headers ?? {}).filter((name) => name.startsWith('x-'));
    expect(vendorHeaders).toEqual([]);

    const tokenRequests = upstream.seen.filter(({ path }) => path === '/token');
    if (way.name !== 'OAuth client credentials') {
      expect(tokenRequests).toEqual([]);
      return;
    }
    expect(tokenRequests).toHaveLength(1);
    expect(tokenRequests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from('client:s3cret').toString('base64')}`,
    );
    expect(Object.fromEntries(new URLSearchParams(tokenRequests[0]?.body))).toMatchObject({
      grant_type: 'client_credentials',
      scope: 'account',
    });
  });

  it('a subscription, with the header of the vendor', async () => {
    const running = await startWith(ways[0], {
      DFE_ACCOUNT_VENDOR: 'Vendor',
      DFE_ACCOUNT_CLIENT: 'erp; 7.1',
    });
    await confirmed(running, 'update_subscription', {
      account_id: 5,
      id: 6,
      subscription_type_id: 7,
      effective_date: '2026-01-31',
      clear: ['end_date', 'created_date'],
      modified_user_id: 8,
    });
    expect(running.upstream.seen).toHaveLength(1);
    const [request] = running.upstream.seen;
    expect(request).toMatchObject({
      method: 'PUT',
      path: '/api/v2/accounts/5/subscriptions/6',
      rawQuery: '',
    });
    expect(request?.headers).toMatchObject({ 'x-vendor-client': 'erp; 7.1' });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      id: 6,
      accountId: 5,
      subscriptionTypeId: 7,
      effectiveDate: '2026-01-31T00:00:00',
      endDate: null,
      createdDate: null,
      modifiedUserId: 8,
    });
  });

  it('names itself to the vendor where no client is configured', async () => {
    const running = await startWith(ways[0], { DFE_ACCOUNT_VENDOR: 'Vendor' });
    await confirmed(running, 'update_subscription', {
      account_id: 5,
      id: 6,
      subscription_description: 'Serviço de notas',
      effective_date: '2026-01-31T10:20:30',
      end_date: '2026-12-31',
    });
    const [request] = running.upstream.seen;
    expect(request?.headers['x-vendor-client']).toMatch(/^docfiscal-mcp; \d+\.\d+\.\d+$/);
    expect(JSON.parse(request?.body ?? '')).toEqual({
      id: 6,
      accountId: 5,
      subscriptionDescription: 'Serviço de notas',
      effectiveDate: '2026-01-31T10:20:30',
      endDate: '2026-12-31T00:00:00',
    });
  });
});
