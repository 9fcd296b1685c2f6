import type { ClientCapabilities } from '@modelcontextprotocol/server';
import type { Settings } from '../../config/settings.ts';

/** What is shown inside the assistant: one document, or what a question about many was answered with. */
export const views = ['document', 'period'] as const;

export type View = (typeof views)[number];

/** Kind of content by which hosts know a view. Source: docs/views.md. */
export const VIEW_TYPE = 'text/html;profile=mcp-app';

/** Under this name an answer carries what only its view needs. */
export const VIEW_DATA = 'docfiscal/view';

/** What a client declares that shows views. */
const EXTENSION = 'io.modelcontextprotocol/ui';

/** Hosts that declare views and leave those of local servers blank. Source: docs/views.md, Hosts. */
const leavesBlank: ReadonlySet<string | undefined> = new Set(['claude-ai']);

/** The calling client, as far as it says. */
export interface CallingClient {
  readonly capabilities: ClientCapabilities | undefined;
  readonly name: string | undefined;
  /** It started this process, and speaks over its standard streams. */
  readonly isLocal: boolean;
  /** The revision of the protocol it speaks, a date: dates compare as text. */
  readonly revision: string;
}

/** Address of a view. */
function viewUri(view: View): string {
  return `ui://docfiscal/${view}.html`;
}

function declaresViews({ capabilities }: CallingClient): boolean {
  const declared = capabilities?.extensions?.[EXTENSION] as { mimeTypes?: unknown } | undefined;
  return Array.isArray(declared?.mimeTypes) && declared.mimeTypes.includes(VIEW_TYPE);
}

/** Whether this client gets views: by `DFE_APPS`, else where it declares and shows them. */
export function isShownViews(setting: Settings['apps'], client: CallingClient): boolean {
  if (setting !== 'auto') return setting === 'on';
  return declaresViews(client) && !(client.isLocal && leavesBlank.has(client.name));
}

/** The view of a listed tool. Tools that write or save say that they are for the model alone. Both names are in use. */
export function viewMeta(
  { kind, view }: { readonly kind: string; readonly view?: View },
  hasViews: boolean,
): Record<string, unknown> | undefined {
  if (kind !== 'read') return { ui: { visibility: ['model'] } };
  if (view === undefined || !hasViews) return undefined;
  return {
    ui: { resourceUri: viewUri(view), visibility: ['model', 'app'] },
    'ui/resourceUri': viewUri(view),
  };
}
