import { emptyReply, jsonOf, jsonReply, type Reply, type SandboxRequest } from './http.ts';

/** A request as it may be shown: without credentials. */
interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of an account operation, as text; empty for every other request. */
  readonly body: string;
}

interface RequestLog {
  add(request: SandboxRequest): void;
  /** The last two hundred requests, oldest first. */
  all(): readonly LoggedRequest[];
}

const MOST_KEPT = 200;
const MASK = '***';
const SECRET_PARAMETERS = ['usuario', 'senha', 'sig'];
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie'];

function shownParameter(name: string, value: string): string {
  if (SECRET_PARAMETERS.includes(name.toLowerCase())) return MASK;
  return value.replace(/([?&]sig=)[^&]*/gi, `$1${MASK}`);
}

function shownHeader(name: string, value: string | string[] | undefined): string {
  return SECRET_HEADERS.includes(name) ? MASK : String(value);
}

function shownQuery({ query }: SandboxRequest): [name: string, value: string][] {
  return [...query].map(([name, value]) => [name, shownParameter(name, value)]);
}

/** Path and query as one text, percent-decoded and without credentials. */
export function shownTarget(request: SandboxRequest): string {
  const query = shownQuery(request).map(([name, value]) => `${name}=${value}`);
  return [request.path, ...(query.length > 0 ? [query.join('&')] : [])].join('?');
}

function shown(request: SandboxRequest): LoggedRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, shownHeader(name, value)]);
  return {
    method: request.method,
    path: request.path,
    query: Object.fromEntries(shownQuery(request)),
    headers: Object.fromEntries(headers),
    body: request.path.toLowerCase().startsWith('/api/v2/') ? request.body.toString('utf8') : '',
  };
}

export function createRequestLog(): RequestLog {
  const kept: LoggedRequest[] = [];
  return {
    add(request) {
      kept.push(shown(request));
      if (kept.length > MOST_KEPT) kept.shift();
    },
    all: () => [...kept],
  };
}

/** Something that goes wrong on purpose. */
export interface Fault {
  /** Part of the path and query it applies to, percent-decoded; every request where it is empty. */
  readonly match: string;
  readonly delayMs: number;
  /** Answered in place of the real status and body. */
  readonly status: number | undefined;
  readonly body: string | undefined;
  /** Value of a `Retry-After` header, in seconds. */
  readonly retryAfter: number | undefined;
  readonly cut: 'before-reply' | 'in-headers' | 'in-body' | undefined;
  /** The body ends after so many bytes, and its length says so too. */
  readonly truncateBytes: number | undefined;
  /** The operation is performed first, and only its reply goes wrong. */
  readonly afterPerforming: boolean;
}

/** The faults still to come, first asked first served. */
interface FaultQueue {
  /** Queues a fault for `times` requests; false where the value describes none. */
  add(value: unknown): boolean;
  clear(): void;
  /** Takes the first fault for a request's path and query, percent-decoded, off the queue. */
  take(target: string): Fault | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const CUTS = ['before-reply', 'in-headers', 'in-body'] as const;
const KNOWN_FIELDS = [
  'match',
  'times',
  'delayMs',
  'status',
  'body',
  'retryAfter',
  'cut',
  'truncateBytes',
  'afterPerforming',
];

function countField(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** `dataDe=14%2F03%2F2026` and `dataDe=14/03/2026` are the same text; undefined where it can't be decoded. */
function decoded(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readFault(fields: Fields): Fault | undefined {
  const counts = ['times', 'delayMs', 'status', 'retryAfter', 'truncateBytes'];
  const wrongCount = counts.some(
    (name) => fields[name] !== undefined && countField(fields, name) === undefined,
  );
  const { match: wantedMatch = '', body, cut: wantedCut, afterPerforming = false } = fields;
  const cut = CUTS.find((known) => known === wantedCut);
  const status = countField(fields, 'status');
  const wrongStatus = status !== undefined && (status < 200 || status > 599);
  const match = decoded(wantedMatch);
  if (wrongCount || wrongStatus || match === undefined || typeof afterPerforming !== 'boolean')
    return undefined;
  if ((body !== undefined && typeof body !== 'string') || (wantedCut !== undefined && !cut)) return undefined;
  return {
    match,
    delayMs: countField(fields, 'delayMs') ?? 0,
    status,
    body,
    retryAfter: countField(fields, 'retryAfter'),
    cut,
    truncateBytes: countField(fields, 'truncateBytes'),
    afterPerforming,
  };
}

export function createFaultQueue(): FaultQueue {
  let queue: { readonly fault: Fault; left: number }[] = [];

  return {
    add(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      const fields: Fields = { ...value };
      if (!Object.keys(fields).every((name) => KNOWN_FIELDS.includes(name))) return false;
      const fault = readFault(fields);
      if (!fault) return false;
      queue.push({ fault, left: countField(fields, 'times') ?? 1 });
      return true;
    },
    clear() {
      queue = [];
    },
    take(target) {
      const lowerTarget = target.toLowerCase();
      const next = queue.find(
        ({ fault, left }) => left > 0 && lowerTarget.includes(fault.match.toLowerCase()),
      );
      if (next) next.left -= 1;
      queue = queue.filter(({ left }) => left > 0);
      return next?.fault;
    },
  };
}

/** Forms of replies that the contract leaves open; the first of each is the likely one. */
const choices = {
  /**
   * A string: `side-by-side` and `json-array` omit the envelope, `zip` has a file each, `url` links to a
   * file.
   */
  form: ['json', 'json-twice', 'string-xml', 'bare', 'side-by-side', 'json-array', 'zip', 'url', 'url-zip'],
  /** How a PDF goes on the wire: as base64 text, or as other services would. */
  pdf: ['base64', 'raw', 'hex', 'json-bytes', 'gzip-base64', 'url'],
  /** What the shared-access URLs in replies are good for: `moved` ones answer with a redirect to the file. */
  links: ['valid', 'expired', 'moved'],
  /** What `Login` answers with. */
  login: ['number', 'null'],
  /** How event records come: `sparse` ones lack what may be missing, in `value` they stand in a list of that name. */
  records: ['plain', 'sparse', 'value'],
} as const;

type Choices = { readonly [K in keyof typeof choices]: (typeof choices)[K][number] };

/** How a string goes on the wire. */
export type TextForm = Choices['form'];
/** How a PDF goes on the wire. */
export type PdfForm = Choices['pdf'];

export interface ReplyForm extends Choices {
  /** Whether lists have two documents that can't be read: one of a layout of no one, and one that is broken. */
  readonly strange: boolean;
}

export const DEFAULT_REPLY_FORM: ReplyForm = {
  form: 'json',
  pdf: 'base64',
  links: 'valid',
  login: 'number',
  records: 'plain',
  strange: false,
};

function isKnown(name: string, value: unknown): boolean {
  if (name === 'strange') return typeof value === 'boolean';
  const known: Readonly<Record<string, readonly unknown[]>> = choices;
  return Object.hasOwn(known, name) && known[name]?.includes(value) === true;
}

/** The form named by a JSON value; what it leaves out stays as it was. Undefined where it names none. */
function readReplyForm(value: unknown, before: ReplyForm): ReplyForm | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isForm = Object.entries(value).every(([name, choice]) => isKnown(name, choice));
  return isForm ? { ...before, ...value } : undefined;
}

/** What can be changed and looked at while a sandbox runs. */
export interface Controls {
  readonly faults: FaultQueue;
  readonly log: RequestLog;
  replyForm: ReplyForm;
}

export const CONTROL_PREFIX = '/__sandbox/';

function refused(message: string): Reply {
  return jsonReply(400, { message });
}

function setReplyForm(controls: Controls, body: Buffer): Reply {
  const wanted = readReplyForm(jsonOf(body), controls.replyForm);
  if (!wanted) return refused('unknown form or pdf');
  controls.replyForm = wanted;
  return jsonReply(200, wanted);
}

/** Answers a request below `/__sandbox/`. */
export function callControl({ method, path, body }: SandboxRequest, controls: Controls): Reply {
  switch (`${method} ${path.slice(CONTROL_PREFIX.length)}`) {
    case 'POST faults':
      return controls.faults.add(jsonOf(body)) ? emptyReply(204) : refused('not a fault');
    case 'DELETE faults':
      controls.faults.clear();
      return emptyReply(204);
    case 'GET requests':
      return jsonReply(200, controls.log.all());
    case 'PUT reply-form':
      return setReplyForm(controls, body);
    default:
      return jsonReply(404, { message: 'no such control' });
  }
}
