import { baseUri, type DocumentReference } from '../archive/references.ts';
import type { Settings } from '../config/settings.ts';
import type { TenantDefinition } from '../config/tenants-file.ts';
import { checkAccessKey } from '../documents/identity/keys.ts';
import { isObject } from '../documents/untrusted.ts';
import { createTranslator } from '../messages/index.ts';
import { allowsCompany, type Company, type CompanyOptions, companyOfTenant } from './company.ts';
import { Unfulfilled } from './failures.ts';

/** Resolves the company of a call: the only configured one, or one of several. */
export type CompanyResolver = Omit<ReturnType<typeof createSeveral>, 'close'>;

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

/** Companies listed in a refusal. */
const MOST_NAMED = 20;

/** The issuer that validated arguments name, by a key or by itself. */
function issuerIn({ key, issuer_cnpj: issuer }: Readonly<Record<string, unknown>>): string | undefined {
  const named = [isObject(key) ? key.issuer : undefined, issuer].filter(isObject).map(({ id }) => id);
  return named.find((id) => typeof id === 'string');
}

function issuerOf(reference: DocumentReference): string | undefined {
  if (reference.document === 'nfse') return reference.issuer_cnpj;
  const key = checkAccessKey(reference.key);
  return key.ok ? key.value.issuer.id : undefined;
}

/**
 * Creates several tenants side by side; each opens its services on first use.
 * @param process its company is the default one, also of the tenant that has it
 */
export function createSeveral(
  definitions: readonly TenantDefinition[],
  process: Settings,
  surroundings: Partial<CompanyOptions>,
) {
  const { cnpj: defaultCompany, apps, language, timeZone } = process;
  const made = new Map<string, Company>();
  const companyOf = (definition: TenantDefinition): Company => {
    const { id, settings, companies } = definition;
    const isDefault = defaultCompany !== undefined && allowsCompany(companies, defaultCompany);
    const cnpj = settings.cnpj ?? (isDefault ? defaultCompany : undefined);
    const company =
      made.get(id) ?? companyOfTenant({ ...definition, settings: { ...settings, cnpj } }, surroundings);
    made.set(id, company);
    return company;
  };
  const withAll = (companies: readonly string[]) =>
    definitions.filter((one) => companies.every((id) => allowsCompany(one.companies, id)));
  const allCompanies = [...new Set(definitions.flatMap((one) => one.companies))];
  const more = allCompanies.length > MOST_NAMED ? ', …' : '';
  const known = `${allCompanies.slice(0, MOST_NAMED).join(', ')}${more}`;

  const ofCompanies = (companies: readonly string[]): Company => {
    const [fitting, ...others] = withAll(companies);
    if (fitting !== undefined && others.length === 0) return companyOf(fitting);
    if (fitting !== undefined) {
      const tenants = [fitting, ...others].map(({ id }) => id).join(', ');
      throw new Unfulfilled('tenants.company_of_several', { company: companies.join(', '), tenants });
    }
    const stranger = companies.find((id) => withAll([id]).length === 0);
    if (stranger !== undefined)
      throw new Unfulfilled('tenants.company_of_none', { company: stranger, known });
    const [one = '', ...rest] = companies;
    // The first company that no tenant serves together with the first one named.
    const apart = rest.find((id) => withAll([one, id]).length === 0) ?? rest.at(-1) ?? '';
    throw new Unfulfilled('tenants.companies_apart', { first: one, company: apart });
  };

  const ofIssuer = (issuer: string | undefined): Company | undefined => {
    const [fitting, ...others] = issuer === undefined ? [] : withAll([issuer]);
    return fitting !== undefined && others.length === 0 ? companyOf(fitting) : undefined;
  };

  const settings: Pick<Settings, 'apps' | 'readOnly' | 'toolsets'> = {
    apps,
    readOnly: definitions.every(({ settings }) => settings.readOnly),
    toolsets: [...new Set(definitions.flatMap(({ settings }) => settings.toolsets))],
  };
  const [first] = definitions;
  const only = definitions.length === 1 ? first : undefined;
  return {
    translator: createTranslator(language, timeZone),
    /** Union of what the companies allow. */
    settings,
    /**
     * @param args validated arguments
     * @throws Unfulfilled when they match no company or are ambiguous
     */
    forCall(args: Readonly<Record<string, unknown>>, isWriting: boolean): Company {
      const companies = [args.cnpj].flat().filter((one) => typeof one === 'string');
      const isAll = companies.includes('all');
      if (isAll && definitions.length > 1) throw new Unfulfilled('tenants.all_apart', { known });
      if (companies.length > 0 && !isAll) return ofCompanies(companies);
      if (only !== undefined) return companyOf(only);
      // Manifestations are the recipient's: the issuer does not identify the tenant.
      const holder = isWriting ? undefined : ofIssuer(issuerIn(args));
      if (holder !== undefined) return holder;
      if (defaultCompany !== undefined) return ofCompanies([defaultCompany]);
      throw new Unfulfilled('tenants.company_missing', { known });
    },
    /** @throws Unfulfilled when the document's company is ambiguous */
    forDocument(reference: DocumentReference): Company {
      const uri = baseUri(reference);
      const holders = [...made.values()].filter(({ memory }) =>
        memory.seen.all().some((one) => baseUri(one) === uri),
      );
      const holder = holders.length === 1 ? holders[0] : ofIssuer(issuerOf(reference));
      if (holder !== undefined) return holder;
      if (only !== undefined) return companyOf(only);
      throw new Unfulfilled('tenants.document_of_whom');
    },
    /** Documents named by recent answers, latest last. */
    seen: (): readonly DocumentReference[] => [...made.values()].flatMap(({ memory }) => memory.seen.all()),
    /** Companies that have been used. */
    inUse: (): readonly Company[] => [...made.values()],
    /** Companies a call may name, as far as configured. */
    companies: allCompanies.filter((id) => !id.endsWith('*')),
    async close() {
      await Promise.allSettled([...made.values()].map((company) => company.close()));
    },
  };
}
