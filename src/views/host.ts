/** A tool's result in the protocol's form. */
export interface ToolResult {
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** The host's description of itself and of a view's appearance. */
export interface HostContext {
  readonly theme?: string;
  readonly locale?: string;
  readonly displayMode?: string;
  readonly availableDisplayModes?: readonly string[];
  readonly toolInfo?: { readonly tool?: { readonly name?: string } };
  readonly styles?: { readonly variables?: Readonly<Record<string, unknown>> };
}

type HostAbility = 'openLinks' | 'downloadFile' | 'serverTools' | 'message' | 'updateModelContext';

interface HostEvents {
  /** Arguments of the call whose answer is shown. */
  input(args: Readonly<Record<string, unknown>>): void;
  result(result: ToolResult): void;
  cancelled(): void;
  context(context: HostContext): void;
}

export type Host = Awaited<ReturnType<typeof openHost>>;

interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message?: unknown };
}

/** The version of the protocol between views and hosts that this speaks. Source: docs/views.md. */
const PROTOCOL = '2026-01-26';

const post = (message: object): void => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

/** Tells the host how tall the page is, each time that changes. */
function reportSize(): void {
  let last = '';
  const report = () => {
    const { width, height } = document.body.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    const current = `${size.width} ${size.height}`;
    if (current === last) return;
    last = current;
    post({ method: 'ui/notifications/size-changed', params: size });
  };
  new ResizeObserver(report).observe(document.body);
  report();
}

/** Connects to the host: messages go to and come from the parent window only. */
export async function openHost(events: HostEvents) {
  const waiting = new Map<number | string, (answer: Message) => void>();
  let last = 0;
  const request = (method: string, params: Readonly<Record<string, unknown>>) =>
    new Promise<Record<string, unknown>>((done, failed) => {
      last += 1;
      waiting.set(last, ({ result = {}, error }) =>
        error === undefined ? done(result) : failed(new Error(String(error.message ?? ''))),
      );
      post({ id: last, method, params });
    });
  const handlers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => void>> = {
    'ui/notifications/tool-input': ({ arguments: args }) =>
      events.input((args ?? {}) as Record<string, unknown>),
    'ui/notifications/tool-result': (params) => events.result(params),
    'ui/notifications/tool-cancelled': () => events.cancelled(),
    'ui/notifications/host-context-changed': (params) => events.context(params),
  };
  const handle = (message: Message) => {
    const { id, method, params = {} } = message;
    if (method !== undefined && id === undefined) handlers[method]?.(params);
    else if (method !== undefined) {
      const isKnown = method === 'ping' || method === 'ui/resource-teardown';
      post(isKnown ? { id, result: {} } : { id, error: { code: -32601, message: 'Method not found' } });
    } else if (id !== undefined) {
      waiting.get(id)?.(message);
      waiting.delete(id);
    }
  };
  window.addEventListener('message', ({ source, data }) => {
    const message = data as Message | null;
    if (source === window.parent && message?.jsonrpc === '2.0') handle(message);
  });
  const reply = await request('ui/initialize', {
    protocolVersion: PROTOCOL,
    appInfo: { name: 'docfiscal', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  });
  const abilities = (reply.hostCapabilities ?? {}) as Record<string, unknown>;
  events.context((reply.hostContext ?? {}) as HostContext);
  post({ method: 'ui/notifications/initialized', params: {} });
  reportSize();
  return {
    can: (ability: HostAbility) => abilities[ability] !== undefined,
    call: (name: string, args: Readonly<Record<string, unknown>>) =>
      request('tools/call', { name, arguments: args }) as Promise<ToolResult>,
    /** Any other request of the protocol; refusals are ignored. */
    request: (method: string, params: Readonly<Record<string, unknown>>) =>
      void request(method, params).catch(() => undefined),
  };
}
