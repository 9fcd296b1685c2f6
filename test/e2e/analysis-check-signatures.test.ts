import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection } from '../support/clients.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { documentListReply, downloadReply, emptyReply } from '../support/documents.ts';
import { bareNote, keyOf, ourCompany, supplier } from '../support/filed-documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { json } from '../support/recording-upstream.ts';
import { makeIssuer, signedNote } from '../support/signed-documents.ts';

const october = { from: '2026-10-01', to: '2026-10-31' } as const;
const rule = ['text_against_signature'];
const noteOf = (number: number) => ({
  number,
  issuer: supplier,
  recipient: ourCompany,
  day: '2026-10-05',
  total: '100.00',
});

interface Checked {
  readonly total: number;
  readonly complete: boolean;
  readonly documents: number;
  readonly signatures?: {
    judged: number;
    without_text: number;
    not_judged: { reason: string; count: number }[];
  };
  readonly by_rule: readonly { rule: string; count: number }[];
  readonly findings: readonly { key?: string; found: string; message: string }[];
}

describe('the rule about what was signed', () => {
  const folder = temporaryFolder();
  let sound: string;
  let forged: string;

  beforeAll(() => {
    const by = makeIssuer().issue(`FORNECEDOR LTDA:${supplier}`, supplier);
    sound = signedNote(noteOf(1), by);
    forged = signedNote(noteOf(2), by).replace('<vNF>100.00', '<vNF>900.00');
    writeFileSync(join(folder.path, '1.xml'), sound);
    writeFileSync(join(folder.path, '2.xml'), forged);
    writeFileSync(join(folder.path, '3.xml'), bareNote(noteOf(3)));
  });

  afterAll(() => folder.remove());

  describe('over the user’s files', () => {
    let connection: Connection;
    const check = async (args: object) =>
      connection.call('check_documents', { document: 'nfe', cnpj: ourCompany, ...october, ...args });

    beforeAll(async () => {
      connection = await connectInProcess('v1', { env: { DFE_FILES: folder.path, DFE_LANGUAGE: 'en' } });
    });
    afterAll(() => connection.close());

    it('tells the document that was changed, and which could not be judged and why', async () => {
      const { structured, text } = await check({ rule });
      expect(structured as unknown as Checked).toMatchObject({
        total: 1,
        by_rule: [{ rule: 'text_against_signature', count: 1, applied_to: 2, severity: 'error' }],
        findings: [{ key: keyOf(noteOf(2)), found: 'digest' }],
        signatures: { judged: 2, without_text: 0, not_judged: [{ reason: 'no signature', count: 1 }] },
      });
      expect(text).toContain('Signatures: 2 documents verified, 1 not.');
      expect(text).toContain('⚠ 1 not judged: no signature');
    });

    it('runs only where it is named', async () => {
      const { structured, text } = await check({});
      const { by_rule, signatures } = structured as unknown as Checked;
      const ran = by_rule.map((one) => one.rule);
      expect(ran.length).toBeGreaterThan(10);
      expect(ran).not.toContain('text_against_signature');
      expect(signatures).toBeUndefined();
      expect(text).not.toContain('Signatures:');
    });
  });

  describe('over documents whose XML is not kept', () => {
    let server: ConfiguredServer | undefined;
    afterEach(() => server?.close());

    /** A service that lists five notes and gives their XML alone as `download` says. */
    async function start(download: (key: string) => string | number) {
      const notes = [sound, forged, ...[3, 4, 5].map((number) => bareNote(noteOf(number)))];
      server = await startConfigured({
        respond({ path, query }, response) {
          if (path.includes('RetornaListaXml')) {
            return json(
              response,
              path.endsWith('Mercadoria/RetornaListaXmlPelaEmissao') ? documentListReply(notes) : emptyReply,
            );
          }
          const reply = download(query.find(([name]) => name === 'chaveNfe')?.[1] ?? '');
          if (typeof reply === 'number') response.writeHead(reply).end();
          else json(response, downloadReply(reply));
        },
        env: { DFE_CNPJ: ourCompany },
      });
      const checked = await server.call('check_documents', { document: 'nfe', ...october, rule });
      return { ...checked, data: checked.structured as unknown as Checked, server };
    }

    /** The notes whose XML was asked for; on a slow machine one may be asked for twice. */
    const downloads = ({ upstream }: ConfiguredServer) =>
      new Set(upstream.seen.flatMap(({ query }) => new Map(query).get('chaveNfe') ?? [])).size;

    it('fetches it, and an answer without one of them is not complete', async () => {
      const texts = new Map(
        [sound, forged, bareNote(noteOf(4)), bareNote(noteOf(5))].map((xml) => [
          /Id="NFe(\d{44})/.exec(xml)?.[1],
          xml,
        ]),
      );
      const { data, text, server } = await start((key) => texts.get(key) ?? 404);
      expect(data, text).toMatchObject({
        complete: false,
        findings: [{ key: keyOf(noteOf(2)) }],
        signatures: { judged: 2, without_text: 1 },
      });
      expect(downloads(server)).toBe(5);
      expect(text).toContain('2 not judged: no signature');
    });

    it('does not ask for each where the service refuses all, and says that nothing was judged', async () => {
      const { data, text } = await start(() => 401);
      expect(data, text).toMatchObject({
        complete: false,
        total: 0,
        signatures: { judged: 0, without_text: 5 },
      });
      expect(text).toContain('5 not judged');
    });
  });
});
