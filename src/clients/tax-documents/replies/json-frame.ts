import type { XmlAttributes } from '../../../documents/xml/xml.ts';
import type { Content } from './content.ts';
import type { TextSink } from './text-sink.ts';
import { Unreadable } from './unreadable.ts';

const NO_ATTRIBUTES: XmlAttributes = {};
const DEEPEST = 64;

/**
 * Gives a parsed JSON value as content, as if each object were an element, each member a child and an array the
 * repetition of its name. Null is an absent member.
 */
export function readJsonFrame(value: unknown, content: Content, openMarkup: () => TextSink): void {
  function read(name: string, inner: unknown, depth: number): void {
    if (depth > DEEPEST) throw new Unreadable('nested too deeply');
    if (inner === null || inner === undefined) return;
    if (Array.isArray(inner)) {
      for (const entry of inner) read(name, entry, depth + 1);
      return;
    }
    content.open(name, NO_ATTRIBUTES);
    if (typeof inner === 'object') {
      for (const [member, entry] of Object.entries(inner)) read(member, entry, depth + 1);
    } else readScalar(name, String(inner).trim());
    content.close(name);
  }

  function readScalar(name: string, text: string): void {
    if (text === '') return;
    if (!(text.startsWith('<') && content.opensValues)) {
      content.value(name, text);
      return;
    }
    const markup = openMarkup();
    markup.write(text);
    markup.end();
  }

  read(Array.isArray(value) ? 'entry' : 'object', value, 0);
}
