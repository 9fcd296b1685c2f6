import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkBatch,
  checkManifestation,
  eventByCode,
  manifestationEvents,
  normalizeJustification,
} from '../../src/documents/events/manifestation.ts';
import { completeAccessKey } from '../../src/documents/identity/keys.ts';
import { anyCharacter } from '../support/any-character.ts';

const key = '35170458716523000119550010000000121000123458';
const alphanumericKey = '35260712ABC34501DE35550010000001231102030403';
const reason = 'Mercadoria devolvida na portaria';

function codesOf(problems: readonly { readonly code: string }[]): string[] {
  return problems.map(({ code }) => code);
}

describe('the four events', () => {
  it('have the codes and names of the schemas', () => {
    const rows = Object.values(manifestationEvents).map(({ code, description }) => [code, description]);
    expect(rows.sort()).toEqual([
      ['210200', 'Confirmacao da Operacao'],
      ['210210', 'Ciencia da Operacao'],
      ['210220', 'Desconhecimento da Operacao'],
      ['210240', 'Operacao nao Realizada'],
    ]);
  });

  it('say that only Ciência is not conclusive and has 10 days, the others 90', () => {
    const { ciencia, ...conclusive } = manifestationEvents;
    expect(ciencia).toMatchObject({ conclusive: false, deadlineDays: 10, justification: 'none' });
    for (const event of Object.values(conclusive)) {
      expect(event).toMatchObject({ conclusive: true, deadlineDays: 90 });
    }
    expect(conclusive.confirmacao.justification).toBe('none');
    expect(conclusive.desconhecimento.justification).toBe('optional');
    expect(conclusive.nao_realizada.justification).toBe('required');
  });

  it('are found by code, other events are not', () => {
    expect(eventByCode('210210')?.name).toBe('ciencia');
    expect(eventByCode('210200')?.name).toBe('confirmacao');
    expect(eventByCode('110111')).toBeUndefined();
    expect(eventByCode('')).toBeUndefined();
  });
});

describe('checkManifestation', () => {
  it('finds nothing wrong with good requests', () => {
    expect(checkManifestation({ key, event: 'ciencia' })).toEqual([]);
    expect(
      checkManifestation({ key: alphanumericKey, event: 'confirmacao', company: '11222333000181' }),
    ).toEqual([]);
    expect(checkManifestation({ key, event: 'desconhecimento' })).toEqual([]);
    expect(checkManifestation({ key, event: 'desconhecimento', justification: reason })).toEqual([]);
    expect(checkManifestation({ key, event: 'nao_realizada', justification: reason })).toEqual([]);
    expect(checkManifestation({ key, event: 'ciencia', justification: ' \n ' })).toEqual([]);
  });

  it('names a key that is wrong in form or check digit', () => {
    const wrongDigit = `${key.slice(0, 43)}1`;
    expect(codesOf(checkManifestation({ key: wrongDigit, event: 'ciencia' }))).toEqual(['key_check_digit']);
    expect(codesOf(checkManifestation({ key: '123', event: 'ciencia' }))).toEqual(['key_length']);
  });

  it('refuses every model but 55', () => {
    const nfce = completeAccessKey(`${key.slice(0, 20)}65${key.slice(22, 43)}`);
    expect(checkManifestation({ key: nfce, event: 'ciencia' })).toEqual([
      { code: 'manifestation_model', values: { found: '65' } },
    ]);
    const cte = '3526050X0J92JY000196570010000006041448679011';
    expect(codesOf(checkManifestation({ key: cte, event: 'ciencia' }))).toEqual(['manifestation_model']);
  });

  it('refuses a manifestation by the issuer, in whatever form the company is written', () => {
    for (const company of ['58716523000119', '58.716.523/0001-19']) {
      expect(codesOf(checkManifestation({ key, event: 'ciencia', company }))).toEqual([
        'manifestation_own_note',
      ]);
    }
    expect(codesOf(checkManifestation({ key, event: 'ciencia', company: '58716523000118' }))).toEqual([
      'cnpj_check_digits',
    ]);
  });

  it('holds the justification to the rule of the event', () => {
    const check = (
      event: 'ciencia' | 'confirmacao' | 'nao_realizada' | 'desconhecimento',
      justification: string,
    ) => codesOf(checkManifestation({ key, event, justification }));
    expect(check('ciencia', reason)).toEqual(['justification_not_taken']);
    expect(check('confirmacao', reason)).toEqual(['justification_not_taken']);
    expect(check('nao_realizada', '')).toEqual(['justification_missing']);
    expect(check('nao_realizada', ' \u200b ')).toEqual(['justification_missing']);
    expect(check('nao_realizada', 'curta')).toEqual(['justification_length']);
    expect(check('desconhecimento', 'x'.repeat(256))).toEqual(['justification_length']);
    expect(check('desconhecimento', ` \u201ca`.repeat(1_000_000))).toEqual(['justification_length']);
    expect(check('desconhecimento', `${reason} 😀`)).toEqual(['justification_characters']);
  });

  it('names everything that is wrong at once', () => {
    expect(codesOf(checkManifestation({ key: 'x', event: 'nao_realizada' }))).toEqual([
      'key_length',
      'justification_missing',
    ]);
  });
});

describe('checkBatch', () => {
  it('wants at least one key and each once, however it is written', () => {
    expect(checkBatch([key, alphanumericKey])).toEqual([]);
    expect(codesOf(checkBatch([]))).toEqual(['batch_empty']);
    expect(checkBatch([key, alphanumericKey, `NFe${key}`, key])).toEqual([
      { code: 'batch_repeated_key', values: { key, times: '3' } },
    ]);
    expect(codesOf(checkBatch([alphanumericKey, alphanumericKey.toLowerCase()]))).toEqual([
      'batch_repeated_key',
    ]);
  });
});

describe('normalizeJustification', () => {
  it('mends what chats write and says what it mended', () => {
    expect(normalizeJustification('  “Mercadoria” – não\u00a0entregue…\r\nvide e‑mail  ')).toEqual({
      text: '"Mercadoria" - não entregue... vide e-mail',
      changes: ['quotes', 'dashes', 'ellipsis', 'line_breaks', 'blanks', 'edges'],
      problems: [],
    });
  });

  it('joins accents, takes out what no one sees and doubled blanks', () => {
    expect(normalizeJustification('Operac\u0327a\u0303o\u200b  na\u0303o \u202erealizada')).toEqual({
      text: 'Operação não realizada',
      changes: ['invisible', 'composed', 'runs'],
      problems: [],
    });
  });

  it('joins an accent that only something invisible kept apart', () => {
    expect(normalizeJustification('Na\u200b\u0303o recebemos nada')).toEqual({
      text: 'Não recebemos nada',
      changes: ['invisible', 'composed'],
      problems: [],
    });
  });

  it('leaves good text alone', () => {
    const text = 'Devolução: «caixa» nº 12 ÿ ¿';
    expect(normalizeJustification(text)).toEqual({ text, changes: [], problems: [] });
  });

  it('names every character that cannot be sent and drops none', () => {
    const { text, problems } = normalizeJustification('Não pedimos isto 😀 → €');
    expect(text).toBe('Não pedimos isto 😀 → €');
    expect(problems).toEqual([
      { code: 'justification_characters', values: { found: '😀 (U+1F600), → (U+2192), € (U+20AC)' } },
    ]);
  });

  it('names what has no glyph by its number', () => {
    const found = (text: string) => normalizeJustification(text).problems[0]?.values.found;
    expect(found('Mercadoria\u0000 recusada')).toBe('U+0000');
    expect(found('Mercadoria\u0093 recusada')).toBe('U+0093');
    expect(found('Mercadoria\ud83d recusada')).toBe('U+D83D');
  });

  it('counts the length after mending, both limits included', () => {
    const lengthProblem = (length: string) => [{ code: 'justification_length', values: { length } }];
    expect(normalizeJustification('x'.repeat(14)).problems).toEqual(lengthProblem('14'));
    expect(normalizeJustification('x'.repeat(15)).problems).toEqual([]);
    expect(normalizeJustification('x'.repeat(255)).problems).toEqual([]);
    expect(normalizeJustification('x'.repeat(256)).problems).toEqual(lengthProblem('256'));
    expect(normalizeJustification(`  ${'x'.repeat(14)}\n`).problems).toEqual(lengthProblem('14'));
    expect(normalizeJustification(`${'ã'.normalize('NFD').repeat(255)}`).problems).toEqual([]);
  });

  it('gives text of the schema pattern or a problem, and is done after one time', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (written) => {
        const { text, problems } = normalizeJustification(written);
        expect(problems.length > 0 || /^[!-ÿ][ -ÿ]*[!-ÿ]$/.test(text)).toBe(true);
        expect(normalizeJustification(text)).toEqual({ text, changes: [], problems });
      }),
      { numRuns: 500 },
    );
  });
});
