import { describe, expect, it } from 'vitest';
import { redactIdentifiers } from '../../../src/clients/http/redact.ts';

describe('secrets and identifiers', () => {
  it.each([
    ['chave 35170458716523000119550010000000121000123458.', 'chave 3517…3458.'],
    ['NFe35260712ABC34501DE35550010000001231102030403', 'NFe3526…0403'],
    ['58716523000119 e 12ABC34501DE35', '58…19 e 12…35'],
    ['58.716.523/0001-19', '58…19'],
    ['529.982.247-25', '52…25'],
    ['52998224725', '52…25'],
    ['fulano@empresa.com.br', '…@…'],
    ['sv=1&sig=abc%2B', 'sv=1&sig=***'],
    ['usuario=maria&senha=x', 'usuario=***&senha=***'],
    ['<retChavesNfe versao="1.00"><cStat>100</cStat>', '<retChavesNfe versao="1.00"><cStat>100</cStat>'],
    ['2026-09-01T10:00:00', '2026-09-01T10:00:00'],
    ['MINISTERIODAFAZENDA', 'MINISTERIODAFAZENDA'],
  ])('%s', (text, expected) => {
    expect(redactIdentifiers(text)).toBe(expected);
  });
});
