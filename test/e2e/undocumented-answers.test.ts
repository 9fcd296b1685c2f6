import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AskedServer, saying, startAsked } from '../support/asked-server.ts';
import { accessKey } from '../support/documents.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

const key = accessKey({ number: 1 });
const days = { from: '2026-11-01', to: '2026-11-19' } as const;

let program: AskedServer;
const ask: AskedServer['ask'] = (...asked) => program.ask(...asked);

beforeAll(async () => {
  program = await startAsked();
});
afterAll(() => program.close());
beforeEach(() => {
  program.upstream.seen.length = 0;
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
    const reply = JSON.stringify(Array.from({ length: 10_000 }, (_, i) => ({ [`campo${i}`]: 'x' })));
    const { structured, text } = await ask('list_nfe_summaries', days, saying(reply));
    expect(text).toMatch(/\ncampo0,campo1,.*\nx,,/);
    expect(text).toMatch(/of 10000/);
    expect(text.length).toBeLessThan(50_000);
    expect(structured?.records).toHaveLength(10_000);
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
