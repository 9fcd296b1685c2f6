import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import util from 'node:util';
import type Undici from 'undici';
import type { Dispatcher } from 'undici';
import { NotUnderstood, Refused, Unreachable, Unsendable, type UpstreamError } from '../errors.ts';
import type { HttpCall } from './call.ts';

/** A reply whose head has arrived. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; a header that came several times is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** As on the wire, content encoding included. */
  readonly body: Readable;
}

/** Sends single requests: no retries, no redirects, no timeout except for connecting. */
export type Transport = ReturnType<typeof createTransport>;

export interface TransportOptions {
  readonly connectTimeoutSeconds?: number;
  readonly userAgent: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Name resolution of calls to the public network; the system's by default. */
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
    /** @param onStart called when the request is about to be written to a connection */
    async send(call: HttpCall, signal: AbortSignal, onStart: () => void): Promise<Answer> {
      const url = new URL(call.url);
      const isPublic = call.network === 'public';
      const dispatcher = await dispatcherFor(isPublic ? 'public read' : call.kind);
      if (isPublic) requirePublicLiteral(url.hostname);
      signal.throwIfAborted();
      const reply = await dispatcher.request({
        opaque: onStart,
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
      const headers = Object.entries(reply.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, [value].flat().join(', ')]],
      );
      return { status: reply.statusCode, headers: Object.fromEntries(headers), body: reply.body };
    },

    async close(): Promise<void> {
      // A failure to open was reported to the call that opened it.
      const dispatchers = [...opened.values()].map((one) => one.catch(() => undefined));
      await Promise.all(dispatchers.map(async (one) => (await one)?.destroy()));
    },
  };
}

const { debuglog } = util;
const silent = () => Object.assign(() => {}, { enabled: false });

/**
 * With `NODE_DEBUG` the library, and the copy of it inside Node, would write every address on standard error,
 * passwords included. Each checks it once, when loaded.
 */
async function loadLibrary(): Promise<typeof Undici> {
  Object.assign(util, { debuglog: silent });
  try {
    if (process.env.NODE_DEBUG !== undefined) void globalThis.Response;
    return (await import('undici')).default;
  } finally {
    Object.assign(util, { debuglog });
  }
}

async function open(use: Use, options: TransportOptions): Promise<Dispatcher> {
  const { env, connectTimeoutSeconds, lookup } = options;
  const { Agent, EnvHttpProxyAgent, Pool } = await loadLibrary();
  const proxies = readProxySettings(env ?? process.env);
  const connect = { timeout: (connectTimeoutSeconds ?? defaultConnectSeconds) * 1000 };
  // A proxy resolves names itself; only direct connections resolve them here.
  const direct = use === 'public read' ? { ...connect, lookup: publicLookup(lookup) } : connect;
  const agent =
    proxies === undefined
      ? new Agent({ connect: direct })
      : new EnvHttpProxyAgent({
          ...proxies,
          connect: direct,
          proxyTls: connect,
          requestTls: connect,
          // Proxies commonly allow CONNECT to port 443 only, so plain http goes through them in the absolute form.
          proxyTunnel: false,
          clientFactory: (origin, factoryOptions) =>
            new Pool(origin, factoryOptions).compose(observing(brokenTunnel)),
        });
  return agent.compose(observing());
}

/** A proxy that hangs up on CONNECT: after its own error the library would reconnect without a pause. */
function brokenTunnel(error: Error): Error {
  const broken = 'code' in error && error.code === 'UND_ERR_SOCKET';
  return broken ? Object.assign(new Error('the proxy hung up'), { code: 'ECONNRESET' }) : error;
}

/** Calls a request's `opaque` when it is about to be written to a connection, and replaces its error. */
function observing(replaced = (error: Error) => error): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options: Dispatcher.DispatchOptions & { opaque?: () => void }, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        options.opaque?.();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (controller, cause) => handler.onResponseError?.(controller, replaced(cause)),
    });
}

/**
 * Proxies of the environment, as in curl: lower-case names precede upper-case ones, an address without a scheme is an
 * http proxy. The documents service is plain http, which goes directly when only `HTTPS_PROXY` is set.
 *
 * @throws TypeError with the code `PROXY_ADDRESS`; it names the variable, whose value may hold a password
 */
export function readProxySettings(env: NodeJS.ProcessEnv) {
  const variable = (name: string) => (env[name.toLowerCase()] ?? env[name] ?? '').trim();
  const proxy = (name: string) => {
    const value = variable(name);
    const address = value === '' || value.includes('://') ? value : `http://${value}`;
    if (address === '' || (/^https?:/i.test(address) && URL.canParse(address))) return address;
    const problem = new TypeError(`${name} is not the address of an HTTP proxy (expected http://host:port)`);
    throw Object.assign(problem, { code: 'PROXY_ADDRESS' });
  };
  const [httpProxy, httpsProxy] = [proxy('HTTP_PROXY'), proxy('HTTPS_PROXY')];
  // Empty means none; undefined would make the library read the environment itself.
  return httpProxy || httpsProxy ? { httpProxy, httpsProxy, noProxy: variable('NO_PROXY') } : undefined;
}

/** The library's own codes for a connection that the other side ended before the reply was complete. */
const brokenOff: ReadonlySet<string> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/**
 * Classifies a connection error.
 *
 * @param mayHaveBeenSent if so, every error counts as the connection's, so that a write's unknown outcome is not lost
 * @throws the error itself if it is not the connection's
 */
export function transportError(call: HttpCall, error: unknown, mayHaveBeenSent: boolean): UpstreamError {
  if (!(error instanceof Error)) throw error;
  const { hostname, port, protocol } = new URL(call.url);
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const unread = (reason: string) =>
    new NotUnderstood(call, reason, { kind: 'unknown', bytes: 0, start: '' });
  // The library gives these no code.
  if (error.name === 'HTTPParserError') {
    const isCut = error.message.includes('Invalid EOF');
    return isCut ? new Unreachable(call, host, 'ECONNRESET') : unread('not HTTP');
  }
  const proxyStatus = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
  if (proxyStatus) return new Unreachable(call, host, `PROXY_${proxyStatus}`);
  const code = codeOf(error) ?? 'UNKNOWN';
  // Only the credential comes from the user unchecked. The library's words name the header, not its value.
  if (!mayHaveBeenSent && code === 'UND_ERR_INVALID_ARG') return new Unsendable(call, error.message);
  if (!mayHaveBeenSent && code === 'UNKNOWN') throw error;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return unread('head too large');
  if (code === notPublic) return new Refused(call, { code: 'address' });
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new Unreachable(call, host, 'ETIMEDOUT');
  return new Unreachable(call, host, brokenOff.has(code) ? 'ECONNRESET' : code);
}

/** The innermost code: that of a cause or of the first of several attempts precedes the wrapper's. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return codeOf(inner) ?? own;
}

/** Error code for an address outside the public network. */
const notPublic = 'ENOTPUBLIC';

/** Resolves a host name; `dns.lookup` except in tests. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

function networks(list: string): BlockList {
  const found = new BlockList();
  for (const [network = '', prefix] of list.split(' ').map((one) => one.split('/'))) {
    found.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return found;
}

/** Networks without public servers. Source: IANA special-purpose address registries (RFC 6890), looked up 2026-11-22. */
const special = networks(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 ' +
    '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
);
/** Of IPv6 only global unicast is public, without tunnels, which may lead anywhere. */
const global = networks('2000::/3');

/** Whether an IP address may belong to a public server. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

function notPublicError(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} is not in the public network`), { code: notPublic });
}

/** @throws an error with the code `ENOTPUBLIC` for an IP address that is not public, which is not looked up */
function requirePublicLiteral(hostname: string): void {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw notPublicError(hostname);
}

/**
 * Resolves to public addresses only. The connection uses this result, so a later change of the name has no effect.
 */
function publicLookup(lookup: Lookup = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '', 0);
        return;
      }
      const [first, ...others] = found.filter(({ address }) => isPublicAddress(address));
      if (first === undefined) callback(notPublicError(hostname), '', 0);
      else if (options.all === true) callback(null, [first, ...others]);
      else callback(null, first.address, first.family);
    });
  };
}
