import partiesXml from '../templates/parties.xml';
import { type Row, rowsOf, type Values } from './templates.ts';

/** Anyone who appears in a document. All of them are fictitious. */
export interface Party {
  /** All of `parties.xml`, by its names: `street`, `district` and others. */
  readonly row: Row;
  /** CNPJ (14 characters) or CPF (11 digits), without mask; abroad, what the country knows them by. */
  readonly id: string;
  readonly name: string;
  /** `IE`; a person has none. */
  readonly stateRegistration: string | undefined;
  /** IBGE code of 7 digits, name, state, and `nfse`: the layout of the city's service invoices. */
  readonly city: Row;
  readonly state: string;
  /** `1` is Simples Nacional, `3` the normal regime (`CRT` of the NF-e). */
  readonly regime: string;
  /** A manufacturer charges IPI and withholds ICMS-ST; a reseller does neither. */
  readonly manufacturer: boolean;
  /** Under the cumulative regime PIS and COFINS are 0.65 % and 3 %, else 1.65 % and 7.6 %. */
  readonly cumulative: boolean;
  /** Families of products. */
  readonly sells: readonly string[];
}

/** A company whose documents the account holds. */
export interface SandboxCompany extends Party {
  /** Id in the account service and in the integration queues, where it has one establishment. */
  readonly companyId: number;
  /** In which outside issuers number what this company receives. */
  readonly series: number;
  readonly buys: readonly string[];
  /** Where it imports what it sells. */
  readonly importsFrom: Party | undefined;
}

const cities = new Map(rowsOf(partiesXml, 'city').map((row) => [row.code, row]));

const words = (text = ''): string[] => text.split(' ').filter(Boolean);

function partyOf(row: Row): Party {
  const { id = '', name = '', ie, regime = '3' } = row;
  const city = cities.get(row.city) ?? {};
  return {
    ...{ row, id, name, stateRegistration: ie, regime, city, state: city.state ?? '' },
    manufacturer: row.manufacturer === 'yes',
    cumulative: row.cumulative === 'yes',
    sells: words(row.sells),
  };
}

const parties = (element: string): readonly Party[] => rowsOf(partiesXml, element).map(partyOf);
const partiesAbroad = parties('abroad');

function companyOf(party: Party): SandboxCompany {
  const { company, series, buys, imports_from } = party.row;
  const importsFrom = partiesAbroad.find(({ id }) => id === imports_from);
  return { ...party, companyId: Number(company), series: Number(series), buys: words(buys), importsFrom };
}

/** The account's companies; the first one is the company asked about when a person tries things out. */
export const companies: readonly SandboxCompany[] = parties('company').map(companyOf);

const [large] = parties('large').map(companyOf);
const [freeZone] = parties('free-zone');
if (large === undefined || freeZone === undefined) throw new RangeError('missing in parties.xml');

/** About 100,000 documents a year, on demand; trades with outsiders only, so that nobody else's documents change. */
export const largeCompany = large;
/** In the Zona Franca de Manaus. */
export const freeZoneCustomer = freeZone;

/** Suppliers, customers, carriers, service providers and consumers outside the account. */
export const partners = parties('partner');
/** Whom the companies trade with now and then, apart from the partners of every day. */
export const fuelSellers = parties('fuel');

export const isPerson = ({ id }: Party): boolean => id.length === 11;
export const isCarrier = ({ row }: Party): boolean => row.carrier !== undefined;
export const serviceProviders = partners.filter(({ row }) => row.provides === 'yes');
export const carriers = partners.filter(isCarrier);
/** Businesses that buy goods and services; carriers only carry them. */
export const customers = partners.filter((party) => !isPerson(party) && !isCarrier(party));
export const consumers = partners.filter(isPerson);

/** The two digits of the party's state. */
export function stateCode({ city }: Party): string {
  return city.code?.slice(0, 2) ?? '';
}

/** The companies of the account that a company trades with, and itself. */
export function circleOf(company: SandboxCompany): readonly SandboxCompany[] {
  return company === largeCompany ? [largeCompany] : companies;
}

/** Whether a party is a company of the account, so that the account manifests what it receives. */
export function isOfAccount(party: Party): boolean {
  return [...companies, largeCompany].some(({ id }) => id === party.id);
}

/** What templates ask of a party: `name`, or with a prefix `from_name`. */
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
