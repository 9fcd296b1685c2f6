import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { McpError as FirstError } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AskedServer, saying, startAsked } from '../support/asked-server.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
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
} from '../support/documents.ts';
import { authorisedNote, eventFile, keyOf } from '../support/filed-documents.ts';
import { json, type Responder } from '../support/recording-upstream.ts';
import { sheetText } from '../support/sheet-reader.ts';

const key = accessKey({ number: 1 });
const cteKey = accessKey({ number: 1, model: '57' });
const days = { from: '2026-11-01', to: '2026-11-19' } as const;
const question = { document: 'nfe', ...days } as const;
const nfse = { document: 'nfse', number: '7', issue_date: '2026-11-05', issuer_cnpj: supplier } as const;

let program: AskedServer;
const ask: AskedServer['ask'] = (...asked) => program.ask(...asked);

beforeAll(async () => {
  program = await startAsked();
});
afterAll(() => program.close());
beforeEach(() => {
  program.upstream.seen.length = 0;
});

describe('one document', () => {
  const note = saying(downloadReply(nfeXml({ number: 1, items: 2 })));

  it('is summed up, with links that work', async () => {
    const { structured, text, content } = await ask('get_document', { document: 'nfe', key }, note);
    expect(structured).toMatchObject({
      document: {
        kind: 'nfe',
        key,
        number: '1',
        status: 'authorized',
        issuer: { id: supplier },
        recipient: { id: company },
        totals: { total: '20.00', products: '20.00' },
        item_count: 2,
        items: [
          { number: '1', ncm: '73181500', cfop: '5102', total: '10.00', taxes: { icms: '1.80' } },
          { number: '2' },
        ],
      },
      uri: `dfe://nfe/${key}/summary`,
      uris: ['summary', 'xml', 'pdf'].map((format) => `dfe://nfe/${key}/${format}`),
      format: 'summary',
      service_checks: { integrity: '1', sefaz: '1', registration: '-' },
    });
    // What is empty is not there.
    for (const name of ['warnings', 'payments', 'installments', 'references', 'linked_keys']) {
      expect(structured?.document).not.toHaveProperty(name);
    }
    expect(structured).not.toHaveProperty('events');
    expect(text).toContain('third parties');
    expect(text).toContain(`dfe://nfe/${key}/xml`);
    const links = content.filter(({ type }) => type === 'resource_link');
    expect(links).toHaveLength(3);
    const seenBefore = program.upstream.seen.length;
    const [xml] = await program.readResource(`dfe://nfe/${key}/xml`);
    expect(xml).toMatchObject({ mimeType: 'application/xml', text: nfeXml({ number: 1, items: 2 }) });
    const [summary] = await program.readResource(`dfe://nfe/${key}/summary`);
    expect(summary).toMatchObject({ mimeType: 'application/json' });
    expect(JSON.parse(String(summary?.text))).toEqual(structured?.document);
    expect(program.upstream.seen).toHaveLength(seenBefore);
  });

  it('fits a note of 990 items', async () => {
    const large = accessKey({ number: 990 });
    const reply = downloadReply(
      nfeXml({ number: 990, items: 990, description: 'Parafuso sextavado de aço inoxidável' }),
    );
    const { structured, text } = await ask('get_document', { document: 'nfe', key: large }, saying(reply));
    expect(structured).toMatchObject({ document: { item_count: 990, totals: { total: '9900.00' } } });
    expect(structured).toHaveProperty('document.items.length', 990);
    expect(text).toMatch(/items 1 to \d+ of 990/);
  });

  it('fits a CT-e of 2,000 notes', async () => {
    const carried = accessKeys(2_000);
    const large = accessKey({ number: 2_000, model: '57' });
    const reply = downloadReply(cteXml({ number: 2_000 }, carried));
    const { structured, text } = await ask('get_document', { document: 'cte', key: large }, saying(reply));
    expect(structured).toHaveProperty('document.linked_keys', carried);
    expect(text).toContain(carried[0]);
    expect(text).toContain('… +1980');
    expect(text).toContain(`dfe://cte/${large}/summary`);
  });

  it.each(['summary', 'xml'])('says what happened to it, as %s too', async (format) => {
    const cancelled = { number: 61, issuer: supplier } as const;
    const reply = saying(
      downloadReply(authorisedNote(cancelled).replace(/^<[?][^>]*>/, '') + eventFile(cancelled)),
    );
    const args = { document: 'nfe', key: keyOf(cancelled), format };
    const { structured } = await ask('get_document', args, reply);
    expect(structured?.events).toEqual([
      { code: '110111', name: 'Cancelamento', sequence: '1', at: '2026-10-06T09:00:00-03:00' },
    ]);
    expect(structured?.status_from).toBe('event');
  });

  it('says what events of the reform are, who registers them, and which is undone', async () => {
    const bought = { number: 62, issuer: supplier } as const;
    const reform = (code: string, detail: string) =>
      eventFile(bought, code).replace(
        '<descEvento>Cancelamento</descEvento>',
        `<descEvento>x</descEvento>${detail}`,
      );
    const reply = downloadReply(
      authorisedNote(bought).replace(/^<[?][^>]*>/, '') +
        reform('211128', '<indAceitacao>1</indAceitacao>') +
        reform('211130', '<gImobilizacao nItem="1"><vIBS>0.10</vIBS></gImobilizacao>') +
        reform('110001', '<tpEventoAut>211130</tpEventoAut>'),
    );
    const { structured, text } = await ask(
      'get_document',
      { document: 'nfe', key: keyOf(bought) },
      saying(reply),
    );
    expect(structured?.status).not.toBe('cancelled');
    expect(structured?.events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: '211128',
          title: 'Acceptance of a debit from a credit note',
          by: 'recipient',
          details: { accepted: '1' },
        }),
        expect.objectContaining({ code: '211130', undone: true, items: [{ number: '1', ibs: '0.10' }] }),
        expect.objectContaining({
          code: '110001',
          by: 'author_of_event',
          details: { cancelled_code: '211130' },
        }),
      ]),
    );
    expect(text).toContain('Acceptance of a debit from a credit note');
  });

  it('is given in parts', async () => {
    const part = async (include: unknown) => {
      const { structured, text, content } = await ask(
        'get_document',
        { document: 'nfe', key, include },
        note,
      );
      return { document: structured?.document as Record<string, unknown>, structured, text, content };
    };
    const named = { kind: 'nfe', key, number: '1', status: 'authorized' };
    const status = await part('status');
    expect(status.document).toMatchObject(named);
    for (const other of ['items', 'issuer', 'totals', 'transport', 'layout', 'notes']) {
      expect(status.document).not.toHaveProperty(other);
    }
    expect(status.text).toContain('authorized');
    expect(status.content.filter(({ type }) => type === 'resource_link')).toEqual([]);
    const two = await part(['parties', 'totals']);
    expect(two.document).toMatchObject({ ...named, issuer: { id: supplier }, totals: { total: '20.00' } });
    expect(two.document).not.toHaveProperty('items');
    const items = await part(['items']);
    expect(items.document).toMatchObject({
      ...named,
      item_count: 2,
      items: [{ number: '1' }, { number: '2' }],
    });
    expect(items.document).not.toHaveProperty('issuer');
    const all = await part(['status', 'all']);
    expect(all.document).toEqual((await part(undefined)).document);
    const refused = await program.call('get_document', { document: 'nfe', key, include: ['taxes'] });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('status, parties, totals, items, transport, all');
  });

  it('gives its XML as a link, embedded, and refuses to save where no folder is set', async () => {
    const args = { document: 'nfe', key, format: 'xml' };
    const link = await ask('get_document', args, note);
    expect(link.structured).toMatchObject({
      format: 'xml',
      uri: `dfe://nfe/${key}/xml`,
      bytes: Buffer.byteLength(nfeXml({ number: 1, items: 2 })),
    });
    expect(link.content.filter(({ type }) => type === 'resource_link')).toMatchObject([
      { uri: `dfe://nfe/${key}/xml`, mimeType: 'application/xml' },
    ]);
    // The XML is named; what is in it is not told again.
    expect(link.structured).not.toHaveProperty('document');
    expect(link.text).not.toContain('73181500');
    const embedded = await ask('get_document', { ...args, delivery: 'embed' }, note);
    expect(embedded.content.filter(({ type }) => type === 'resource')).toMatchObject([
      { resource: { uri: `dfe://nfe/${key}/xml`, text: nfeXml({ number: 1, items: 2 }) } },
    ]);
    const refused = await program.call('get_document', { ...args, delivery: 'file' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('DFE_DOWNLOAD_DIR');
    expect(refused.structured).toBeUndefined();
  });

  it('gives its PDF as a link and embedded', async () => {
    const args = { document: 'nfe', key, format: 'pdf' };
    const pdf = saying(pdfBytes.toString('base64'));
    const link = await ask('get_document', args, pdf);
    expect(link.structured).toMatchObject({
      format: 'pdf',
      origin: 'service',
      bytes: pdfBytes.length,
      uri: `dfe://nfe/${key}/pdf`,
    });
    const embedded = await ask('get_document', { ...args, delivery: 'embed' }, pdf);
    expect(embedded.content.filter(({ type }) => type === 'resource')).toMatchObject([
      { resource: { mimeType: 'application/pdf', blob: pdfBytes.toString('base64') } },
    ]);
    const [resource] = await program.readResource(`dfe://nfe/${key}/pdf`);
    expect(resource).toMatchObject({ mimeType: 'application/pdf', blob: pdfBytes.toString('base64') });
  });

  it('draws the sheet of a CT-e, of which the service has no PDF, and says so', async () => {
    const reply = saying(downloadReply(cteXml({ number: 1 })));
    const { structured } = await ask('get_document', { document: 'cte', key: cteKey }, reply);
    expect(structured).toMatchObject({
      document: { kind: 'cte', key: cteKey, totals: { total: '100.00' } },
      uris: ['summary', 'xml', 'pdf'].map((format) => `dfe://cte/${cteKey}/${format}`),
    });
    const pdf = await ask('get_document', { document: 'cte', key: cteKey, format: 'pdf' }, reply);
    expect(pdf.structured).toMatchObject({ format: 'pdf', origin: 'rendered', status_from: 'document' });
    expect(pdf.text).toMatch(/origin: rendered.*No service provides a PDF of this document \(CT-e\)/s);
    const [resource] = await program.readResource(`dfe://cte/${cteKey}/pdf`);
    const sheet = sheetText(Buffer.from(String(resource?.blob), 'base64')).replace(/\s+/g, '');
    expect(sheet).toContain(cteKey);
    expect(sheet).toContain('origin:rendered');
  });

  /** Answers the XML, and the PDF with something else. */
  const withoutPdf =
    (xml: string, pdf: Responder): Responder =>
    (request, response, count) => {
      if (request.path.includes('DownloadPdfNfe')) return pdf(request, response, count);
      return json(response, downloadReply(xml));
    };

  it.each<[string, Responder, RegExp]>([
    [
      'fails',
      (_request, response) => void response.writeHead(404).end('gone'),
      /could not be obtained: .*404/,
    ],
    ['is no PDF', (_request, response) => json(response, 'not a PDF'), /could not be obtained: /],
    [
      'is forbidden',
      (_request, response) => void response.writeHead(401).end(),
      /could not be obtained: .*(401|password)/,
    ],
  ])('draws the sheet of an NF-e whose PDF %s, with the reason', async (_what, pdf, reason) => {
    const number = 600 + String(reason).length;
    const drawnKey = accessKey({ number });
    const { structured, text, content } = await ask(
      'get_document',
      { document: 'nfe', key: drawnKey, format: 'pdf', delivery: 'embed' },
      withoutPdf(nfeXml({ number }), pdf),
    );
    expect(structured).toMatchObject({ origin: 'rendered', source: 'service' });
    expect(text).toMatch(reason);
    const [embedded] = content.filter(({ type }) => type === 'resource') as { resource: { blob: string } }[];
    const sheet = sheetText(Buffer.from(embedded?.resource.blob ?? '', 'base64')).replace(/\s+/g, '');
    expect(sheet).toContain(drawnKey);
    expect(sheet).toContain('DANFE');
  });

  it('says what stands across a sheet that is not valid as it is', async () => {
    const cancelledKey = accessKey({ number: 700 });
    const xml = nfeXml({ number: 700 }).replace(/<cStat>100<\/cStat>/, '<cStat>101</cStat>');
    const { text } = await ask(
      'get_document',
      { document: 'nfe', key: cancelledKey, format: 'pdf' },
      withoutPdf(xml, (_request, response) => void response.writeHead(404).end()),
    );
    expect(text).toMatch(/Marked across the sheet: CANCELADA.*not valid as it is/);
  });

  it('has no sheet of a note of which the service gives its summary alone', async () => {
    const abridgedKey = accessKey({ number: 701 });
    const abridged = `<resNFe versao="1.01"><chNFe>${abridgedKey}</chNFe><CNPJ>${supplier}</CNPJ><xNome>A</xNome><vNF>1.00</vNF><cSitNFe>1</cSitNFe></resNFe>`;
    program.upstream.respond(
      withoutPdf(abridged, (_request, response) => void response.writeHead(404).end()),
    );
    const answer = await program.call('get_document', { document: 'nfe', key: abridgedKey, format: 'pdf' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/no sheet to draw.*whole XML is needed/s);
  });

  it('gives an NFS-e by its three names', async () => {
    const reply = saying(downloadReply(nfseXml({ number: 7 })));
    const { structured } = await ask('get_document', nfse, reply);
    const base = `dfe://nfse/${supplier}/7/2026-11-05`;
    expect(structured).toMatchObject({
      document: { kind: 'nfse', number: '7', totals: { total: '300.00', services: '300.00', iss: '15.00' } },
      uris: [`${base}/summary`, `${base}/xml`, `${base}/pdf`],
    });
    const [xml] = await program.readResource(`${base}/xml`);
    expect(xml?.text).toBe(nfseXml({ number: 7 }));
  });
});

/** The code of the protocol error that a promise fails with. */
async function errorCode(promise: Promise<unknown>): Promise<number | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error instanceof FirstError ? error.code : Number.NaN),
  );
}

describe('resources', () => {
  const unseen = accessKey({ number: 500 });

  it('are fetched where nobody asked for them before', async () => {
    program.upstream.respond(saying(downloadReply(nfeXml({ number: 500 }))));
    const [xml] = await program.readResource(`dfe://nfe/${unseen}/xml`);
    expect(xml?.text).toBe(nfeXml({ number: 500 }));
    expect(program.upstream.seen).toHaveLength(1);
  });

  it.each([
    ['a key with a wrong check digit', `dfe://nfe/${key.slice(0, 43)}${(Number(key.at(-1)) + 1) % 10}/xml`],
    ['a key of another kind', `dfe://nfe/${cteKey}/xml`],
    ['an unknown format', `dfe://nfe/${key}/docx`],
    ['a date of another form', `dfe://nfse/${supplier}/7/05-11-2026/xml`],
    ['something else', 'dfe://other/1'],
  ])('are not found by %s', async (_name, uri) => {
    expect(await errorCode(program.readResource(uri))).toBe(-32_602);
    expect(program.upstream.seen).toEqual([]);
  });

  it('are not found where the service says that there is none', async () => {
    program.upstream.respond(saying(emptyReply));
    const absent = accessKey({ number: 501 });
    expect(await errorCode(program.readResource(`dfe://nfe/${absent}/xml`))).toBe(-32_602);
  });

  it('fail where the service fails, which is not the same', async () => {
    program.upstream.respond((_request: unknown, response: ServerResponse) => {
      response.writeHead(401).end();
    });
    const absent = accessKey({ number: 502 });
    expect(await errorCode(program.readResource(`dfe://nfe/${absent}/xml`))).toBe(-32_603);
  });

  it('complete keys that were listed', async () => {
    const issuer = '0X0J92JY000196';
    const keys = accessKeys(3, { issuer });
    await ask('list_document_keys', question, saying(keyListReply(keys)));
    const complete = async (name: string, value: string, uri: string) => {
      const { completion } = await (
        program.raw as {
          complete(params: object): Promise<{ completion: { values: string[] } }>;
        }
      ).complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } });
      return completion.values;
    };
    const typed = `352611${issuer}`;
    expect((await complete('key', typed, 'dfe://nfe/{key}/xml')).toSorted()).toEqual(keys.toSorted());
    expect(await complete('key', `${typed}99`, 'dfe://nfe/{key}/xml')).toEqual([]);
    expect(await complete('key', typed, 'dfe://cte/{key}/xml')).toEqual([]);

    const args = { document: 'nfse', direction: 'inbound', ...days };
    await ask('list_document_keys', args, saying(nfseListReply([9001])));
    const template = 'dfe://nfse/{issuer}/{number}/{issue_date}/xml';
    expect(await complete('number', '900', template)).toEqual(['9001']);
    expect(await complete('issuer', '587', template)).toEqual([supplier]);
  });
});

describe('saved files', () => {
  const folder = temporaryFolder();
  let saving: ConfiguredServer | undefined;

  afterEach(async () => {
    await saving?.close();
    saving = undefined;
    folder.remove();
  });

  it('get their document’s name, and never take another’s place', async () => {
    const target = join(folder.path, 'saved', 'here');
    let items = 1;
    saving = await startConfigured({
      respond: ({ path }, response) => {
        const isPdf = path.endsWith('DownloadPdfNfe');
        json(response, isPdf ? pdfBytes.toString('base64') : downloadReply(nfeXml({ number: 1, items })));
      },
      env: { DFE_DOWNLOAD_DIR: target },
    });
    const args = { document: 'nfe', key, delivery: 'file' } as const;
    const xml = nfeXml({ number: 1 });

    const pdf = await saving.call('get_document', { ...args, format: 'pdf' });
    const pdfPath = join(target, `${key}.pdf`);
    expect(pdf.structured, pdf.text).toMatchObject({ path: pdfPath, bytes: pdfBytes.length });
    expect(pdf.text).toContain(pdfPath);
    expect(readFileSync(pdfPath)).toEqual(pdfBytes);

    const first = await saving.call('get_document', { ...args, format: 'xml' });
    const xmlPath = join(target, `${key}.xml`);
    expect(first.structured).toMatchObject({ path: xmlPath });
    expect(readFileSync(xmlPath, 'utf8')).toBe(xml);
    const written = statSync(xmlPath).mtimeMs;

    const again = await saving.call('get_document', { ...args, format: 'xml' });
    expect(again.structured).toMatchObject({ path: xmlPath });
    expect(statSync(xmlPath).mtimeMs).toBe(written);

    writeFileSync(xmlPath, 'somebody’s own');
    const other = await saving.call('get_document', { ...args, format: 'xml' });
    const otherPath = String(other.structured?.path);
    expect(otherPath).not.toBe(xmlPath);
    expect(readFileSync(xmlPath, 'utf8')).toBe('somebody’s own');
    expect(readFileSync(otherPath, 'utf8')).toBe(xml);

    items = 2;
    const summary = await saving.call('get_document', { ...args, format: 'summary' });
    expect(summary.structured).toMatchObject({ path: join(target, `${key}.json`) });
    const saved = JSON.parse(readFileSync(String(summary.structured?.path), 'utf8'));
    expect(saved).toMatchObject({ key, kind: 'nfe' });
    expect(readdirSync(target).filter((name) => name.startsWith('.') || name.endsWith('.part'))).toEqual([]);
  });
});
