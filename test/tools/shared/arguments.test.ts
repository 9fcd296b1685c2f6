import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { BadArguments } from '../../../src/company/failures.ts';
import { createTranslator } from '../../../src/messages/index.ts';
import {
  checkArguments,
  cnpjNumber,
  decimal,
  normalizeArguments,
  ofDigits,
  taxIdNumber,
  wholeNumber,
} from '../../../src/tools/shared/arguments.ts';
import { limit, shared } from '../../../src/tools/shared/parameters.ts';

const translator = createTranslator('en');
const schema = z.strictObject({
  document: shared.document(),
  cnpj: shared.cnpj(),
  key: shared.key().optional(),
  keys: z.array(z.string()).optional(),
  note: z.string().optional(),
  approved_only: z.boolean().optional(),
  limit: limit(100, 500),
});

describe('what hosts do to arguments', () => {
  it.each([
    ['a list as JSON text', { keys: '["a","b"]' }, { keys: ['a', 'b'] }],
    ['a list of one as the one', { keys: 'a' }, { keys: ['a'] }],
    ['a company as a list of one', { cnpj: ['48152036000117'] }, { cnpj: '48152036000117' }],
    ['a number as text', { limit: '20' }, { limit: 20 }],
    ['a toggle as text', { approved_only: 'True' }, { approved_only: true }],
    ['a toggle off as text', { approved_only: 'false' }, { approved_only: false }],
    ['null', { cnpj: null, note: null }, {}],
    ['undefined', { cnpj: undefined }, {}],
    ['keys that begin with _', { _meta: {}, _x: 1 }, {}],
    ['known artefacts', { toolCallId: 'x', tool_call_id: 'x', sessionId: 1, action: 'call' }, {}],
  ])('is undone: %s', (_name, given, expected) => {
    expect(normalizeArguments(given, schema)).toEqual(expected);
  });

  it.each([
    ['a text that looks like a list, where a text is wanted', { note: '["a"]' }],
    ['a text of digits, where a text is wanted', { note: '00123' }],
    ['an empty text, where it says something', { note: '' }],
    ['an unknown key', { nota: 'x' }],
    ['two companies, where one is wanted', { cnpj: ['48152036000117', '07391455000124'] }],
    ['JSON of more than any list, where a list is wanted', { keys: JSON.stringify(Array(50_000).fill('a')) }],
    ['JSON that is cut, where a list is wanted', { keys: '["a",' }],
    ['digits that a number could not hold', { limit: '12345678901234567890' }],
  ])('is left as it is: %s', (_name, given) => {
    expect(normalizeArguments(given, schema)).toEqual(given);
  });

  it.each([null, undefined, 'text', 7, ['a']])('takes %j for no arguments', (raw) => {
    expect(normalizeArguments(raw, schema)).toEqual({});
  });
});

describe('an analyst’s words for a choice', () => {
  const choices = z.strictObject({
    direction: z.enum(['inbound', 'outbound']).optional(),
    document: z.array(z.enum(['nfe', 'nfse', 'cte'])).optional(),
    counterparty: z.array(z.string()).optional(),
    group_by: z.array(z.enum(['counterparty', 'issuer'])).optional(),
  });
  it.each([
    [{ direction: 'entrada' }, { direction: 'inbound' }],
    [{ fornecedor: 'Aço' }, { counterparty: ['Aço'], direction: 'inbound' }],
    [
      { supplier: 'Aço', direction: '' },
      { counterparty: ['Aço'], direction: 'inbound' },
    ],
    [{ cliente: ['Aço'] }, { counterparty: ['Aço'], direction: 'outbound' }],
    [{ customer: ['Aço'] }, { counterparty: ['Aço'], direction: 'outbound' }],
    [{ group_by: ['Fornecedor'] }, { group_by: ['counterparty'], direction: 'inbound' }],
    [{ group_by: 'cliente' }, { group_by: ['counterparty'], direction: 'outbound' }],
    // Goods go back to a supplier by a note that is issued.
    [
      { fornecedor: 'Aço', direction: 'saída' },
      { counterparty: ['Aço'], direction: 'outbound' },
    ],
    [{ counterparty: ['Aço'] }, { counterparty: ['Aço'] }],
    [
      { counterparty: ['Aço'], group_by: ['counterparty'] },
      { counterparty: ['Aço'], group_by: ['counterparty'] },
    ],
    [{ direction: 'Saída' }, { direction: 'outbound' }],
    [{ direction: 'recebidas' }, { direction: 'inbound' }],
    [{ document: ['NF-e', 'CT-e'] }, { document: ['nfe', 'cte'] }],
    [{ direction: 'Inbound ' }, { direction: 'inbound' }],
    [{ document: 'NFS-e' }, { document: ['nfse'] }],
    // Each once, however often it is named.
    [{ document: ['nfe', 'NF-e'] }, { document: ['nfe'] }],
    [{ group_by: ['fornecedor', 'counterparty'] }, { group_by: ['counterparty'], direction: 'inbound' }],
  ])('%j', (given, expected) => {
    expect(checkArguments(given, choices, translator)).toEqual(expected);
  });

  it.each([
    [{ direction: 'devolução' }],
    [{ direction: 'nfe' }],
    [{ document: ['MDF-e'] }],
    // Which of the two is meant is not guessed.
    [{ fornecedor: 'Aço', counterparty: ['Ferro'] }],
    [{ fornecedor: 'Aço', cliente: 'Ferro' }],
    [{ fornecedor: 'Aço', group_by: ['cliente'] }],
    [{ group_by: ['fornecedor', 'cliente'] }],
  ])('not %j', (given) => {
    expect(() => checkArguments(given, choices, translator)).toThrow(BadArguments);
  });
});

it.each([
  [cnpjNumber, 48152036000117, '48152036000117'],
  // 00000000000191 has lost ten zeros.
  [cnpjNumber, 191, undefined],
  [taxIdNumber, 48152036, '48152036'],
  [taxIdNumber, 52998224725, '52998224725'],
  [taxIdNumber, 4815203, undefined],
  [taxIdNumber, 52998224726, undefined],
  [decimal, 1234.5, '1234.5'],
  [decimal, -0.01, '-0.01'],
  [decimal, 1e21, undefined],
  [decimal, 0.1 + 0.2, undefined],
  [decimal, 123456789012345.6, undefined],
  [wholeNumber, 7, '7'],
  [wholeNumber, 7.5, undefined],
  [wholeNumber, -7, undefined],
  [wholeNumber, 3.5e43, undefined],
  // 0101 as a number is 101, and would be another chapter.
  [ofDigits(2, 4, 6, 8), 101, undefined],
  [ofDigits(2, 4, 6, 8), 7318, '7318'],
])('a JSON number stands for a text: %o %d: %s', (spell, number, text) => expect(spell(number)).toBe(text));
