/**
 * How replies are written where the contract leaves it open. The first of each is what the service is believed to do,
 * the others are what it, its twin or its successor may do.
 */
const choices = {
  /**
   * How a string goes on the wire: in JSON quotes, or as other services would. `side-by-side` and `json-array` are the
   * documents without their envelope, `zip` one file for each; `url` and `url-zip` are a shared-access URL to a file
   * that holds the text or the ZIP.
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
export function readReplyForm(value: unknown, before: ReplyForm): ReplyForm | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isForm = Object.entries(value).every(([name, choice]) => isKnown(name, choice));
  return isForm ? { ...before, ...value } : undefined;
}
