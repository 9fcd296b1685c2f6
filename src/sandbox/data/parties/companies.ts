import type { ProductFamily } from '../catalogue/products.ts';
import { cities } from './cities.ts';
import type { Party } from './party.ts';
import { lampsFromAbroad, toolsFromAbroad } from './rare-partners.ts';

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
  readonly buys: readonly ProductFamily[];
  /** Where it imports what it sells. */
  readonly importsFrom?: Party;
  /** Its NF-e have up to sixty items, fourteen on the average, in place of a dozen at most. */
  readonly longNotes?: boolean;
  readonly volume: { readonly nfe: MonthlyVolume; readonly nfse: MonthlyVolume; readonly cte: MonthlyVolume };
}

/** The account's companies; the first one is the company asked about when a person tries things out. */
export const companies: readonly SandboxCompany[] = [
  {
    companyId: 1001,
    establishment: 1,
    series: 1,
    id: '48152036000117',
    name: 'Horizonte Distribuidora de Materiais Elétricos Ltda',
    stateRegistration: '244871530118',
    city: cities.campinas,
    street: 'Avenida das Andorinhas',
    streetNumber: '1450',
    district: 'Parque Industrial',
    postalCode: '13031210',
    regime: '3',
    sells: ['electrical', 'tools'],
    buys: ['electrical', 'tools', 'packaging', 'office'],
    importsFrom: lampsFromAbroad,
    provides: 'technicalTraining',
    volume: {
      nfe: { inbound: 25, outbound: 20 },
      nfse: { inbound: 8, outbound: 4 },
      cte: { inbound: 8, outbound: 0 },
    },
  },
  {
    companyId: 1002,
    establishment: 1,
    series: 2,
    id: '07391455000124',
    name: 'Metalúrgica Serra Dourada S.A.',
    stateRegistration: '0621478350094',
    city: cities.contagem,
    street: 'Rua dos Ferroviários',
    streetNumber: '820',
    district: 'Cidade Industrial',
    postalCode: '32210180',
    regime: '3',
    manufacturer: true,
    sells: ['tools', 'parts'],
    buys: ['steel', 'chemicals', 'packaging', 'parts'],
    importsFrom: toolsFromAbroad,
    provides: 'industrialMaintenance',
    volume: {
      nfe: { inbound: 25, outbound: 20 },
      nfse: { inbound: 8, outbound: 3 },
      cte: { inbound: 8, outbound: 0 },
    },
  },
  {
    companyId: 1003,
    establishment: 1,
    series: 3,
    id: '12ABC34501DE35',
    name: 'Empório Vale do Itapocu Comércio e Serviços Ltda',
    stateRegistration: '258631470',
    city: cities.joinville,
    street: 'Rua das Bromélias',
    streetNumber: '77',
    district: 'América',
    postalCode: '89204310',
    regime: '1',
    sells: ['food', 'office'],
    buys: ['food', 'office', 'packaging', 'electrical'],
    provides: 'softwareSupport',
    volume: {
      nfe: { inbound: 25, outbound: 20 },
      nfse: { inbound: 8, outbound: 6 },
      cte: { inbound: 8, outbound: 0 },
    },
  },
  {
    companyId: 1004,
    establishment: 1,
    series: 4,
    id: '26087143000176',
    name: 'Rota Sul Transportes Rodoviários Ltda',
    stateRegistration: '9047318526',
    city: cities.curitiba,
    street: 'Rodovia do Xisto',
    streetNumber: '3300',
    district: 'Barigui',
    postalCode: '81290000',
    regime: '3',
    sells: ['parts'],
    buys: ['parts', 'chemicals', 'office', 'tools'],
    provides: 'warehousing',
    carrierRegistration: '04718253',
    volume: {
      nfe: { inbound: 25, outbound: 5 },
      nfse: { inbound: 8, outbound: 3 },
      cte: { inbound: 2, outbound: 12 },
    },
  },
];

/**
 * A company with about 100,000 documents a year and a million NF-e items, held only where a sandbox is asked for it.
 * It trades with outsiders only, so that the documents of the others are the same with and without it.
 */
export const largeCompany: SandboxCompany = {
  companyId: 1005,
  establishment: 1,
  series: 5,
  id: '73190482000163',
  name: 'Atacadão Capibaribe Distribuição e Comércio S.A.',
  stateRegistration: '073194875',
  city: cities.recife,
  street: 'Avenida Recife',
  streetNumber: '5777',
  district: 'Jardim São Paulo',
  postalCode: '50910380',
  regime: '3',
  sells: ['food', 'office', 'tools', 'electrical'],
  buys: ['food', 'office', 'tools', 'electrical', 'packaging', 'parts'],
  provides: 'warehousing',
  longNotes: true,
  volume: {
    nfe: { inbound: 3_400, outbound: 2_200 },
    nfse: { inbound: 900, outbound: 300 },
    cte: { inbound: 1_200, outbound: 0 },
  },
};

/** The companies of the account that a company trades with. */
export function tradingCompanies(company: SandboxCompany): readonly SandboxCompany[] {
  return company === largeCompany ? [] : companies.filter((other) => other !== company);
}

/** Whether a party is a company of the account, so that the account manifests what it receives. */
export function isOfAccount(party: Party): boolean {
  return party.id === largeCompany.id || companies.some((company) => company.id === party.id);
}
