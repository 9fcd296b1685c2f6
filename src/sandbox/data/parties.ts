import partiesXml from '../templates/parties.xml';
import { rowsOf, type Values } from './templates.ts';

const cities = new Map(rowsOf(partiesXml, 'city').map((row) => [row.code, row]));

const words = (text = ''): string[] => text.split(' ').filter(Boolean);

const parties = (element: string) =>
  rowsOf(partiesXml, element).map((row) => {
    const city = cities.get(row.city) ?? {};
    return {
      /** All attributes in `parties.xml`: `street`, `district` and others. */
      row,
      /** CNPJ (14 characters) or CPF (11 digits), without mask; abroad, an id of the country. */
      id: row.id ?? '',
      name: row.name ?? '',
      /** IBGE code of 7 digits, name, state, and `nfse`: the layout of the city's service invoices. */
      city,
      state: city.state ?? '',
      /** `1` is Simples Nacional, `3` the normal regime (`CRT` of the NF-e). */
      regime: row.regime ?? '3',
      /** A manufacturer charges IPI and withholds ICMS-ST; a reseller does neither. */
      manufacturer: row.manufacturer === 'yes',
      /** Product families; only companies of the account choose their purchases. */
      sells: words(row.sells),
      buys: words(row.buys),
      /** Id of a company in the account service and in the integration queues, with one establishment each. */
      companyId: Number(row.company),
      /** Series that outside issuers use for the company. */
      series: Number(row.series),
    };
  });

/** A fictitious party of documents. */
export type Party = Readonly<ReturnType<typeof parties>[number]>;

/** The account's companies; the first is the default for trials. */
export const companies = parties('company');

const [large, freeZone] = [...parties('large'), ...parties('free-zone')];
if (large === undefined || freeZone === undefined) throw new RangeError('missing in parties.xml');

/** Optional, with about 100,000 documents a year; trades only with outsiders, so other companies' stay unchanged. */
export const largeCompany = large;
/** In the Zona Franca de Manaus. */
export const freeZoneCustomer = freeZone;
/** Occasional trading partners. */
export const fuelSellers = parties('fuel');
/** Suppliers of the companies' imports. */
export const exporters = parties('abroad');

/** Suppliers, customers, carriers, service providers and consumers outside the account. */
export const partners = parties('partner');
export const isPerson = ({ id }: Party): boolean => id.length === 11;
export const isCarrier = ({ row }: Party): boolean => row.carrier !== undefined;
export const serviceProviders = partners.filter(({ row }) => row.provides === 'yes');
export const carriers = partners.filter(isCarrier);
/** Businesses that buy goods and services; carriers only carry them. */
export const customers = partners.filter((party) => !isPerson(party) && !isCarrier(party));
export const consumers = partners.filter(isPerson);

/** Two-digit IBGE code of the party's state. */
export const stateCode = ({ city }: Party): string => city.code?.slice(0, 2) ?? '';

/** A company and its trading partners within the account. */
export function circleOf(company: Party): readonly Party[] {
  return company === largeCompany ? [largeCompany] : companies;
}

/** True for companies of the account, which manifest the notes they receive. */
export const isOfAccount = ({ row }: Party): boolean => row.company !== undefined;

/** A party's template values: `name`, or `from_name` with a prefix. */
export function partyValues(party: Party, prefix = ''): Values {
  const { row, id, city, state, regime } = party;
  const isAbroad = row.country !== undefined;
  const values: Values = {
    ...{ country: '1058', country_name: 'BRASIL', ...row, regime, state },
    cnpj: isPerson(party) || isAbroad ? undefined : id,
    cpf: isPerson(party) ? id : undefined,
    foreign: isAbroad ? id : undefined,
    city_name: city.name,
    state_code: stateCode(party),
    postal: isAbroad ? undefined : row.postal,
    taxpayer: row.ie ? '1' : '9',
  };
  if (prefix === '') return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]));
}
