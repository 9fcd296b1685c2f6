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

/** The state letters of an IBGE code of two digits. */
export function stateOfCode(code = ''): string | undefined {
  return Object.hasOwn(stateByCode, code) ? stateByCode[code] : undefined;
}

/** The state of a city by its IBGE code (7 digits); `EX` for abroad; undefined for any other code. */
export function stateOfCity(code = ''): string | undefined {
  if (!/^\d{7}$/.test(code)) return undefined;
  return code === ABROAD_CITY ? ABROAD : stateOfCode(code.slice(0, 2));
}

/** The kinds of document an access key can name here, by model (positions 21 and 22). */
export const kindByModel = { '55': 'nfe', '65': 'nfce', '57': 'cte', '67': 'cteos' } as const;

export type KeyModel = keyof typeof kindByModel;

/**
 * A 44-position access key taken apart. Everything is text, as in the key. `issuer` is the tax id inside the key: for an
 * "avulsa" note (series 890 to 899) it is the tax office's.
 */
export interface AccessKey extends Required<Facts<'key state month series number'>> {
  readonly issuer: TaxId;
  readonly model: KeyModel;
  readonly kind: (typeof kindByModel)[KeyModel];
}

/**
 * A 50-position national NFS-e key taken apart. Everything is text, as in the key. `city` is the IBGE code, 7 digits, of
 * the municipality that the note was made in; the issuer is the provider, as a rule.
 */
export interface NationalNfseKey extends Required<Facts<'key city state number month'>> {
  readonly issuer: TaxId;
}

const ACCESS_KEY = /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/;
/** Positions of the key of a national NFS-e. */
export const NATIONAL_KEY_LENGTH = 50;
/** City, environment, kind of tax id (1 CPF, 2 CNPJ), tax id, and the rest. */
const NATIONAL_NFSE_KEY = /^[0-9]{8}[12][0-9A-Z]{14}[0-9]{27}$/;

const ID_PREFIX = /^(?:NFCE|NFE|CTEOS|CTE|NFSE|NFS)(?=\d)/;

/** Drops blanks, dots, dashes, slashes and an Id's prefix (`NFe`, `CTeOS`, `NFS`), and puts letters in upper case. */
export function normalizeKey(text: string): string {
  return unmaskTaxId(text).replace(ID_PREFIX, '');
}

/** `007` as `7`, `000` as `0`, `00A` as `A`. */
export function withoutLeadingZeros(text: string): string {
  return text.replace(/^0+(?=\w)/, '');
}

/** Whether the number of an NFS-e is the requested one. Cities prefix zeros or the year. */
export function isNumbered(found: string | undefined, asked: string): boolean {
  const [one, other] = [withoutLeadingZeros(found ?? asked), withoutLeadingZeros(asked)];
  return one.endsWith(other) || (one !== '0' && other.endsWith(one));
}

/** Whether a note of this series is avulsa: made by the tax office, whose tax id its key has. Source: docs/fiscal/keys.md. */
export function isAvulsa(series: string): boolean {
  return Number(series) >= 890 && Number(series) <= 899;
}

function monthOf(yearMonth: string): string | undefined {
  const month = Number(yearMonth.slice(2));
  return month >= 1 && month <= 12 ? `20${yearMonth.slice(0, 2)}-${yearMonth.slice(2)}` : undefined;
}

/** The tax id at its 14 positions in a key, with a remark where it is none; a CPF has three zeros before it. */
function issuerIn(position: string, isCpf: boolean): { issuer: TaxId; warnings: Problem[] } {
  const issuer: TaxId = isCpf ? { type: 'cpf', id: position.slice(3) } : { type: 'cnpj', id: position };
  const isOne = isCpf ? position.startsWith('000') && checkCpf(issuer.id).ok : checkCnpj(position).ok;
  return { issuer, warnings: isOne ? [] : [{ code: 'key_issuer', values: { found: issuer.id } }] };
}

/** Series 920 to 969 are of persons; others may have either. */
function isOfPerson(position: string, series: string): boolean {
  const isOfSeries = Number(series) >= 920 && Number(series) <= 969;
  return position.startsWith('000') && (isOfSeries || !checkCnpj(position).ok);
}

/** Takes a key of model 55, 65, 57 or 67 apart; a bad tax id inside is a warning. Source: docs/fiscal/keys.md. */
export function checkAccessKey(text: string): Checked<AccessKey> {
  const read = readAccessKey(text);
  const problem = read.ok ? read.warnings.find(({ code }) => code === 'key_check_digit') : undefined;
  return problem === undefined ? read : { ok: false, problem };
}

/** The same where a wrong check digit is only a warning: files have such keys, and no service is asked by one. */
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
  const { issuer, warnings } = issuerIn(position, isOfPerson(position, key.slice(22, 25)));
  const series = withoutLeadingZeros(key.slice(22, 25));
  const number = withoutLeadingZeros(key.slice(25, 34));
  const parts = { key, state, month, issuer, model, kind: kindByModel[model], series, number };
  return accepted(parts, [...wrong, ...warnings]);
}

/** The access key with its last position computed, for 43 leading positions. */
export function completeAccessKey(first43: string): string {
  return first43 + modulo11(first43);
}

/**
 * Takes a national NFS-e key (50 positions) apart; mask, blanks and the XML Id's prefix are tolerated. A check digit
 * that fails is refused, but where the key has letters it is only a warning: the rule for letters is not written down
 * officially. A tax id inside the key that does not check is a warning too. Source: docs/fiscal/keys.md.
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
  // Position 9 says which kind of tax id the 14 after it are.
  const { issuer, warnings: ofIssuer } = issuerIn(key.slice(9, 23), key[8] === '1');
  const number = withoutLeadingZeros(key.slice(23, 36));
  return accepted({ key, city: key.slice(0, 7), state, issuer, number, month }, [...warnings, ...ofIssuer]);
}

/** A key as `checkDocumentKey` takes it, where a wrong check digit of an access key is only a warning. */
export function readDocumentKey(text: string): Checked<AccessKey | NationalNfseKey> {
  return normalizeKey(text).length > 46 ? checkNationalNfseKey(text) : readAccessKey(text);
}

/** A key of a document by its length: the 44 positions of an access key, or the 50 of a national NFS-e. */
export function checkDocumentKey(text: string): Checked<AccessKey | NationalNfseKey> {
  // A key that lost some positions is held against the one it was nearer to.
  return normalizeKey(text).length > 46 ? checkNationalNfseKey(text) : checkAccessKey(text);
}
