import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { startConfigured } from '../support/configured-server.ts';
import { documentListReply, downloadReply, emptyReply } from '../support/documents.ts';
import { bareNote, keyOf, ourCompany, supplier } from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { json } from '../support/recording-upstream.ts';
import { makeIssuer, signedNote } from '../support/signed-documents.ts';

describe('the rule about what was signed', () => {
  const october = { document: 'nfe', from: '2026-10-01', to: '2026-10-31' } as const;
  const rule = ['text_against_signature'];
  const noteOf = (number: number) => ({
    number,
    issuer: supplier,
    recipient: ourCompany,
    day: '2026-10-05',
    total: '100.00',
  });
  const folder = temporaryFolder();
  const texts = new Map<string, string>();

  beforeAll(() => {
    const by = makeIssuer().issue(`FORNECEDOR LTDA:${supplier}`, supplier);
    texts.set(keyOf(noteOf(1)), signedNote(noteOf(1), by));
    texts.set(keyOf(noteOf(2)), signedNote(noteOf(2), by).replace('<vNF>100.00', '<vNF>900.00'));
    for (const number of [3, 4, 5]) texts.set(keyOf(noteOf(number)), bareNote(noteOf(number)));
    mkdirSync(folder.path, { recursive: true });
    for (const [at, xml] of [...texts.values()].slice(0, 3).entries())
      writeFileSync(join(folder.path, `${at}.xml`), xml);
  });
  afterAll(() => folder.remove());

  it('tells the file that was changed, which could not be judged and why, and runs only where it is named', async () => {
    const files = await connectInProcess('v1', { env: { DFE_FILES: folder.path, DFE_LANGUAGE: 'en' } });
    const [named, unnamed] = await Promise.all(
      [{ rule }, {}].map((more) => files.call('check_documents', { ...october, cnpj: ourCompany, ...more })),
    );
    await files.close();
    expect(named?.structured).toMatchObject({
      total: 1,
      by_rule: [{ rule: 'text_against_signature', count: 1, applied_to: 2, severity: 'error' }],
      findings: [{ key: keyOf(noteOf(2)), found: 'digest' }],
      signatures: { judged: 2, without_text: 0, not_judged: [{ reason: 'no signature', count: 1 }] },
    });
    expect(named?.text).toContain('Signatures: 2 documents verified, 1 not.');
    expect(named?.text).toContain('⚠ 1 not judged: no signature');
    const { by_rule = [], signatures } = (unnamed?.structured ?? {}) as {
      by_rule?: { rule: string }[];
      signatures?: object;
    };
    expect(by_rule.length).toBeGreaterThan(10);
    expect(by_rule.map((one) => one.rule)).not.toContain('text_against_signature');
    expect([signatures, unnamed?.text.includes('Signatures:')]).toEqual([undefined, false]);
  });

  it.each<
    [
      what: string,
      download: (key: string) => string | number,
      asked: number[],
      answered: object,
      said: string,
    ]
  >([
    [
      'is fetched where it is not kept, and without one of them nothing is complete',
      (key) => (key === keyOf(noteOf(3)) ? 404 : (texts.get(key) ?? 404)),
      [5],
      { complete: false, findings: [{ key: keyOf(noteOf(2)) }], signatures: { judged: 2, without_text: 1 } },
      '2 not judged: no signature',
    ],
    [
      'is not asked for one by one where the service refuses all, and nothing was judged',
      () => 401,
      [1, 2, 3, 4],
      { complete: false, total: 0, signatures: { judged: 0, without_text: 5 } },
      '5 not judged',
    ],
  ])('%s', async (_, download, asked, answered, said) => {
    const program = await startConfigured({
      respond({ path, query }, response) {
        const isList = path.endsWith('Mercadoria/RetornaListaXmlPelaEmissao');
        if (path.includes('RetornaListaXml'))
          return json(response, isList ? documentListReply([...texts.values()]) : emptyReply);
        const reply = download(new Map(query).get('chaveNfe') ?? '');
        if (typeof reply === 'number') response.writeHead(reply).end();
        else json(response, downloadReply(reply));
      },
      env: { DFE_CNPJ: ourCompany },
    });
    const { text, structured } = await program.call('check_documents', { ...october, rule });
    // On a slow machine one may be asked for twice.
    const downloads = new Set(
      program.upstream.seen.flatMap(({ query }) => new Map(query).get('chaveNfe') ?? []),
    );
    await program.close();
    expect(structured, text).toMatchObject(answered);
    expect(asked).toContain(downloads.size);
    expect(text).toContain(said);
  });
});
