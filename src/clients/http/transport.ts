import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import util from 'node:util';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';
import { NotUnderstood, Refused, Unreachable, Unsendable, type UpstreamError } from '../errors.ts';
import type { HttpCall } from './call.ts';
import { type Lookup, notPublic, publicLookup, requirePublicLiteral } from './public-address.ts';

/** A reply whose head has arrived. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; a header that came several times is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** As on the wire, content encoding included. */
  readonly body: Readable;
}

/** Sends single requests: no repeats, no redirects, no time limit but that of connecting. */
export type Transport = ReturnType<typeof createTransport>;

export interface TransportOptions {
  readonly connectTimeoutSeconds?: number;
  readonly userAgent: string;
  readonly env?: NodeJS.ProcessEnv;
  /** How names are looked up for calls to the public network; the system's way by default. */
  readonly lookup?: Lookup;
}

const defaultConnectSeconds = 10;

/** A write has a connection of its own: the service may close a kept one just as the write is sent. */
type Use = HttpCall['kind'] | 'public read';

/** Opens connections with the first request of each use. */
export function createTransport(options: TransportOptions) {
  const opened = new Map<Use, Promise<Dispatcher>>();

  function dispatcherFor(use: Use): Promise<Dispatcher> {
    const dispatcher = opened.get(use) ?? open(use, options);
    opened.set(use, dispatcher);
    return dispatcher;
  }

  return {
    /** @param onStart called when a connection stands and the request is about to be written to it */
    async send(call: HttpCall, signal: AbortSignal, onStart: () => void): Promise<Answer> {
      const url = new URL(call.url);
      const isPublic = call.network === 'public';
      const dispatcher = await dispatcherFor(isPublic ? 'public read' : call.kind);
      if (isPublic) requirePublicLiteral(url.hostname);
      signal.throwIfAborted();
      const reply = await dispatcher.compose(observing({ start: onStart })).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: call.method,
        headers: {
          'user-agent': options.userAgent,
          'accept-encoding': 'gzip',
          ...call.headers,
        },
        body: call.body ?? null,
        signal,
        reset: call.kind === 'write',
        // The call's own clock covers these, with a resolution they do not have (docs/decisions/replies.md).
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      return { status: reply.statusCode, headers: flattened(reply.headers), body: reply.body };
    },

    async close(): Promise<void> {
      // A failure to open was the answer to the call that opened.
      const dispatchers = [...opened.values()].map((one) => one.catch(() => undefined));
      await Promise.all(dispatchers.map(async (one) => (await one)?.destroy()));
    },
  };
}

const { debuglog } = util;
const silent = () => Object.assign(() => {}, { enabled: false });

/**
 * With `NODE_DEBUG` the library, and the copy of it inside Node, would write every address on standard error, passwords
 * included. Each asks once whether to, when it is loaded.
 */
async function loadLibrary(): Promise<typeof Undici> {
  Object.assign(util, { debuglog: silent });
  try {
    if (process.env.NODE_DEBUG !== undefined) void globalThis.Response;
    return await import('undici');
  } finally {
    Object.assign(util, { debuglog });
  }
}

async function open(use: Use, options: TransportOptions): Promise<Dispatcher> {
  const { env, connectTimeoutSeconds, lookup } = options;
  const undici = await loadLibrary();
  const proxies = readProxySettings(env ?? process.env);
  const connect = { timeout: (connectTimeoutSeconds ?? defaultConnectSeconds) * 1000 };
  const direct = use === 'public read' ? { ...connect, lookup: publicLookup(lookup) } : connect;
  return proxies
    ? new undici.EnvHttpProxyAgent(proxied(undici, proxies, direct, connect))
    : new undici.Agent({ connect: direct });
}

interface Connecting {
  readonly timeout: number;
  readonly lookup?: LookupFunction;
}

/** Names are looked up by the proxy where there is one; only direct connections look them up here. */
function proxied(undici: typeof Undici, proxies: ProxySettings, direct: Connecting, connect: Connecting) {
  return {
    ...proxies,
    connect: direct,
    proxyTls: connect,
    requestTls: connect,
    // Proxies commonly allow CONNECT to port 443 only, so plain http goes through them in the absolute form.
    proxyTunnel: false,
    clientFactory: (origin: URL, options: object) =>
      new undici.Pool(origin, options).compose(observing({ error: brokenTunnel })),
  };
}

/** A proxy that hangs up on CONNECT: with the library's own error it would be connected to again without a pause. */
function brokenTunnel(error: Error): Error {
  const broken = 'code' in error && error.code === 'UND_ERR_SOCKET';
  return broken ? Object.assign(new Error('the proxy hung up'), { code: 'ECONNRESET' }) : error;
}

interface Observer {
  readonly start?: () => void;
  readonly error?: (error: Error) => Error;
}

/** Watches requests: `start` when one is about to be written to a connection, `error` to put another in its place. */
function observing({ start, error }: Observer): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        start?.();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (controller, cause) => handler.onResponseError?.(controller, error?.(cause) ?? cause),
    });
}

function flattened(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]));
}

/** Which proxies to use; empty text for none. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * The proxies an environment names, as in curl: lower-case names go before upper-case ones, an address without a scheme
 * is an http proxy. The documents service is plain http, which goes directly when only `HTTPS_PROXY` is set.
 *
 * @throws TypeError with the code `PROXY_ADDRESS`; it names the variable, whose value may hold a password
 */
export function readProxySettings(env: NodeJS.ProcessEnv): ProxySettings | undefined {
  const variable = (name: string) => (env[name.toLowerCase()] ?? env[name] ?? '').trim();
  const proxy = (name: string) => {
    const value = variable(name);
    const address = value === '' || value.includes('://') ? value : `http://${value}`;
    if (address === '' || (/^https?:/i.test(address) && URL.canParse(address))) return address;
    const problem = new TypeError(`${name} is not the address of an HTTP proxy (expected http://host:port)`);
    throw Object.assign(problem, { code: 'PROXY_ADDRESS' });
  };
  const [httpProxy, httpsProxy] = [proxy('HTTP_PROXY'), proxy('HTTPS_PROXY')];
  if (!httpProxy && !httpsProxy) return undefined;
  return { httpProxy, httpsProxy, noProxy: variable('NO_PROXY') };
}

/** The library's own codes for a connection that the other side ended before the reply was complete. */
const brokenOff: ReadonlySet<string> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/**
 * What an error of the connection means.
 *
 * @param mayHaveBeenSent once it may have, every error is one of the connection's: a write must not lose that it may
 *   have been performed
 * @throws the error itself where it is none of the connection's
 */
export function transportError(call: HttpCall, error: unknown, mayHaveBeenSent: boolean): UpstreamError {
  if (!(error instanceof Error)) throw error;
  const host = hostAndPort(new URL(call.url));
  // The library gives these no code.
  if (error.name === 'HTTPParserError') {
    if (error.message.includes('Invalid EOF')) return new Unreachable(call, host, 'ECONNRESET');
    return new NotUnderstood(call, 'not HTTP', { kind: 'unknown', bytes: 0, start: '' });
  }
  const proxyStatus = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
  if (proxyStatus) return new Unreachable(call, host, `PROXY_${proxyStatus}`);
  const code = codeOf(error) ?? 'UNKNOWN';
  // Only the credential comes from the user unchecked. The library's words name the header, not its value.
  if (!mayHaveBeenSent && code === 'UND_ERR_INVALID_ARG') return new Unsendable(call, error.message);
  if (!mayHaveBeenSent && code === 'UNKNOWN') throw error;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new NotUnderstood(call, 'head too large', { kind: 'unknown', bytes: 0, start: '' });
  }
  if (code === notPublic) return new Refused(call, { code: 'address' });
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new Unreachable(call, host, 'ETIMEDOUT');
  return new Unreachable(call, host, brokenOff.has(code) ? 'ECONNRESET' : code);
}

/** The code nearest to the system: that of a cause or of the first of several attempts goes before the wrapper's. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return codeOf(inner) ?? own;
}

/** Host and port, the port also where it is the scheme's usual one. */
function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
