import { beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { contents, inside, operation, period, stringOf, text, texts } from './calls.ts';

interface Result {
  readonly ChaveNFe: string;
  readonly Mensagem: string;
  readonly Sucesso: number;
}

const JUSTIFICATION = 'Mercadoria devolvida na portaria';
const UNKNOWN = '35170458716523000119550010000000121000123458';

let sandbox: Sandbox;
let now: Date;
beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00-03:00');
  sandbox = await startNovemberSandbox({ now: () => now });
});

const eventOf = (ChaveNFe: string, TipoEvento: string, Motivo = '') => ({ ChaveNFe, TipoEvento, Motivo });

async function manifest(...event: Parameters<typeof eventOf>): Promise<Result> {
  const evento = JSON.stringify(eventOf(...event));
  const called = await operation(sandbox, 'Mercadoria/RealizarManifesto', { evento }, 'POST');
  expect(called.status).toBe(200);
  return JSON.parse(called.text);
}

async function notes(tipo: string, from: string, to: string): Promise<string[]> {
  const name = 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo';
  return contents(stringOf(await operation(sandbox, name, { ...period(from, to), tipo })));
}
const noteOf = async (chaveNfe: string) =>
  stringOf(await operation(sandbox, 'Mercadoria/DownloadXml', { chaveNfe }));

/** The key of a note received in the days before the clock that has no event. */
async function untouched(from = '2026-11-12', to = '2026-11-20'): Promise<string> {
  const received = (await notes('Entrada', from, to)).filter((note) => text(note, 'tpNF') === '1');
  return text(received.find((note) => !note.includes('procEventoNFe')) ?? '', 'chNFe');
}

it.each([
  ['210210', '', 'Ciencia da Operacao'],
  ['210200', '', 'Confirmacao da Operacao'],
  ['210220', '', 'Desconhecimento da Operacao'],
  ['210240', JUSTIFICATION, 'Operacao nao Realizada'],
])('event %s is registered, and is in the note from then on', async (type, reason, name) => {
  const key = await untouched();
  const Mensagem = '135 - Evento registrado e vinculado a NF-e';
  const done = { ChaveNFe: key, Evento: type, Mensagem, Sucesso: 1, Usuario: 'demo' };
  expect(await manifest(key, type, reason)).toEqual(done);
  const evento = JSON.stringify(eventOf(key, type));
  const found = JSON.parse((await operation(sandbox, 'Mercadoria/PesquisarStatusEvento', { evento })).text);
  expect(found).toMatchObject({ Sucesso: 1, Mensagem: expect.stringContaining(Mensagem) });
  const event = inside(await noteOf(key), 'procEventoNFe');
  expect([text(event, 'descEvento'), texts(event, 'xJust')[0] ?? '']).toEqual([name, reason]);
  expect(event).toContain(`Id="ID${type}${key}01"`);
});

describe('refusals', () => {
  async function code(...event: Parameters<typeof eventOf>): Promise<string> {
    const { Sucesso, Mensagem } = await manifest(...event);
    expect(Sucesso).toBe(0);
    return Mensagem.slice(0, 6);
  }

  it('575 for a note whose recipient is outside the account', async () => {
    const ours = sandbox.companies.map(({ id }) => id);
    const foreign = (await notes('Saída', '2026-11-12', '2026-11-20')).find(
      (note) => !ours.includes(texts(inside(note, 'dest'), 'CNPJ')[0] ?? ''),
    );
    expect(await code(text(foreign ?? '', 'chNFe'), '210200')).toBe('575 - ');
  });

  it('of every event on a cancelled note', async () => {
    const received = await notes('Entrada', '2026-06-01', '2026-11-20');
    const cancelled = received.find((note) => note.includes('<tpEvento>110111</tpEvento>'));
    const key = text(cancelled ?? '', 'chNFe');
    const codes = { 210210: '650', 210220: '651', 210200: '580', 210240: '580' };
    for (const [type, expected] of Object.entries(codes))
      expect(await code(key, type, type === '210240' ? JUSTIFICATION : '')).toBe(`${expected} - `);
  });

  it('573 for the same event again, 655 for awareness after a conclusion', async () => {
    const key = await untouched();
    await manifest(key, '210200');
    expect([await code(key, '210200'), await code(key, '210210')]).toEqual(['573 - ', '655 - ']);
  });

  it('596 after the tenth day for awareness, after the ninetieth for a conclusive event', async () => {
    const key = await untouched('2026-08-01', '2026-11-01');
    const authorized = text(await noteOf(key), 'dhRecbto').slice(0, 10);
    for (const [type, days] of Object.entries({ 210210: 10, 210200: 90 })) {
      const end = Date.parse(`${authorized}T23:59:59-03:00`) + days * 86_400_000;
      now = new Date(end + 1000);
      expect(await code(key, type)).toBe('596 - ');
      now = new Date(end);
    }
    expect((await manifest(key, '210200')).Sucesso).toBe(1);
  });

  it('595 for a justification that is missing, too short or too long', async () => {
    const key = await untouched();
    for (const reason of ['', 'x'.repeat(14), 'x'.repeat(256)])
      expect(await code(key, '210240', reason)).toBe('595 - ');
    expect(await code(key, '210220', 'curta')).toBe('595 - ');
    expect((await manifest(key, '210240', 'x'.repeat(255))).Sucesso).toBe(1);
  });
});

it('a batch answers for each event, and is of one to twenty', async () => {
  const batch = (value: unknown) =>
    operation(sandbox, 'Mercadoria/RealizarLoteManifesto', { eventos: JSON.stringify(value) }, 'POST');
  const keys = [await untouched(), UNKNOWN];
  const results: Result[] = JSON.parse((await batch(keys.map((key) => eventOf(key, '210210')))).text);
  const answers = results.map(({ ChaveNFe, Sucesso }) => [ChaveNFe, Sucesso]);
  expect(answers).toEqual(keys.map((key, i) => [key, 1 - i]));
  const events = (length: number) => Array.from({ length }, () => eventOf('1', '1'));
  const statuses = [];
  for (const value of [[], eventOf('1', '1'), events(20), events(21)])
    statuses.push((await batch(value)).status);
  expect(statuses).toEqual([400, 400, 200, 400]);
});
