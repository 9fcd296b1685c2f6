/** What an operation found, before it is put into a form for the wire. */
export type Answer =
  /** Text in pieces, each made when it is sent. */
  | { readonly kind: 'text'; readonly pieces: Iterable<string> }
  | { readonly kind: 'pdf'; readonly pdf: Buffer; readonly path: string }
  | { readonly kind: 'value'; readonly value: unknown };

export function textAnswer(text: string): Answer {
  return { kind: 'text', pieces: [text] };
}

export function valueAnswer(value: unknown): Answer {
  return { kind: 'value', value };
}
