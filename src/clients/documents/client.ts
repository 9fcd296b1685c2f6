import { outcomeOfStatus } from '../../documents/events/statuses.ts';
import { type Call, NotUnderstood, OutcomeUnknown, Refused, Unsendable } from '../errors.ts';
import type { HttpCall, HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';
import { anotherAddress, createFileFetcher } from './file-address.ts';
import {
  type Operation,
  type OperationName,
  type OperationOf,
  operationLabel,
  operations,
} from './operations.ts';
import { type CallInputs, type InputsFor, type WireFormats, writeQuery } from './parameters.ts';
import type { Results } from './replies/index.ts';
import type { DocumentList, ReceivedDocument } from './replies/results.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Once this is aborted the call is not begun any more; one under way goes on. */
  readonly startBy?: AbortSignal;
}

/** Reads all documents of a list as they arrive. Called again from the first on when the connection breaks. */
export type ListReader<T> = (
  documents: AsyncIterable<ReceivedDocument>,
  /** What the list says of itself, once the last document has come. */
  ending: () => DocumentList | undefined,
) => Promise<T>;

type Operations = typeof operations;
type ListName = OperationOf<'documents'>;
type ReadWhole = Exclude<OperationName, ListName>;
type InputsOf<N extends OperationName> = N extends OperationName
  ? InputsFor<Operations[N]['parameters']>
  : never;
type ResultOf<N extends ReadWhole> = Results[Operations[N]['reply']];

export interface TaxDocumentsOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Read at every call, because a password file may change. */
  readonly credentials: () => Promise<{ readonly user: string; readonly password: string }>;
  readonly formats: WireFormats;
  /** CNPJ of the company that calls are about which name none. */
  readonly company?: string | undefined;
}

export interface TaxDocumentsClient {
  /** Calls an operation and reads its reply, or the file whose address it is. @throws UpstreamError */
  call<N extends ReadWhole>(name: N, inputs: InputsOf<N>, options?: CallOptions): Promise<ResultOf<N>>;
  /** Calls an operation that lists documents. @throws UpstreamError; what `credentials` and `read` throw */
  list<T>(
    name: ListName,
    inputs: InputsOf<ListName>,
    read: ListReader<T>,
    options?: CallOptions,
  ): Promise<{ list: DocumentList; read: T }>;
  /** Length of the request line of a call, as the service's limit counts it. */
  requestLineLength<N extends OperationName>(name: N, inputs: InputsOf<N>): Promise<number>;
  /** Fetches a PDF that a reply pointed at, without credentials. @throws Refused with the code `address` */
  fetchPdf(url: string, signal?: AbortSignal): Promise<Uint8Array>;
}

let replies: Promise<typeof import('./replies/index.ts')> | undefined;

/** What reads replies, loaded by the first call: asking for a part again takes as long as a short reply. */
function loadReplies(): Promise<typeof import('./replies/index.ts')> {
  replies ??= import('./replies/index.ts');
  return replies;
}

/** The documents service over the shared HTTP client. */
export function createTaxDocumentsClient(http: HttpClient, options: TaxDocumentsOptions): TaxDocumentsClient {
  const fetchFile = createFileFetcher(http, options.baseUrl);

  /** A line break is no part of a password but of how it was copied; the service would only call it wrong. */
  async function credentialsFor(name: OperationName): Promise<{ user: string; password: string }> {
    const { user, password } = await options.credentials();
    if (/\p{Cc}/u.test(user + password)) {
      throw new Unsendable({ service: 'documents', operation: operationLabel(name) }, 'credentials');
    }
    return { user, password };
  }

  async function targetOf(name: OperationName, inputs: Partial<CallInputs>): Promise<string> {
    const { path, parameters } = operations[name];
    const needsCredentials = 'usuario' in parameters;
    const filled = needsCredentials ? { ...inputs, ...(await credentialsFor(name)) } : inputs;
    const query = writeQuery(parameters, filled, options.formats);
    return query === '' ? path : `${path}?${query}`;
  }

  /** Fetches the file at an address and reads it. @param call whose reply the address was */
  async function followAddress<T>(
    url: string,
    call: Call & Pick<HttpCall, 'maxBytes' | 'signal'>,
    read: (reply: HttpReply) => Promise<T>,
  ): Promise<T> {
    const { RepliedWithUrl } = await loadReplies();
    const { maxBytes, signal } = call;
    const renew = (oldUrl: string) => client.call('renewSasUrl', { oldUrl }, { signal });
    return fetchFile(url, { call, maxBytes, signal, read, renew }).catch((error: unknown) => {
      throw error instanceof RepliedWithUrl ? anotherAddress(call) : error;
    });
  }

  /** Makes a call and reads its reply, or the file whose address the reply is. */
  async function callWithFile<T>(request: HttpCall, read: (reply: HttpReply) => Promise<T>): Promise<T> {
    const { RepliedWithUrl } = await loadReplies();
    return http.call(request, read).catch((error: unknown) => {
      if (error instanceof RepliedWithUrl) return followAddress(error.url, request, read);
      throw error;
    });
  }

  async function requestOf(
    name: OperationName,
    inputs: Partial<CallInputs>,
    signal: AbortSignal | undefined,
  ): Promise<HttpCall> {
    const { method, access, reply }: Operation = operations[name];
    const { limitsOf } = await loadReplies();
    return {
      service: 'documents',
      operation: operationLabel(name),
      company: inputs.company === '' ? undefined : (inputs.company ?? options.company),
      method,
      url: options.baseUrl + (await targetOf(name, inputs)),
      headers: { accept: 'application/json' },
      kind: access,
      signal,
      maxBytes: limitsOf[reply].wire,
    };
  }

  const client: TaxDocumentsClient = {
    async call(name, inputs, { signal, startBy } = {}) {
      const { reply: kind, access } = operations[name];
      const { isNoAction, readers } = await loadReplies();
      const request = { ...(await requestOf(name, inputs, signal)), startBy };
      const asked: Partial<CallInputs> = inputs;
      const read = (reply: HttpReply): Promise<unknown> => readers[kind](reply, asked);
      const result = await callWithFile(request, read).catch((error: unknown) => {
        throw access === 'write' ? failureAfterReply(error, isNoAction) : error;
      });
      return result as ResultOf<typeof name>;
    },

    async list(name, inputs, read, { signal } = {}) {
      const { readDocuments } = await loadReplies();
      const request = await requestOf(name, inputs, signal);
      return callWithFile(request, async (reply) => {
        let list: DocumentList | undefined;
        async function* documents(): AsyncGenerator<ReceivedDocument> {
          list = yield* readDocuments(reply);
        }
        const value = await read(documents(), () => list);
        if (list === undefined) throw new Error('a list must be read to its end');
        return { list, read: value };
      });
    },

    async requestLineLength(name, inputs) {
      const target = await targetOf(name, inputs);
      const basePath = new URL(options.baseUrl).pathname.replace(/\/$/, '');
      return `${operations[name].method} ${basePath}${target} HTTP/1.1`.length;
    },

    async fetchPdf(url, signal) {
      const { limitsOf, readers } = await loadReplies();
      const call = { service: 'documents', operation: 'PDF', maxBytes: limitsOf.pdf.wire, signal } as const;
      return followAddress(url, call, readers.pdf);
    },
  };
  return client;
}

/** The error of a write whose reply arrived: its outcome is unknown, but for a plain refusal. */
function failureAfterReply(error: unknown, isNoAction: (text: string) => boolean): unknown {
  if (error instanceof NotUnderstood) return new OutcomeUnknown(error);
  return error instanceof Refused && !isPlainNo(error, isNoAction) ? new OutcomeUnknown(error) : error;
}

/** Whether a write was refused for certain. Other words in a reply that arrived do not say that nothing was performed. */
function isPlainNo({ refusal }: Refused, isNoAction: (text: string) => boolean): boolean {
  if (refusal.status !== undefined) return true;
  return outcomeOfStatus(refusal.code) === 'refused' || isNoAction(refusal.message ?? '');
}
