import type { XmlAttributes } from './attributes.ts';
import type { ElementName } from './names.ts';
import type { TextWindow } from './window.ts';

/** Who takes what is in an element: the one who was told of it, another one, or nobody. */
export type Taker = XmlEvents | typeof nobody | undefined;

/** What is in an element is for nothing: it is checked and no more. */
export const nobody = Symbol('nobody');

/** Takes what a document says, in order. Names are local names: a prefix is cut off, namespaces are not resolved. */
export interface XmlEvents {
  /** Says who takes what is in the element; its `close` comes here whoever that is. */
  open(name: string, attributes: XmlAttributes): Taker;
  /** Text and CDATA, entities resolved. One text may come in several pieces. */
  text(text: string): void;
  close(name: string): void;
  /**
   * An element with a plain text in it and nothing else, as most of them are, in place of `open`, `text` and `close`.
   * The text is what stands between two places of the window, which is there for no longer. Left out, such an element
   * comes as any other.
   */
  field?(name: ElementName, window: TextWindow, from: number, to: number): void;
  /** False while text would be for nothing: it is checked and need not be handed on. Left out, all is wanted. */
  readonly wantsText?: boolean;
}
