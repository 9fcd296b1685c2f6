import { describe, expect, it } from 'vitest';
import { type ClientKind, type Connection, completionsOf } from '../support/clients.ts';
import { duringTests } from '../support/during-tests.ts';
import { connectInProcess } from '../support/in-process.ts';
import { november20, sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';

const sandbox = duringTests(startNovemberSandbox);
const connect = (kind: ClientKind) =>
  connectInProcess(kind, { env: sandboxSettings(sandbox), now: () => Date.parse(november20) });

interface Lists {
  listResources(): Promise<{ resources: { uri: string; name: string }[] }>;
  getServerCapabilities(): Record<string, { listChanged?: boolean } | undefined> | undefined;
}

const lists = ({ raw }: Connection) => raw as unknown as Lists;
const listed = async (connection: Connection) => (await lists(connection).listResources()).resources;

describe.each(['v1', 'v2 modern'] as const)('to a client of %s', (kind) => {
  it('resources list the documents that answers named lately, latest first and bounded', async () => {
    const connection = await connect(kind);
    expect(await listed(connection)).toEqual([]);
    const all = await connection.call('list_documents', {
      document: 'nfe',
      from: '2026-10-01',
      to: '2026-11-20',
      limit: 100,
    });
    expect(Number((all.structured as { shown: number }).shown)).toBeGreaterThan(50);
    const one = (all.structured as { documents: { key: string; number: string }[] }).documents[3];
    await connection.call('get_document', { document: 'nfe', key: one?.key });
    const resources = await listed(connection);
    expect(resources).toHaveLength(50);
    expect(resources[0]?.uri).toBe(`dfe://nfe/${one?.key}/summary`);
    expect(resources[0]?.name).toContain(`NF-e ${one?.number} `);
    const [first] = await connection.readResource(resources[0]?.uri ?? '');
    expect(JSON.parse(String(first?.text))).toMatchObject({ key: one?.key });
  });

  it('no list declares notifications of its changes', async () => {
    const connection = await connect(kind);
    const capabilities = lists(connection).getServerCapabilities() ?? {};
    expect(Object.keys(capabilities)).toEqual(expect.arrayContaining(['tools', 'prompts', 'resources']));
    expect(Object.values(capabilities).filter((one) => one?.listChanged)).toEqual([]);
  });
});

it.each(['dfe://nfse/%E0%A4%A/12/2026-11-01/xml', 'dfe://nfe/%zz/xml'])(
  'the address %s, which cannot be decoded, is of no document',
  async (uri) => {
    const connection = await connect('v2 modern');
    await expect(connection.readResource(uri)).rejects.toThrow(/not found/i);
  },
);

describe('documents that any tool has named', () => {
  it.each([
    ['list_document_keys', { document: 'nfe', from: 'last_7_days' }],
    ['query_documents', { document: ['nfe'], from: 'last_7_days' }],
    ['list_pending_manifestations', {}],
    ['check_documents', { document: ['nfe'], from: '2026-09-01', to: '2026-11-20' }],
  ])('completes after %s', async (tool, args) => {
    const connection = await connect('v2 modern');
    const answer = await connection.call(tool, args);
    const [key] = /\d{6}[0-9A-Z]{12}\d{26}/.exec(answer.text) ?? [];
    expect(key, answer.text).toBeDefined();
    expect(await completionsOf(connection, 'dfe://nfe/{key}/summary', 'key', key?.slice(0, 40))).toContain(
      key,
    );
  });
});
