import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { maskTaxId } from '../../src/documents/identity/tax-ids.ts';
import { startConfigured } from '../support/configured-server.ts';
import { documentListReply, downloadReply, emptyReply } from '../support/documents.ts';
import {
  authorisedNote,
  bareNote,
  eventFile,
  keyOf,
  otherSupplier,
  ourCompany,
  supplier,
} from '../support/filed-documents.ts';
import { ownFiles } from '../support/own-files.ts';
import { json } from '../support/recording-upstream.ts';
import { makeIssuer, signedNote } from '../support/signed-documents.ts';

const issuer = makeIssuer();
const by = issuer.issue(`FORNECEDOR LTDA:${supplier}`, supplier);
const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const note = { number: 1, day };
const xml = signedNote(note, by);

describe('verify_document', () => {
  const files = ownFiles({ anew: false, env: { DFE_CNPJ: ourCompany } });
  const { ask, put, refused } = files;

  beforeAll(async () => {
    const store = put('../roots.pem', issuer.root.certificate);
    put('2026/1.xml', xml);
    put('dear.xml', xml.replace('<vNF>100.00', '<vNF>900.00'));
    put(
      'forged.xml',
      xml.replace('<vNF>100.00', '<vNF>900.00').replaceAll(keyOf(note), keyOf({ ...note, number: 2 })),
    );
    put('plain.xml', bareNote({ ...note, number: 3 }));
    put(
      'two.xml',
      bareNote({ ...note, number: 4, issuer: otherSupplier }) + bareNote({ ...note, number: 5 }),
    );
    symlinkSync(put('../secret.xml', xml), join(files.path, 'way-out.xml'));
    files.use(await files.start(files.settings({ DFE_TRUST_STORE: store })));
  });

  it('tells content, signer and authorization apart, of a document by its key', async () => {
    const { data, text } = await ask('verify_document', { document: 'nfe', key: keyOf(note) });
    expect(data).toEqual({
      ...{ kind: 'nfe', key: keyOf(note), number: '1', source: 'files' },
      content: { result: 'unchanged', form: 'as_is' },
      signer: {
        ...{ result: 'matches', id: supplier, name: 'FORNECEDOR LTDA' },
        ...{ valid_at_issue: true, chain: 'trusted' },
      },
      authorization: { result: 'unknown', protocol_matches: true, key_matches: true },
    });
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- Content: unchanged since it was signed.',
      `- Signer: "FORNECEDOR LTDA", ${maskTaxId(supplier)}, the issuer or another of its establishments; certificate valid at issue, trusted certificate chain.`,
      '- Authorisation: not confirmed; only the service can confirm it, because the protocol is not signed. The protocol belongs to this content.',
    ]);
  });

  const changed = { content: { result: 'changed', reason: 'digest' }, signer: { result: 'unknown' } };
  it.each<[args: object, answered: object, words: string]>([
    [{ file: 'forged.xml' }, changed, ''],
    [{ file: 'dear.xml' }, changed, ''],
    [
      { file: './plain.xml' },
      { content: { result: 'unknown', reason: 'not_signed' } },
      'that does not make it false',
    ],
    [{ file: 'two.xml', key: keyOf({ ...note, number: 5 }) }, { number: '5' }, ''],
  ])('tells what was changed, and says nothing of the signer then: %j', async (args, answered, words) => {
    const { data, text } = await ask('verify_document', args);
    expect(data).toMatchObject(answered);
    expect(text).toContain(words);
  });

  it.each([
    ...['way-out.xml', '../secret.xml', '/etc/passwd', '2026', 'none.xml', 'a\u0000b'].map(
      (file) => [{ file }, /no such file|no such fiscal document/] as const,
    ),
    [{ file: 'two.xml' }, /holds 2 documents: give key/] as const,
    [{}, /document/] as const,
  ])('finds no file outside of the folders, and asks for what is missing: %j', async (args, words) => {
    const text = await refused('verify_document', args);
    expect(text).not.toContain('passwd');
    expect(text).toMatch(words);
  });

  it('asks the service what it says now: it confirms, and an event contradicts', async () => {
    let cancelled = '';
    await using server = await startConfigured({
      respond: (_, response) => void response.end(`${xml}${cancelled}`),
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
    expect(after.structured?.authorization).toMatchObject({ result: 'contradicted', status: 'cancelled' });
  });

  it('reports that the service could not be asked, with the reason', async () => {
    await using server = await startConfigured({
      env: { DFE_FILES: files.path },
      respond: (_, response) => void response.writeHead(503).end(),
    });
    const { text } = await server.call('verify_document', { file: 'plain.xml' });
    expect(text).toMatch(/not confirmed; .*The service could not be asked: .*status 503/);
  });
});

describe('verify_document as the first call', () => {
  const { ask, put } = ownFiles({ env: { DFE_CNPJ: ourCompany } });
  const refusedNote = (code: string) => authorisedNote(note).replace('<cStat>100<', `<cStat>${code}<`);

  it.each([
    ['is denied (110)', [refusedNote('110')], 'denied'],
    ['is denied (301)', [refusedNote('301')], 'denied'],
    ['has its cancellation in the file', [authorisedNote(note) + eventFile(note)], 'cancelled'],
    ['has its cancellation in a file beside it', [authorisedNote(note), eventFile(note)], 'cancelled'],
  ])('says what speaks against a note that %s', async (_, texts, status) => {
    for (const [i, text] of texts.entries()) put(`${i}.xml`, text);
    const { data, text } = await ask('verify_document', { file: '0.xml' });
    expect(data.authorization).toMatchObject({ result: 'contradicted', status });
    expect(text).toContain(`Status: ${status}`);
  });

  it('says nothing against one that is authorised', async () => {
    put('0.xml', authorisedNote(note));
    const { authorization } = (await ask('verify_document', { file: '0.xml' })).data;
    expect(authorization).toMatchObject({ result: 'unknown' });
    expect(authorization).not.toHaveProperty('status');
  });
});

describe('the rule about what was signed', () => {
  const october = { document: 'nfe', from: '2026-10-01', to: '2026-10-31' } as const;
  const rule = ['text_against_signature'];
  const forged = signedNote({ number: 2 }, by).replace('<vNF>100.00', '<vNF>900.00');
  const texts = [signedNote({ number: 1 }, by), forged, ...[3, 4, 5].map((number) => bareNote({ number }))];
  const key = (number: number) => keyOf({ number });
  const { ask, put } = ownFiles({ env: { DFE_CNPJ: ourCompany } });

  it('tells the file that was changed, which could not be judged and why, and runs only where it is named', async () => {
    for (const [at, text] of texts.slice(0, 3).entries()) put(`${at}.xml`, text);
    const named = await ask('check_documents', { ...october, rule });
    expect(named.data).toMatchObject({
      total: 1,
      by_rule: [{ rule: 'text_against_signature', count: 1, applied_to: 2, severity: 'error' }],
      findings: [{ key: key(2), found: 'digest' }],
      signatures: { judged: 2, without_text: 0, not_judged: [{ reason: 'no signature', count: 1 }] },
    });
    expect(named.text).toContain('Signatures: 2 documents verified, 1 not.');
    expect(named.text).toContain('⚠ 1 not judged: no signature');
    const unnamed = await ask('check_documents', october);
    const rules = (unnamed.data.by_rule as { rule: string }[]).map((one) => one.rule);
    expect(rules.length).toBeGreaterThan(10);
    expect(rules).not.toContain('text_against_signature');
    expect([unnamed.data.signatures, unnamed.text.includes('Signatures:')]).toEqual([undefined, false]);
  });

  it.each<
    [what: string, reply: (of: string) => string | number, asked: number[], answered: object, said: string]
  >([
    [
      'is fetched where it is not kept, and without one of them nothing is complete',
      (of) => (of === key(3) ? 404 : (texts.find((text) => text.includes(of)) ?? 404)),
      [5],
      { complete: false, findings: [{ key: key(2) }], signatures: { judged: 2, without_text: 1 } },
      '2 not judged: no signature',
    ],
    [
      'is not asked for one by one where the service refuses all, and nothing was judged',
      () => 401,
      [1, 2, 3, 4],
      { complete: false, total: 0, signatures: { judged: 0, without_text: 5 } },
      '5 not judged',
    ],
  ])('%s', async (_, replyTo, asked, answered, said) => {
    await using program = await startConfigured({
      respond({ path, query }, response) {
        const isList = path.endsWith('Mercadoria/RetornaListaXmlPelaEmissao');
        if (path.includes('RetornaListaXml'))
          return json(response, isList ? documentListReply(texts) : emptyReply);
        const reply = replyTo(new Map(query).get('chaveNfe') ?? '');
        if (typeof reply === 'number') response.writeHead(reply).end();
        else json(response, downloadReply(reply));
      },
      env: { DFE_CNPJ: ourCompany },
    });
    const { text, structured } = await program.call('check_documents', { ...october, rule });
    expect(structured, text).toMatchObject(answered);
    expect(text).toContain(said);
    // On a slow machine one may be asked for twice.
    const keys = program.upstream.seen.flatMap(({ query }) => new Map(query).get('chaveNfe') ?? []);
    expect(asked).toContain(new Set(keys).size);
  });
});
