import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createTranslator } from '../../../src/messages/index.ts';
import { checkArguments, normalizeArguments } from '../../../src/tools/shared/arguments.ts';
import { filterShape, filtersFrom } from '../../../src/tools/shared/filters.ts';

const translator = createTranslator('en', 'America/Sao_Paulo');

const filters = z.strictObject(filterShape());
const read = (given: object) => filters.safeParse(normalizeArguments(given, filters));
const party = (argument: 'issuer' | 'recipient' | 'payer', text: string | number) => {
  const parsed = read({ [argument]: text });
  return parsed.success ? parsed.data[argument]?.[0] : undefined;
};

describe('somebody in a filter', () => {
  it.each([
    ['11.222.333/0001-81', { id: '11222333000181' }],
    ['52998224725', { id: '52998224725' }],
    ['11222333', { id: '11222333' }],
    ['11.222.333', { id: '11222333' }],
    // A root with letters may also be how a name begins.
    ['12ABC345', { id: '12ABC345', name: '12ABC345' }],
    // Abroad: to the letter, as files have it, or a name with a number in it.
    ['GB-123.456/7', { name: 'GB-123.456/7' }],
    [' us 12-3456789 ', { name: 'us 12-3456789' }],
    ['3M', { name: '3M' }],
    ['99', { name: '99', problem: { code: 'cnpj_length' } }],
    ['9144030067', { name: '9144030067', problem: { code: 'cnpj_length' } }],
    [9144030067, { name: '9144030067' }],
    ['Condutora', { name: 'Condutora' }],
    ['ABC', { name: 'ABC' }],
    ['VOTORANT', { name: 'VOTORANT' }],
    // A document may have what is no CPF or CNPJ: whether one does decides.
    ['11222333000182', { name: '11222333000182', problem: { code: 'cnpj_check_digits' } }],
    ['11.222.333/0001-82', { name: '11.222.333/0001-82', problem: { code: 'cnpj_check_digits' } }],
    ['529.982.247-26', { name: '529.982.247-26', problem: { code: 'cpf_check_digits' } }],
    ['12ABC34501DE36', { name: '12ABC34501DE36', problem: { code: 'cnpj_check_digits' } }],
    [11222333000181, { id: '11222333000181' }],
    [11222333, { id: '11222333' }],
  ])('%s is looked for as %o', (text, expected) => expect(party('recipient', text)).toMatchObject(expected));

  it.each(['X'.repeat(101), '!'])('%s is refused', (text) =>
    expect(party('recipient', text)).toBeUndefined(),
  );

  it.each([191, 1122233300018, 1.5])('as the number %d has lost something', (number) =>
    expect(party('issuer', number)).toBeUndefined(),
  );
});

describe('a filter', () => {
  it.each([
    [{ cfop: '5102' }, { cfop: ['5102'] }],
    [{ cfop: ['5.102', 6108] }, { cfop: ['5102', '6108'] }],
    [{ cfop: '["5102","6"]' }, { cfop: ['5102', '6'] }],
    [{ ncm: 7318 }, { ncm: ['7318'] }],
    [{ status: 'cancelled' }, { status: ['cancelled'] }],
    [{ nature: ['sale', 'return'] }, { nature: ['sale', 'return'] }],
    [{ number: ['000123', 7] }, { number: ['123', '7'] }],
    [{ unit: 'kg' }, { unit: ['KG'] }],
    [{ regime: 1 }, { regime: ['1'] }],
    [{ competence: '2026-08' }, { competence: ['2026-08'] }],
    [{ competence: '8/2026' }, { competence: ['2026-08'] }],
    [
      { due_from: '5/10/2026', due_to: '10/2026' },
      { due_from: '2026-10-05', due_to: '2026-10-31' },
    ],
    [
      { min_total: 1000, max_total: 1500.5 },
      { min_total: '1000', max_total: '1500.5' },
    ],
    [{ text: '  ' }, { text: undefined }],
  ])('%o is read as %o', (given, expected) => {
    const parsed = read(given);
    expect(parsed.success && filtersFrom(parsed.data, { translator })).toMatchObject(expected);
  });

  it.each([
    { ncm: 101 },
    { cst: 0 },
    { class_trib: 1 },
    { nature: 'venda' },
    { competence: '2026-13' },
    { competence: '13/2026' },
    { regime: '5' },
    { number: '12-3' },
    { cfop: [] },
    { min_total: 0.1 + 0.2 },
    { min_total: '1,5' },
    // More than any document can have.
    { max_total: '100000000000' },
  ])('%o is refused', (given) => expect(read(given).success).toBe(false));

  it.each([
    // CST as in documents, without the preceding digit for the origin of goods.
    ['cst', '00, 101'],
    ['pis_cofins_cst', '01, 01/50'],
    ['class_trib', '000001'],
    ['state', 'SP, EX'],
    ['competence', '2026-10, 10/2026'],
  ])('of an invalid %s is refused with valid examples: %s', (name, examples) => {
    expect(() => checkArguments({ [name]: '!' }, filters, translator)).toThrow(`must be like ${examples}`);
    for (const example of examples.split(', ')) expect(read({ [name]: example }).success).toBe(true);
  });
});
