import { beforeAll, describe, expect, it } from 'vitest';
import { type ClientKind, type Connection, clientKinds } from '../support/clients.ts';
import { duringTests } from '../support/during-tests.ts';
import { connectInProcess, type InProcessOptions } from '../support/in-process.ts';
import { sandboxSettings, startNovemberSandbox } from '../support/november-sandbox.ts';

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown> & {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  readonly outputSchema: Record<string, unknown>;
  readonly annotations: Readonly<Record<string, unknown>>;
}

type Group = 'documents' | 'manifestation' | 'account' | 'analysis';
type Kind = 'read' | 'save' | 'write' | 'replace';

/** The table of tools, by hand: group, kind, arguments that are required and others. */
const table: Readonly<Record<string, readonly [Group, Kind, required: string, optional: string]>> =
  Object.fromEntries(
    `
check_connection: documents, read
list_document_keys: documents, read, document from, to cnpj by direction approved_only limit cursor
list_integration_keys: documents, read, document company establishment, type limit cursor
list_documents: documents, read, , document from to cnpj by direction limit cursor refresh
list_nfe_summaries: documents, read, from, to cnpj page
list_nfe_covers: documents, read, from direction, to cnpj key
get_nfe_classifications: documents, read, key
get_document: documents, read, document, key number issue_date issuer_cnpj format include delivery refresh
renew_sas_url: documents, read, old_url
get_nfe_event_status: manifestation, read, , key event raw_event
manifest_nfe: manifestation, write, , key event justification raw_event confirmation_token
manifest_nfe_batch: manifestation, write, , keys event justification raw_events confirmation_token
update_company_setting: account, replace, company_id id set name, value modified_date modified_user_id clear confirmation_token
update_subscription: account, replace, account_id id, subscription_type_id subscription_description effective_date end_date created_date created_user_id modified_date modified_user_id clear confirmation_token
query_documents: analysis, read, document from, to cnpj by direction issuer recipient payer state city nature regime purpose credit_type debit_type number competence unit cfop ncm cst class_trib status min_total max_total text text_in text_counts counterparty event iss_city origin_state destination_state pis_cofins_cst di due_from due_to group_by measures share columns compare order_by limit cursor refresh
list_pending_manifestations: analysis, read, , cnpj from to issuer limit cursor refresh
check_documents: analysis, read, document from, to cnpj direction rule limit cursor refresh
reconcile: analysis, read, , file kind cnpj from to tolerance_total tolerance_tax columns finding certainty limit cursor refresh
export_documents: analysis, save, format, document from to cnpj direction by issuer recipient payer status rows pdf reconcile_files cursor refresh
verify_document: analysis, read, , document key number issue_date issuer_cnpj file`
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', rest = ''] = line.split(': ');
        const [group, kind, required = '', optional = ''] = rest.split(', ');
        return [name, [group as Group, kind as Kind, required, optional]];
      }),
  );
const words = (text: string) => text.split(' ').filter(Boolean).toSorted();

const sandbox = duringTests(startNovemberSandbox);
const languages = ['pt-BR', 'en'] as const;

/** What a client of the kind does at a server of its own. */
async function by<T>(
  kind: ClientKind,
  options: InProcessOptions,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  await using connection = await connectInProcess(kind, options);
  return await use(connection);
}

const listTools = (kind: ClientKind, options: InProcessOptions = {}) =>
  by(kind, options, async (connection) => (await connection.listTools()) as unknown as readonly ListedTool[]);

it('tools/list is the same to every client', async () => {
  const [first, ...others] = await Promise.all(clientKinds.map((kind) => listTools(kind)));
  for (const other of others) expect(other).toEqual(first);
});

describe('tools/list', () => {
  const lists = new Map<string, readonly ListedTool[]>();
  beforeAll(async () => {
    for (const language of languages)
      lists.set(language, await listTools('v2 modern', { args: ['--language', language] }));
  });
  const all = () => [...lists.values()].flat();

  it('has the tools of the table, in one order', () => {
    for (const tools of lists.values()) expect(tools.map(({ name }) => name)).toEqual(Object.keys(table));
  });

  it('gives each tool the arguments of the table and no other, each described', () => {
    for (const { name, inputSchema } of all()) {
      const { properties = {}, required = [] } = inputSchema;
      const [, , wanted = '', others = ''] = table[name] ?? [];
      expect(Object.keys(properties).toSorted(), name).toEqual(words(`${wanted} ${others}`));
      expect(required.toSorted(), name).toEqual(words(wanted));
      for (const [property, { description }] of Object.entries(properties))
        expect(description, `${name}.${property}`).toMatch(/\S/);
    }
  });

  // Source: docs/hosts.md, S1 to S8.
  it('has schemas of objects at the top and plain keywords below, which every host accepts', () => {
    const plain = 'type description properties required items enum maximum maxItems'.split(' ');
    const check = (schema: Record<string, unknown>, place: string, isInput: boolean): void => {
      const { type, properties = {}, required = [], items } = schema;
      expect(plain, place).toEqual(expect.arrayContaining(Object.keys(schema)));
      if (isInput) expect(type, place).toEqual(expect.any(String));
      if ('enum' in schema) expect(type, place).toBe('string');
      // A bound that only says that a number is whole says nothing.
      expect(Number(schema.maximum ?? 0), place).toBeLessThan(Number.MAX_SAFE_INTEGER);
      expect(Object.keys(properties as object), place).toEqual(expect.arrayContaining(required as string[]));
      for (const [name, one] of Object.entries(properties as object)) check(one, `${place}.${name}`, isInput);
      if (items !== undefined) check(items as Record<string, unknown>, `${place}[]`, isInput);
    };
    for (const { name, inputSchema, outputSchema } of all()) {
      expect([inputSchema.type, outputSchema.type], name).toEqual(['object', 'object']);
      check(inputSchema, `${name}: input`, true);
      check(outputSchema, `${name}: output`, false);
    }
  });

  it('has names and descriptions within the limits of hosts', () => {
    for (const { name, description } of all()) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(`docfiscal-mcp:${name}`.length).toBeLessThan(60);
      expect(description).toMatch(/\S/);
      expect(description.length, name).toBeLessThan(1_024);
    }
  });

  it('gives titles twice, for hosts that look in one place only, in the language asked for, and no other words', () => {
    for (const { name, title, annotations } of all()) expect(annotations.title, name).toBe(title);
    const [portuguese, english] = languages.map((language) => lists.get(language) ?? []);
    expect(portuguese?.map(({ title }) => title)).toContain('Manifestar NF-e');
    expect(english?.map(({ title }) => title)).toContain('Manifest an NF-e');
    const untitled = (tools: readonly ListedTool[] = []) =>
      tools.map((tool) => ({ ...tool, title: '', annotations: { ...tool.annotations, title: '' } }));
    expect(untitled(english)).toEqual(untitled(portuguese));
  });

  it('gives all four hints, as what the tool does demands', () => {
    const hints = {
      read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      save: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      replace: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    };
    for (const { name, title, annotations } of all())
      expect(annotations, name).toEqual({ title, ...hints[table[name]?.[1] ?? 'read'] });
  });
});

describe('which tools are there', () => {
  const named = (wanted: (group: Group, kind: Kind) => boolean) =>
    Object.entries(table).flatMap(([name, [group, kind]]) => (wanted(group, kind) ? [name] : []));

  const reading = named((_, kind) => /read|save/.test(kind));
  const groups = ['documents', 'manifestation', 'account'] as const;

  it.each<[what: string, options: InProcessOptions, names: string[]]>([
    ['that write none: DFE_READ_ONLY', { env: { DFE_READ_ONLY: 'true' } }, reading],
    ['that write none: --read-only', { args: ['--read-only'] }, reading],
    ...groups.map((one): [string, InProcessOptions, string[]] => {
      return [`of the group ${one}`, { env: { DFE_TOOLSETS: one } }, named((group) => group === one)];
    }),
  ])('%s', async (_, options, names) => {
    expect((await listTools('v1', options)).map(({ name }) => name)).toEqual(names);
  });

  it.each(clientKinds)('a %s client that calls a tool that is not registered learns why', async (kind) => {
    const args = ['--read-only', '--toolsets', 'documents,account', '--language', 'en'];
    const change = { company_id: 1001, id: 501, set: 'X-Preferences', name: 'days', value: '7' };
    await by(kind, { args, env: sandboxSettings(sandbox) }, async (connection) => {
      const refused = await connection.call('update_company_setting', change);
      expect(refused).toMatchObject({ isError: true, structured: undefined });
      expect(refused.text).toContain('DFE_READ_ONLY');
      const other = await connection.call('query_documents', { document: 'nfe', from: 'today' });
      expect(other.text).toContain('DFE_TOOLSETS');
      // What nobody has is still nobody's.
      await expect(connection.call('update_everything', {})).rejects.toThrow(/update_everything/);
      expect((await connection.call('check_connection')).isError).toBe(false);
    });
  });
});
