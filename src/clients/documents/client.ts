import { outcomeOfStatus } from '../../documents/events/statuses.ts';
import { type Call, NotUnderstood, OutcomeUnknown, Refused, Unsendable } from '../errors.ts';
import type { HttpCall, HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';
import {
  type CallInputs,
  type InputsOf,
  type OperationName,
  type OperationOf,
  operationLabel,
  operations,
  type WireFormats,
  writeTarget,
} from './operations.ts';
import type { Results } from './replies/index.ts';
import type { DocumentList, ReceivedDocument } from './replies/results.ts';

type CallOptions = Pick<HttpCall, 'signal' | 'startBy'>;

/** Reads all documents of a list as they arrive. Called again from the start when the connection breaks. */
type ListReader<T> = (
  documents: AsyncIterable<ReceivedDocument>,
  /** The list's own statements, after its last document. */
  ending: () => DocumentList | undefined,
) => Promise<T>;

type ListName = OperationOf<'documents'>;
type ReadWhole = Exclude<OperationName, ListName>;
type ResultOf<N extends ReadWhole> = Results[(typeof operations)[N]['reply']];

interface TaxDocumentsOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Read at every call, because a password file may change. */
  readonly credentials: () => Promise<{ readonly user: string; readonly password: string }>;
  readonly formats: WireFormats;
  /** Company of calls that name none: CNPJ. */
  readonly company?: string | undefined;
}

let replies: Promise<typeof import('./replies/index.ts')> | undefined;

/** Loads the reply readers on the first call; a repeated import takes as long as a short reply. */
function loadReplies(): Promise<typeof import('./replies/index.ts')> {
  replies ??= import('./replies/index.ts');
  return replies;
}

const methods = { read: 'GET', write: 'POST' } as const;

export type TaxDocumentsClient = ReturnType<typeof createTaxDocumentsClient>;

/** The documents service over the shared HTTP client. */
export function createTaxDocumentsClient(http: HttpClient, options: TaxDocumentsOptions) {
  const { baseUrl, formats } = options;
  const fetchFile = createFileFetcher(http, baseUrl, (oldUrl, signal) =>
    client.call('renewSasUrl', { oldUrl }, { signal }),
  );

  async function targetOf(name: OperationName, inputs: Partial<CallInputs>): Promise<string> {
    if (!('usuario' in operations[name].parameters)) return writeTarget(name, inputs, formats);
    const { user, password } = await options.credentials();
    // A line break comes from copying the password; the service would only report a wrong password.
    if (/\p{Cc}/u.test(user + password)) {
      throw new Unsendable({ service: 'documents', operation: operationLabel(name) }, 'credentials');
    }
    return writeTarget(name, { ...inputs, user, password }, formats);
  }

  /** Fetches and reads the file at an address; another address in its place is not followed. */
  async function followAddress<T>(url: string, caller: Caller, read: Read<T>): Promise<T> {
    const { RepliedWithUrl } = await loadReplies();
    return fetchFile(url, caller, read).catch((error: unknown) => {
      if (!(error instanceof RepliedWithUrl)) throw error;
      const sketch = { kind: 'url', bytes: 0, start: '' };
      throw new NotUnderstood(caller, 'another address instead of the file', sketch);
    });
  }

  /** Calls an operation and reads its reply, or the file that the reply points at. */
  async function callWithFile<T>(
    name: OperationName,
    inputs: Partial<CallInputs>,
    { signal, startBy }: CallOptions,
    read: Read<T>,
  ): Promise<T> {
    const { limitsOf, RepliedWithUrl } = await loadReplies();
    const { access, reply } = operations[name];
    const request: HttpCall = {
      service: 'documents',
      operation: operationLabel(name),
      company: inputs.company === '' ? undefined : (inputs.company ?? options.company),
      method: methods[access],
      url: baseUrl + (await targetOf(name, inputs)),
      headers: { accept: 'application/json' },
      kind: access,
      signal,
      startBy,
      maxBytes: limitsOf[reply].wire,
    };
    return http.call(request, read).catch((error: unknown) => {
      if (error instanceof RepliedWithUrl) return followAddress(error.url, request, read);
      throw error;
    });
  }

  const client = {
    /** Calls an operation and reads its reply, or the file that the reply points at. @throws UpstreamError */
    async call<N extends ReadWhole>(
      name: N,
      inputs: InputsOf<N>,
      callOptions: CallOptions = {},
    ): Promise<ResultOf<N>> {
      const { reply: kind, access } = operations[name];
      const { isNoAction, readers } = await loadReplies();
      const asked: Partial<CallInputs> = inputs;
      const read = (reply: HttpReply): Promise<unknown> => readers[kind](reply, asked);
      const result = await callWithFile(name, inputs, callOptions, read).catch((error: unknown) => {
        throw access === 'write' ? failureAfterReply(error, isNoAction) : error;
      });
      return result as ResultOf<N>;
    },

    /** Calls an operation that lists documents. @throws UpstreamError; what `credentials` and `read` throw */
    async list<T>(
      name: ListName,
      inputs: InputsOf<ListName>,
      read: ListReader<T>,
      callOptions: CallOptions = {},
    ): Promise<{ list: DocumentList; read: T }> {
      const { readDocuments } = await loadReplies();
      return callWithFile(name, inputs, callOptions, async (reply) => {
        let list: DocumentList | undefined;
        async function* documents(): AsyncGenerator<ReceivedDocument> {
          list = yield* readDocuments(reply);
        }
        const value = await read(documents(), () => list);
        if (list === undefined) throw new Error('a list must be read to its end');
        return { list, read: value };
      });
    },

    /** Length of the request line of a call, as the service's limit counts it. */
    async requestLineLength<N extends OperationName>(name: N, inputs: InputsOf<N>): Promise<number> {
      const target = await targetOf(name, inputs);
      const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
      return `${methods[operations[name].access]} ${basePath}${target} HTTP/1.1`.length;
    },

    /** Fetches a PDF that a reply pointed at, without credentials. @throws Refused with the code `address` */
    async fetchPdf(url: string, signal?: AbortSignal): Promise<Uint8Array> {
      const { limitsOf, readers } = await loadReplies();
      const call = { service: 'documents', operation: 'PDF', maxBytes: limitsOf.pdf.wire, signal } as const;
      return followAddress(url, call, readers.pdf);
    },
  };
  return client;
}

/** Error of a write whose reply arrived: its outcome is unknown unless plainly refused. */
function failureAfterReply(error: unknown, isNoAction: (text: string) => boolean): unknown {
  if (error instanceof NotUnderstood) return new OutcomeUnknown(error);
  if (!(error instanceof Refused)) return error;
  const { status, code, message = '' } = error.refusal;
  // Other words in a reply do not prove that nothing was performed.
  const isPlainNo = status !== undefined || outcomeOfStatus(code) === 'refused' || isNoAction(message);
  return isPlainNo ? error : new OutcomeUnknown(error);
}

/** The call whose reply held the address, for errors, and the limits of fetching. */
type Caller = Call & Pick<HttpCall, 'maxBytes' | 'signal'>;
type Read<T> = (reply: HttpReply) => Promise<T>;

/** Host name; a final dot does not make it another host. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}

/**
 * Fetches files that replies point at: without credentials, over https and from the public network, or from the
 * service's own origin (scheme, host and port). An address is a secret: it gives access to the file.
 *
 * @param base the service's own address; over plain http the addresses came unprotected and may be plain http as well
 * @param renew exchanges an address that has expired for a new one
 */
function createFileFetcher(
  http: HttpClient,
  base: string,
  renew: (url: string, signal: AbortSignal | undefined) => Promise<string>,
) {
  const own = new URL(base);

  /** @throws Refused with the code `address` for one that is not followed */
  function requestOf(address: string, { service, operation, maxBytes, signal }: Caller): HttpCall {
    const target = URL.canParse(address) ? new URL(address) : undefined;
    const isOwn = target?.origin === own.origin;
    // Another port of the service's own host is another service, behind the same firewall.
    const isOtherHost = target !== undefined && hostOf(target) !== hostOf(own);
    const isPlain = target?.protocol === 'http:' && (isOwn || (own.protocol === 'http:' && isOtherHost));
    const isSafe = target?.protocol === 'https:' || isPlain;
    if (target === undefined || !isSafe || target.username !== '' || target.password !== '') {
      throw new Refused({ service, operation }, { code: 'address' });
    }
    return {
      service,
      operation,
      method: 'GET',
      url: target.href,
      kind: 'read',
      signal,
      maxBytes,
      network: isOwn ? 'any' : 'public',
      takesRedirects: true,
    };
  }

  /** Follows one redirect at most. */
  async function fetchFrom<T>(address: string, caller: Caller, read: Read<T>): Promise<T> {
    for (let [url, redirects] = [address, 0]; redirects <= 1; redirects++) {
      const outcome = await http.call(requestOf(url, caller), async (reply) => {
        const { location } = reply.headers;
        if (reply.status < 300 || location === undefined) return { value: await read(reply) };
        if (!URL.canParse(location, url)) throw new Refused(caller, { code: 'address' });
        return { location: new URL(location, url).href };
      });
      if (outcome.location === undefined) return outcome.value;
      url = outcome.location;
    }
    throw new Refused(caller, { code: 'address' });
  }

  /** Fetches a file and reads it. An expired address is renewed once. @throws UpstreamError */
  return async function fetchFile<T>(address: string, caller: Caller, read: Read<T>): Promise<T> {
    try {
      return await fetchFrom(address, caller, read);
    } catch (error) {
      // A blob storage's error for a shared-access URL that expired or whose signature is no longer valid.
      const refusal = error instanceof Refused ? error.refusal : {};
      if (refusal.status !== 403 || refusal.code === undefined) throw error;
      return fetchFrom(await renew(address, caller.signal), caller, read);
    }
  };
}
