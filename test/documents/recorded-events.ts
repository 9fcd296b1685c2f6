import type { XmlEvents } from '../../src/documents/xml/xml.ts';

/** Events as lines, neighbouring pieces of text as one. */
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
