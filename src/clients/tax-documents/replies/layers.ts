import type { Content, Forms } from './content.ts';
import { readJsonFrame } from './json-frame.ts';
import { createJsonReader } from './json-text.ts';
import type { TextSink } from './text-sink.ts';
import { Unreadable } from './unreadable.ts';
import { createXmlFrames } from './xml-frame.ts';

/** Quotings inside quotings that are followed. */
const MOST_LAYERS = 6;
/** Characters that tell the forms apart. */
const ENOUGH_TO_TELL = 16;
const HTML = /^<(?:!doctype\s+html|(?:html|head|body|title|h[1-6]|p|div|center|span|table)[\s>/])/i;

/**
 * Takes off one layer of quoting after the other, each recognised by how it begins: a JSON string or array, the
 * string wrapper and XML, bare text. What is inside goes to `content`.
 */
export function createLayers(content: Content, forms: Forms, depth = 0): TextSink {
  let chosen: TextSink | undefined;
  let start = '';

  function inner(): TextSink {
    if (depth + 1 > MOST_LAYERS) throw new Unreadable('nested too deeply');
    return createLayers(content, forms, depth + 1);
  }

  function markup(): TextSink {
    if (depth + 1 > MOST_LAYERS) throw new Unreadable('nested too deeply');
    return createXml(depth + 1);
  }

  function createXml(level: number): TextSink {
    return createXmlFrames(content, forms, (form) => {
      forms.note(form === 'whole' ? 'string wrapper' : 'xml in text');
      if (level >= MOST_LAYERS) throw new Unreadable('nested too deeply');
      return createLayers(content, forms, level + 1);
    });
  }

  function createJson(first: string): TextSink {
    if (first === '"') forms.note('json string', 'json string');
    else forms.noteKind(first === '[' ? 'json array' : 'json object');
    return createJsonReader(
      {
        string: inner,
        array: () => forms.note('json array'),
        emptyArray() {
          forms.note('empty array');
          content.empty('empty array');
        },
        value(value) {
          forms.note(Array.isArray(value) ? 'json array' : 'json object');
          if (content.json?.(value) !== true) readJsonFrame(value, content, markup);
        },
      },
      content.valueLimit,
    );
  }

  function choose(): TextSink {
    const first = start.charAt(0);
    if (first === '"' || first === '[' || first === '{') return createJson(first);
    if (first !== '<') {
      forms.note('text', 'text');
      return content.bareText(depth > 0);
    }
    if (HTML.test(start)) {
      forms.note('html', 'html');
      throw new Unreadable('html page');
    }
    forms.noteKind('xml');
    return createXml(depth);
  }

  return {
    write(text) {
      if (chosen === undefined) {
        start = (start + text).trimStart();
        if (start.length < ENOUGH_TO_TELL) return;
        chosen = choose();
        chosen.write(start);
        start = '';
      } else chosen.write(text);
    },
    end() {
      if (chosen === undefined && start === '') {
        if (depth === 0) throw new Unreadable('empty');
        forms.note('empty string');
        content.empty('empty string');
        return;
      }
      chosen ??= choose();
      if (start !== '') chosen.write(start);
      chosen.end();
    },
  };
}
