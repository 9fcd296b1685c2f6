/** IBGE state codes, the first two positions of an access key and of a municipality code. */
export const stateByCode: Readonly<Record<string, string>> = {
  11: 'RO',
  12: 'AC',
  13: 'AM',
  14: 'RR',
  15: 'PA',
  16: 'AP',
  17: 'TO',
  21: 'MA',
  22: 'PI',
  23: 'CE',
  24: 'RN',
  25: 'PB',
  26: 'PE',
  27: 'AL',
  28: 'SE',
  29: 'BA',
  31: 'MG',
  32: 'ES',
  33: 'RJ',
  35: 'SP',
  41: 'PR',
  42: 'SC',
  43: 'RS',
  50: 'MS',
  51: 'MT',
  52: 'GO',
  53: 'DF',
};

/** City code of an address abroad. */
const ABROAD_CITY = '9999999';

/** The state of a city by its IBGE code (7 digits); `EX` for abroad; undefined for any other code. */
export function stateOfCity(code: string | undefined): string | undefined {
  if (code === undefined || !/^\d{7}$/.test(code)) return undefined;
  if (code === ABROAD_CITY) return 'EX';
  const state = code.slice(0, 2);
  return Object.hasOwn(stateByCode, state) ? stateByCode[state] : undefined;
}
