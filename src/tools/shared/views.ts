import type { ClientCapabilities } from '@modelcontextprotocol/server';
import type { Settings } from '../../config/settings.ts';
import type { Page } from '../../page/page.ts';

/** `document`: one document; `period`: an answer about many. */
export const views = ['document', 'period'] as const;

export type View = (typeof views)[number];

/** MIME type that identifies a view. Source: docs/views.md. */
export const VIEW_TYPE = 'text/html;profile=mcp-app';

/** Key of view data in an answer. */
export const VIEW_DATA = 'docfiscal/view';

/** Capability of clients that show views. */
const EXTENSION = 'io.modelcontextprotocol/ui';

/** Hosts that declare views but leave those of local servers blank. Source: docs/views.md, Hosts. */
const leavesBlank: ReadonlySet<string | undefined> = new Set(['claude-ai']);

/** The calling client. */
export interface CallingClient {
  readonly capabilities: ClientCapabilities | undefined;
  readonly name: string | undefined;
  /** Started this process and uses stdio. */
  readonly isLocal: boolean;
  /** Protocol revision, a date; dates compare as text. */
  readonly revision: string;
}

/** Whether this client gets views: by `DFE_APPS`, otherwise by its capability. */
export function isShownViews(setting: Settings['apps'], client: CallingClient): boolean {
  if (setting !== 'auto') return setting === 'on';
  const declared = client.capabilities?.extensions?.[EXTENSION] as { mimeTypes?: unknown } | undefined;
  const hasViews = Array.isArray(declared?.mimeTypes) && declared.mimeTypes.includes(VIEW_TYPE);
  return hasViews && !(client.isLocal && leavesBlank.has(client.name));
}

/** View metadata of a listed tool; writing and saving tools are for the model only. Both names are in use. */
export function viewMeta(
  { kind, view }: { readonly kind: string; readonly view?: View },
  hasViews: boolean,
): Record<string, unknown> | undefined {
  if (kind !== 'read') return { ui: { visibility: ['model'] } };
  if (view === undefined || !hasViews) return undefined;
  const resourceUri = `ui://docfiscal/${view}.html`;
  return { ui: { resourceUri, visibility: ['model', 'app'] }, 'ui/resourceUri': resourceUri };
}

/** An answer's page for its view; undefined for clients that show none, which load nothing of it. */
export async function pageForView(
  { hasViews }: { readonly hasViews: boolean },
  make: () => Promise<Page>,
): Promise<{ page: Page } | undefined> {
  return hasViews ? { page: await make() } : undefined;
}
