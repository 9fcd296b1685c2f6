/** What an operation found, before it is put into a form for the wire. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pdf'; readonly pdf: Buffer; readonly path: string }
  | { readonly kind: 'value'; readonly value: unknown };

export function textAnswer(text: string): Answer {
  return { kind: 'text', text };
}

export function valueAnswer(value: unknown): Answer {
  return { kind: 'value', value };
}
