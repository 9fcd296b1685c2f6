import type { XmlElement } from '../documents/xml/tree.ts';

/** A field as the file names it. */
export interface LeafField {
  /** Names from below the element that was asked for, `prest / CNPJ`. */
  readonly path: string;
  readonly value: string;
}

/** What is no content of a document: it can't be read by people and says nothing to them. */
const PASSED_OVER = 'Signature';

/** Every field with a value in an element, in the file's order. */
export function leavesOf(element: XmlElement | undefined, prefix: readonly string[] = []): LeafField[] {
  return (element?.children ?? []).flatMap((child) => {
    if (child.name === PASSED_OVER) return [];
    const names = [...prefix, child.name];
    if (child.children.length > 0) return leavesOf(child, names);
    return child.text === '' ? [] : [{ path: names.join(' / '), value: child.text }];
  });
}
