import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpError as FirstError } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { askSandbox, company as buyer } from '../support/asked-sandbox.ts';
import { linksIn } from '../support/asking.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { completionsOf } from '../support/clients.ts';
import {
  accessKey,
  accessKeys,
  company,
  cteXml,
  downloadReply,
  emptyReply,
  keyListReply,
  nfeXml,
  nfseListReply,
  nfseXml,
  pdfBytes,
  supplier,
  withOtherDigit,
} from '../support/documents.ts';
import { authorisedNote, eventFile, keyOf } from '../support/filed-documents.ts';
import type { PlainDocument } from '../support/independent-documents.ts';
import { json, type Responder } from '../support/recording-upstream.ts';
import { saying, serve } from '../support/served.ts';
import { sheetWords } from '../support/sheet-reader.ts';

const key = accessKey({ number: 1 });
const cteKey = accessKey({ number: 1, model: '57' });
const note = nfeXml({ number: 1, items: 2 });
const args = { document: 'nfe', key, refresh: true } as const;

const service = serve();
const get = (asked: object, reply: unknown = downloadReply(note)) => {
  service.respond(saying(reply));
  return service.ask('get_document', asked);
};
const read = (uri: string) => service.server.readResource(uri);
type Content = readonly Record<string, unknown>[];
const embeddedIn = (content: Content) =>
  content.filter(({ type }) => type === 'resource') as { resource: Record<string, string> }[];
/** What a sheet says, without blanks. */
const sheetOf = (blob: unknown) => sheetWords(Buffer.from(String(blob), 'base64'));

describe('one document', () => {
  it('is an error, not the stored state, if a requested refresh fails', async () => {
    await get({ document: 'nfe', key });
    service.respond((_, response) => json(response, { Message: 'Not contracted' }, 403));
    expect(await service.refused('get_document', args)).toContain('403');
    expect((await service.ask('get_document', { document: 'nfe', key })).data).toHaveProperty('document');
  });

  it('is summarised, with links that work without another request', async () => {
    const { data, text, content } = await get(args);
    const uris = ['summary', 'xml', 'pdf'].map((format) => `dfe://nfe/${key}/${format}`);
    expect(data).toMatchObject({
      document: {
        ...{ kind: 'nfe', key, number: '1', status: 'authorized', item_count: 2 },
        ...{ issuer: { id: supplier }, recipient: { id: company } },
        totals: { total: '20.00', products: '20.00' },
        items: [
          { number: '1', ncm: '73181500', cfop: '5102', total: '10.00', taxes: { icms: '1.80' } },
          { number: '2' },
        ],
      },
      ...{ uri: uris[0], uris, format: 'summary' },
      service_checks: { integrity: '1', sefaz: '1', registration: '-' },
    });
    // What is empty is not there.
    for (const name of ['warnings', 'payments', 'installments', 'references', 'linked_keys'])
      expect(data.document).not.toHaveProperty(name);
    expect(data).not.toHaveProperty('events');
    for (const words of ['third parties', `dfe://nfe/${key}/xml`]) expect(text).toContain(words);
    expect(linksIn(content)).toHaveLength(3);
    service.seen.length = 0;
    expect(await read(`dfe://nfe/${key}/xml`)).toMatchObject([{ mimeType: 'application/xml', text: note }]);
    const [summary] = await read(`dfe://nfe/${key}/summary`);
    expect(summary).toMatchObject({ mimeType: 'application/json' });
    expect(JSON.parse(String(summary?.text))).toEqual(data.document);
    expect(service.seen).toEqual([]);
  });

  it('fits a note of 990 items', async () => {
    const large = { number: 990, items: 990, description: 'Parafuso sextavado de aço inoxidável' };
    const asked = { document: 'nfe', key: accessKey({ number: 990 }) };
    const { data, text } = await get(asked, downloadReply(nfeXml(large)));
    const document = { item_count: 990, totals: { total: '9900.00' }, items: { length: 990 } };
    expect(data.document).toMatchObject(document);
    expect(text).toMatch(/items 1 to \d+ of 990; .*summary resource/);
  });

  it('fits a CT-e of 2,000 notes', async () => {
    const asked = { document: 'cte', key: accessKey({ number: 2_000, model: '57' }) };
    const keys = accessKeys(2_000);
    const { data, text } = await get(asked, downloadReply(cteXml({ number: 2_000 }, keys)));
    expect(data.document).toMatchObject({ linked_keys: keys });
    expect(text).toMatch(/… \+1980.*dfe:\/\/cte\//s);
  });

  const withEvents = (number: number, ...events: string[]) =>
    downloadReply(authorisedNote({ number }).replace(/^<[?][^>]*>/, '') + events.join(''));

  it.each(['summary', 'xml'])('says what happened to it, as %s too', async (format) => {
    const reply = withEvents(61, eventFile({ number: 61 }));
    const { data } = await get({ document: 'nfe', key: keyOf({ number: 61 }), format }, reply);
    const at = '2026-10-06T09:00:00-03:00';
    expect(data.events).toEqual([{ code: '110111', name: 'Cancelamento', sequence: '1', at }]);
    expect(data.status_from).toBe('event');
  });

  it('says what events of the reform are, who registers them, and which is undone', async () => {
    const reform = (code: string, detail: string) =>
      eventFile({ number: 62 }, code).replace('<detEvento versao="1.00">', `$&${detail}`);
    const reply = withEvents(
      62,
      reform('211128', '<indAceitacao>1</indAceitacao>'),
      reform('211130', '<gImobilizacao nItem="1"><vIBS>0.10</vIBS></gImobilizacao>'),
      reform('110001', '<tpEventoAut>211130</tpEventoAut>'),
    );
    const { data, text } = await get({ document: 'nfe', key: keyOf({ number: 62 }) }, reply);
    expect(data.status).not.toBe('cancelled');
    const title = 'Acceptance of a debit from a credit note';
    expect(text).toContain(title);
    for (const event of [
      { code: '211128', title, by: 'recipient', details: { accepted: '1' } },
      { code: '211130', undone: true, items: [{ number: '1', ibs: '0.10' }] },
      { code: '110001', by: 'author_of_event', details: { cancelled_code: '211130' } },
    ])
      expect(data.events).toContainEqual(expect.objectContaining(event));
  });

  it.each<[include: unknown, has: object, lacks: readonly string[]]>([
    ['status', {}, ['items', 'issuer', 'totals', 'transport', 'layout', 'notes']],
    [['parties', 'totals'], { issuer: { id: supplier }, totals: { total: '20.00' } }, ['items']],
    [['items'], { item_count: 2, items: [{ number: '1' }, { number: '2' }] }, ['issuer']],
    [['status', 'all'], { issuer: { id: supplier }, items: { length: 2 } }, []],
    [undefined, { issuer: { id: supplier }, items: { length: 2 } }, []],
  ])('is given in parts: %j', async (include, has, lacks) => {
    const { data, text, content } = await get({ ...args, include });
    expect(data.document).toMatchObject({ kind: 'nfe', key, number: '1', status: 'authorized', ...has });
    for (const name of lacks) expect(data.document).not.toHaveProperty(name);
    expect(text).toContain('authorized');
    if (include === 'status') expect(linksIn(content)).toEqual([]);
  });

  const bytes = { xml: note, pdf: pdfBytes };
  const replies = { xml: downloadReply(note), pdf: pdfBytes.toString('base64') };
  it.each(['xml', 'pdf'] as const)('gives its %s as a link, embedded and as a resource', async (format) => {
    const uri = `dfe://nfe/${key}/${format}`;
    const mimeType = `application/${format}`;
    const link = await get({ ...args, format }, replies[format]);
    expect(link.data).toMatchObject({ format, uri, bytes: Buffer.byteLength(bytes[format]) });
    expect(linksIn(link.content)).toMatchObject([{ uri, mimeType }]);
    // The file is named; what is in it is not told again.
    expect(link.data).not.toHaveProperty('document');
    expect(link.text).not.toContain('73181500');
    const embedded = await get({ ...args, format, delivery: 'embed' }, replies[format]);
    const content = format === 'xml' ? { text: note } : { blob: replies.pdf };
    expect(embeddedIn(embedded.content)).toMatchObject([{ resource: { uri, mimeType, ...content } }]);
    expect(await read(uri)).toMatchObject([{ mimeType, ...content }]);
    const refused = await service.refused('get_document', { ...args, format, delivery: 'file' });
    expect(refused).toContain('DFE_DOWNLOAD_DIR');
  });

  it('draws the sheet of a CT-e, of which the service has no PDF, and says so', async () => {
    const asked = { document: 'cte', key: cteKey };
    const { data } = await get(asked, downloadReply(cteXml({ number: 1 })));
    expect(data).toMatchObject({
      document: { kind: 'cte', key: cteKey, totals: { total: '100.00' } },
      uris: ['summary', 'xml', 'pdf'].map((format) => `dfe://cte/${cteKey}/${format}`),
    });
    const pdf = await service.ask('get_document', { ...asked, format: 'pdf' });
    expect(pdf.data).toMatchObject({ format: 'pdf', origin: 'rendered', status_from: 'document' });
    expect(pdf.text).toMatch(/origin: rendered.*No service provides a PDF of this document \(CT-e\)/s);
    const [resource] = await read(`dfe://cte/${cteKey}/pdf`);
    for (const words of [cteKey, 'origin:rendered']) expect(sheetOf(resource?.blob)).toContain(words);
  });

  /** Answers the XML, and the PDF with a status. */
  const withoutPdf =
    (xml: string, status: number): Responder =>
    ({ path }, response) => {
      if (!path.includes('DownloadPdfNfe')) return json(response, downloadReply(xml));
      return status === 200 ? json(response, 'not a PDF') : void response.writeHead(status).end();
    };

  it.each([
    [404, /could not be obtained: .*404/],
    [200, /could not be obtained: /],
  ])('draws the sheet of an NF-e whose PDF comes as %i, with the reason', async (status, reason) => {
    const drawn = accessKey({ number: status });
    service.respond(withoutPdf(nfeXml({ number: status }), status));
    const asked = { document: 'nfe', key: drawn, format: 'pdf', delivery: 'embed' };
    const { data, text, content } = await service.ask('get_document', asked);
    expect(data).toMatchObject({ origin: 'rendered', source: 'service' });
    expect(text).toMatch(reason);
    const sheet = sheetOf(embeddedIn(content)[0]?.resource.blob);
    for (const words of [drawn, 'DANFE']) expect(sheet).toContain(words);
  });

  it('says what stands across a sheet that is not valid, and has none of a note given as a summary alone', async () => {
    const asked = (number: number) => ({ document: 'nfe', key: accessKey({ number }), format: 'pdf' });
    service.respond(withoutPdf(nfeXml({ number: 700 }).replace('<cStat>100<', '<cStat>101<'), 404));
    const { text } = await service.ask('get_document', asked(700));
    expect(text).toMatch(/Marked across the sheet: CANCELADA.*not valid as it is/);
    const { key: abridged } = asked(701);
    service.respond(
      withoutPdf(
        `<resNFe versao="1.01"><chNFe>${abridged}</chNFe><CNPJ>${supplier}</CNPJ><xNome>A</xNome><vNF>1.00</vNF><cSitNFe>1</cSitNFe></resNFe>`,
        404,
      ),
    );
    expect(await service.refused('get_document', asked(701))).toMatch(
      /no sheet to draw.*whole XML is needed/s,
    );
  });

  it('gives an NFS-e by its three names', async () => {
    const named = { document: 'nfse', number: '7', issue_date: '2026-11-05', issuer_cnpj: supplier };
    const { data } = await get(named, downloadReply(nfseXml({ number: 7 })));
    const base = `dfe://nfse/${supplier}/7/2026-11-05`;
    expect(data).toMatchObject({
      document: { kind: 'nfse', number: '7', totals: { total: '300.00', services: '300.00', iss: '15.00' } },
      uris: ['summary', 'xml', 'pdf'].map((format) => `${base}/${format}`),
    });
    expect((await read(`${base}/xml`))[0]?.text).toBe(nfseXml({ number: 7 }));
    const verified = await service.ask('verify_document', {
      ...named,
      ...{ number: 7, issuer_cnpj: Number(supplier) },
    });
    expect(verified.data).toMatchObject({ kind: 'nfse', number: '7' });
  });
});

describe('resources', () => {
  const uriOf = (number: number) => `dfe://nfe/${accessKey({ number })}/xml`;

  it('are fetched on first use', async () => {
    service.respond(saying(downloadReply(nfeXml({ number: 500 }))));
    expect((await read(uriOf(500)))[0]?.text).toBe(nfeXml({ number: 500 }));
    expect(service.seen).toHaveLength(1);
  });

  it.each<[string, uri: string, code: number, respond?: Responder]>([
    ['a key with a wrong check digit', `dfe://nfe/${withOtherDigit(key)}/xml`, -32_602],
    ['a key of another kind', `dfe://nfe/${cteKey}/xml`, -32_602],
    ['something else', 'dfe://other/1', -32_602],
    ['what the service does not have', uriOf(501), -32_602, saying(emptyReply)],
    ['what the service fails for', uriOf(502), -32_603, (_, response) => void response.writeHead(401).end()],
  ])('are not given for %s', async (_, uri, code, respond) => {
    if (respond) service.respond(respond);
    const error = await read(uri).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(FirstError);
    expect((error as FirstError).code).toBe(code);
    if (respond === undefined) expect(service.seen).toEqual([]);
  });

  it('complete keys that were listed', async () => {
    const issuer = '0X0J92JY000196';
    const keys = accessKeys(3, { issuer });
    const period = { from: '2026-11-01', to: '2026-11-19' };
    service.respond(saying(keyListReply(keys)));
    await service.ask('list_document_keys', { document: 'nfe', ...period });
    service.respond(saying(nfseListReply([9001])));
    await service.ask('list_document_keys', { document: 'nfse', direction: 'inbound', ...period });
    const typed = `352611${issuer}`;
    const ofServices = 'dfe://nfse/{issuer}/{number}/{issue_date}/xml';
    for (const [uri, name, value, expected] of [
      ['dfe://nfe/{key}/xml', 'key', typed, keys],
      ['dfe://nfe/{key}/xml', 'key', `${typed}99`, []],
      ['dfe://cte/{key}/xml', 'key', typed, []],
      [ofServices, 'number', '900', ['9001']],
      [ofServices, 'issuer', '587', [supplier]],
    ] as const) {
      const values = await completionsOf(service.server, uri, name, value);
      expect(values.toSorted()).toEqual(expected.toSorted());
    }
  });
});

describe('saved files', () => {
  const folder = temporaryFolder();
  const target = join(folder.path, 'saved', 'here');
  const saving = serve({ env: { DFE_DOWNLOAD_DIR: target } });
  const save = async (format: string, reply: unknown) => {
    saving.respond(saying(reply));
    const asked = { document: 'nfe', key, delivery: 'file', format, refresh: format !== 'pdf' };
    return String((await saving.ask('get_document', asked)).data.path);
  };

  it('get their document’s name, and never take another’s place', async () => {
    const path = (ending: string) => join(target, `${key}.${ending}`);
    expect(await save('pdf', pdfBytes.toString('base64'))).toBe(path('pdf'));
    expect(readFileSync(path('pdf'))).toEqual(pdfBytes);
    const xml = downloadReply(note);
    expect(await save('xml', xml)).toBe(path('xml'));
    expect(readFileSync(path('xml'), 'utf8')).toBe(note);
    const written = statSync(path('xml')).mtimeMs;
    expect(await save('xml', xml)).toBe(path('xml'));
    expect(statSync(path('xml')).mtimeMs).toBe(written);
    writeFileSync(path('xml'), 'somebody’s own');
    const other = await save('xml', xml);
    expect(other).not.toBe(path('xml'));
    expect(readFileSync(path('xml'), 'utf8')).toBe('somebody’s own');
    expect(readFileSync(other, 'utf8')).toBe(note);
    expect(await save('summary', xml)).toBe(path('json'));
    expect(JSON.parse(readFileSync(path('json'), 'utf8'))).toMatchObject({ key, kind: 'nfe' });
    expect(readdirSync(target).filter((name) => name.startsWith('.') || name.endsWith('.part'))).toEqual([]);
  });

  it('may be larger than a message, which is refused with the way to have it', async () => {
    const pdf = Buffer.concat([
      Buffer.from('%PDF-1.4\n'),
      Buffer.alloc(7_000_000, '% filler\n'),
      Buffer.from('\n%%EOF\n'),
    ]);
    const asked = { document: 'nfe', key: accessKey({ number: 8 }), format: 'pdf' };
    const sendPdf = () =>
      saving.respond(
        (_, response) => void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf),
      );
    sendPdf();
    const reading = saving.server.readResource(`dfe://nfe/${asked.key}/pdf`);
    expect(await reading.catch(String)).toMatch(/exceed 8 MB.*delivery file/);
    expect(await saving.refused('get_document', { ...asked, delivery: 'embed' })).toMatch(/delivery file/);
    const saved = await saving.ask('get_document', { ...asked, delivery: 'file' });
    expect(statSync(String(saved.data.path)).size).toBe(pdf.length);
    expect(Buffer.byteLength(JSON.stringify(saved))).toBeLessThan(8_000_000);
  });
});

describe('a national NFS-e by its key', () => {
  const { ask, refused, documents } = askSandbox();
  let note: PlainDocument;
  beforeAll(async () => {
    const notes = await documents('nfse', { from: '2026-09-01', to: '2026-09-30' });
    const keyed = notes.find(({ key: own, issuer }) => own !== undefined && issuer.id !== buyer);
    if (keyed === undefined) throw new Error('no national NFS-e');
    note = keyed;
  });

  it('is found without its day, before any list was asked for, and again', async () => {
    const expected = { document: { key: note.key, number: note.number, issuer: { id: note.issuer.id } } };
    for (const key of [note.key, `NFS${note.key}`])
      expect((await ask('get_document', { document: 'nfse', key })).data).toMatchObject(expected);
    const verified = await ask('verify_document', { document: 'nfse', key: note.key });
    expect(verified.text).toContain(String(note.key));
  });

  it.each<[what: string, args: () => object, words: RegExp]>([
    [
      'that is not among the company’s, by number and month',
      () => ({ key: '43149022226263261000198000000000000225120787292537' }),
      /NFS-e 2 .*2025-12/,
    ],
    ['of another length', () => ({ key: note.key?.slice(1) }), /49 positions and should have 50/],
    ['with other names of it', () => ({ key: note.key, number: note.number }), /issue_date/],
    ['of another kind of document', () => ({ document: 'nfe', key: note.key }), /NFS-e/],
    ['of goods', () => ({ key: '35170458716523000119550010000000121000123458' }), /50 positions/],
  ])('%s, is refused', async (_, args, words) => {
    expect(await refused('get_document', { document: 'nfse', ...args() })).toMatch(words);
  });
});
