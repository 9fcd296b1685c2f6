/** Looks for the place behind a broken document where the reading can go on. */
export interface Damage {
  /** The document's outermost element. */
  readonly root: string;
  /** Places in the text before this one are behind. */
  readonly from: number;
  /** Takes the text from `from` on. The place to go on from, or undefined where more text is needed. */
  seek(text: string): number | undefined;
}

/** Characters of a tag that are searched again with the next piece of text. */
const OVERLAP = 512;

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function nameOf(tag: string): string {
  return /^<([^\s/>]+)/.exec(tag)?.[1] ?? '';
}

/**
 * A document ends with its root's closing tag, at the latest where another of its kind begins, where the element around
 * it ends, or, with none around it, where another text declares itself.
 *
 * @param start the place where it begins
 * @param tag its opening tag
 * @param around the opening tag of the element around it
 */
export function createDamage(root: string, start: number, tag: string, around: string | undefined): Damage {
  const name = escaped(nameOf(tag));
  const further = around === undefined ? '<\\?xml\\s' : `</${escaped(nameOf(around))}\\s{0,99}>`;
  const end = new RegExp(`</${name}\\s{0,99}>|(?=<${name}[\\s/>])|(?=${further})`);
  let from = start + tag.length;
  return {
    root,
    get from() {
      return from;
    },
    seek(text) {
      const found = end.exec(text);
      if (found !== null) return from + found.index + found[0].length;
      from += Math.max(0, text.length - OVERLAP);
      return undefined;
    },
  };
}
