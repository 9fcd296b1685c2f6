import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkManifestation,
  type EventName,
  eventByCode,
  manifestationEvents,
  normalizeJustification,
} from '../../src/documents/events/manifestation.ts';
import { type AccessKey, checkAccessKey, completeAccessKey } from '../../src/documents/identity/keys.ts';
import { anyCharacter } from '../support/any-character.ts';

const key = '35170458716523000119550010000000121000123458';
const alphanumericKey = '35260712ABC34501DE35550010000001231102030403';
const nfceKey = completeAccessKey(`${key.slice(0, 20)}65${key.slice(22, 43)}`);
const cteKey = '3526050X0J92JY000196570010000006041448679011';
const reason = 'Mercadoria devolvida na portaria';

const codesOf = (problems: readonly { readonly code: string }[]) => problems.map(({ code }) => code);

it('the four events have codes, names, terms and justifications of the schemas, and are found by code', () => {
  const rows = Object.values(manifestationEvents).map((event) => Object.values(event));
  expect(rows).toEqual([
    ['ciencia', '210210', 'Ciencia da Operacao', false, 'none', 10],
    ['confirmacao', '210200', 'Confirmacao da Operacao', true, 'none', 90],
    ['desconhecimento', '210220', 'Desconhecimento da Operacao', true, 'optional', 90],
    ['nao_realizada', '210240', 'Operacao nao Realizada', true, 'required', 90],
  ]);
  for (const event of Object.values(manifestationEvents)) expect(eventByCode(event.code)).toBe(event);
  expect(eventByCode('110111')).toBeUndefined();
  expect(eventByCode('')).toBeUndefined();
});

const notTaken = 'justification_not_taken';
const missing = 'justification_missing';
const length = 'justification_length';

function keyOf(text: string): AccessKey {
  const checked = checkAccessKey(text);
  if (!checked.ok) throw new Error(checked.problem.code);
  return checked.value;
}

interface Asked {
  readonly keys?: readonly string[];
  readonly event?: EventName;
  readonly justification?: string;
  readonly company?: string;
}

it.each<[Asked, ...string[]]>([
  [{}],
  [{ keys: [key, alphanumericKey], event: 'confirmacao', company: '11222333000181' }],
  [{ event: 'desconhecimento' }],
  [{ event: 'desconhecimento', justification: reason }],
  [{ event: 'nao_realizada', justification: reason }],
  [{ justification: ' \n ' }],
  [{ keys: [] }, 'batch_empty'],
  [{ keys: [key, alphanumericKey, key, key] }, 'batch_repeated_key'],
  // Every model except 55, and the issuer itself.
  [{ keys: [nfceKey, key, cteKey] }, 'manifestation_model', 'manifestation_model'],
  [{ company: '58716523000119' }, 'manifestation_own_note'],
  [{ justification: reason }, notTaken],
  [{ event: 'confirmacao', justification: reason }, notTaken],
  [{ event: 'nao_realizada', justification: '' }, missing],
  [{ event: 'nao_realizada', justification: ' \u200b ' }, missing],
  [{ event: 'nao_realizada', justification: 'curta' }, length],
  [{ event: 'desconhecimento', justification: 'x'.repeat(256) }, length],
  [{ event: 'desconhecimento', justification: ' \u201ca'.repeat(1_000_000) }, length],
  [{ event: 'desconhecimento', justification: `${reason} 😀` }, 'justification_characters'],
  // All problems at once.
  [{ keys: [nfceKey], event: 'nao_realizada' }, 'manifestation_model', missing],
])('a request with %.60j', (given, ...problems) => {
  const { keys = [key], event = 'ciencia', justification = '', company } = given;
  const request = { keys: keys.map(keyOf), event, justification: normalizeJustification(justification) };
  expect(codesOf(checkManifestation({ ...request, company }))).toEqual(problems);
});

it('a model that takes no manifestation is named, and a repeated key with its number', () => {
  const request = { event: 'ciencia', justification: normalizeJustification('') } as const;
  expect(checkManifestation({ ...request, keys: [key, nfceKey, key].map(keyOf) })).toEqual([
    { code: 'batch_repeated_key', values: { key, times: '2' } },
    { code: 'manifestation_model', values: { found: '65' } },
  ]);
});

describe('normalizeJustification', () => {
  it.each([
    ['  “Mercadoria” – não\u00a0entregue…\r\nvide e‑mail  ', '"Mercadoria" - não entregue... vide e-mail'],
    ['Operac\u0327a\u0303o\u200b  na\u0303o \u202erealizada', 'Operação não realizada'],
    // An accent separated only by an invisible character.
    ['Na\u200b\u0303o recebemos nada', 'Não recebemos nada'],
    ['Devolução: «caixa» nº 12 ÿ ¿', 'Devolução: «caixa» nº 12 ÿ ¿'],
  ])('fixes what chats write and says so: %j', (written, text) => {
    const isChanged = text !== written;
    expect(normalizeJustification(written)).toEqual({ text, isChanged, problems: [] });
  });

  it.each([
    // Characters without a glyph are named by code point.
    ['Não pedimos isto 😀 → €', '😀 (U+1F600), → (U+2192), € (U+20AC)'],
    ['Mercadoria\u0000 recusada', 'U+0000'],
    ['Mercadoria\u0093 recusada', 'U+0093'],
    ['Mercadoria\ud83d recusada', 'U+D83D'],
  ])('names every character that cannot be sent and drops none: %j', (written, found) => {
    const { text, problems } = normalizeJustification(written);
    expect(text).toBe(written);
    expect(problems).toEqual([{ code: 'justification_characters', values: { found } }]);
  });

  it.each([
    ['x'.repeat(14), '14'],
    ['x'.repeat(15), undefined],
    ['x'.repeat(255), undefined],
    ['x'.repeat(256), '256'],
    [`  ${'x'.repeat(14)}\n`, '14'],
    ['ã'.normalize('NFD').repeat(255), undefined],
  ])('counts the length after mending, both limits included: %.20j', (written, counted) => {
    const told = counted === undefined ? [] : [{ code: length, values: { length: counted } }];
    expect(normalizeJustification(written).problems).toEqual(told);
  });

  it('gives text of the schema pattern or a problem, and is done after one time', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (written) => {
        const { text, problems } = normalizeJustification(written);
        expect(problems.length > 0 || /^[!-ÿ][ -ÿ]*[!-ÿ]$/.test(text)).toBe(true);
        expect(normalizeJustification(text)).toEqual({ text, isChanged: false, problems });
      }),
      { numRuns: 500 },
    );
  });
});
