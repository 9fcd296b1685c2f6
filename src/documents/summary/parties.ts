import { stateOfCity } from '../identity/states.ts';
import type { PartyField, Texts } from './collected.ts';
import type { Party } from './summary.ts';

/** The state letters that stand for abroad. */
const ABROAD = 'EX';

function identity(texts: Texts<PartyField>): Pick<Party, 'id' | 'id_type'> {
  const { cnpj, cpf, foreign } = texts;
  if (cnpj !== undefined) return { id: cnpj, id_type: 'cnpj' };
  if (cpf !== undefined) return { id: cpf, id_type: 'cpf' };
  if (foreign !== undefined) return { id: foreign, id_type: 'foreign' };
  return stateFrom(texts) === ABROAD ? { id_type: 'foreign' } : {};
}

/** The state a party is in: as the file says it, else by its city, else abroad where only a country is named. */
function stateFrom({ state, city_code, country }: Texts<PartyField>): string | undefined {
  return state ?? stateOfCity(city_code) ?? (country === undefined || isBrazil(country) ? undefined : ABROAD);
}

/** Brazil by the codes of ISO 3166 and of the Central Bank. */
function isBrazil(country: string): boolean {
  return country === 'BR' || country === '1058' || country === '01058';
}

/** A part of the summary, or undefined where the file says nothing of it. */
export function unlessEmpty<T extends object>(part: T): T | undefined {
  for (const _ in part) return part;
  return undefined;
}

/** Somebody, or undefined where the file says nothing of them. The kind of id is that of the element it stood in. */
export function partyFrom(texts: Texts<PartyField>): Party | undefined {
  if (unlessEmpty(texts) === undefined) return undefined;
  const { id, id_type } = identity(texts);
  return {
    id,
    id_type,
    name: texts.name,
    state: stateFrom(texts),
    city: texts.city,
    state_registration: texts.state_registration,
    municipal_registration: texts.municipal_registration,
    tax_regime: texts.tax_regime,
  };
}
