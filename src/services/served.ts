import type { DocumentReference } from '../archive/references.ts';
import type { Settings } from '../config/settings.ts';
import type { Translator } from '../messages/index.ts';
import type { Services } from './services.ts';

/** Whose services a server's calls get: one company's configuration, or one of several. */
export interface Served {
  readonly translator: Translator;
  /** What at least one of them allows. */
  readonly settings: Pick<Settings, 'apps' | 'readOnly' | 'toolsets'>;
  /**
   * @param args of a call, checked
   * @throws Unfulfilled where they don't say whose it is, or it is nobody's here
   */
  forCall(args: Readonly<Record<string, unknown>>, isWriting: boolean): Services;
  /** @throws Unfulfilled where it can't be told whose a document is */
  forDocument(reference: DocumentReference): Services;
  /** Documents that some answer has named lately; the latest last. */
  seen(): readonly DocumentReference[];
  /** Those that have been asked something. */
  inUse(): readonly Services[];
  /** Companies that a call may name, as far as the configuration says which. */
  readonly companies: readonly string[];
}

const made = new WeakMap<Services, Served>();

/** A server for one configuration: the same for the same services, so that what is told of it is made once. */
export function alone(services: Services): Served {
  const served = made.get(services) ?? aloneWith(services);
  made.set(services, served);
  return served;
}

function aloneWith(services: Services): Served {
  return {
    translator: services.translator,
    settings: services.settings,
    forCall: () => services,
    forDocument: () => services,
    seen: () => services.memory.seen.all(),
    inUse: () => [services],
    companies: services.settings.cnpj === undefined ? [] : [services.settings.cnpj],
  };
}
