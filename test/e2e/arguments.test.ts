import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../support/clients.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { accessKey, accessKeys, alphanumericCompany, company, keyListReply } from '../support/documents.ts';
import { connectInProcess } from '../support/in-process.ts';
import { json } from '../support/recording-upstream.ts';
import { smallService } from '../support/small-service.ts';

const key = accessKey({ number: 1 });
const cteKey = accessKey({ number: 1, model: '57' });
const days = { from: '2026-11-01', to: '2026-11-19' } as const;
const question = { document: 'nfe', ...days } as const;

let program: ConfiguredServer;

beforeAll(async () => {
  program = await startConfigured({ respond: smallService });
});
afterAll(() => program.close());
beforeEach(() => {
  program.upstream.respond(smallService);
  program.upstream.seen.length = 0;
});

/** Expects a refusal in these words, and that nothing went to the service. */
async function expectRefused(
  tool: string,
  args: object,
  ...words: readonly (string | RegExp)[]
): Promise<string> {
  const result = await program.call(tool, { ...args });
  expect(result.isError, result.text).toBe(true);
  expect(result.structured).toBeUndefined();
  for (const word of words) expect(result.text).toMatch(word);
  expect(result.text).toMatch(/Nothing was (asked or sent|changed at the service)/);
  expect(result.text).not.toContain('\n');
  expect(program.upstream.seen).toEqual([]);
  return result.text;
}

describe('names of arguments', () => {
  it.each([
    ['cnjp', '"cnjp" does not exist here; did you mean "cnpj"'],
    ['dokument', '"dokument" does not exist here; did you mean "document"'],
    ['data_inicial', '"data_inicial" does not exist here; did you mean "from"'],
    ['tipo', '"tipo" does not exist here; did you mean "direction"'],
    ['aproved_only', 'did you mean "approved_only"'],
    ['__proto__x', undefined],
  ])('%s', async (name, words) => {
    const args = { ...question, [name]: 'x' };
    if (words !== undefined) await expectRefused('list_document_keys', args, words, 'list_document_keys');
    else expect((await program.call('list_document_keys', args)).isError).toBe(false);
  });

  it('names all that exist, and every mistake at once', async () => {
    const words = await expectRefused('get_document', { document: 'nfe', chave: key, formato: 'xml' });
    expect(words).toContain('did you mean "key"');
    expect(words).toContain('"formato" does not exist here; did you mean "format"');
    expect(words).toContain('document, key, number, issue_date, issuer_cnpj, format, include, delivery');
  });

  it('drops what hosts add of their own', async () => {
    const result = await program.call('list_document_keys', {
      ...question,
      _meta_of_host: { a: 1 },
      toolCallId: 'call_1',
      sessionId: 's',
      requestId: 7,
      chatInput: 'which notes came in?',
    });
    expect(result.isError, result.text).toBe(false);
    expect(program.upstream.seen).toHaveLength(1);
  });

  it('takes null as absent', async () => {
    const result = await program.call('list_document_keys', {
      ...question,
      cnpj: null,
      by: null,
      direction: null,
      limit: null,
      cursor: null,
      approved_only: null,
    });
    expect(result.isError, result.text).toBe(false);
    expect(program.upstream.seen[0]?.path).toBe('/API/Mercadoria/RetornaChavesPelaEmissao');
  });

  it('says which argument is missing', async () => {
    await expectRefused('list_document_keys', { document: 'nfe', to: '2026-11-19' }, '"from" is missing');
    await expectRefused('list_document_keys', days, '"document" is missing');
    await expectRefused('list_document_keys', { ...question, from: null }, '"from" is missing');
    await expectRefused('get_nfe_classifications', {}, '"key" is missing');
    await expectRefused('list_nfe_covers', days, '"direction" is missing');
    await expectRefused(
      'list_integration_keys',
      { document: 'cte', company: 1, establishment: 1 },
      '"type" is missing',
    );
  });

  it('says for which document an argument is', async () => {
    const args = { document: 'nfe', company: 1, establishment: 1, type: 0 };
    await expectRefused('list_integration_keys', args, '"type" is for document "cte" only');
  });
});

describe('values', () => {
  it('takes a list that a host wrote as JSON text', async () => {
    const keys = [90, 91].map((number) => accessKey({ number }));
    const asList = JSON.stringify(keys);
    const result = await program.call('manifest_nfe_batch', { keys: asList, event: 'ciencia' });
    expect(result.structured).toMatchObject({ status: 'confirmation_required' });
    const asked = program.upstream.seen.map(({ method, query }) => [method, new Map(query).get('chaveNfe')]);
    expect(asked.toSorted()).toEqual(keys.map((key) => ['GET', key]));
  });

  it('takes digits and words that a host wrote as text', async () => {
    const result = await program.call('list_document_keys', { ...question, limit: '2' });
    expect(result.structured).toMatchObject({ shown: 2 });
    const approved = { document: 'nfse', ...days, direction: 'inbound', approved_only: 'true' };
    expect((await program.call('list_document_keys', approved)).isError).toBe(false);
    expect(program.upstream.seen.at(-1)?.path).toBe('/API/Servico/RetornaChavesNFSeAprovadasPelaEmissao');
  });

  it('takes a number where nothing can have been lost', async () => {
    const result = await program.call('list_document_keys', { ...question, cnpj: Number(company) });
    expect(result.structured).toMatchObject({ company });
  });

  it('refuses a number for what identifies, because it has lost digits', async () => {
    await expectRefused(
      'get_document',
      { document: 'nfe', key: 3.5261158716523e43 },
      '"key"',
      'loses digits',
    );
    // 191 is what is left of 00000000000191 as a number.
    await expectRefused('list_document_keys', { ...question, cnpj: 191 }, '"cnpj"', 'loses digits');
  });

  it.each([
    ['dd/MM/yyyy', '01/11/2026'],
    ['a day that is not', '2026-02-30'],
    ['29 February of a common year', '2026-02-29'],
    ['a month that is not', '2026-13-01'],
    ['an hour that is not', '2026-11-01T24:00'],
    ['a second that is not', '2026-11-01T10:00:60'],
    ['an offset', '2026-11-01T10:00:00-03:00'],
    ['a word that is none of ours', 'ontem'],
    ['a blank', ' '],
  ])('refuses %s as a date', async (_name, from) => {
    await expectRefused('list_document_keys', { ...question, from }, '"from"', 'YYYY-MM-DD');
  });

  it('takes 29 February of a leap year', async () => {
    const result = await program.call('list_document_keys', {
      ...question,
      from: '2028-02-29',
      to: '2028-02-29',
    });
    expect(result.isError, result.text).toBe(false);
  });

  it('refuses a period that ends before it begins', async () => {
    const reversed = { ...question, from: '2026-11-19', to: '2026-11-01' };
    for (const tool of ['list_document_keys', 'list_documents']) {
      await expectRefused(tool, reversed, 'begins (2026-11-19T00:00:00) after it ends');
    }
    const withinADay = { ...days, from: '2026-11-01T10:00', to: '2026-11-01T09:59:59' };
    await expectRefused('list_nfe_summaries', withinADay, 'after it ends');
    await expectRefused('list_nfe_covers', { ...withinADay, direction: 'inbound' }, 'after it ends');
  });

  it.each([
    ['a wrong check digit', '11222333000182', '"82"|82.*81'],
    ['too short', '1122233300018', '13'],
    ['equal digits', '00000000000000', 'cnpj'],
    ['a letter as check digit', '12ABC34501DEA5', 'cnpj'],
    ['empty text', ' ', 'cnpj'],
  ])('refuses a CNPJ with %s', async (_name, cnpj, words) => {
    await expectRefused('list_document_keys', { ...question, cnpj }, new RegExp(words));
  });

  it.each([
    ['a mask', '11.222.333/0001-81', company],
    ['letters and a mask', '12.ABC.345/01DE-35', alphanumericCompany],
    ['small letters', '12.abc.345/01de-35', alphanumericCompany],
  ])('takes a CNPJ with %s', async (_name, cnpj, expected) => {
    const result = await program.call('list_document_keys', { ...question, cnpj });
    expect(result.isError, result.text).toBe(false);
    expect(result.structured).toMatchObject({ company: expected });
    expect(program.upstream.seen[0]?.query[2]).toEqual(['cnpj', expected]);
  });

  it('says which check digit a key has and should have', async () => {
    // Both from the notes' test vectors: the digit of the first is 0, of the second 8.
    const wrong = '35170358716523000119550010000000301000000306';
    const text = await expectRefused('get_document', { document: 'nfe', key: wrong }, '"key"');
    expect(text).toMatch(/\b6\b/);
    expect(text).toMatch(/\b0\b/);
    await expectRefused('manifest_nfe', { key: wrong, event: 'ciencia' }, '"key"');
    await expectRefused('get_nfe_event_status', { key: wrong, event: 'ciencia' }, '"key"');
    await expectRefused('manifest_nfe_batch', { keys: [key, wrong], event: 'ciencia' }, '"keys.1"');
  });

  it.each([
    ['43 positions', key.slice(1), '43'],
    ['a letter among digits', '35260712ABC34501DEA5550010000001231102030408', 'key'],
    ['a state that is not', `99${key.slice(2)}`, '99'],
    ['another kind of text', 'not a key', 'key'],
  ])('refuses a key with %s', async (_name, bad, words) => {
    await expectRefused('get_document', { document: 'nfe', key: bad }, words);
  });

  it('takes a key with blanks, a prefix, and letters', async () => {
    const spaced = `NFe${key.replace(/(.{4})/g, '$1 ')}`.trim();
    expect((await program.call('get_document', { document: 'nfe', key: spaced })).isError).toBe(false);
    expect(program.upstream.seen[0]?.query[2]).toEqual(['chaveNfe', key]);
    await program.call('get_nfe_classifications', { key: '35260712abc34501de35550010000001231102030403' });
    expect(program.upstream.seen[1]?.query[2]).toEqual([
      'chaveNfe',
      '35260712ABC34501DE35550010000001231102030403',
    ]);
  });

  it('names the document of a key of another kind', async () => {
    await expectRefused('get_document', { document: 'nfe', key: cteKey }, 'CT-e', 'document "cte"');
    await expectRefused('get_document', { document: 'cte', key }, 'NF-e', 'document "nfe"');
    await expectRefused('manifest_nfe', { key: cteKey, event: 'ciencia' }, /./);
  });

  it('says how a document is named', async () => {
    const byThree = ['"number"', '"issue_date"', '"issuer_cnpj"'];
    await expectRefused('get_document', { document: 'nfse', key }, ...byThree);
    await expectRefused('get_document', { document: 'nfse', number: '7' }, ...byThree);
    await expectRefused('get_document', { document: 'nfe', number: '7' }, '"key"');
    await expectRefused('get_document', { document: 'nfe' }, '"key"');
  });

  it.each([
    ['list_document_keys', 0, 'at least 1'],
    ['list_document_keys', 501, 'maximum of 500'],
    ['list_documents', -1, 'at least 1'],
    ['list_documents', 201, 'maximum of 200'],
    ['list_documents', 1.5, '"limit"'],
    ['list_documents', 'many', '"limit"'],
  ])('refuses %s with limit %s', async (tool, limit, words) => {
    await expectRefused(tool, { ...question, limit }, '"limit"', words);
  });

  it('names the choices', async () => {
    await expectRefused('list_document_keys', { ...question, document: 'mdfe' }, 'nfe, nfse, cte');
    await expectRefused('list_document_keys', { ...question, by: 'emissao' }, 'issue, entry, period');
    await expectRefused('list_documents', { ...question, direction: 'Entrada' }, 'inbound, outbound');
  });

  it.each(['ftp://store.example/x', 'file.pdf', 'javascript:alert(1)'])(
    'refuses %s as a URL',
    async (old_url) => {
      await expectRefused('renew_sas_url', { old_url }, '"old_url"', 'http');
    },
  );
});

describe('cursors', () => {
  const firstPage = async () => {
    const { structured } = await program.call('list_document_keys', { ...question, limit: 2 });
    expect(structured?.next_cursor).toEqual(expect.any(String));
    program.upstream.seen.length = 0;
    return String(structured?.next_cursor);
  };

  it('refuses one of another question before anything is asked', async () => {
    const cursor = await firstPage();
    const others = [
      { ...question, to: '2026-11-18', cursor },
      { ...question, cnpj: alphanumericCompany, cursor },
      { ...question, by: 'entry', cursor },
    ];
    for (const args of others) await expectRefused('list_document_keys', args, 'belongs to another query');
    await expectRefused('list_documents', { ...question, cursor }, 'belongs to another query');
    await expectRefused('list_document_keys', { ...question, cursor: 'made up' }, 'belongs to another query');
    await expectRefused(
      'list_document_keys',
      { ...question, cursor: `${cursor.slice(0, -4)}AAAA` },
      'belongs to another',
    );
  });

  it('takes one with another limit', async () => {
    const cursor = await firstPage();
    const { structured } = await program.call('list_document_keys', { ...question, limit: 3, cursor });
    expect(structured?.keys).toEqual(accessKeys(5).slice(2));
  });

  /** The one list of keys that is asked for anew with every page. */
  describe('of a list that is asked for anew', () => {
    const queue = { document: 'nfe', company: 1, establishment: 1 } as const;
    const firstOfQueue = async () => {
      program.upstream.respond((_request, response) => json(response, keyListReply(accessKeys(5))));
      const { structured } = await program.call('list_integration_keys', { ...queue, limit: 2 });
      return String(structured?.next_cursor);
    };

    it.each([
      ['came before the place', [accessKey({ number: 77 }), ...accessKeys(5)]],
      ['went', accessKeys(5).slice(1)],
      ['all went', []],
    ])('is refused where documents %s, and says so', async (_name, changed) => {
      const cursor = await firstOfQueue();
      program.upstream.respond((_request, response) => json(response, keyListReply(changed)));
      const result = await program.call('list_integration_keys', { ...queue, limit: 2, cursor });
      expect(result.isError).toBe(true);
      expect(result.text).toMatch(/without a cursor/);
      expect(result.text).not.toMatch(/Nothing was asked/);
    });

    it('goes on where documents came after the place', async () => {
      const cursor = await firstOfQueue();
      program.upstream.respond((_request, response) => json(response, keyListReply(accessKeys(6))));
      const { structured } = await program.call('list_integration_keys', { ...queue, limit: 2, cursor });
      expect(structured).toMatchObject({ keys: accessKeys(6).slice(2, 4), total: 6 });
    });
  });

  it('goes on in the list that was shown, whatever came since', async () => {
    const cursor = await firstPage();
    program.upstream.respond((_request, response) => json(response, keyListReply([])));
    const { structured } = await program.call('list_document_keys', { ...question, limit: 2, cursor });
    expect(structured).toMatchObject({ keys: accessKeys(5).slice(2, 4), total: 5 });
    expect(program.upstream.seen).toEqual([]);
  });
});

describe('a server that is not configured', () => {
  let connection: Connection | undefined;

  afterEach(async () => {
    await connection?.close();
    connection = undefined;
  });

  it('lists its tools and says which variables to set', async () => {
    connection = await connectInProcess('v1', { env: { DFE_LANGUAGE: 'en' } });
    expect((await connection.listTools()).length).toBeGreaterThan(10);
    const result = await connection.call('list_document_keys', { ...question, cnpj: company });
    expect(result.isError).toBe(true);
    expect(result.structured).toBeUndefined();
    for (const name of ['DFE_URL', 'DFE_USER', 'DFE_PASSWORD']) expect(result.text).toContain(name);
    const replaced = await connection.call('update_company_setting', {
      company_id: 1,
      id: 1,
      set: 'X-a',
      name: 'b',
      value: 'c',
    });
    expect(replaced.isError).toBe(true);
    expect(replaced.text).toContain('DFE_ACCOUNT_URL');
    expect(replaced.text).toContain('DFE_ACCOUNT_API_KEY');
  });

  it('asks for a company where neither call nor configuration names one', async () => {
    connection = await connectInProcess('v1', {
      env: {
        DFE_URL: 'http://127.0.0.1:9',
        DFE_USER: 'u',
        DFE_PASSWORD: 'p',
        DFE_LANGUAGE: 'en',
      },
    });
    for (const tool of ['list_document_keys', 'list_documents', 'list_nfe_summaries']) {
      const args = tool === 'list_nfe_summaries' ? days : question;
      const { isError, text } = await connection.call(tool, args);
      expect(isError).toBe(true);
      expect(text).toContain('DFE_CNPJ');
      expect(text).toContain('"cnpj"');
    }
  });

  it('names what is missing of half a configuration, in Portuguese by default', async () => {
    connection = await connectInProcess('v1', { env: { DFE_URL: 'http://127.0.0.1:9', DFE_CNPJ: company } });
    const { isError, text } = await connection.call('list_document_keys', question);
    expect(isError).toBe(true);
    expect(text).toContain('DFE_USER, DFE_PASSWORD');
    expect(text).not.toContain('DFE_URL');
    expect(text).toContain('Falta configurar');
  });
});
