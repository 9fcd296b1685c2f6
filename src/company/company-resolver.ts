import type { DocumentReference } from '../archive/references.ts';
import type { Settings } from '../config/settings.ts';
import type { Translator } from '../messages/index.ts';
import type { Company } from './company.ts';

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
