import { ABROAD, stateOfCity } from '../identity/keys.ts';
import { unmaskTaxId } from '../identity/tax-ids.ts';
import type { PartyField, Texts } from './fields.ts';
import type { Party } from './summary.ts';

/** Municipal notes may contain a mask; other irregularities of an id are kept. */
function unmasked(id: string): string {
  return /[./-]/.test(id) ? unmaskTaxId(id) : id;
}

/** Identity from an element that holds a CPF or a CNPJ: the length decides. Placeholder ids (000…) are ignored. */
function eitherIdentity(text: string | undefined): Pick<Party, 'id' | 'id_type'> | undefined {
  if (text === undefined || /^(.)\1*$/.test(text)) return undefined;
  const id = unmasked(text);
  if (id.length === 14) return { id, id_type: 'cnpj' };
  return id.length === 11 ? { id, id_type: 'cpf' } : { id };
}

function identity(texts: Texts<PartyField>): Pick<Party, 'id' | 'id_type'> {
  const { cnpj, cpf, tax_id, foreign } = texts;
  if (cnpj !== undefined) return { id: unmasked(cnpj), id_type: 'cnpj' };
  if (cpf !== undefined) return { id: unmasked(cpf), id_type: 'cpf' };
  const either = eitherIdentity(tax_id);
  if (either !== undefined) return either;
  if (foreign !== undefined) return { id: foreign, id_type: 'foreign' };
  return stateFrom(texts) === ABROAD ? { id_type: 'foreign' } : {};
}

/** Brazil in ISO 3166 and Central Bank codes; a missing code means Brazil. */
const brazil = new Set([undefined, 'BR', '1058', '01058']);

/** State of a party: as in the file, else that of its city, else abroad if the file only gives a foreign country. */
function stateFrom({ state, city_code, country }: Texts<PartyField>): string | undefined {
  return state ?? stateOfCity(city_code) ?? (brazil.has(country) ? undefined : ABROAD);
}

/** The part of a summary; undefined if it has no value. */
export function unlessEmpty<T extends object>(part: T): T | undefined {
  for (const name in part) if (part[name] !== undefined) return part;
  return undefined;
}

const yesOrNo = new Map(Object.entries({ 1: true, 2: false }));
/** opSimpNac: 1 no, 2 MEI, 3 micro or small company; 4 (pending) is neither. Source: docs/fiscal/layouts.md. */
const nationalOptions = new Map(Object.entries({ 1: false, 2: true, 3: true }));

function isUnderSimples({ simples_option = '', is_under_simples = '' }: Texts<PartyField>) {
  return nationalOptions.get(simples_option) ?? yesOrNo.get(is_under_simples);
}

/** opSimpNac 2, RegimeEspecialTributacao 5; the latter is optional, so its absence proves nothing. */
function isMei({ simples_option, special_regime }: Texts<PartyField>): boolean | undefined {
  if (simples_option === '2' || special_regime === '5') return true;
  return simples_option === '3' ? false : undefined;
}

/** The party; undefined if the file has no data about it. The element determines the kind of id. */
export function partyFrom(texts: Texts<PartyField>): Party | undefined {
  if (unlessEmpty(texts) === undefined) return undefined;
  const { id, id_type } = identity(texts);
  const is_under_simples = isUnderSimples(texts);
  const is_mei = isMei(texts);
  return {
    id,
    id_type,
    name: texts.name,
    state: stateFrom(texts),
    city: texts.city,
    city_code: texts.city_code,
    state_registration: texts.state_registration,
    municipal_registration: texts.municipal_registration,
    tax_regime: texts.tax_regime,
    ...(is_under_simples === undefined ? {} : { is_under_simples }),
    ...(is_mei === undefined ? {} : { is_mei }),
  };
}

/** A CNPJ or CPF without its mask; a foreign id unchanged. */
export function plainId({ id, id_type }: Pick<Party, 'id' | 'id_type'>): string | undefined {
  return id === undefined || id_type === 'foreign' ? id : unmaskTaxId(id);
}

/** Tax regime by CRT: 1 Simples, 2 Simples above its limit, 3 other, 4 MEI. Empty if unknown. */
export function regimeOf(party: Party | undefined): string {
  if (party?.tax_regime !== undefined) return party.tax_regime;
  if (party?.is_mei === true) return '4';
  if (party?.is_under_simples === undefined) return '';
  return party.is_under_simples ? '1' : '3';
}
