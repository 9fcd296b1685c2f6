import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AskedServer, saying, startAsked } from '../support/asked-server.ts';
import type { ToolResult } from '../support/clients.ts';
import { startConfigured } from '../support/configured-server.ts';
import {
  accessKey,
  accessKeys,
  alphanumericCompany,
  company,
  cteXml,
  documentListReply,
  downloadReply,
  emptyReply,
  keyListReply,
  nfeXml,
  nfseListReply,
  nfseXml,
  supplier,
} from '../support/documents.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

const key = accessKey({ number: 1 });
const cteKey = accessKey({ number: 1, model: '57' });
const days = { from: '2026-11-01', to: '2026-11-19' } as const;
const question = { document: 'nfe', ...days } as const;

let program: AskedServer;
const ask: AskedServer['ask'] = (...asked) => program.ask(...asked);

beforeAll(async () => {
  program = await startAsked();
});
afterAll(() => program.close());
beforeEach(() => {
  program.upstream.seen.length = 0;
});

function documentsOf(structured: ToolResult['structured']): { key?: string; number?: string }[] {
  return (structured?.documents ?? []) as { key?: string; number?: string }[];
}

describe('documents of other models', () => {
  const billKey = '35261011222333000181620010000000011000000001';
  const bill =
    `<nfcomProc><NFCom><infNFCom Id="NFCom${billKey}"><ide><dhEmi>2026-11-10T10:00:00-03:00</dhEmi></ide>` +
    '<emit><CNPJ>11222333000181</CNPJ></emit><total><vNF>99.90</vNF></total></infNFCom></NFCom></nfcomProc>';
  const other = {
    kind: 'NFCom',
    key: billKey,
    issuer: '11222333000181',
    date: '2026-11-10',
    total: '99.90',
  };

  it.each([
    ['beside notes', nfeXml({ number: 1 }) + bill, 1],
    ['alone', bill, 0],
  ])('are named apart, %s, and the answer is complete without them', async (_, reply, documents) => {
    const args = { ...question, direction: 'inbound', refresh: true };
    const { structured, text } = await ask('list_documents', args, saying(reply));
    expect(documentsOf(structured)).toHaveLength(documents);
    expect(structured).toMatchObject({ total: documents, complete: true, other_kinds: [other] });
    expect(structured).not.toHaveProperty('unreadable');
    expect(text).toContain(`1 document of another model, in no sum: NFCom ${billKey}`);
    expect(text).not.toMatch(/could not be read|empty list/);
  });
});

describe('lists of keys', () => {
  it('gives keys, and takes them apart', async () => {
    const { structured, text } = await ask('list_document_keys', question, saying(keyListReply([key])));
    expect(structured).toMatchObject({
      keys: [key],
      details: [{ key, number: '1', series: '1', issuer: supplier, month: '2026-11' }],
      operation: 'Mercadoria/RetornaChavesPelaEmissao',
      company,
      from: '2026-11-01T00:00:00',
      to: '2026-11-19T23:59:59',
      total: 1,
      shown: 1,
    });
    expect(structured).not.toHaveProperty('next_cursor');
    expect(structured).not.toHaveProperty('warnings');
    expect(structured?.assumptions).toEqual([expect.stringContaining('dd/MM/yyyy')]);
    const lines = text.split('\n');
    expect(lines.at(-2)).toBe('key,number,issuer,month');
    expect(lines.at(-1)).toBe(`${key},1,${supplier},2026-11`);
    for (const fact of [company, 'Nov 1, 2026', 'Nov 19, 2026', 'RetornaChavesPelaEmissao', 'dd/MM/yyyy']) {
      expect(text).toContain(fact);
    }
  });

  it('gives NFS-e as get_document takes them', async () => {
    const args = { document: 'nfse', direction: 'inbound', ...days };
    const { structured, text } = await ask('list_document_keys', args, saying(nfseListReply([1021, 7])));
    expect(structured).toMatchObject({
      keys: [],
      identifiers: [
        { number: '1021', issue_date: '2026-11-05', issuer_cnpj: supplier },
        { number: '7', issue_date: '2026-11-05', issuer_cnpj: supplier },
      ],
      total: 2,
    });
    expect(text).toContain('number,issue_date,issuer_cnpj\n1021,2026-11-05,58716523000119\n7,');

    const [identifier] = (structured?.identifiers ?? []) as object[];
    const download = saying(downloadReply(nfseXml({ number: 1021 })));
    const document = await ask('get_document', { document: 'nfse', ...identifier }, download);
    expect(document.structured).toMatchObject({ document: { kind: 'nfse', number: '1021' } });
  });

  it('shows a hundred by default, and says that there are more', async () => {
    const { structured, text } = await ask(
      'list_document_keys',
      question,
      saying(keyListReply(accessKeys(250))),
    );
    expect(structured).toMatchObject({ total: 250, shown: 100 });
    expect(text).toContain('250 in all, 100 shown');
    expect(text).toContain(`cursor "${structured?.next_cursor}"`);
  });

  it('says of an empty list that the service answered with one', async () => {
    const { structured, text } = await ask('list_document_keys', question, saying(emptyReply));
    expect(structured).toMatchObject({ keys: [], total: 0, shown: 0 });
    expect(text).toMatch(/none; the service answered with an empty list/);
  });

  it('says what stands in the place of a key and is none', async () => {
    const bad = `${key.slice(0, 43)}${(Number(key.at(-1)) + 1) % 10}`;
    const { structured, text } = await ask('list_document_keys', question, saying(keyListReply([key, bad])));
    expect(structured).toMatchObject({ keys: [key], total: 1 });
    expect(structured?.warnings).not.toEqual([]);
    expect(text).toContain(bad);
  });

  it('counts thousands of texts in the place of keys, and names the first hundred in the data', async () => {
    const wrong = Array.from(
      { length: 2_000 },
      (_, i) => `${key.slice(0, 30)}${String(i).padStart(13, '0')}X`,
    );
    const { structured, text } = await ask(
      'list_document_keys',
      question,
      saying(keyListReply([key, ...wrong])),
    );
    expect(structured).toMatchObject({ keys: [key], total: 1 });
    const warnings = JSON.stringify(structured?.warnings);
    expect(warnings).toContain('not part of the list: 2000');
    for (const one of [wrong[0], wrong[99]]) expect(warnings).toContain(one);
    expect(warnings).not.toContain(wrong[100]);
    expect(text).toMatch(/and \d+ more warnings/);
  });
});

describe('lists of documents', () => {
  it('links ten of its documents at most, and names them all', async () => {
    const reply = documentListReply(Array.from({ length: 15 }, (_, i) => nfeXml({ number: 100 + i })));
    const { structured, content } = await ask('list_documents', question, saying(reply));
    expect(structured?.documents).toHaveLength(15);
    expect(content.filter(({ type }) => type === 'resource_link')).toHaveLength(10);
  });

  it('gives a line of the summary for each', async () => {
    const reply = documentListReply([nfeXml({ number: 1 }), nfeXml({ number: 2, items: 3 })]);
    const { structured, text, content } = await ask('list_documents', question, saying(reply));
    expect(structured).toMatchObject({
      operation: 'Mercadoria/RetornaListaXmlPelaEmissao',
      total: 2,
      shown: 2,
    });
    expect(structured?.documents).toEqual([
      {
        key,
        kind: 'nfe',
        number: '1',
        series: '1',
        issued_at: '2026-11-05T10:00:00-03:00',
        issuer: { id: supplier, id_type: 'cnpj', name: 'Metalúrgica Ação Ltda', state: 'SP' },
        recipient: { id: company, id_type: 'cnpj', name: 'Comercial Exemplo S.A.' },
        totals: { total: '10.00' },
        status: 'authorized',
        uri: `dfe://nfe/${key}/summary`,
      },
      expect.objectContaining({ number: '2', totals: { total: '30.00' } }),
    ]);
    const rows = text.split('\n').slice(-2);
    for (const fact of [key, '2026-11-05', supplier, 'Metalúrgica Ação Ltda', '10.00', 'authorized']) {
      expect(rows[0]).toContain(fact);
    }
    const links = content.filter(({ type }) => type === 'resource_link').map(({ uri }) => uri);
    expect(links).toEqual([`dfe://nfe/${key}/summary`, `dfe://nfe/${accessKey({ number: 2 })}/summary`]);
  });

  it('gives CT-e and NFS-e in the same shape', async () => {
    const ctes = saying(documentListReply([cteXml({ number: 1 })]));
    const cte = await ask('list_documents', { ...question, document: 'cte' }, ctes);
    expect(cte.structured?.documents).toMatchObject([
      { key: cteKey, kind: 'cte', totals: { total: '100.00' }, uri: `dfe://cte/${cteKey}/summary` },
    ]);
    const nfses = saying(documentListReply([nfseXml({ number: 7 })]));
    const services = await ask('list_documents', { ...question, document: 'nfse' }, nfses);
    expect(services.structured?.documents).toMatchObject([
      {
        kind: 'nfse',
        number: '7',
        issuer: { id: supplier },
        totals: { total: '300.00' },
        uri: `dfe://nfse/${supplier}/7/2026-11-05/summary`,
      },
    ]);
  });

  it('names an event by its code and name, with its own moment', async () => {
    const event =
      `<procEventoNFe><evento><infEvento><chNFe>${key}</chNFe><dhEvento>2026-11-06T08:00:00-03:00</dhEvento>` +
      '<tpEvento>110111</tpEvento><detEvento><descEvento>Cancelamento</descEvento></detEvento></infEvento></evento>' +
      `<retEvento><infEvento><cStat>135</cStat><chNFe>${key}</chNFe><tpEvento>110111</tpEvento></infEvento></retEvento></procEventoNFe>`;
    const reply = documentListReply([nfeXml({ number: 1 }), event]);
    const { structured, text } = await ask('list_documents', question, saying(reply));
    expect(structured?.documents).toMatchObject([
      { kind: 'nfe', number: '1' },
      {
        kind: 'event',
        key,
        status: 'authorized',
        event: { code: '110111', name: 'Cancelamento', at: '2026-11-06T08:00:00-03:00' },
      },
    ]);
    expect(documentsOf(structured)[0]).not.toHaveProperty('event');
    expect(text.split('\n').at(-1)).toBe(`event,110111 Cancelamento,2026-11-06,,,,,,authorized,${key}`);
  });

  it('says other parties by name, whichever side the company is on', async () => {
    const notes = [
      nfeXml({ number: 1, issuerName: 'Fornecedor de Fora' }),
      nfeXml({ number: 2, issuer: company, recipient: supplier, recipientName: 'Cliente de Fora' }),
    ];
    const { text } = await ask('list_documents', question, saying(documentListReply(notes)));
    expect(text).toContain(`* = company ${company} itself\nkind,`);
    expect(text).toContain(`${supplier},Fornecedor de Fora,,*,`);
    expect(text).toContain(`,*,${supplier},Cliente de Fora,`);
    expect(text).not.toContain('Comercial Exemplo');
  });

  it.each([
    ['list_documents', question, 'documents'],
    ['query_documents', { ...question, number: ['901', '902'], order_by: 'total' }, 'listed'],
  ])(
    'names both parties in the data of %s, the company too, and tells it from a party that is absent',
    async (tool, args, list) => {
      const reply = documentListReply([
        nfeXml({ number: 901, issuer: company, recipient: supplier }),
        nfeXml({ number: 902, items: 2 }).replace(/<dest>.*<\/dest>/, ''),
      ]);
      const { structured, text } = await ask(tool, args, saying(reply));
      const [sold, bought] = (structured?.[list] ?? []) as object[];
      expect(sold).toMatchObject({
        issuer: { id: company, ...(list === 'documents' && { id_type: 'cnpj', state: 'SP' }) },
        recipient: { id: supplier },
      });
      expect(bought).toMatchObject({ issuer: { id: supplier } });
      expect(bought).not.toHaveProperty('recipient');
      expect(text).toContain(`${supplier},Metalúrgica Ação Ltda,,,20.00`);
    },
  );

  it('gives of an NFS-e without a net value the one that sums add up', async () => {
    // Services of 1250.50 less 18.76 withheld.
    const xml =
      '<NFe><Prefeitura>Bauru</Prefeitura><InscricaoPrestador>577</InscricaoPrestador>' +
      `<CPFCNPJPrestador><CNPJ>${supplier}</CNPJ></CPFCNPJPrestador><ChaveNFe><NumeroNFe>1087</NumeroNFe></ChaveNFe>` +
      '<DataEmissaoNFe>2026-11-05</DataEmissaoNFe><StatusNFe>Ativa</StatusNFe><ValorServicos>1.250,50</ValorServicos>' +
      '<ValorIR>18,76</ValorIR><ValorISS>25,01</ValorISS><ISSRetido>NÃO</ISSRetido>' +
      `<CPFCNPJTomador><CNPJ>${company}</CNPJ></CPFCNPJTomador></NFe>`;
    const asked = { ...question, document: 'nfse' };
    const listed = await ask('list_documents', asked, saying(documentListReply([xml])));
    expect(listed.structured?.documents).toMatchObject([{ totals: { total: '1231.74' } }]);
    const { structured, text } = await ask(
      'query_documents',
      { ...asked, number: '1087' },
      saying(documentListReply([xml])),
    );
    expect(structured).toMatchObject({
      listed: [{ totals: { total: '1231.74' } }],
      sums: [{ document: 'nfse', measures: { count: '1', total: '1231.74' } }],
    });
    expect(text).toContain(',1231.74,authorized');
  });

  it('counts two contents under one key once, and warns of it by the key', async () => {
    const xml = nfeXml({ number: 911 });
    const other = xml.replaceAll('10.00', '99.00');
    const { structured, text } = await ask(
      'list_documents',
      question,
      saying(documentListReply([xml, other])),
    );
    expect(structured).toMatchObject({
      total: 1,
      warnings: [expect.stringContaining(accessKey({ number: 911 }))],
    });
    expect(text).toMatch(/⚠.*different contents under one key/);
  });

  it('merges both directions of entry, what came twice counted once', async () => {
    const respond: Responder = ({ query }, response) => {
      const numbers = query.at(-1)?.[1] === 'Entrada' ? [1, 2] : [2, 3];
      json(response, documentListReply(numbers.map((number) => nfeXml({ number }))));
    };
    const { structured, text } = await ask('list_documents', { ...question, by: 'entry' }, respond);
    expect(documentsOf(structured).map(({ number }) => number)).toEqual(['1', '2', '3']);
    expect(structured).toMatchObject({ total: 3 });
    expect(text).toContain('both directions were asked and merged');
    expect(text).toMatch(/1 document appeared more than once and is counted once/);
  });

  it.each([
    ['inbound', ['1', '3'], 'service recipient (tomador)'],
    ['outbound', ['2', '3'], 'provider'],
  ])('divides NFS-e by direction here, %s, and says so', async (direction, numbers, role) => {
    const reply = documentListReply([
      nfseXml({ number: 1 }),
      nfseXml({ number: 2, issuer: company, recipient: supplier }),
      nfseXml({ number: 3, issuer: supplier, recipient: alphanumericCompany }),
    ]);
    const args = { ...question, document: 'nfse', direction };
    const { structured, text } = await ask('list_documents', args, saying(reply));
    expect(documentsOf(structured).map(({ number }) => number)).toEqual(numbers);
    expect(structured).toMatchObject({ total: 2, operation: 'Servico/RetornaListaXmlPelaEmissao' });
    expect(text).toContain('divided here');
    expect(text).toContain(role);
    expect(text).toMatch(/1 of the other direction was left out/);
    expect(text).toMatch(/1 NFS-e names the company neither as provider nor as service recipient/);
    expect(program.upstream.seen[0]?.query.map(([name]) => name)).not.toContain('tipo');
  });

  it('says of an empty list that the service answered with one', async () => {
    const { structured, text } = await ask('list_documents', question, saying(emptyReply));
    expect(structured).toMatchObject({ documents: [], total: 0 });
    expect(text).toMatch(/none; the service answered with an empty list/);
  });
});

describe('answers of undocumented form', () => {
  const covers =
    '<capas><capa><numero>1</numero><valor>10,00</valor></capa><capa><numero>2</numero></capa></capas>';

  it('gives records under the service’s own names', async () => {
    const args = { ...days, direction: 'inbound' };
    const { structured, text } = await ask('list_nfe_covers', args, saying(covers));
    expect(structured).toMatchObject({
      records: [{ numero: '1', valor: '10,00' }, { numero: '2' }],
      total: 2,
      operation: 'Mercadoria/RetornaCapas',
    });
    expect(text).toContain('numero,valor\n1,"10,00"\n2,');
    expect(text).toContain('the format of this answer is not documented');
  });

  it('takes names that every object has for names and nothing else', async () => {
    const reply = '[{"toString":"a","__proto__":"b"},{"constructor":"c"}]';
    const { structured, text } = await ask('list_nfe_summaries', days, saying(reply));
    expect(text).toContain('toString,__proto__,constructor\na,b,\n,,c');
    expect(JSON.stringify(structured?.records)).toBe(reply);
  });

  it('gives text as it came where nothing is recognised', async () => {
    const { structured, text } = await ask('get_nfe_classifications', { key }, saying('1;73181500;Parafuso'));
    expect(structured).toMatchObject({ text: '1;73181500;Parafuso', records: [] });
    expect(text).toContain('1;73181500;Parafuso');
  });

  it('shows the first of records that have no name in common, and says how many there are', async () => {
    const reply = JSON.stringify(Array.from({ length: 3_000 }, (_, i) => ({ [`campo${i}`]: 'x' })));
    const { structured, text } = await ask('list_nfe_summaries', days, saying(reply));
    expect(text).toMatch(/\ncampo0,campo1,.*\nx,,/);
    expect(text).toMatch(/of 3000/);
    expect(text.length).toBeLessThan(50_000);
    expect(structured?.records).toHaveLength(3_000);
  });
});

describe('the connection', () => {
  it('is told as it is, the login’s number without a meaning', async () => {
    const respond: Responder = ({ path }, response) =>
      json(response, path.endsWith('Login') ? 0 : 'Conectado');
    const { structured, text } = await ask('check_connection', {}, respond);
    expect(structured).toEqual({
      documents: { answer: 'Conectado', login: 0 },
      views: false,
      account: { configured: false, missing: expect.arrayContaining(['DFE_ACCOUNT_URL']) },
      archive: { sums: true },
    });
    expect(text).toMatch(/Login answered 0; what that number means is not documented/);
  });

  it('renews an address and gives it whole, once', async () => {
    const url = 'https://store.example/file.pdf?sv=2026&sig=new%2Bsignature%3D';
    const old_url = 'https://store.example/file.pdf?sv=2020&sig=old';
    const { structured, text } = await ask('renew_sas_url', { old_url }, saying(url));
    expect(structured).toEqual({ url });
    expect(text).toContain(url);
    expect(program.stderr()).not.toContain('sig=');
  });
});

describe('Portuguese', () => {
  it('is what a person reads by default; names in data stay', async () => {
    await using portuguese = await startConfigured({
      respond: saying(keyListReply([key])),
      env: { DFE_LANGUAGE: '' },
    });
    const listed = await portuguese.call('list_document_keys', question);
    expect(listed.text).toMatch(/1 ao todo, 1 mostrado\./);
    expect(listed.text).toMatch(/datas enviadas como dd\/MM\/yyyy/);
    expect(listed.structured).toMatchObject({ keys: [key] });
    portuguese.upstream.respond(saying(emptyReply));
    expect((await portuguese.call('list_documents', question)).text).toMatch(
      /nenhum; o serviço respondeu com uma lista vazia/,
    );
    portuguese.upstream.respond(saying(downloadReply(nfeXml({ number: 1 }))));
    const { text } = await portuguese.call('get_document', { document: 'nfe', key });
    expect(text).toContain('escritos por terceiros');
    const titles = (await portuguese.listTools()).map(({ title }) => title);
    expect(titles).toContain('Listar documentos');
  });
});
