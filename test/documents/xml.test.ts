import { describe, expect, it } from 'vitest';
import { XmlSequence } from '../../src/documents/xml/sequence.ts';
import {
  createXmlReader,
  SKIP,
  type XmlAttributes,
  XmlError,
  type XmlErrorReason,
} from '../../src/documents/xml/xml.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { recordEvents } from './recorded-events.ts';

function linesOf(pieces: readonly string[]): string[] {
  const { events, lines } = recordEvents();
  const sequence = new XmlSequence(events);
  for (const piece of pieces) sequence.write(piece);
  sequence.end();
  return lines;
}

function reasonFor(text: string): XmlErrorReason | 'none' {
  const reader = createXmlReader(recordEvents().events);
  try {
    reader.write(text);
    reader.end();
    return 'none';
  } catch (error) {
    if (error instanceof XmlError) return error.reason;
    throw error;
  }
}

describe('reading', () => {
  it('checks the content of a skipped element and reports its end alone, wherever the text is cut', () => {
    const text = '<a>1<b x="2">3<c>4</c>&amp;<e>6</e><![CDATA[7]]><f/></b>8<b>9</b><d>5</d></a>';
    for (let cut = 0; cut <= text.length; cut++) {
      const { events, lines } = recordEvents();
      const reader = createXmlReader({
        ...events,
        open(name, attributes) {
          events.open(name, attributes);
          return name === 'b' ? SKIP : undefined;
        },
        field: (name, value) => name !== 'b' && events.field?.(name, value) === true,
      });
      for (const piece of [text.slice(0, cut), text.slice(cut)]) reader.write(piece);
      reader.end();
      const expected = ['<a', '"1"', '<b x 2', '/b', '"8"', '<b', '/b', '<d', '"5"', '/d', '/a'];
      expect(lines).toEqual(expected);
    }
    const skipping = createXmlReader({ ...recordEvents().events, open: () => SKIP });
    expect(() => skipping.write('<a><b>\u0001</b></a>')).toThrow(XmlError);
  });

  it('tells names as they are, however many there are', () => {
    const names = Array.from({ length: 9000 }, (_, i) => `${'abc'.charAt(i % 3)}${i}${'x'.repeat(i % 60)}`);
    const told = (prefix: string) =>
      linesOf([`<r>${names.map((name) => `<${prefix}${name}>v</${prefix}${name}>`).join('')}</r>`]);
    const expected = ['<r', ...names.flatMap((name) => [`<${name}`, '"v"', `/${name}`]), '/r'];
    expect(told('')).toEqual(expected);
    expect(told('n:')).toEqual(expected);
  });

  it('has exactly the attributes in the text', () => {
    const found: (string | undefined)[][] = [];
    const { events } = recordEvents();
    const open = (_: string, attributes: XmlAttributes) => {
      found.push(['x', 'constructor', '__proto__', 'toString'].map((name) => attributes[name]));
      return undefined;
    };
    createXmlReader({ ...events, open }).write('<a x="1"><b constructor="2" __proto__="3"/><c/></a>');
    expect(found).toEqual([
      ['1', undefined, undefined, undefined],
      [undefined, '2', '3', undefined],
      [undefined, undefined, undefined, undefined],
    ]);
  });
});

describe('refusing', () => {
  it.each<[string, XmlErrorReason]>([
    ...['', '<!-- only -->', '<?xml version="1.0"?>'].map((text): [string, 'empty'] => [text, 'empty']),
    ...['<a>', '<a', '<a><b></b>', '<a>text', '<a></a', '<!-- cut', '<a>&am', '<a>\ud800', '\ud800'].map(
      (text): [string, 'truncated'] => [text, 'truncated'],
    ),
    ...[
      ...[
        '<a></b>',
        '<a><b></a></b>',
        'text',
        '<a>1 & 2; 3</a>',
        '<a>1 & 2</a>',
        '<a>P&D</a>',
        '<a>&#12</a>',
      ],
      ...['<a b="1 & 2></a>', '<a b="1><c></c></a>', '<a>&nbsp;</a>', '<a>&#0;</a>', '<a>]]></a>'],
      ...['<a>\u0001</a>', '<a b=1/>', '<a b/>', '<a b="1" b="2"/>', '<a b="<"/>', '<:a/>', '<a:/>'],
      ...['<a:b:c/>', ' <?xml version="1.0"?><a/>', '<?xml version="1.1"?><a>&#1;</a>', '<a>\ud800</a>'],
      ...['<a>\udc00\ud800</a>', '<a b="\ud800"/>', '<a><b></b x></a>'],
    ].map((text): [string, 'malformed'] => [text, 'malformed']),
    ...['', ' [<!ENTITY x "y">]', ' SYSTEM "file:///etc/passwd"'].map((more): [string, 'doctype'] => [
      `<!DOCTYPE a${more}><a/>`,
      'doctype',
    ]),
  ])('%j is %s', (text, reason) => {
    expect(reasonFor(text)).toBe(reason);
  });

  // XML 1.0, production 2: the bounds of its ranges and the characters just outside.
  it.each([
    ['CDATA', (character: string) => `<a><![CDATA[x${character}x]]></a>`],
    ['a comment', (character: string) => `<a><!--x${character}x--></a>`],
    ['an attribute', (character: string) => `<a b="x${character}x"/>`],
  ])('takes in %s the characters that XML has and no other', (_, within) => {
    const allowed = ['\t', '\n', '\r', ' ', '\u007f', '\u0080', '\ud7ff', '\ue000', '\ufffd'];
    for (const character of [...allowed, '\u{10000}', '\u{10ffff}']) {
      expect(() => createXmlReader(recordEvents().events).write(within(character))).not.toThrow();
    }
    const others = ['\0', '\u0008', '\u000b', '\u000c', '\u000e', '\u001f', '\ufffe', '\uffff'];
    for (const character of [...others, '\ud800', '\udbff', '\udc00', '\udfff']) {
      expect(reasonFor(within(character))).toBe('malformed');
      expect(reasonFor(within(`\ue000${character}`))).toBe('malformed');
    }
  });

  it('goes on refusing after the first error, which says where and nothing of the text', () => {
    const reader = createXmlReader(recordEvents().events);
    expect(() => reader.write('<a></b>')).toThrow('XML malformed at character 7 (unexpected close tag)');
    expect(() => reader.write('<c/>')).toThrow(XmlError);
    expect(() => reader.end()).toThrow(XmlError);
  });

  it('bounds depth', () => {
    expect(reasonFor('<a>'.repeat(64) + '</a>'.repeat(64))).toBe('none');
    expect(reasonFor('<a>'.repeat(65) + '</a>'.repeat(65))).toBe('too_deep');
    expect(reasonFor('<a>'.repeat(100_000))).toBe('too_deep');
  });

  it('bounds what it holds: attribute values, comments, names, many attributes, unfinished entities', () => {
    const long = 'x'.repeat(17 * 1024 ** 2);
    for (const text of [`<a b="${long}"/>`, `<!-- ${long} --><a/>`, `<${long}/>`])
      expect(reasonFor(text)).toBe('too_long');
    expect(reasonFor(`<a>&#${'0'.repeat(200_000)};</a>`)).toBe('malformed');
    const many = Array.from({ length: 20_000 }, (_, i) => `a${i}=""`).join(' ');
    expect(reasonFor(`<a ${many}/>`)).toBe('too_long');
  });

  it('reads a tag that is long in time that grows with its length, whatever is in it', () => {
    const tag = (count: number) =>
      `<a ${Array.from({ length: count }, (_, i) => `a${i}="${'>'.repeat(16_000)}"`).join(' ')}/>`;
    const timeOf = (text: string) => {
      const start = cpuTime();
      expect(linesOf([text])).toHaveLength(2);
      return cpuTime() - start;
    };
    const [short, long] = [tag(60), tag(960)];
    timeOf(short);
    expect(timeOf(long) / Math.max(timeOf(short), 2_000)).toBeLessThan(16 * 4);
  });

  it('reads a tag or comment that comes in many pieces in time that grows with its length', () => {
    const pieces = Array.from({ length: 20_000 }, () => '> "-- ? ');
    for (const [before, after] of [
      ["<a b='", "'/>"],
      ['<?x ', '?><a/>'],
    ]) {
      const { events, lines } = recordEvents();
      const reader = createXmlReader(events);
      for (const piece of [before, ...pieces, after]) reader.write(piece ?? '');
      reader.end();
      expect(lines).toContain('/a');
    }
    const comment = createXmlReader(recordEvents().events);
    for (const piece of ['<!--', ...pieces.map(() => '> "- ? '), '--><a/>']) comment.write(piece);
    comment.end();
  });
});

it('long text and CDATA arrive in bounded pieces', () => {
  for (const [before, after] of [
    ['<a>', '</a>'],
    ['<a><![CDATA[', ']]></a>'],
  ]) {
    let longest = 0;
    let total = 0;
    const reader = createXmlReader({
      open() {},
      text(piece) {
        longest = Math.max(longest, piece.length);
        total += piece.length;
      },
      close() {},
    });
    reader.write(`${before}${'0123456789'.repeat(500_000)}${after}`);
    reader.end();
    expect(total).toBe(5_000_000);
    expect(longest).toBeLessThanOrEqual(65_536);
  }
});
