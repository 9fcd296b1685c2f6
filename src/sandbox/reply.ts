/** A reply that is ready to be sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes, or pieces of text that are made while they are sent. */
  readonly body: Buffer | Iterable<string>;
}

export function reply(status: number, contentType: string, body: Reply['body'] | string): Reply {
  const headers = { 'content-type': contentType };
  return { status, headers, body: typeof body === 'string' ? Buffer.from(body) : body };
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  const {
    status: code,
    headers: own,
    body,
  } = reply(status, 'application/json; charset=utf-8', JSON.stringify(value));
  return { status: code, headers: { ...own, ...headers }, body };
}

export function emptyReply(status: number): Reply {
  return { status, headers: {}, body: Buffer.alloc(0) };
}
