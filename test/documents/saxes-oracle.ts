import { SaxesParser } from 'saxes';
import { SKIP, type XmlHandler } from '../../src/documents/xml/xml.ts';

const DEEPEST = 64;

/** The root has been closed: the rest belongs to another document. */
class RootClosed extends Error {}

function localPart(name: string): string {
  const [local = '', prefix, ...more] = name.split(':').reverse();
  if (more.length > 0 || local === '' || prefix === '') throw new Error('name');
  return local;
}

function localAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) found[localPart(name)] ??= value;
  }
  return found;
}

/** saxes reports a closing tag before it checks the name. */
function isOfClosing(error: Error): boolean {
  return error.message.includes('unexpected close tag');
}

/**
 * Reads a text with saxes up to the end of its root, by the rules of XML 1.0; throws if saxes refuses it. The text must
 * not contain lone surrogates, after which saxes skips a character.
 */
export function readWithSaxes(text: string, events: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  let depth = 0;
  let closed = false;
  let skipDepth = Number.POSITIVE_INFINITY;
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > DEEPEST) throw new Error('depth');
    const local = localPart(name);
    if (depth > skipDepth) return;
    if (events.open(local, localAttributes(attributes)) === SKIP) skipDepth = depth;
  });
  parser.on('closetag', ({ name }) => {
    const local = localPart(name);
    closed = --depth === 0;
    if (depth >= skipDepth) return;
    skipDepth = Number.POSITIVE_INFINITY;
    events.close(local);
  });
  const addText = (piece: string) => {
    if (depth > 0 && depth < skipDepth) events.text(piece);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('doctype', () => {
    throw new Error('doctype');
  });
  parser.on('error', (error) => {
    throw closed && !isOfClosing(error) ? new RootClosed() : error;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof RootClosed)) throw error;
  }
}
