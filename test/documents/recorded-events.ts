import type { XmlHandler } from '../../src/documents/xml/xml.ts';

/** Events as lines: adjacent pieces of text are joined, and a whole field is expanded to its three events. */
export function recordEvents(): { events: XmlHandler; lines: string[] } {
  const lines: string[] = [];
  let text = '';
  function flush(): void {
    if (text !== '') lines.push(`"${text}"`);
    text = '';
  }
  const events: XmlHandler = {
    open(name, attributes) {
      flush();
      lines.push(`<${[name, ...Object.entries(attributes).flat()].join(' ')}`);
      return undefined;
    },
    field(name, value) {
      flush();
      lines.push(`<${name}`, `"${value}"`, `/${name}`);
      return true;
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
