import { accepted, type Checked, type Facts, type Problem, refused } from '../problems.ts';
import { checkCnpj, checkCpf, modulo11, type TaxId, unmaskTaxId } from './tax-ids.ts';

/** IBGE state codes, the first two positions of an access key and of a municipality code. */
export const stateByCode: Readonly<Record<string, string>> = {
  ...{ 11: 'RO', 12: 'AC', 13: 'AM', 14: 'RR', 15: 'PA', 16: 'AP', 17: 'TO' },
  ...{ 21: 'MA', 22: 'PI', 23: 'CE', 24: 'RN', 25: 'PB', 26: 'PE', 27: 'AL', 28: 'SE', 29: 'BA' },
  ...{ 31: 'MG', 32: 'ES', 33: 'RJ', 35: 'SP' },
  ...{ 41: 'PR', 42: 'SC', 43: 'RS' },
  ...{ 50: 'MS', 51: 'MT', 52: 'GO', 53: 'DF' },
};

export const ABROAD = 'EX';
const ABROAD_CITY = '9999999';

/** State abbreviation of a two-digit IBGE code. */
export function stateOfCode(code = ''): string | undefined {
  return Object.hasOwn(stateByCode, code) ? stateByCode[code] : undefined;
}

/** State of a city by its IBGE code (7 digits); `EX` for abroad; undefined for any other code. */
export function stateOfCity(code = ''): string | undefined {
  if (!/^\d{7}$/.test(code)) return undefined;
  return code === ABROAD_CITY ? ABROAD : stateOfCode(code.slice(0, 2));
}

/** Supported document kinds by the model in an access key (positions 21 and 22). */
export const kindByModel = { '55': 'nfe', '65': 'nfce', '57': 'cte', '67': 'cteos' } as const;

export type KeyModel = keyof typeof kindByModel;

/**
 * Parts of a 44-position access key, as text. `issuer` is the tax id inside the key: in an "avulsa" note (series 890 to
 * 899) that of the tax office.
 */
export interface AccessKey extends Required<Facts<'key state month series number'>> {
  readonly issuer: TaxId;
  readonly model: KeyModel;
  readonly kind: (typeof kindByModel)[KeyModel];
}

/**
 * Parts of a 50-position national NFS-e key, as text. `city` is the IBGE code, 7 digits, of the issuing municipality;
 * the issuer is usually the provider.
 */
export interface NationalNfseKey extends Required<Facts<'key city state number month'>> {
  readonly issuer: TaxId;
}

const ACCESS_KEY = /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/;
/** Length of a national NFS-e key. */
export const NATIONAL_KEY_LENGTH = 50;
/** City, environment, kind of tax id (1 CPF, 2 CNPJ), tax id, and the rest. */
const NATIONAL_NFSE_KEY = /^[0-9]{8}[12][0-9A-Z]{14}[0-9]{27}$/;

const ID_PREFIX = /^(?:NFCE|NFE|CTEOS|CTE|NFSE|NFS)(?=\d)/;

/** Removes blanks, dots, dashes, slashes and an Id's prefix (`NFe`, `CTeOS`, `NFS`); converts letters to upper case. */
export function normalizeKey(text: string): string {
  return unmaskTaxId(text).replace(ID_PREFIX, '');
}

/** `007` as `7`, `000` as `0`, `00A` as `A`. */
export function withoutLeadingZeros(text: string): string {
  return text.replace(/^0+(?=\w)/, '');
}

/** True if the number of an NFS-e is the requested one. Cities prefix zeros or the year. */
export function isNumbered(found: string | undefined, asked: string): boolean {
  const [one, other] = [withoutLeadingZeros(found ?? asked), withoutLeadingZeros(asked)];
  return one.endsWith(other) || (one !== '0' && other.endsWith(one));
}

/** True for avulsa series: issued by the tax office, whose tax id is in the key. Source: docs/fiscal/keys.md. */
export function isAvulsa(series: string): boolean {
  return Number(series) >= 890 && Number(series) <= 899;
}

function monthOf(yearMonth: string): string | undefined {
  const month = Number(yearMonth.slice(2));
  return month >= 1 && month <= 12 ? `20${yearMonth.slice(0, 2)}-${yearMonth.slice(2)}` : undefined;
}

/** Tax id at its 14 positions in a key, with a warning if invalid; a CPF is preceded by three zeros. */
function issuerIn(position: string, isCpf: boolean): { issuer: TaxId; warnings: Problem[] } {
  const issuer: TaxId = isCpf ? { type: 'cpf', id: position.slice(3) } : { type: 'cnpj', id: position };
  const isValid = isCpf ? position.startsWith('000') && checkCpf(issuer.id).ok : checkCnpj(position).ok;
  return { issuer, warnings: isValid ? [] : [{ code: 'key_issuer', values: { found: issuer.id } }] };
}

/** Series 920 to 969 belong to individuals; others may have either kind of id. */
function isIndividual(position: string, series: string): boolean {
  const isIndividualSeries = Number(series) >= 920 && Number(series) <= 969;
  return position.startsWith('000') && (isIndividualSeries || !checkCnpj(position).ok);
}

/** Parses a key of model 55, 65, 57 or 67; an invalid tax id inside is a warning. Source: docs/fiscal/keys.md. */
export function checkAccessKey(text: string): Checked<AccessKey> {
  const read = readAccessKey(text);
  const problem = read.ok ? read.warnings.find(({ code }) => code === 'key_check_digit') : undefined;
  return problem === undefined ? read : { ok: false, problem };
}

/**
 * Like `checkAccessKey`, but a wrong check digit is only a warning: files contain such keys, and no service is queried
 * with them.
 */
export function readAccessKey(text: string): Checked<AccessKey> {
  const key = normalizeKey(text);
  if (key.length !== 44) return refused('key_length', { length: String(key.length) });
  if (!ACCESS_KEY.test(key)) return refused('key_form');
  const state = stateByCode[key.slice(0, 2)];
  if (state === undefined) return refused('key_state', { found: key.slice(0, 2) });
  const month = monthOf(key.slice(2, 6));
  if (month === undefined) return refused('key_month', { found: key.slice(2, 6) });
  const [expected, found] = [modulo11(key.slice(0, 43)), key.slice(43)];
  const wrong: Problem[] =
    found === expected ? [] : [{ code: 'key_check_digit', values: { found, expected } }];
  const model = key.slice(20, 22) as KeyModel;
  if (!Object.hasOwn(kindByModel, model)) return refused('key_model', { found: model });
  const position = key.slice(6, 20);
  const { issuer, warnings } = issuerIn(position, isIndividual(position, key.slice(22, 25)));
  const series = withoutLeadingZeros(key.slice(22, 25));
  const number = withoutLeadingZeros(key.slice(25, 34));
  const parts = { key, state, month, issuer, model, kind: kindByModel[model], series, number };
  return accepted(parts, [...wrong, ...warnings]);
}

/** Appends the check digit to the first 43 positions of an access key. */
export function completeAccessKey(first43: string): string {
  return first43 + modulo11(first43);
}

/**
 * Parses a national NFS-e key (50 positions); accepts a mask, blanks and the XML Id's prefix. A wrong check digit is an
 * error, but only a warning if the key contains letters: no official rule for letters is published. An invalid tax id
 * inside is a warning too. Source: docs/fiscal/keys.md.
 */
export function checkNationalNfseKey(text: string): Checked<NationalNfseKey> {
  const key = normalizeKey(text);
  if (key.length !== NATIONAL_KEY_LENGTH) return refused('nfse_key_length', { length: String(key.length) });
  if (!NATIONAL_NFSE_KEY.test(key)) return refused('nfse_key_form');
  const state = stateByCode[key.slice(0, 2)];
  if (state === undefined) return refused('key_state', { found: key.slice(0, 2) });
  const month = monthOf(key.slice(36, 40));
  if (month === undefined) return refused('key_month', { found: key.slice(36, 40) });
  const warnings: Problem[] = [];
  const expected = modulo11(key.slice(0, 49));
  if (key.slice(49) !== expected) {
    const values = { found: key.slice(49), expected };
    if (!/[A-Z]/.test(key)) return refused('key_check_digit', values);
    warnings.push({ code: 'key_check_digit', values });
  }
  // Position 9 gives the kind of tax id in the next 14.
  const { issuer, warnings: ofIssuer } = issuerIn(key.slice(9, 23), key[8] === '1');
  const number = withoutLeadingZeros(key.slice(23, 36));
  return accepted({ key, city: key.slice(0, 7), state, issuer, number, month }, [...warnings, ...ofIssuer]);
}

/** Like `checkDocumentKey`, but a wrong check digit of an access key is only a warning. */
export function readDocumentKey(text: string): Checked<AccessKey | NationalNfseKey> {
  return normalizeKey(text).length > 46 ? checkNationalNfseKey(text) : readAccessKey(text);
}

/** Parses a document key by its length: 44 positions for an access key, 50 for a national NFS-e. */
export function checkDocumentKey(text: string): Checked<AccessKey | NationalNfseKey> {
  // An incomplete key is checked as the type with the nearer length.
  return normalizeKey(text).length > 46 ? checkNationalNfseKey(text) : checkAccessKey(text);
}
