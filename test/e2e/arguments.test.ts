import { describe, expect, it } from 'vitest';
import {
  accessKey,
  accessKeys,
  alphanumericCompany,
  company,
  keyListReply,
  nfeXml,
} from '../support/documents.ts';
import { holding } from '../support/documents-service.ts';
import { connectInProcess } from '../support/in-process.ts';
import { saying, serve } from '../support/served.ts';

const key = accessKey({ number: 1 });
const cteKey = accessKey({ number: 1, model: '57' });
const letters = '35260712ABC34501DE35550010000001231102030403';
const days = { from: '2026-11-01', to: '2026-11-19' } as const;
const question = { document: 'nfe', ...days } as const;

const service = holding([1, 2, 3, 4, 5].map((number) => nfeXml({ number })));
const program = serve({ respond: service });

type Case = readonly [tool: string, args: object, ...words: (string | RegExp)[]];
const keys = (args: object, ...words: (string | RegExp)[]): Case => [
  'list_document_keys',
  { ...question, ...args },
  ...words,
];
const get = (args: object, ...words: (string | RegExp)[]): Case => [
  'get_document',
  { document: 'nfe', ...args },
  ...words,
];

/** Expects a refusal in these words, and that nothing went to the service. */
async function expectRefused([tool, args, ...words]: Case): Promise<void> {
  const text = await program.refused(tool, args);
  for (const word of words) expect(text).toMatch(word);
  expect(text).toMatch(/Nothing was (sent or changed|changed at the service)/);
  expect(text).not.toContain('\n');
  expect(text.length).toBeLessThan(2_000);
  expect(program.seen).toEqual([]);
}

const byThree = [/"number"/, /"issue_date"/, /"issuer_cnpj"/];
// Both from the notes' test vectors: the digit of the first is 0, of the second 8.
const wrongDigit = '35170358716523000119550010000000301000000306';
const query = (args: object, ...words: (string | RegExp)[]): Case => [
  'query_documents',
  { document: 'nfe', from: 'today', ...args },
  ...words,
];
const list = (args: object, ...words: (string | RegExp)[]): Case => [
  'list_documents',
  { ...question, ...args },
  ...words,
];

/** Calls as models get them wrong, and the correction that the answer has to name. */
const wrong: readonly Case[] = [
  query({ from: '1926-11-01', to: '2026-11-03' }, /1926-11-01 to 2026-11-03 has more/, /at most 100 years/),
  list({ from: '2026-11-01', to: '9999-12-31' }, /at most 100 years/),
  query({ min_total: '999999999999999' }, /"min_total": .* below one hundred billion/),
  query({ min_total: '5', max_total: '4.99' }, '"min_total" (5) is beyond "max_total" (4.99)'),
  keys({ cnjp: 'x' }, '"cnjp" does not exist here; did you mean "cnpj"', 'list_document_keys'),
  [
    'export_documents',
    { document: 'nfe', from: 'today', format: 'csv', supplier: 'x' },
    '"supplier" does not exist here; did you mean "issuer"',
  ],
  query({ fornecedor: 'x', cliente: 'y' }, '"fornecedor" does not exist here; did you mean "counterparty"'),
  ['list_pending_manifestations', { days: 30 }, '"days" does not exist'],
  // `issuer` is a filter of other tools, and no misspelt cursor.
  list({ issuer: 'Condutora' }, 'query_documents', /^(?!.*nearest)/),
  get(
    { chave: key, formato: 'xml' },
    'did you mean "key"',
    '"formato" does not exist here; did you mean "format"',
  ),
  ['list_documents', { document: 'nfe', start: '2026-10-01', end: '2026-10-31' }, '"from"'],
  ['list_documents', { document: 'nfe', from: '2026-10-01' }, '"to" is missing'],
  ['list_document_keys', { document: 'nfe', to: '2026-11-19' }, '"from" is missing'],
  ['list_document_keys', days, '"document" is missing'],
  ['list_document_keys', { document: 'cte', from: 'today' }, 'direction'],
  ['verify_document', {}, '"document" is missing'],
  ['manifest_nfe', { event: 'ciencia' }, 'key'],
  ['manifest_nfe_batch', { keys: [], event: 'ciencia' }, 'no key'],
  ['update_company_setting', { company_id: 'x', id: 1, set: 's', name: 'n' }, 'company_id'],
  ['list_integration_keys', { document: 'cte', company: 1, establishment: 1 }, '"type" is missing'],
  [
    'list_integration_keys',
    { document: 'nfe', company: 1, establishment: 1, type: 0 },
    '"type" is for document "cte" only',
  ],
  keys({ limit: true }, '"limit" is of the wrong type'),
  keys({ document: 'nfse', direction: 'inbound', approved_only: 'maybe' }, '"approved_only" is of the wrong'),
  ['manifest_nfe_batch', { keys: { 0: key }, event: 'ciencia' }, '"keys" is of the wrong type'],
  ['manifest_nfe_batch', { keys: [key, 7], event: 'ciencia' }, '"keys.1" must come as quoted text'],
  // All are reported at once by name; inherited properties are not arguments.
  keys(
    { document: 'mdfe', cnpj: '1', limit: 0, constructor: 1, toString: 1 },
    ...['"document" can be: nfe, nfse, cte', '"cnpj": ', '"limit" must be at least 1'],
    ...['"constructor" does not exist here', '"toString" does not exist here'],
  ),
  get({ key: 3.5261158716523e43 }, '"key"', 'loses digits'),
  // 191 is what is left of 00000000000191 as a number.
  keys({ cnpj: 191 }, '"cnpj"', 'loses digits'),
  ...['01/13/2026', '2026-02-29', '2026-11-01T24:00', '2026-11-01T10:00:00-03:00', 'ontem'].map((from) =>
    keys({ from }, '"from"', 'YYYY-MM-DD'),
  ),
  ...['13/13/2026', '31/02/2026', '10/13/2026', '13/2026', '05/10/26'].flatMap((day) => [
    keys({ from: day }, '"from"', 'DD/MM/YYYY (the day before the month)'),
    query({ to: day }, '"to"', 'DD/MM/YYYY (the day before the month)'),
    query({ due_from: day }, '"due_from"', 'the day before the month'),
    query({ document: 'nfse', competence: [day] }, '"competence"', '10/2026'),
  ]),
  query({ from: '05/11/2026 14:30' }, '"from"', 'without a time'),
  list({ from: 'mes passado' }, 'last_month'),
  keys(
    { from: '2026-11-19', to: '2026-11-01' },
    '"from" (2026-11-19T00:00:00) is beyond "to" (2026-11-01T23:59:59)',
  ),
  ['list_nfe_summaries', { from: '2026-11-01T10:00', to: '2026-11-01T09:59:59' }, 'is beyond "to"'],
  keys({ cnpj: '11222333000182' }, /82.*81/),
  keys({ cnpj: '1122233300018' }, '13'),
  keys({ cnpj: '00000000000000' }, 'cnpj'),
  keys({ cnpj: '12ABC34501DEA5' }, 'cnpj'),
  get({ key: wrongDigit }, '"key"', /\b6\b/, /\b0\b/),
  ['manifest_nfe_batch', { keys: [key, wrongDigit], event: 'ciencia' }, '"keys.1"'],
  get({ key: key.slice(1) }, '43'),
  get({ key: `99${key.slice(2)}` }, '99'),
  get({ key: cteKey }, 'CT-e', 'document "cte"'),
  get({ document: 'nfse', key }, ...byThree),
  get({ document: 'nfse', number: '7' }, ...byThree),
  get({ number: '7' }, '"key"'),
  list({ limit: 201 }, '"limit"', 'maximum of 200'),
  list({ direction: 'Devolução' }, 'inbound, outbound'),
  query({ group_by: ['buyer'] }, /group_by.*issuer/),
  query({ measures: ['icms'], order_by: 'name' }, /order_by.*icms/),
  query({ state: ['São Paulo'] }, /state.*SP/),
  query({ min_total: '1.000,00' }, 'min_total'),
  ['check_documents', { document: 'nfe', from: 'today', rule: ['everything'] }, /rule.*duplicate/],
  ['renew_sas_url', { old_url: 'javascript:alert(1)' }, '"old_url"', 'http'],
  ['renew_sas_url', { url: 'https://documents.example' }, '"old_url"'],
];

it.each(wrong.map((one) => ({ tool: one[0], args: one[1], one })))(
  '$tool $args is refused with the correction',
  ({ one }) => expectRefused(one),
);

const sent = (name: string, at = 0) => new Map(program.seen[at]?.query).get(name);

it.each<[what: string, args: object, query: Record<string, string>]>([
  [
    'names that hosts add, null for what is absent and a number as text',
    { ...question, _meta_of_host: {}, toolCallId: 'c', chatInput: '?', cnpj: null, cursor: null, limit: '2' },
    {},
  ],
  ['a number that has lost nothing', { ...question, cnpj: Number(company) }, { cnpj: company }],
  [
    '29 February of a leap year, to its last second',
    { ...question, from: '2028-02-29T08:05:09', to: '2028-02-29' },
    { cnpj: company, dataDe: '29/02/2028', horaDe: '08:05:09', horaAte: '23:59:59' },
  ],
  ['a month', { document: 'NF-e', from: '10/2026' }, { dataDe: '01/10/2026', dataAte: '31/10/2026' }],
  [
    'moments as they are written in Brazil',
    { document: 'nfe', from: '5/10/2026 14:30', to: '2026-10-06 08:00:05' },
    { dataDe: '05/10/2026', horaDe: '14:30:00', dataAte: '06/10/2026', horaAte: '08:00:05' },
  ],
  [
    'letters, small and in a mask',
    { ...question, cnpj: '12.abc.345/01de-35' },
    { cnpj: alphanumericCompany },
  ],
])('takes %s', async (_, args, query) => {
  await program.ask('list_document_keys', args);
  expect(program.seen).toHaveLength(1);
  for (const [name, value] of Object.entries(query)) expect(sent(name)).toBe(value);
});

it('takes a key with letters or with blanks and a prefix, a toggle as text and a list as JSON text', async () => {
  await program.call('get_nfe_classifications', { key: letters.toLowerCase() });
  expect(sent('chaveNfe')).toBe(letters);
  await program.call('get_document', { document: 'nfe', key: `NFe${key.replace(/(.{4})/g, '$1 ')}`.trim() });
  expect(sent('chaveNfe', 1)).toBe(key);
  const approved = { document: 'nfse', ...days, direction: 'inbound', approved_only: 'true' };
  await program.ask('list_document_keys', approved);
  expect(program.seen.at(-1)?.path).toBe('/API/Servico/RetornaChavesNFSeAprovadasPelaEmissao');
  const batch = { keys: JSON.stringify([key]), event: 'ciencia' };
  expect(await program.preview('manifest_nfe_batch', batch)).toContain(key);
});

describe('cursors', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  const keyList = (keys: readonly string[]) => saying(keyListReply(keys));
  const firstPage = async () => {
    const { data } = await program.ask('list_document_keys', { ...question, limit: 2 });
    program.seen.length = 0;
    return String(data.next_cursor);
  };

  it('are refused for another question before anything is asked', async () => {
    const cursor = await firstPage();
    const forgeries = [
      '',
      'x',
      '!!!',
      'made up',
      `${cursor.slice(0, -4)}AAAA`,
      encoded('{}'),
      encoded('[-1,"a","b"]'),
    ];
    for (const wrong of [
      keys({ to: '2026-11-18', cursor }),
      keys({ cnpj: alphanumericCompany, cursor }),
      keys({ by: 'entry', cursor }),
      ['list_documents', { ...question, cursor }] as const,
      ...forgeries.map((made) => keys({ cursor: made })),
    ])
      await expectRefused([...wrong, 'belongs to another query']);
  });

  it('go on in the list that was shown, with whatever limit and whatever came since', async () => {
    const cursor = await firstPage();
    program.respond(keyList([]));
    const { data } = await program.ask('list_document_keys', { ...question, cursor, limit: 3 });
    expect(data).toMatchObject({ keys: accessKeys(5).slice(2), total: 5 });
    expect(program.seen).toEqual([]);
  });

  it.each([
    ['came before the place', [accessKey({ number: 77 }), ...accessKeys(5)], false],
    ['went', accessKeys(5).slice(1), false],
    ['changed places before it', [2, 1, 3, 4, 5].map((number) => accessKey({ number })), false],
    ['all went', [], false],
    ['came after the place', accessKeys(6), true],
  ])('of the queue, which is asked for anew: documents %s', async (_, changed, goesOn) => {
    const queue = { document: 'nfe', company: 1, establishment: 1, limit: 2 };
    program.respond(keyList(accessKeys(5)));
    const { next_cursor: cursor } = (await program.ask('list_integration_keys', queue)).data;
    program.respond(keyList(changed));
    const next = await program.call('list_integration_keys', { ...queue, cursor });
    if (goesOn) expect(next.structured).toMatchObject({ keys: changed.slice(2, 4), total: 6 });
    else expect(next).toMatchObject({ isError: true, text: expect.stringMatching(/without a cursor/) });
  });
});

const absent = { DFE_URL: 'http://127.0.0.1:9', DFE_USER: 'u', DFE_PASSWORD: 'p' };
const setting = { company_id: 1, id: 1, set: 'X-a', name: 'b', value: 'c' };

it.each<[env: Record<string, string>, tool: string, args: object, words: RegExp]>([
  [{}, 'list_document_keys', { ...question, cnpj: company }, /DFE_URL, DFE_USER, DFE_PASSWORD/],
  [{}, 'update_company_setting', setting, /DFE_ACCOUNT_URL.*DFE_ACCOUNT_API_KEY/],
  [absent, 'list_documents', question, /"cnpj".*DFE_CNPJ|DFE_CNPJ.*"cnpj"/],
  [
    { DFE_URL: absent.DFE_URL, DFE_CNPJ: company, DFE_LANGUAGE: '' },
    'list_document_keys',
    question,
    /Falta configurar.*DFE_USER, DFE_P/,
  ],
])('a server with %j says at %s which variables to set', async (env, tool, args, words) => {
  const connection = await connectInProcess('v1', { env: { DFE_LANGUAGE: 'en', ...env } });
  expect((await connection.listTools()).length).toBeGreaterThan(10);
  const { isError, structured, text } = await connection.call(tool, { ...args });
  expect({ isError, structured }).toEqual({ isError: true, structured: undefined });
  expect(text).toMatch(words);
});
