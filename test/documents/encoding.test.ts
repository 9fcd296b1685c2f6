import { describe, expect, it } from 'vitest';
import { createTextDecoder, decodeText, EncodingError } from '../../src/documents/xml/encoding.ts';

function bytes(...parts: (string | number[])[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
}

describe('decoding', () => {
  it('takes UTF-8 without a declaration, and drops a byte-order mark', () => {
    expect(decodeText(Buffer.from('<a>São Paulo €</a>'))).toBe('<a>São Paulo €</a>');
    expect(decodeText(Buffer.from('\uFEFF<a/>'))).toBe('<a/>');
  });

  it('takes ISO-8859-1 and windows-1252 by declaration, in any case and quotes', () => {
    expect(
      decodeText(bytes('<?xml version="1.0" encoding="ISO-8859-1"?><a>', [0xe7, 0xe3], '</a>')),
    ).toContain('<a>çã</a>');
    expect(
      decodeText(bytes("<?xml version='1.0' encoding='Windows-1252'?><a>", [0x80, 0x93, 0x94], '</a>')),
    ).toContain('<a>€“”</a>');
  });

  it.each(['latin1', 'iso_8859-1', 'ISO8859_1', 'cp-1252'])('takes %s as an alias', (name) => {
    expect(decodeText(bytes(`<?xml version="1.0" encoding="${name}"?><a>`, [0xe7], '</a>'))).toContain(
      '<a>ç</a>',
    );
  });

  it('reads the curly quotes that files declared as ISO-8859-1 have', () => {
    expect(
      decodeText(bytes('<?xml version="1.0" encoding="iso-8859-1"?><a>', [0x93, 0x96, 0x81], '</a>')),
    ).toContain('<a>“–\u0081</a>');
  });

  it('takes UTF-16 by its byte-order mark in either order', () => {
    const little = Buffer.from('\uFEFF<a>ç</a>', 'utf16le');
    expect(decodeText(little)).toBe('<a>ç</a>');
    expect(decodeText(Buffer.from(little).swap16())).toBe('<a>ç</a>');
  });

  it('believes the mark before the declaration, and single bytes before a declared UTF-16', () => {
    expect(decodeText(Buffer.from('\uFEFF<?xml version="1.0" encoding="ISO-8859-1"?><a>ç</a>'))).toContain(
      '<a>ç</a>',
    );
    expect(decodeText(Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>ç</a>'))).toContain('<a>ç</a>');
  });

  it('does not take an encoding from anywhere but the declaration', () => {
    expect(decodeText(Buffer.from('<a encoding="ISO-8859-1">ç</a>'))).toBe('<a encoding="ISO-8859-1">ç</a>');
    expect(decodeText(Buffer.from('"<?xml version=\\"1.0\\" encoding=\\"ISO-8859-1\\"?>ç"'))).toContain('ç');
  });

  it('gives the same in pieces cut anywhere', () => {
    for (const whole of [
      Buffer.from('\uFEFF<a>São \u{1F600} €</a>'),
      bytes('<?xml version="1.0" encoding="windows-1252"?><a>', [0x80, 0xe7], '</a>'),
    ]) {
      for (let cut = 0; cut <= whole.length; cut++) {
        const decoder = createTextDecoder(whole);
        const text =
          decoder.write(whole.subarray(0, cut)) + decoder.write(whole.subarray(cut)) + decoder.end();
        expect(text).toBe(decodeText(whole));
      }
    }
  });
});

it.each([
  ['a Latin-1 byte in UTF-8', bytes('<a>S', [0xe3], 'o</a>')],
  ['a character cut in the middle', bytes('<a>', [0xc3])],
  ['an overlong form', bytes('<a>', [0xc0, 0xaf], '</a>')],
  ['a surrogate in UTF-8', bytes('<a>', [0xed, 0xa0, 0x80], '</a>')],
  [
    'a byte windows-1252 does not have',
    bytes('<?xml version="1.0" encoding="windows-1252"?><a>', [0x81], '</a>'),
  ],
  ['half a surrogate pair in UTF-16', bytes([0xff, 0xfe, 0x3d, 0xd8])],
])('decoding refuses %s', (_, input) => {
  expect(() => decodeText(input)).toThrow(EncodingError);
});

it('decoding names an unsupported encoding', () => {
  for (const name of ['Shift_JIS', 'ISO-8859-11', 'ISO-8859-15', 'constructor'])
    expect(() => decodeText(Buffer.from(`<?xml version="1.0" encoding="${name}"?><a/>`))).toThrow(
      new EncodingError(`unsupported ${name.toLowerCase()}`),
    );
});
