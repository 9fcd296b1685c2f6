import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { type Connection, connect } from '../support/clients.ts';
import { startConfigured } from '../support/configured-server.ts';
import {
  authorisedNote,
  bareNote,
  eventFile,
  keyOf,
  otherSupplier,
  ourCompany,
  supplier,
} from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { makeIssuer, signedNote, type TestIssuer } from '../support/signed-documents.ts';

const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const note = { number: 1, issuer: supplier, recipient: ourCompany, day, total: '100.00' };

describe('verify_document', () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  let issuer: TestIssuer;
  let connection: Connection;
  let xml: string;

  beforeAll(async () => {
    issuer = makeIssuer();
    xml = signedNote(note, issuer.issue(`FORNECEDOR LTDA:${supplier}`, supplier));
    const store = join(outside.path, 'roots.pem');
    writeFileSync(store, issuer.root.certificate);
    mkdirSync(join(folder.path, '2026'));
    writeFileSync(join(folder.path, '2026', '1.xml'), xml);
    writeFileSync(
      join(folder.path, 'forged.xml'),
      xml.replace('<vNF>100.00', '<vNF>900.00').replaceAll(keyOf(note), keyOf({ ...note, number: 2 })),
    );
    writeFileSync(join(folder.path, 'plain.xml'), bareNote({ ...note, number: 3 }));
    writeFileSync(
      join(folder.path, 'two.xml'),
      bareNote({ ...note, number: 4, issuer: otherSupplier }) + bareNote({ ...note, number: 5 }),
    );
    writeFileSync(join(outside.path, 'secret.xml'), xml);
    symlinkSync(join(outside.path, 'secret.xml'), join(folder.path, 'way-out.xml'));
    connection = await connectInProcess('v1', {
      env: { DFE_FILES: folder.path, DFE_TRUST_STORE: store, DFE_CNPJ: ourCompany, DFE_LANGUAGE: 'en' },
    });
  });

  afterAll(async () => {
    await connection.close();
    folder.remove();
    outside.remove();
  });

  it('tells content, signer and authorization apart, of a document by its key', async () => {
    const { structured, text } = await connection.call('verify_document', {
      document: 'nfe',
      key: keyOf(note),
    });
    expect(structured).toEqual({
      kind: 'nfe',
      key: keyOf(note),
      number: '1',
      content: { result: 'unchanged', form: 'as_is' },
      signer: {
        result: 'matches',
        id: supplier,
        name: 'FORNECEDOR LTDA',
        valid_at_issue: true,
        chain: 'trusted',
      },
      authorization: { result: 'unknown', protocol_matches: true, key_matches: true },
      source: 'files',
    });
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- Content: unchanged since it was signed.',
      `- Signer: "FORNECEDOR LTDA", ${supplier}; the issuer or another of its establishments. Certificate valid at issue. The certificate chains up to a root in DFE_TRUST_STORE.`,
      '- Authorisation: not confirmed; only the service can confirm it, because the protocol is not signed. The protocol belongs to this content.',
    ]);
  });

  it('tells what was changed, and says nothing of the signer then', async () => {
    const { structured } = await connection.call('verify_document', { file: 'forged.xml' });
    expect(structured).toMatchObject({
      content: { result: 'changed', reason: 'digest' },
      signer: { result: 'unknown' },
    });
    writeFileSync(join(folder.path, 'dear.xml'), xml.replace('<vNF>100.00', '<vNF>900.00'));
    const dear = await connection.call('verify_document', { file: 'dear.xml' });
    expect(dear.structured).toMatchObject({
      content: { result: 'changed', reason: 'digest' },
      signer: { result: 'unknown' },
    });
    const plain = await connection.call('verify_document', { file: './plain.xml' });
    expect(plain.structured).toMatchObject({ content: { result: 'unknown', reason: 'not_signed' } });
    expect(plain.text).toContain('That does not make it false');
  });

  const refused = (code: string) => authorisedNote(note).replace('<cStat>100<', `<cStat>${code}<`);

  it.each([
    ['is denied (110)', [refused('110')], 'denied'],
    ['is denied (301)', [refused('301')], 'denied'],
    ['has its cancellation in the file', [authorisedNote(note) + eventFile(note)], 'cancelled'],
    ['has its cancellation in a file beside it', [authorisedNote(note), eventFile(note)], 'cancelled'],
    ['is authorised', [authorisedNote(note)], undefined],
  ])('as the first call says what speaks against a note that %s', async (_, files, status) => {
    using own = temporaryFolder();
    for (const [i, text] of files.entries()) writeFileSync(join(own.path, `${i}.xml`), text);
    const env = { DFE_FILES: own.path, DFE_CNPJ: ourCompany, DFE_LANGUAGE: 'en' };
    await using built = await (status === undefined ? connect : connectInProcess)('v1', { env });
    const { structured, text } = await built.call('verify_document', { file: '0.xml' });
    const result = status === undefined ? 'unknown' : 'contradicted';
    const authorization = { status: undefined, ...Object(structured?.authorization) };
    expect(authorization).toMatchObject({ result, status });
    if (status !== undefined) expect(text).toContain(`Status: ${status}`);
  });

  it.each([['way-out.xml'], ['../secret.xml'], ['/etc/passwd'], ['2026'], ['none.xml'], ['a\u0000b']])(
    'finds no file outside of the folders: %s',
    async (file) => {
      const { isError, text } = await connection.call('verify_document', { file });
      expect(isError).toBe(true);
      expect(text).not.toContain('passwd');
      expect(text).toMatch(/no such file|no such fiscal document/);
    },
  );

  it('asks for the key of a file that holds several, and for what is missing', async () => {
    const several = await connection.call('verify_document', { file: 'two.xml' });
    expect(several.text).toContain('holds 2 documents: give key');
    const one = await connection.call('verify_document', {
      file: 'two.xml',
      key: keyOf({ ...note, number: 5 }),
    });
    expect(one.structured).toMatchObject({ number: '5' });
    const none = await connection.call('verify_document', {});
    expect(none.isError).toBe(true);
    expect(none.text).toContain('document');
  });

  it('asks the service what it says now: it confirms, and an event contradicts', async () => {
    let cancelled = '';
    await using server = await startConfigured({
      respond: (_, response) => void response.end(`${xml}${cancelled}`),
      env: { DFE_LANGUAGE: 'en' },
    });
    const asked = { document: 'nfe', key: keyOf(note) };
    const before = await server.call('verify_document', asked);

    expect(before.structured).toMatchObject({
      content: { result: 'unchanged' },
      signer: { chain: 'not_checked' },
      authorization: { result: 'confirmed', status: 'authorized' },
    });
    cancelled = eventFile(note);
    await server.call('get_document', { ...asked, refresh: true });
    const after = await server.call('verify_document', asked);
    expect(after.structured).toMatchObject({
      authorization: { result: 'contradicted', status: 'cancelled' },
    });
  });
});
