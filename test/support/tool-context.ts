import { configure } from '../../src/config/configure.ts';
import type { CallContext } from '../../src/services/call-context.ts';
import { beginCallTime } from '../../src/services/call-time.ts';
import { createServices } from '../../src/services/services.ts';
import { temporaryFolder } from './built-program.ts';

/** What a tool's code gets, made from settings, with a data folder of its own. */
export interface PreparedContext {
  readonly context: CallContext;
  close(): Promise<void>;
}

/** A context in English, whose services are real and reach nothing until they are asked to. */
export function prepareContext(env: Readonly<Record<string, string>> = {}): PreparedContext {
  const folder = temporaryFolder();
  const configured = configure(new Map(), { DFE_LANGUAGE: 'en', DFE_DATA_DIR: folder.path, ...env });
  if (!configured.ok) throw new Error(`bad settings: ${JSON.stringify(configured.problems)}`);
  const services = createServices(configured.configuration.settings, 'test', { isFair: false });
  const time = beginCallTime();
  const { signal } = new AbortController();
  return {
    context: {
      services,
      translator: services.translator,
      signal,
      caller: signal,
      time,
      principal: 'local',
      hasViews: false,
      progress: async () => undefined,
    },
    async close() {
      time.end();
      await services.close();
      folder.remove();
    },
  };
}
