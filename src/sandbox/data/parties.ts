import partiesXml from '../templates/parties.xml';
import { rowsOf, type Values } from './templates.ts';

const cities = new Map(rowsOf(partiesXml, 'city').map((row) => [row.code, row]));

const words = (text = ''): string[] => text.split(' ').filter(Boolean);

const parties = (element: string) =>
  rowsOf(partiesXml, element).map((row) => {
    const city = cities.get(row.city) ?? {};
    return {
      /** All of `parties.xml`, by its names: `street`, `district` and others. */
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
      /** Families of products; only companies of the account choose what they buy. */
      sells: words(row.sells),
      buys: words(row.buys),
      /** Id of a company in the account service and in the integration queues, where it has one establishment. */
      companyId: Number(row.company),
      /** Series of outside issuers for a company. */
      series: Number(row.series),
    };
  });

/** A fictitious party of documents. */
export type Party = Readonly<ReturnType<typeof parties>[number]>;

/** The account's companies; the first one is the company asked about when a person tries things out. */
export const companies = parties('company');

const [large, freeZone] = [...parties('large'), ...parties('free-zone')];
if (large === undefined || freeZone === undefined) throw new RangeError('missing in parties.xml');

/** About 100,000 documents a year, on demand; trades with outsiders only, so that nobody else's documents change. */
export const largeCompany = large;
/** In the Zona Franca de Manaus. */
export const freeZoneCustomer = freeZone;
/** Occasional trading partners. */
export const fuelSellers = parties('fuel');
/** Where companies import what they sell. */
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

/** The two digits of the party's state. */
export const stateCode = ({ city }: Party): string => city.code?.slice(0, 2) ?? '';

/** The companies of the account that a company trades with, and itself. */
export function circleOf(company: Party): readonly Party[] {
  return company === largeCompany ? [largeCompany] : companies;
}

/** Whether a party is a company of the account, so that the account manifests what it receives. */
export const isOfAccount = ({ row }: Party): boolean => row.company !== undefined;

/** A party's values for templates: `name`, or with a prefix `from_name`. */
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
