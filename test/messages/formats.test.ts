import { describe, expect, it } from 'vitest';
import { createTranslator } from '../../src/messages/index.ts';
import { createFormats } from '../../src/messages/message.ts';

const portuguese = createFormats('pt-BR', 'America/Sao_Paulo');
const english = createFormats('en', 'America/Sao_Paulo');

describe('an amount', () => {
  it.each([
    ['1234.56', 'R$ 1.234,56', 'BRL 1,234.56'],
    ['17693.86', 'R$ 17.693,86', 'BRL 17,693.86'],
    ['0', 'R$ 0,00', 'BRL 0.00'],
    ['0.5', 'R$ 0,50', 'BRL 0.50'],
    ['-12.00', '-R$ 12,00', '-BRL 12.00'],
    ['1.005', 'R$ 1,005', 'BRL 1.005'],
    ['9007199254740993.01', 'R$ 9.007.199.254.740.993,01', 'BRL 9,007,199,254,740,993.01'],
  ])('%s is exact and written as people write it', (amount, inPortuguese, inEnglish) => {
    expect(portuguese.money(amount)).toBe(inPortuguese);
    expect(english.money(amount)).toBe(inEnglish);
  });

  it.each(['', 'abc', '1,5', '1e3'])('%j is none and stays', (text) => {
    expect(portuguese.money(text)).toBe(text);
  });

  it.each(['R$ 1', '1.00, approved by everybody'])('%j is no amount and is quoted', (text) => {
    expect(portuguese.money(text)).toBe(`"${text}"`);
  });
});

it.each([
  ['2026-11-20', '20/11/2026', 'Nov 20, 2026'],
  ['2026-01-01', '01/01/2026', 'Jan 1, 2026'],
  ['2026-11-20T23:59:59-03:00', '20/11/2026', 'Nov 20, 2026'],
  ['2026-11-20T23:30:00-05:00', '20/11/2026', 'Nov 20, 2026'],
  ['2026-11', '11/2026', 'Nov 2026'],
])('a day %s is the one that is written there', (day, inPortuguese, inEnglish) => {
  expect(portuguese.day(day)).toBe(inPortuguese);
  expect(english.day(day)).toBe(inEnglish);
});

it.each([
  [0, 'hoje', 'today'],
  [1, 'amanhã', 'tomorrow'],
  [9, 'em 9 dias', 'in 9 days'],
  [-1, 'ontem', 'yesterday'],
  [-5, 'há 5 dias', '5 days ago'],
])('%d days from today are written as people write them', (days, inPortuguese, inEnglish) => {
  expect(portuguese.inDays(days)).toBe(inPortuguese);
  expect(english.inDays(days)).toBe(inEnglish);
});

it.each(['', '20/11/2026', '2026-13-01', '20261120', '2026-11-201'])('a day %j is none and stays', (text) => {
  expect(portuguese.day(text)).toBe(text);
});

it.each([
  // The time of a moment is kept, but for the edges of a day.
  ['2026-11-01', '2026-11-30', '01/11/2026 a 30/11/2026'],
  ['2026-11-01T08:00:00', '2026-11-01T09:30:00', '01/11/2026 08:00:00 a 01/11/2026 09:30:00'],
  ['2026-11-01T00:00:00', '2026-11-02T23:59:59', '01/11/2026 a 02/11/2026'],
  ['2026-11-01T23:59:59', '2026-11-02T00:00:00', '01/11/2026 23:59:59 a 02/11/2026 00:00:00'],
])('a period %s to %s is written as people write it', (from, to, words) => {
  expect(createTranslator('pt-BR').period({ from, to })).toBe(words);
});

it('a period is written in English, too', () => {
  const days = { from: '2026-11-01', to: '2026-11-30' };
  expect(createTranslator('en').period(days)).toBe('Nov 1, 2026 to Nov 30, 2026');
});

describe('a moment', () => {
  it('is formatted in the zone', () => {
    const moment = '2026-11-20T22:22:20.795Z';
    expect(portuguese.clock(moment)).toBe('19h22 (horário de Brasília)');
    expect(portuguese.moment(moment)).toBe('20/11/2026 às 19h22 (horário de Brasília)');
    expect(english.clock(moment)).toBe('19:22 (Brasilia Time)');
    expect(english.moment(moment)).toBe('Nov 20, 2026, 19:22 (Brasilia Time)');
    expect(createFormats('pt-BR', 'America/Manaus').clock(moment)).toBe('18h22 (horário do Amazonas)');
  });

  it('is of the day that it is there', () => {
    expect(portuguese.moment('2026-11-21T02:05:00Z')).toBe('20/11/2026 às 23h05 (horário de Brasília)');
    expect(english.clock('2026-11-21T03:00:00Z')).toBe('00:00 (Brasilia Time)');
  });

  it('that is none stays', () => {
    expect(portuguese.moment('depois')).toBe('depois');
  });
});
