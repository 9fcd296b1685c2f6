import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { type ClientKind, type Connection, clientKinds } from '../support/clients.ts';
import { connectInProcess } from '../support/in-process.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';

interface Schema {
  readonly type?: unknown;
  readonly description?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
}

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: Readonly<Record<string, unknown>>;
}

interface Expected {
  readonly group: 'documents' | 'manifestation' | 'account' | 'analysis';
  readonly kind: 'read' | 'save' | 'write' | 'replace';
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The table of tools, by hand. The event tools also take a raw event in place of key and event. */
const table: Readonly<Record<string, Expected>> = {
  check_connection: { group: 'documents', kind: 'read', required: [], optional: [] },
  list_document_keys: {
    group: 'documents',
    kind: 'read',
    required: ['document', 'from'],
    optional: ['to', 'cnpj', 'by', 'direction', 'approved_only', 'limit', 'cursor'],
  },
  list_integration_keys: {
    group: 'documents',
    kind: 'read',
    required: ['document', 'company', 'establishment'],
    optional: ['type', 'limit', 'cursor'],
  },
  list_documents: {
    group: 'documents',
    kind: 'read',
    required: [],
    optional: ['document', 'from', 'to', 'cnpj', 'by', 'direction', 'limit', 'cursor', 'refresh'],
  },
  list_nfe_summaries: {
    group: 'documents',
    kind: 'read',
    required: ['from'],
    optional: ['to', 'cnpj', 'page'],
  },
  list_nfe_covers: {
    group: 'documents',
    kind: 'read',
    required: ['from', 'direction'],
    optional: ['to', 'cnpj', 'key'],
  },
  get_nfe_classifications: { group: 'documents', kind: 'read', required: ['key'], optional: [] },
  get_document: {
    group: 'documents',
    kind: 'read',
    required: ['document'],
    optional: ['key', 'number', 'issue_date', 'issuer_cnpj', 'format', 'include', 'delivery', 'refresh'],
  },
  renew_sas_url: { group: 'documents', kind: 'read', required: ['old_url'], optional: [] },
  get_nfe_event_status: {
    group: 'manifestation',
    kind: 'read',
    required: [],
    optional: ['key', 'event', 'raw_event'],
  },
  manifest_nfe: {
    group: 'manifestation',
    kind: 'write',
    required: [],
    optional: ['key', 'event', 'justification', 'raw_event', 'confirmation_token'],
  },
  manifest_nfe_batch: {
    group: 'manifestation',
    kind: 'write',
    required: [],
    optional: ['keys', 'event', 'justification', 'raw_events', 'confirmation_token'],
  },
  update_company_setting: {
    group: 'account',
    kind: 'replace',
    required: ['company_id', 'id', 'set', 'name'],
    optional: ['value', 'modified_date', 'modified_user_id', 'clear', 'confirmation_token'],
  },
  update_subscription: {
    group: 'account',
    kind: 'replace',
    required: ['account_id', 'id'],
    optional: [
      'subscription_type_id',
      'subscription_description',
      'effective_date',
      'end_date',
      'created_date',
      'created_user_id',
      'modified_date',
      'modified_user_id',
      'clear',
      'confirmation_token',
    ],
  },
  query_documents: {
    group: 'analysis',
    kind: 'read',
    required: ['document', 'from'],
    optional: [
      'to',
      'cnpj',
      'by',
      'direction',
      'issuer',
      'recipient',
      'payer',
      'state',
      'city',
      'nature',
      'regime',
      'purpose',
      'number',
      'competence',
      'unit',
      'cfop',
      'ncm',
      'cst',
      'class_trib',
      'status',
      'min_total',
      'max_total',
      'text',
      'group_by',
      'measures',
      'order_by',
      'limit',
      'cursor',
      'refresh',
    ],
  },
  list_pending_manifestations: {
    group: 'analysis',
    kind: 'read',
    required: [],
    optional: ['cnpj', 'from', 'to', 'issuer', 'limit', 'cursor', 'refresh'],
  },
  check_documents: {
    group: 'analysis',
    kind: 'read',
    required: ['document', 'from'],
    optional: ['to', 'cnpj', 'direction', 'rule', 'limit', 'cursor', 'refresh'],
  },
  export_documents: {
    group: 'analysis',
    kind: 'save',
    required: ['document', 'from', 'format'],
    optional: [
      'to',
      'cnpj',
      'direction',
      'by',
      'issuer',
      'recipient',
      'payer',
      'status',
      'rows',
      'cursor',
      'refresh',
    ],
  },
  verify_document: {
    group: 'analysis',
    kind: 'read',
    required: [],
    optional: ['document', 'key', 'number', 'issue_date', 'issuer_cnpj', 'file'],
  },
};

async function listTools(
  kind: ClientKind,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly ListedTool[]> {
  return listed(await connectInProcess(kind, { args, env }));
}

async function listed(connection: Connection): Promise<readonly ListedTool[]> {
  try {
    return (await connection.listTools()) as unknown as readonly ListedTool[];
  } finally {
    await connection.close();
  }
}

let sandbox: Sandbox | undefined;
afterAll(() => sandbox?.close());

async function sandboxEnvironment(): Promise<Record<string, string>> {
  sandbox ??= await startNovemberSandbox();
  const { url, companies, account, credentials } = sandbox;
  return {
    DFE_URL: url,
    DFE_USER: credentials.user,
    DFE_PASSWORD: credentials.password,
    DFE_CNPJ: companies[0]?.id ?? '',
    DFE_ACCOUNT_URL: url,
    DFE_ACCOUNT_API_KEY: account.apiKey,
    DFE_LANGUAGE: 'en',
  };
}

const languages = ['pt-BR', 'en'] as const;

it('tools/list is the same to every client', async () => {
  const [first, ...others] = await Promise.all(clientKinds.map((kind) => listTools(kind)));
  for (const other of others) expect(other).toEqual(first);
});

describe.each(clientKinds)('tools/list to a %s client', (kind) => {
  const lists = new Map<string, readonly ListedTool[]>();
  beforeAll(async () => {
    for (const language of languages) lists.set(language, await listTools(kind, ['--language', language]));
  });
  afterAll(() => lists.clear());

  const each = (check: (tool: ListedTool) => void) => {
    for (const tools of lists.values()) {
      expect(tools).not.toHaveLength(0);
      tools.forEach(check);
    }
  };

  it('has the tools of the table, in one order', () => {
    for (const tools of lists.values()) {
      expect(tools.map(({ name }) => name)).toEqual(Object.keys(table));
    }
  });

  it('gives each tool the arguments of the table and no other', () => {
    each(({ name, inputSchema: { properties = {}, required = [] } }) => {
      const expected = table[name];
      const all = [...(expected?.required ?? []), ...(expected?.optional ?? [])];
      expect(Object.keys(properties).toSorted(), name).toEqual(all.toSorted());
      expect(required.toSorted(), name).toEqual(expected?.required.toSorted());
    });
  });

  it('describes every parameter', () => {
    each(({ name, inputSchema: { properties = {} } }) => {
      for (const [property, { description }] of Object.entries(properties)) {
        expect(description, `${name}.${property}`).toMatch(/\S/);
      }
    });
  });

  it('has names and descriptions within the limits of hosts', () => {
    each(({ name, description }) => {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(`docfiscal-mcp:${name}`.length).toBeLessThan(60);
      expect(description).toMatch(/\S/);
      expect(description.length, name).toBeLessThan(1_024);
    });
  });

  it('gives titles twice, for hosts that look in one place only, in the language asked for', () => {
    each(({ name, title, annotations }) => {
      expect(title, name).toMatch(/\S/);
      expect(annotations.title, name).toBe(title);
    });
    const titles = (language: string) => lists.get(language)?.map(({ title }) => title);
    expect(titles('pt-BR')).toContain('Manifestar NF-e');
    expect(titles('en')).toContain('Manifest an NF-e');
    const words = (language: string) =>
      lists.get(language)?.map(({ title: _title, annotations: { title: _again, ...hints }, ...tool }) => ({
        ...tool,
        hints,
      }));
    expect(words('en')).toEqual(words('pt-BR'));
  });

  it('gives all four hints, as what the tool does demands', () => {
    const hints = {
      read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      save: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    };
    each(({ name, annotations: { title: _title, ...given } }) => {
      const expected = table[name];
      if (expected !== undefined) expect(given, name).toEqual(hints[expected.kind]);
      for (const hint of Object.keys(hints.read))
        expect(given[hint], `${name} ${hint}`).toBeTypeOf('boolean');
    });
  });
});

describe('which tools are there', () => {
  const named = (wanted: (tool: Expected) => boolean) =>
    Object.keys(table).filter((name) => wanted(table[name] as Expected));
  const namesOf = (tools: readonly ListedTool[]) =>
    tools.map(({ name }) => name).filter((name) => name in table);

  it('in read-only: none that writes, by variable and by flag', async () => {
    const reading = named(({ kind }) => kind === 'read' || kind === 'save');
    for (const tools of [
      await listTools('v1', [], { DFE_READ_ONLY: 'true' }),
      await listTools('v2 modern', ['--read-only']),
    ]) {
      expect(namesOf(tools)).toEqual(reading);
      const harmless = tools.filter(({ annotations }) => annotations.destructiveHint === false);
      expect(harmless).toEqual(tools);
    }
  });

  it.each(['documents', 'manifestation', 'account'] as const)('of the group %s alone', async (group) => {
    const tools = await listTools('v2 modern', [], { DFE_TOOLSETS: group });
    expect(namesOf(tools)).toEqual(named((tool) => tool.group === group));
  });

  it('says why, where one is called that is not there', async () => {
    const change = { company_id: 1001, id: 501, set: 'X-Preferences', name: 'days', value: '7' };
    for (const kind of clientKinds) {
      const connection = await connectInProcess(kind, {
        args: ['--read-only', '--toolsets', 'documents,account', '--language', 'en'],
        env: await sandboxEnvironment(),
      });
      try {
        const refused = await connection.call('update_company_setting', change);
        expect(refused).toMatchObject({ isError: true, structured: undefined });
        expect(refused.text).toContain('DFE_READ_ONLY');
        const other = await connection.call('query_documents', { document: 'nfe', from: 'today' });
        expect(other.isError).toBe(true);
        expect(other.text).toContain('DFE_TOOLSETS');
        // What nobody has is still nobody's.
        await expect(connection.call('update_everything', {})).rejects.toThrow(/update_everything/);
        expect((await connection.call('check_connection')).isError).toBe(false);
      } finally {
        await connection.close();
      }
    }
  });
});

// Source: docs/hosts.md, R1 to R3 and R5.
describe('results', () => {
  it('repeat their data as text, and errors carry no data', async () => {
    const connection = await connectInProcess('v2 modern', { env: await sandboxEnvironment() });
    try {
      const good = await connection.call('check_connection');
      expect(good.structured).toBeTypeOf('object');
      expect(good.text).toMatch(/Conectado/);
      const bad = await connection.call('get_document', { document: 'nfe', key: '1' });
      expect(bad).toMatchObject({ isError: true, structured: undefined });
      const types = [...good.content, ...bad.content].map(({ type }) => type);
      expect(new Set(types)).toEqual(new Set(['text']));
    } finally {
      await connection.close();
    }
  });
});
