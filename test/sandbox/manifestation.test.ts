import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
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

  it.each(['ciencia', 'Ciencia da Operacao', 'Ciência da Operação'])('may be named %j', async (name) => {
    const key = await untouched();
    expect((await manifest(key, name)).Sucesso).toBe(1);
    expect((await status(key, '210210')).Sucesso).toBe(1);
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

  it('is kept by its sandbox alone', async () => {
    const key = await untouched();
    await manifest(key, '210200');
    const other = await startNovemberSandbox();
    try {
      const called = await operation(other, 'Mercadoria/PesquisarStatusEvento', {
        evento: evento(key, '210200'),
      });
      expect(JSON.parse(called.text).Sucesso).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('that was not registered is not found', async () => {
    const result = await status(await untouched(), '210200');
    expect(result.Sucesso).toBe(0);
    expect(result.Mensagem).toMatch(/^137 - /);
  });
});

describe('refusals', () => {
  async function code(key: string, type: string, reason = ''): Promise<string> {
    const result = await manifest(key, type, reason);
    expect(result.Sucesso).toBe(0);
    return result.Mensagem.slice(0, 6);
  }

  it('236 for a wrong check digit', async () => {
    expect(await code('35170458716523000119550010000000121000123459', '210210')).toBe('236 - ');
  });

  it('493 for what is no key', async () => {
    expect(await code('123', '210210')).toBe('493 - ');
  });

  it('494 for a note that is not there', async () => {
    expect(await code('35170458716523000119550010000000121000123458', '210210')).toBe('494 - ');
  });

  it('491 for an event that is no manifestation', async () => {
    expect(await code(await untouched(), '110111')).toBe('491 - ');
  });

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

  it('655 for awareness after a conclusive event', async () => {
    const key = await untouched();
    await manifest(key, '210220');
    expect(await code(key, '210210')).toBe('655 - ');
  });

  it('594 for a conclusive event a third time', async () => {
    const key = await untouched();
    for (const type of ['210200', '210220', '210200', '210220'])
      expect((await manifest(key, type)).Sucesso).toBe(1);
    expect(await code(key, '210200')).toBe('594 - ');
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

  it('596 by the longer term until the shorter one came into force', async () => {
    now = new Date('2026-05-31T12:00:00-03:00');
    const key = await untouched('2026-01-05', '2026-02-25');
    expect((await manifest(key, '210200')).Sucesso).toBe(1);
    const other = await startSandbox({ now: () => new Date('2026-06-01T12:00:00-03:00') });
    try {
      const asked = { evento: evento(key, '210200') };
      const called = await operation(other, 'Mercadoria/RealizarManifesto', asked, 'POST');
      expect(JSON.parse(called.text).Mensagem).toMatch(/^596 - .*90 dias/);
    } finally {
      await other.close();
    }
  });

  it('596 for correcting a conclusive event after the thirtieth day', async () => {
    const key = await untouched();
    await manifest(key, '210200');
    now = new Date(now.getTime() + 30 * 86_400_000);
    expect((await manifest(key, '210220')).Sucesso).toBe(1);
    now = new Date(now.getTime() + 86_400_000);
    expect(await code(key, '210240', JUSTIFICATION)).toBe('596 - ');
  });

  it('595 for a justification that is missing, too short or too long', async () => {
    const key = await untouched();
    for (const reason of ['', 'x'.repeat(14), 'x'.repeat(256)]) {
      expect(await code(key, '210240', reason)).toBe('595 - ');
    }
    expect(await code(key, '210220', 'curta')).toBe('595 - ');
    expect((await manifest(key, '210240', 'x'.repeat(255))).Sucesso).toBe(1);
  });

  it.each([
    'Recusada – mercadoria errada',
    'Recusada “errada” na entrega',
    'Recusada na\nentrega de hoje',
    ' Recusada na entrega',
  ])('493 for the characters of %j', async (reason) => {
    expect(await code(await untouched(), '210240', reason)).toBe('493 - ');
  });

  it('a text that is no event is a bad request', async () => {
    for (const wrong of ['', 'no json', '[]', '{"ChaveNFe":1,"TipoEvento":"210210"}', 'null']) {
      const called = await operation(sandbox, 'Mercadoria/RealizarManifesto', { evento: wrong }, 'POST');
      expect(called.status).toBe(400);
    }
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

  it('with one event that is none performs nothing', async () => {
    const key = await untouched();
    const called = await batch([{ ChaveNFe: key, TipoEvento: '210200', Motivo: '' }, 'nothing']);
    expect(called.status).toBe(400);
    expect((await status(key, '210200')).Sucesso).toBe(0);
  });
});

it('older notes have been manifested for the most part, recent ones have not', async () => {
  const older = await notes('Entrada', '2026-08-01', '2026-08-31');
  const manifested = older.filter((note) => note.includes('<tpEvento>210210</tpEvento>'));
  expect(manifested.length).toBeGreaterThan(older.length / 2);
  expect(manifested.length).toBeLessThan(older.length);
  const recent = await notes('Entrada', '2026-11-18', '2026-11-20');
  expect(recent.length).toBeGreaterThan(0);
  for (const note of recent) expect(note).not.toContain('<tpEvento>2102');
});
