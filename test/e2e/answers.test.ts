import { describe, expect, it } from 'vitest';
import { linksIn } from '../support/asking.ts';
import { startConfigured } from '../support/configured-server.ts';
import {
  accessKey,
  accessKeys,
  alphanumericCompany,
  company,
  documentListReply,
  downloadReply,
  emptyReply,
  eventXml,
  keyListReply,
  nfeXml,
  nfseListReply,
  nfseXml,
  supplier,
  withOtherDigit,
} from '../support/documents.ts';
import { json } from '../support/recording-upstream.ts';
import { saying, serve } from '../support/served.ts';

const key = accessKey({ number: 1 });
const days = { from: '2026-11-01', to: '2026-11-19' } as const;
const notes = { document: 'nfe', ...days } as const;
/** Nothing from an earlier question may stand in for the reply. */
const anew = { ...notes, refresh: true } as const;

const service = serve();
const askFor = (tool: string, args: object, reply: unknown) => {
  service.respond(saying(reply));
  return service.ask(tool, args);
};
const listOf = (...documents: string[]) => documentListReply(documents);

const badKey = withOtherDigit(key);
const wrongKeys = Array.from(
  { length: 2_000 },
  (_, i) => `${key.slice(0, 30)}${String(i).padStart(13, '0')}X`,
);
const covers =
  '<capas><capa><numero>1</numero><valor>10,00</valor></capa><capa><numero>2</numero></capa></capas>';
const billKey = '35261011222333000181620010000000011000000001';
const bill =
  `<nfcomProc><NFCom><infNFCom Id="NFCom${billKey}"><ide><dhEmi>2026-11-10T10:00:00-03:00</dhEmi></ide>` +
  '<emit><CNPJ>11222333000181</CNPJ></emit><total><vNF>99.90</vNF></total></infNFCom></NFCom></nfcomProc>';
const otherKind = {
  kind: 'NFCom',
  key: billKey,
  issuer: '11222333000181',
  date: '2026-11-10',
  total: '99.90',
};
const eventKey = accessKey({ number: 941 });
const cancelledAt = '2026-11-06T08:00:00-03:00';
const cancellation = eventXml({ key: eventKey, code: '110111', at: cancelledAt, author: supplier });
const twoContents = nfeXml({ number: 911 });
const ofBothSides = listOf(
  nfeXml({ number: 901, issuer: company, recipient: supplier }),
  nfeXml({ number: 902, items: 2 }).replace(/<dest>.*<\/dest>/, ''),
);
const bothSides = [
  { issuer: { id: company }, recipient: { id: supplier } },
  expect.not.objectContaining({ recipient: expect.anything() }),
];
const nothing = /none; the service answered with an empty list/;

it.each<
  [what: string, tool: string, args: object, reply: unknown, answered: object, ...said: (string | RegExp)[]]
>([
  [
    'gives keys, and takes them apart',
    ...(['list_document_keys', notes, keyListReply([key])] as const),
    {
      keys: [key],
      details: [{ key, number: '1', series: '1', issuer: supplier, month: '2026-11' }],
      ...{ operation: 'Mercadoria/RetornaChavesPelaEmissao', company, total: 1, shown: 1 },
      ...{ from: '2026-11-01T00:00:00', to: '2026-11-19T23:59:59' },
      assumptions: [expect.stringContaining('dd/MM/yyyy')],
    },
    ...[company, 'Nov 1, 2026', 'Nov 19, 2026', 'RetornaChavesPelaEmissao', 'dd/MM/yyyy'],
    `\nkey,number,issuer,month\n${key},1,${supplier},2026-11`,
  ],
  [
    'shows a hundred keys by default, and says that there are more',
    ...(['list_document_keys', notes, keyListReply(accessKeys(250))] as const),
    { total: 250, shown: 100, next_cursor: expect.any(String) },
    ...['250 in all, 100 shown', /cursor "/],
  ],
  [
    'says of an empty list of keys that the service answered with one',
    ...(['list_document_keys', notes, emptyReply] as const),
    { keys: [], total: 0, shown: 0 },
    nothing,
  ],
  [
    'says of an empty list of documents that the service answered with one',
    ...(['list_documents', anew, emptyReply] as const),
    { documents: [], total: 0 },
    nothing,
  ],
  [
    'reports an invalid key in a list',
    ...(['list_document_keys', notes, keyListReply([key, badKey])] as const),
    { keys: [key], total: 1, warnings: expect.anything() },
    badKey,
  ],
  [
    'gives NFS-e in the same shape',
    ...(['list_documents', { ...anew, document: 'nfse' }, listOf(nfseXml({ number: 7 }))] as const),
    {
      documents: [
        {
          ...{ kind: 'nfse', number: '7', issuer: { id: supplier }, totals: { total: '300.00' } },
          uri: `dfe://nfse/${supplier}/7/2026-11-05/summary`,
        },
      ],
    },
  ],
  [
    'names an event by its code and name, with its own moment',
    ...(['list_documents', anew, listOf(nfeXml({ number: 941 }), cancellation)] as const),
    {
      documents: [
        expect.not.objectContaining({ event: expect.anything() }),
        {
          ...{ kind: 'event', key: eventKey, status: 'authorized' },
          event: { code: '110111', name: 'Cancelamento', at: cancelledAt },
        },
      ],
    },
    `\nevent,110111 Cancelamento,2026-11-06,,,,,,authorized,${eventKey}`,
  ],
  [
    'says other parties by name, whichever side the company is on',
    ...(['list_documents', anew] as const),
    listOf(
      nfeXml({ number: 921, issuerName: 'Fornecedor de Fora' }),
      nfeXml({ number: 922, issuer: company, recipient: supplier, recipientName: 'Cliente de Fora' }),
    ),
    { total: 2 },
    ...[`* = company ${company} itself\nkind,`, `${supplier},Fornecedor de Fora,,*,`],
    ...[`,*,${supplier},Cliente de Fora,`, /^(?!.*Comercial Exemplo)/s],
  ],
  [
    'names both parties in the data of a list, and tells the company from a party that is absent',
    ...(['list_documents', anew, ofBothSides] as const),
    { documents: bothSides },
    `${supplier},Metalúrgica Ação Ltda,,,20.00`,
  ],
  [
    'counts two contents under one key once, and warns of it by the key',
    ...(['list_documents', anew] as const),
    listOf(twoContents, twoContents.replaceAll('10.00', '99.00')),
    { total: 1, warnings: [expect.stringContaining(accessKey({ number: 911 }))] },
    /⚠.*different contents under one key/,
  ],
  ...(
    [
      ['beside notes', nfeXml({ number: 931 }) + bill, 1],
      ['alone', bill, 0],
    ] as const
  ).map(([where, reply, total]): [string, string, object, unknown, object, ...(string | RegExp)[]] => [
    `names a document of another model apart, ${where}, and is complete without it`,
    ...(['list_documents', { ...anew, direction: 'inbound' }, reply] as const),
    { total, documents: { length: total }, complete: true, other_kinds: [otherKind] },
    `1 document of another model, in no sum: NFCom ${billKey}`,
    /^(?!.*(?:could not be read|empty list))/s,
  ]),
  [
    'gives records under the service’s own names',
    ...(['list_nfe_covers', { ...days, direction: 'inbound' }, covers] as const),
    {
      records: [{ numero: '1', valor: '10,00' }, { numero: '2' }],
      ...{ total: 2, operation: 'Mercadoria/RetornaCapas' },
    },
    ...['numero,valor\n1,"10,00"\n2,', 'the service does not document the format of this answer'],
  ],
  [
    'gives text as it came where nothing is recognised',
    ...(['get_nfe_classifications', { key }, '1;73181500;Parafuso'] as const),
    { text: '1;73181500;Parafuso', records: [] },
    /no structure was recognised.*1;73181500;Parafuso/s,
  ],
  [
    'shows the first of records that have no name in common, and says how many there are',
    ...(['list_nfe_summaries', days] as const),
    JSON.stringify(Array.from({ length: 3_000 }, (_, i) => ({ [`campo${i}`]: 'x' }))),
    { records: { length: 3_000 } },
    ...[/\ncampo0,campo1,.*\nx,,/, /of 3000/],
  ],
  [
    'renews an address and gives it whole, once',
    ...(['renew_sas_url', { old_url: 'https://store.example/file.pdf?sv=2020&sig=old' }] as const),
    'https://store.example/file.pdf?sv=2026&sig=new%2Bsignature%3D',
    { url: 'https://store.example/file.pdf?sv=2026&sig=new%2Bsignature%3D' },
    'https://store.example/file.pdf?sv=2026&sig=new%2Bsignature%3D',
  ],
])('an answer %s', async (_, tool, args, reply, answered, ...said) => {
  const { data, text } = await askFor(tool, args, reply);
  expect(data).toMatchObject(answered);
  if (!('warnings' in answered)) expect(data).not.toHaveProperty('warnings');
  expect(data).not.toHaveProperty('unreadable');
  for (const words of said) expect(text).toMatch(words);
  expect(service.server.stderr()).not.toContain('sig=');
});

it('a list of 2,000 invalid keys counts them, and has the first hundred in its data', async () => {
  const { data, text } = await askFor('list_document_keys', notes, keyListReply([key, ...wrongKeys]));
  expect(data).toMatchObject({ keys: [key], total: 1 });
  const warnings = JSON.stringify(data.warnings);
  for (const one of ['not part of the list: 2000', wrongKeys[0], wrongKeys[99]])
    expect(warnings).toContain(one);
  expect(warnings).not.toContain(wrongKeys[100]);
  expect(text).toMatch(/and \d+ more warnings/);
});

it('names that every object has are names of fields and nothing else', async () => {
  const reply = '[{"toString":"a","__proto__":"b"},{"constructor":"c"}]';
  const { data, text } = await askFor('list_nfe_summaries', days, reply);
  expect(text).toContain('toString,__proto__,constructor\na,b,\n,,c');
  expect(JSON.stringify(data.records)).toBe(reply);
});

it('NFS-e come as get_document takes them', async () => {
  const args = { document: 'nfse', direction: 'inbound', ...days };
  const { data, text } = await askFor('list_document_keys', args, nfseListReply([1021, 7]));
  const identifiers = ['1021', '7'].map((number) => ({
    ...{ number, issue_date: '2026-11-05', issuer_cnpj: supplier },
  }));
  expect(data).toMatchObject({ keys: [], identifiers, total: 2 });
  expect(text).toContain(`number,issue_date,issuer_cnpj\n1021,2026-11-05,${supplier}\n7,`);
  const download = downloadReply(nfseXml({ number: 1021 }));
  const document = await askFor('get_document', { document: 'nfse', ...identifiers[0] }, download);
  expect(document.data).toMatchObject({ document: { kind: 'nfse', number: '1021' } });
});

describe('lists of documents', () => {
  it('give a line of the summary for each', async () => {
    const reply = listOf(nfeXml({ number: 1 }), nfeXml({ number: 2, items: 3 }));
    const { data, text, content } = await askFor('list_documents', anew, reply);
    expect(data).toMatchObject({ operation: 'Mercadoria/RetornaListaXmlPelaEmissao', total: 2, shown: 2 });
    expect(data.documents).toEqual([
      {
        ...{ key, kind: 'nfe', number: '1', series: '1', issued_at: '2026-11-05T10:00:00-03:00' },
        issuer: { id: supplier, id_type: 'cnpj', name: 'Metalúrgica Ação Ltda', state: 'SP' },
        recipient: { id: company, id_type: 'cnpj', name: 'Comercial Exemplo S.A.' },
        ...{ totals: { total: '10.00' }, status: 'authorized', uri: `dfe://nfe/${key}/summary` },
      },
      expect.objectContaining({ number: '2', totals: { total: '30.00' } }),
    ]);
    const [row = ''] = text.split('\n').slice(-2);
    for (const fact of [key, '2026-11-05', supplier, 'Metalúrgica Ação Ltda', '10.00', 'authorized'])
      expect(row).toContain(fact);
    expect(linksIn(content).map(({ uri }) => uri)).toEqual(
      [1, 2].map((number) => `dfe://nfe/${accessKey({ number })}/summary`),
    );
  });

  it('link ten of their documents at most, and name them all', async () => {
    const reply = listOf(...Array.from({ length: 15 }, (_, i) => nfeXml({ number: 100 + i })));
    const { data, content } = await askFor('list_documents', anew, reply);
    expect(data.documents).toHaveLength(15);
    expect(linksIn(content)).toHaveLength(10);
  });

  const numbersOf = (documents: unknown) => (documents as { number: string }[]).map(({ number }) => number);

  it('merge both directions of entry, what came twice counted once', async () => {
    service.respond(({ query }, response) => {
      const numbers = query.at(-1)?.[1] === 'Entrada' ? [1, 2] : [2, 3];
      json(response, documentListReply(numbers.map((number) => nfeXml({ number }))));
    });
    const { data, text } = await service.ask('list_documents', { ...anew, by: 'entry' });
    expect(numbersOf(data.documents)).toEqual(['1', '2', '3']);
    expect(data).toMatchObject({ total: 3 });
    expect(text).toContain('both directions asked and merged');
    expect(text).toMatch(/1 document appeared more than once and is counted once/);
  });

  it.each([
    ['inbound', ['1', '3'], 'service recipient (tomador)'],
    ['outbound', ['2', '3'], 'provider'],
  ])('divide NFS-e by direction here, %s, and say so', async (direction, numbers, role) => {
    const reply = listOf(
      nfseXml({ number: 1 }),
      nfseXml({ number: 2, issuer: company, recipient: supplier }),
      nfseXml({ number: 3, issuer: supplier, recipient: alphanumericCompany }),
    );
    const { data, text } = await askFor('list_documents', { ...anew, document: 'nfse', direction }, reply);
    expect(numbersOf(data.documents)).toEqual(numbers);
    expect(data).toMatchObject({ total: 2, operation: 'Servico/RetornaListaXmlPelaEmissao' });
    for (const words of ['divided here', role, '1 of the other direction was left out'])
      expect(text).toContain(words);
    expect(text).toMatch(/1 NFS-e names the company neither as provider nor as service recipient/);
    expect(service.seen[0]?.query.map(([name]) => name)).not.toContain('tipo');
  });
});

it('check_connection reports what the service said, and the number of Login without a meaning', async () => {
  service.respond(({ path }, response) => json(response, path.endsWith('Login') ? 0 : 'Conectado'));
  const { data, text } = await service.ask('check_connection', {});
  expect(data).toEqual({
    documents: { answer: 'Conectado', login: 0 },
    views: false,
    account: { configured: false, missing: expect.arrayContaining(['DFE_ACCOUNT_URL']) },
    archive: { sums: true },
  });
  expect(text).toMatch(/Login answered 0; what that means is not documented/);
});

it('Portuguese is what a person reads by default; names in data stay', async () => {
  await using portuguese = await startConfigured({ respond: saying(''), env: { DFE_LANGUAGE: '' } });
  portuguese.upstream.respond(saying(keyListReply([key])));
  const { text, structured } = await portuguese.call('list_document_keys', notes);
  expect(text).toMatch(/1 ao todo, 1 mostrado\..*datas enviadas como dd\/MM\/yyyy/s);
  expect(structured).toMatchObject({ total: 1, shown: 1 });
  expect((await portuguese.listTools()).map(({ title }) => title)).toContain('Listar documentos');
});

// Hosts close the connection at 10 MB: docs/hosts.md, Results.
it('an answer larger than a message may be shows the first of too many covers, and how to have the others', async () => {
  const covers = JSON.stringify(Array(20_000).fill({ Chave: '1'.repeat(60) }));
  service.respond((_request, response) => void response.end(covers));
  const list = await service.ask('list_nfe_covers', { ...days, direction: 'inbound' });
  const { records, shown, total } = list.data as { records: unknown[]; shown: number; total: number };
  expect([total, records.length, shown < total]).toEqual([20_000, shown, true]);
  expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThan(8_000_000);
  expect(list.text).toContain(`here are ${shown} of 20000 records; ask for a shorter period`);
});
