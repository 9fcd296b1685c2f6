import type { XmlEvents } from '../../src/documents/xml/xml.ts';

/** Events as lines, neighbouring pieces of text as one, an element that comes as a whole as if it had come in three. */
export function recordEvents(): { events: XmlEvents; lines: string[] } {
  const lines: string[] = [];
  let text = '';
  function flush(): void {
    if (text !== '') lines.push(`"${text}"`);
    text = '';
  }
  const events: XmlEvents = {
    open(name, attributes) {
      flush();
      lines.push(`<${[name, ...Object.entries(attributes).flat()].join(' ')}`);
      return undefined;
    },
    field({ local: name }, window, from, to) {
      flush();
      lines.push(`<${name}`, `"${window.text.slice(from, to)}"`, `/${name}`);
    },
    text(piece) {
      text += piece;
    },
    close(name) {
      flush();
      lines.push(`/${name}`);
    },
  };
  return { events, lines };
}
