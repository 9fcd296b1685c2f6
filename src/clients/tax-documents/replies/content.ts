import type { DocumentSummary } from '../../../documents/summary/summary.ts';
import type { XmlAttributes } from '../../../documents/xml/xml.ts';
import type { TextSink } from './text-sink.ts';

/** Takes the documents that stand in a reply. */
export interface DocumentSink {
  /** A document begins. */
  begin(): void;
  /** It is whole and well-formed; `xml` is its own text. */
  complete(xml: string, summary: DocumentSummary): void;
}

export type EmptyForm = 'empty string' | 'empty array';

/**
 * What is inside all the quoting, the same for XML and JSON: a frame of named elements with values, documents
 * standing in it, or bare text.
 */
export interface Content {
  /** Characters of one value at most. */
  readonly valueLimit: number;
  /** Whether a value that is XML itself (escaped or CDATA) is read as such. */
  readonly opensValues: boolean;
  readonly documents?: DocumentSink;
  open(name: string, attributes: XmlAttributes): void;
  /** The text of an element without children, trimmed, not empty; between its `open` and `close`. */
  value(name: string, text: string): void;
  close(name: string): void;
  /** Text outside any frame begins; in quotes it is known to be whole where it ends. */
  bareText(quoted: boolean): TextSink;
  /** A string or array with nothing in it. */
  empty(form: EmptyForm): void;
  /** A JSON object, number or array of those, for who wants it as it is; false to have it read as a frame. */
  json?(value: unknown): boolean;
}

/** What a decoding has met so far. */
export interface Forms {
  /** From the outside in, each once. */
  readonly met: readonly string[];
  /** The innermost kind, e.g. `html`, `json object`, `xml <retFoo>`, `text`; undefined while nothing is recognised. */
  readonly kind: string | undefined;
  note(form: string, kind?: string): void;
  noteKind(kind: string): void;
}

export function createForms(): Forms {
  const met: string[] = [];
  let kind: string | undefined;

  /** The outermost XML root names the reply, whatever is in it. */
  function noteKind(inner: string): void {
    if (kind?.startsWith('xml <') !== true) kind = inner;
  }

  return {
    met,
    get kind() {
      return kind;
    },
    note(form, inner) {
      if (!met.includes(form)) met.push(form);
      if (inner !== undefined) noteKind(inner);
    },
    noteKind,
  };
}
