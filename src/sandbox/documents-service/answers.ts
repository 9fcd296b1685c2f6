/** What an operation found, before it is put into a form for the wire. */
export type Answer =
  /**
   * Text in pieces, each made when it is sent; the documents in it, where it has any, for forms that do without it. What
   * is `plain` is a word and never a file.
   */
  | {
      readonly kind: 'text';
      readonly pieces: Iterable<string>;
      readonly documents?: Iterable<string> | undefined;
      readonly isPlain?: boolean;
    }
  | { readonly kind: 'pdf'; readonly pdf: Buffer; readonly path: string }
  | { readonly kind: 'value'; readonly value: unknown };

export function textAnswer(text: string): Answer {
  return { kind: 'text', pieces: [text], isPlain: true };
}

export function valueAnswer(value: unknown): Answer {
  return { kind: 'value', value };
}
