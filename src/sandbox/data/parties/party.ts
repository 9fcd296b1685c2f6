import type { ProductFamily } from '../catalogue/products.ts';
import type { ServiceName } from '../catalogue/services.ts';
import type { City } from './cities.ts';

/** `1` is Simples Nacional, `3` the normal regime (`CRT` of the NF-e). */
export type TaxRegime = '1' | '3';

/** Anyone who appears in a document. All of them are fictitious. */
export interface Party {
  /** CNPJ (14 characters) or CPF (11 digits), without mask. */
  readonly id: string;
  readonly name: string;
  /** `IE`; a person has none. */
  readonly stateRegistration?: string;
  readonly city: City;
  readonly street: string;
  readonly streetNumber: string;
  readonly district: string;
  readonly postalCode: string;
  /** Where it is abroad; then `id` is what the country knows it by. */
  readonly country?: { readonly code: string; readonly name: string };
  readonly regime: TaxRegime;
  /** A manufacturer charges IPI and withholds ICMS-ST; a reseller does neither. */
  readonly manufacturer?: boolean;
  /** Under the cumulative regime PIS and COFINS are 0.65 % and 3 %, else 1.65 % and 7.6 %. */
  readonly cumulative?: boolean;
  readonly sells?: readonly ProductFamily[];
  readonly provides?: ServiceName;
  /** National registration of carriers, 8 digits. */
  readonly carrierRegistration?: string;
}

export function isPerson(party: Party): boolean {
  return party.id.length === 11;
}

/** The name of the element that holds the party's tax id. */
export function taxIdElement(party: Party): 'CNPJ' | 'CPF' | 'idEstrangeiro' {
  if (party.country) return 'idEstrangeiro';
  return isPerson(party) ? 'CPF' : 'CNPJ';
}

/** The two digits of the party's state. */
export function stateCode(party: Party): string {
  return party.city.code.slice(0, 2);
}
