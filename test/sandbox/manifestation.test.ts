import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { contents, inside, operation, period, stringOf, text, texts } from './calls.ts';

interface Result {
  readonly ChaveNFe: string;
  readonly Evento: string;
  readonly Mensagem: string;
  readonly Sucesso: number;
  readonly Usuario: string;
}

const JUSTIFICATION = 'Mercadoria devolvida na portaria';

let sandbox: Sandbox;
let now: Date;

beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00-03:00');
  sandbox = await startSandbox({ now: () => now });
});
afterEach(() => sandbox.close());

function evento(key: string, type: string, reason = ''): string {
  return JSON.stringify({ ChaveNFe: key, TipoEvento: type, Motivo: reason });
}

async function manifest(key: string, type: string, reason = ''): Promise<Result> {
  const called = await operation(
    sandbox,
    'Mercadoria/RealizarManifesto',
    { evento: evento(key, type, reason) },
    'POST',
  );
  expect(called.status).toBe(200);
  return JSON.parse(called.text);
}

async function status(key: string, type: string): Promise<Result> {
  const called = await operation(sandbox, 'Mercadoria/PesquisarStatusEvento', { evento: evento(key, type) });
  return JSON.parse(called.text);
}

async function notes(tipo: string, from: string, to: string): Promise<string[]> {
  const name = 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo';
  return contents(stringOf(await operation(sandbox, name, { ...period(from, to), tipo })));
}

/** The key of a note received in the days before the clock that has no event. */
async function untouched(from = '2026-11-12', to = '2026-11-20'): Promise<string> {
  const received = (await notes('Entrada', from, to)).filter((note) => text(note, 'tpNF') === '1');
  const found = received.find((note) => !note.includes('procEventoNFe'));
  return text(found ?? '', 'chNFe');
}

describe('an event', () => {
  it.each([
    ['210210', ''],
    ['210200', ''],
    ['210220', ''],
    ['210240', JUSTIFICATION],
  ])('%s is registered', async (type, reason) => {
    const key = await untouched();
    expect(await manifest(key, type, reason)).toEqual({
      ChaveNFe: key,
      Evento: type,
      Mensagem: '135 - Evento registrado e vinculado a NF-e',
      Sucesso: 1,
      Usuario: 'demo',
    });
    const found = await status(key, type);
    expect(found.Sucesso).toBe(1);
    expect(found.Mensagem).toContain('135 - Evento registrado e vinculado a NF-e');
  });

  it('appears in the note from then on', async () => {
    const key = await untouched();
    await manifest(key, '210240', JUSTIFICATION);
    const xml = stringOf(await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe: key }));
    const event = inside(xml, 'procEventoNFe');
    expect(text(event, 'descEvento')).toBe('Operacao nao Realizada');
    expect(text(event, 'xJust')).toBe(JUSTIFICATION);
    expect(event).toContain(`Id="ID210240${key}01"`);
  });
});

describe('refusals', () => {
  async function code(key: string, type: string, reason = ''): Promise<string> {
    const result = await manifest(key, type, reason);
    expect(result.Sucesso).toBe(0);
    return result.Mensagem.slice(0, 6);
  }

  it('575 for a note whose recipient is outside the account', async () => {
    const outbound = await notes('Saída', '2026-11-12', '2026-11-20');
    const foreign = outbound.find((note) => {
      const recipient = texts(inside(note, 'dest'), 'CNPJ')[0];
      return !sandbox.companies.some(({ id }) => id === recipient);
    });
    expect(await code(text(foreign ?? '', 'chNFe'), '210200')).toBe('575 - ');
  });

  it.each([
    ['650', '210210', ''],
    ['651', '210220', ''],
    ['580', '210200', ''],
    ['580', '210240', JUSTIFICATION],
  ])('%s for a cancelled note and %s', async (expected, type, reason) => {
    const cancelled = (await notes('Entrada', '2026-06-01', '2026-11-20')).find((note) =>
      note.includes('<tpEvento>110111</tpEvento>'),
    );
    expect(await code(text(cancelled ?? '', 'chNFe'), type, reason)).toBe(`${expected} - `);
  });

  it('573 for the same event again', async () => {
    const key = await untouched();
    for (const type of ['210210', '210200']) {
      await manifest(key, type);
      expect(await code(key, type)).toBe('573 - ');
    }
  });

  it('596 after the tenth day for awareness, after the ninetieth for a conclusive event', async () => {
    const key = await untouched('2026-08-01', '2026-11-01');
    const xml = stringOf(await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe: key }));
    const authorized = text(xml, 'dhRecbto').slice(0, 10);
    /** The last second of the day so many days after the authorisation. */
    const endOfDay = (days: number) => Date.parse(`${authorized}T23:59:59-03:00`) + days * 86_400_000;
    now = new Date(endOfDay(10) + 1000);
    expect(await code(key, '210210')).toBe('596 - ');
    now = new Date(endOfDay(90) + 1000);
    expect(await code(key, '210200')).toBe('596 - ');
    now = new Date(endOfDay(90));
    expect((await manifest(key, '210200')).Sucesso).toBe(1);
  });

  it('595 for a justification that is missing, too short or too long', async () => {
    const key = await untouched();
    for (const reason of ['', 'x'.repeat(14), 'x'.repeat(256)]) {
      expect(await code(key, '210240', reason)).toBe('595 - ');
    }
    expect(await code(key, '210220', 'curta')).toBe('595 - ');
    expect((await manifest(key, '210240', 'x'.repeat(255))).Sucesso).toBe(1);
  });
});

describe('a batch', () => {
  async function batch(value: unknown) {
    const eventos = JSON.stringify(value);
    return operation(sandbox, 'Mercadoria/RealizarLoteManifesto', { eventos }, 'POST');
  }

  it('answers for each event', async () => {
    const key = await untouched();
    const unknown = '35170458716523000119550010000000121000123458';
    const events = [key, unknown].map((ChaveNFe) => ({ ChaveNFe, TipoEvento: '210210', Motivo: '' }));
    const results: Result[] = JSON.parse((await batch(events)).text);
    expect(results.map(({ ChaveNFe, Sucesso }) => [ChaveNFe, Sucesso])).toEqual([
      [key, 1],
      [unknown, 0],
    ]);
  });

  it('of nothing, of more than twenty or of what is no list is refused', async () => {
    const event = { ChaveNFe: '1', TipoEvento: '1', Motivo: '' };
    const twenty = Array.from({ length: 20 }, () => event);
    expect((await batch([])).status).toBe(400);
    expect((await batch(event)).status).toBe(400);
    expect((await batch(twenty)).status).toBe(200);
    expect((await batch([...twenty, event])).status).toBe(400);
  });
});
