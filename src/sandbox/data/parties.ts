import partiesXml from '../templates/parties.xml';
import { rowsOf, type Values } from './text.ts';

export interface City {
  /** IBGE code, 7 digits; the first two are the state's. */
  readonly code: string;
  readonly name: string;
  readonly state: string;
  /** The layout of the city's service invoices. */
  readonly nfseLayout: string;
}

type Row = Readonly<Record<string, string>>;

/** Anyone who appears in a document. All of them are fictitious. */
export interface Party {
  /** All of `parties.xml`, by its names: `street`, `district` and others. */
  readonly row: Row;
  /** CNPJ (14 characters) or CPF (11 digits), without mask; abroad, what the country knows them by. */
  readonly id: string;
  readonly name: string;
  /** `IE`; a person has none. */
  readonly stateRegistration?: string | undefined;
  readonly city: City;
  readonly isAbroad: boolean;
  /** `1` is Simples Nacional, `3` the normal regime (`CRT` of the NF-e). */
  readonly regime: string;
  /** A manufacturer charges IPI and withholds ICMS-ST; a reseller does neither. */
  readonly manufacturer: boolean;
  /** Under the cumulative regime PIS and COFINS are 0.65 % and 3 %, else 1.65 % and 7.6 %. */
  readonly cumulative: boolean;
  /** Families of products. */
  readonly sells: readonly string[];
  readonly providesServices: boolean;
  /** National registration of carriers, 8 digits. */
  readonly carrierRegistration?: string | undefined;
}

/** How many documents of one kind a company has in an average month. */
export interface MonthlyVolume {
  readonly inbound: number;
  readonly outbound: number;
}

/** A company whose documents the account holds. */
export interface SandboxCompany extends Party {
  /** Id in the account service and, with `establishment`, in the integration queues. */
  readonly companyId: number;
  readonly establishment: number;
  /** In which outside issuers number what this company receives. */
  readonly series: number;
  readonly buys: readonly string[];
  /** Where it imports what it sells. */
  readonly importsFrom: Party | undefined;
  /** Its NF-e have up to sixty items, fourteen on the average, in place of a dozen at most. */
  readonly longNotes: boolean;
  readonly volume: { readonly nfe: MonthlyVolume; readonly nfse: MonthlyVolume; readonly cte: MonthlyVolume };
}

const cities = new Map(
  rowsOf(partiesXml, 'city').map(({ code = '', name = '', state = '', nfse = '' }) => [
    code,
    { code, name, state, nfseLayout: nfse },
  ]),
);

const words = (text: string | undefined): string[] => text?.split(' ') ?? [];

function partyOf(row: Row): Party {
  const city = cities.get(row.city ?? '');
  if (city === undefined) throw new RangeError(`no city ${row.city}`);
  return {
    row,
    id: row.id ?? '',
    name: row.name ?? '',
    stateRegistration: row.ie,
    city,
    isAbroad: row.country !== undefined,
    regime: row.regime ?? '3',
    manufacturer: row.manufacturer === 'yes',
    cumulative: row.cumulative === 'yes',
    sells: words(row.sells),
    providesServices: row.provides === 'yes',
    carrierRegistration: row.carrier,
  };
}

function volumeOf(text: string | undefined): MonthlyVolume {
  const [inbound = 0, outbound = 0] = words(text).map(Number);
  return { inbound, outbound };
}

const partiesAbroad = rowsOf(partiesXml, 'abroad').map(partyOf);

function companyOf(row: Row): SandboxCompany {
  return {
    ...partyOf(row),
    companyId: Number(row.company),
    establishment: 1,
    series: Number(row.series),
    buys: words(row.buys),
    importsFrom: partiesAbroad.find(({ id }) => id === row.imports_from),
    longNotes: row.long === 'yes',
    volume: { nfe: volumeOf(row.nfe), nfse: volumeOf(row.nfse), cte: volumeOf(row.cte) },
  };
}

function only<T>([first]: readonly T[]): T {
  if (first === undefined) throw new RangeError('missing in parties.xml');
  return first;
}

/** The account's companies; the first one is the company asked about when a person tries things out. */
export const companies: readonly SandboxCompany[] = rowsOf(partiesXml, 'company').map(companyOf);

/**
 * About 100,000 documents a year, on demand; trades with outsiders only, so that nobody else's documents
 * change.
 */
export const largeCompany: SandboxCompany = only(rowsOf(partiesXml, 'large').map(companyOf));

/** Suppliers, customers, carriers, service providers and consumers outside the account. */
export const partners = rowsOf(partiesXml, 'partner').map(partyOf);
/** Whom the companies trade with now and then, apart from the partners of every day. */
export const fuelSellers = rowsOf(partiesXml, 'fuel').map(partyOf);
/** In the Zona Franca de Manaus. */
export const freeZoneCustomer = only(rowsOf(partiesXml, 'free-zone').map(partyOf));

export const suppliers = partners.filter(({ sells }) => sells.length > 0);
export const serviceProviders = partners.filter(({ providesServices }) => providesServices);
export const carriers = partners.filter(({ carrierRegistration }) => carrierRegistration !== undefined);
/** Businesses that buy goods and services; carriers only carry them. */
export const customers = partners.filter(
  (party) => !isPerson(party) && party.carrierRegistration === undefined,
);
export const consumers = partners.filter(isPerson);

export function isPerson(party: Party): boolean {
  return party.id.length === 11;
}

/** The two digits of the party's state. */
export function stateCode(party: Party): string {
  return party.city.code.slice(0, 2);
}

/** The companies of the account that a company trades with. */
export function tradingCompanies(company: SandboxCompany): readonly SandboxCompany[] {
  return company === largeCompany ? [] : companies.filter((other) => other !== company);
}

/** Whether a party is a company of the account, so that the account manifests what it receives. */
export function isOfAccount(party: Party): boolean {
  return party.id === largeCompany.id || companies.some((company) => company.id === party.id);
}

/** What templates ask of a party: `name`, or with a prefix `from_name`. */
export function partyValues(party: Party, prefix = ''): Values {
  const { row, id, city, isAbroad, regime } = party;
  const values: Values = {
    country: '1058',
    country_name: 'BRASIL',
    ...row,
    cnpj: isPerson(party) || isAbroad ? undefined : id,
    cpf: isPerson(party) ? id : undefined,
    foreign: isAbroad ? id : undefined,
    city_name: city.name,
    state: city.state,
    state_code: stateCode(party),
    postal: isAbroad ? undefined : row.postal,
    taxpayer: row.ie ? '1' : '9',
    regime,
  };
  if (prefix === '') return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]));
}
