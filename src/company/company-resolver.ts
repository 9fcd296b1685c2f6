import { baseUri, type DocumentReference } from '../archive/references.ts';
import type { Settings } from '../config/settings.ts';
import type { TenantDefinition } from '../config/tenants-file.ts';
import { checkAccessKey } from '../documents/identity/keys.ts';
import type { Translator } from '../messages/index.ts';
import { allowsCompany, type Company } from './company.ts';
import { Unfulfilled } from './failures.ts';

/** Resolves the company of a call: the only configured one, or one of several. */
export interface CompanyResolver {
  readonly translator: Translator;
  /** Union of what the companies allow. */
  readonly settings: Pick<Settings, 'apps' | 'readOnly' | 'toolsets'>;
  /**
   * @param args validated arguments
   * @throws Unfulfilled when they match no company or are ambiguous
   */
  forCall(args: Readonly<Record<string, unknown>>, isWriting: boolean): Company;
  /** @throws Unfulfilled when the document's company is ambiguous */
  forDocument(reference: DocumentReference): Company;
  /** Documents named by recent answers, latest last. */
  seen(): readonly DocumentReference[];
  /** Companies that have been used. */
  inUse(): readonly Company[];
  /** Companies a call may name, as far as configured. */
  readonly companies: readonly string[];
}

/** Resolver for a single company. */
export function singleCompany(company: Company): CompanyResolver {
  return {
    translator: company.translator,
    settings: company.settings,
    forCall: () => company,
    forDocument: () => company,
    seen: () => company.memory.seen.all(),
    inUse: () => [company],
    companies: company.settings.cnpj === undefined ? [] : [company.settings.cnpj],
  };
}

/** Several tenants that one person works for. */
export interface SeveralTenants extends CompanyResolver {
  close(): Promise<void>;
}

export interface SeveralOptions {
  readonly definitions: readonly TenantDefinition[];
  readonly translator: Translator;
  readonly apps: Settings['apps'];
  /** Default company. */
  readonly company: string | undefined;
  readonly make: (definition: TenantDefinition) => Company;
}

/** Companies listed in a refusal. */
const MOST_NAMED = 20;

function issuerIn({ key, issuer_cnpj: issuer }: Readonly<Record<string, unknown>>): string | undefined {
  const named = (value: unknown): string | undefined => {
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
    return typeof id === 'string' ? id : undefined;
  };
  const ofKey = typeof key === 'object' && key !== null && 'issuer' in key ? key.issuer : undefined;
  return named(ofKey) ?? named(issuer);
}

function issuerOf(reference: DocumentReference): string | undefined {
  if (reference.document === 'nfse') return reference.issuer;
  const key = checkAccessKey(reference.key);
  return key.ok ? key.value.issuer.id : undefined;
}

/** Creates several tenants side by side; each opens its services on first use. */
export function createSeveral({
  definitions,
  translator,
  apps,
  company,
  make,
}: SeveralOptions): SeveralTenants {
  const made = new Map<string, Company>();
  const companyOf = (definition: TenantDefinition): Company => {
    const company = made.get(definition.id) ?? make(definition);
    made.set(definition.id, company);
    return company;
  };
  const withAll = (companies: readonly string[]) =>
    definitions.filter((one) => companies.every((id) => allowsCompany(one.companies, id)));

  const known = (): string => {
    const companies = [...new Set(definitions.flatMap((one) => one.companies))];
    const more = companies.length > MOST_NAMED ? ', …' : '';
    return `${companies.slice(0, MOST_NAMED).join(', ')}${more}`;
  };

  /** The first company that the credentials of the others do not serve. */
  const apart = ([first = '', ...others]: readonly string[]) => ({
    first,
    company: others.find((id) => withAll([first, id]).length === 0) ?? others.at(-1) ?? '',
  });

  const ofCompanies = (companies: readonly string[]): Company => {
    const [fitting, ...others] = withAll(companies);
    if (fitting !== undefined && others.length === 0) return companyOf(fitting);
    if (fitting !== undefined) {
      const tenants = [fitting, ...others].map(({ id }) => id).join(', ');
      throw new Unfulfilled('tenants.company_of_several', { company: companies.join(', '), tenants });
    }
    const stranger = companies.find((id) => withAll([id]).length === 0);
    if (stranger === undefined) throw new Unfulfilled('tenants.companies_apart', apart(companies));
    throw new Unfulfilled('tenants.company_of_none', { company: stranger, known: known() });
  };

  const ofIssuer = (issuer: string | undefined): Company | undefined => {
    const [only, ...others] = issuer === undefined ? [] : withAll([issuer]);
    return only !== undefined && others.length === 0 ? companyOf(only) : undefined;
  };

  const [first, ...more] = definitions;
  return {
    translator,
    settings: {
      apps,
      readOnly: definitions.every(({ settings }) => settings.readOnly),
      toolsets: [...new Set(definitions.flatMap(({ settings }) => settings.toolsets))],
    },
    forCall(args, isWriting) {
      const companies = [args.cnpj].flat().filter((one) => typeof one === 'string');
      if (companies.includes('all') && more.length > 0)
        throw new Unfulfilled('tenants.all_apart', { known: known() });
      if (companies.length > 0 && !companies.includes('all')) return ofCompanies(companies);
      if (first !== undefined && more.length === 0) return companyOf(first);
      // Manifestations are the recipient's: the issuer does not identify the tenant.
      const holder = isWriting ? undefined : ofIssuer(issuerIn(args));
      if (holder !== undefined) return holder;
      if (company !== undefined) return ofCompanies([company]);
      throw new Unfulfilled('tenants.company_missing', { known: known() });
    },
    forDocument(reference) {
      const uri = baseUri(reference);
      const holders = [...made.values()].filter(({ memory }) =>
        memory.seen.all().some((one) => baseUri(one) === uri),
      );
      const [holder, ...others] = holders;
      if (holder !== undefined && others.length === 0) return holder;
      const company = ofIssuer(issuerOf(reference));
      if (company !== undefined) return company;
      if (first !== undefined && more.length === 0) return companyOf(first);
      throw new Unfulfilled('tenants.document_of_whom');
    },
    seen: () => [...made.values()].flatMap(({ memory }) => memory.seen.all()),
    inUse: () => [...made.values()],
    companies: [...new Set(definitions.flatMap((one) => one.companies))].filter((id) => !id.endsWith('*')),
    async close() {
      await Promise.allSettled([...made.values()].map((company) => company.close()));
    },
  };
}
