import { outcomeOfStatus } from '../../documents/events/status-codes.ts';
import { type Call, NotUnderstood, OutcomeUnknown, Refused } from '../errors.ts';
import type { HttpCall, HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';
import type { Redact } from '../http/redact.ts';
import { type Operation, type OperationName, operationLabel, operations } from './operations.ts';
import { type InputsFor, writeQuery } from './parameters.ts';
import type {
  DocumentList,
  EventRecord,
  KeyList,
  NfseDownload,
  Pdf,
  ReceivedDocument,
  ReplyBody,
  SingleDocument,
  Undocumented,
} from './replies/index.ts';
import type { CallInputs, WireFormats } from './wire-formats.ts';

/** Takes the documents of a list one by one while the reply arrives. */
export type DocumentTaker = (document: ReceivedDocument) => void | Promise<void>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * For operations that list documents: makes the taker of one attempt. A broken connection begins a new attempt,
   * and what an earlier taker got is void.
   */
  readonly begin?: () => DocumentTaker;
}

interface Results {
  text: string;
  integer: number;
  url: string;
  record: EventRecord;
  records: EventRecord[];
  document: SingleDocument;
  service_document: NfseDownload;
  pdf: Pdf;
  keys: KeyList;
  documents: DocumentList;
  undocumented: Undocumented;
}

type Operations = typeof operations;
type InputsOf<N extends OperationName> = N extends OperationName
  ? InputsFor<Operations[N]['parameters']>
  : never;
type ResultOf<N extends OperationName> = Results[Operations[N]['reply']];

export interface TaxDocumentsOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Read at every call, because a password file may change. */
  readonly credentials: () => Promise<{ readonly user: string; readonly password: string }>;
  readonly formats: WireFormats;
}

export interface TaxDocumentsClient {
  /**
   * Calls an operation and understands its reply.
   * @throws UpstreamError in one of its kinds; what `credentials` throws.
   */
  call<N extends OperationName>(name: N, inputs: InputsOf<N>, options?: CallOptions): Promise<ResultOf<N>>;
  /** Length of the request line of a call, as the service's limit counts it. */
  requestLineLength<N extends OperationName>(name: N, inputs: InputsOf<N>): Promise<number>;
  /**
   * Fetches a PDF that a reply pointed at. Only over https or from the service's own host, without credentials.
   * @throws Refused with code `address` where the address is neither.
   */
  fetchPdf(url: string, signal?: AbortSignal): Promise<Uint8Array>;
}

/** Lists are read as a stream and kept nowhere; this only stops a service that never ends. */
const LONGEST_LIST_BYTES = 4 * 1024 ** 3;

/** The documents service over the shared HTTP client. */
export function createTaxDocumentsClient(http: HttpClient, options: TaxDocumentsOptions): TaxDocumentsClient {
  async function targetOf(name: OperationName, inputs: Partial<CallInputs>): Promise<string> {
    const { path, parameters } = operations[name];
    const needsCredentials = 'usuario' in parameters;
    const filled = needsCredentials ? { ...inputs, ...(await options.credentials()) } : inputs;
    const query = writeQuery(parameters, filled, options.formats);
    return query === '' ? path : `${path}?${query}`;
  }

  return {
    async call(name, inputs, { signal, begin } = {}) {
      const operation: Operation = operations[name];
      const call: Call = { service: 'documents', operation: operationLabel(name) };
      const replies = await import('./replies/index.ts');
      const read = (body: ReplyBody, redact: Redact): Promise<Results[keyof Results]> => {
        switch (operation.reply) {
          case 'text':
            return replies.readText(body);
          case 'integer':
            return replies.readInteger(body);
          case 'url':
            return replies.readUrl(body);
          case 'record':
            return replies.readEventRecord(body).then((record) => redacted(record, redact));
          case 'records':
            return replies
              .readEventRecords(body)
              .then((records) => records.map((record) => redacted(record, redact)));
          case 'document':
            return replies.readDocument(body);
          case 'service_document':
            return replies.readNfse(body);
          case 'pdf':
            return replies.readPdf(body);
          case 'keys':
            return replies.readKeys(body);
          case 'undocumented':
            return replies.readUndocumented(body);
          case 'documents':
            return replies.readDocuments(body, begin?.() ?? (() => undefined));
        }
      };
      const request: HttpCall = {
        ...call,
        method: operation.method,
        url: options.baseUrl + (await targetOf(name, inputs)),
        headers: { accept: 'application/json' },
        kind: operation.access,
        signal,
        maxBytes: operation.reply === 'documents' ? LONGEST_LIST_BYTES : undefined,
      };
      const result = await http
        .call(request, (reply) => read(bodyOf(call, reply), reply.redact))
        .catch((error: unknown) => {
          const isWrite = operation.access === 'write';
          if (isWrite && error instanceof NotUnderstood) throw new OutcomeUnknown(error);
          if (isWrite && error instanceof Refused && !isPlainNo(error, replies.isNoAction)) {
            throw new OutcomeUnknown(error);
          }
          throw error;
        });
      return result as ResultOf<typeof name>;
    },

    async requestLineLength(name, inputs) {
      const target = await targetOf(name, inputs);
      const basePath = new URL(options.baseUrl).pathname.replace(/\/$/, '');
      return `${operations[name].method} ${basePath}${target} HTTP/1.1`.length;
    },

    async fetchPdf(url, signal) {
      const call: Call = { service: 'documents', operation: 'PDF' };
      const own = new URL(options.baseUrl);
      const target = URL.canParse(url) ? new URL(url) : undefined;
      if (target?.protocol !== 'https:' && target?.host !== own.host) {
        throw new Refused(call, { code: 'address' });
      }
      const { readPdf } = await import('./replies/index.ts');
      const pdf = await http.call({ ...call, method: 'GET', url, kind: 'read', signal }, (reply) =>
        readPdf(bodyOf(call, reply)),
      );
      if (pdf.kind === 'bytes') return pdf.bytes;
      throw new NotUnderstood(call, 'another address instead of the PDF', {
        kind: 'url',
        bytes: 0,
        start: '',
      });
    },
  };
}

/**
 * Whether a write was refused for certain: by an HTTP status, by a code known to be a no, or because there is no such
 * operation. Any other words in the reply to a write that arrived do not say that nothing was performed.
 */
function isPlainNo({ refusal }: Refused, isNoAction: (text: string) => boolean): boolean {
  if (refusal.status !== undefined) return true;
  return outcomeOfStatus(refusal.code) === 'refused' || isNoAction(refusal.message ?? '');
}

/** A record's message is the service's own words, which are shown and written down. */
function redacted(record: EventRecord, redact: Redact): EventRecord {
  const { message } = record;
  return message === undefined ? record : { ...record, message: redact(message) };
}

function bodyOf(call: Call, reply: HttpReply): ReplyBody {
  const contentType = reply.headers['content-type'];
  return { call, body: reply.body, ...(contentType === undefined ? {} : { contentType }) };
}
