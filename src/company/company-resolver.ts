import type { DocumentReference } from '../archive/references.ts';
import type { Settings } from '../config/settings.ts';
import type { Translator } from '../messages/index.ts';
import type { Company } from './company.ts';

/** Finds the company that a call is about: the only one of a configuration, or one of several. */
export interface CompanyResolver {
  readonly translator: Translator;
  /** What at least one of them allows. */
  readonly settings: Pick<Settings, 'apps' | 'readOnly' | 'toolsets'>;
  /**
   * @param args of a call, checked
   * @throws Unfulfilled where they don't say whose it is, or it is nobody's here
   */
  forCall(args: Readonly<Record<string, unknown>>, isWriting: boolean): Company;
  /** @throws Unfulfilled where it can't be told whose a document is */
  forDocument(reference: DocumentReference): Company;
  /** Documents that some answer has named lately; the latest last. */
  seen(): readonly DocumentReference[];
  /** Those that have been asked something. */
  inUse(): readonly Company[];
  /** Companies that a call may name, as far as the configuration says which. */
  readonly companies: readonly string[];
}

/** For one company's configuration. */
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
