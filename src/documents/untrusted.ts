const SPACE = 0x20;
/** Printable ASCII and Latin-1, without the no-break space and the soft hyphen. */
const isPlainUnit = Uint8Array.from({ length: 0x100 }, (_, unit) =>
  Number((unit >= SPACE && unit < 0x7f) || (unit > 0xa0 && unit !== 0xad)),
);

/** True if a text has only plain characters and no blank edges, as nearly every field: it needs no cleaning. */
function isPlain(text: string): boolean {
  const last = text.length - 1;
  if (text.charCodeAt(0) === SPACE || text.charCodeAt(last) === SPACE) return false;
  for (let i = 0; i <= last; i++) if (isPlainUnit[text.charCodeAt(i)] !== 1) return false;
  return true;
}

/** V8 copies substrings up to this length; a longer one references the text it was cut from. */
const LONGEST_COPIED = 12;
const SCRATCH_LENGTH = 256;

const WIDE = /[\u0100-\uffff]/;
/** Only in Node. A browser page is short-lived and may retain the source of its substrings. */
const scratch: Buffer | undefined = globalThis.Buffer?.allocUnsafe(2 * SCRATCH_LENGTH);

/** Copies a text, so that it does not retain the reply it was cut from. Source: docs/decisions/xml-reader.md. */
export function flatten(text: string): string {
  if (text.length <= LONGEST_COPIED || scratch === undefined) return text;
  if (text.length > SCRATCH_LENGTH) {
    const encoding = WIDE.test(text) ? 'utf16le' : 'latin1';
    return Buffer.from(text, encoding).toString(encoding);
  }
  scratch.write(text, 'utf16le');
  return scratch.toString('utf16le', 0, 2 * text.length);
}

/** Controls, invisible characters and separators: they steer a terminal, hide text or change its direction. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Limits in characters for external text, by field (source: docs/fiscal/layouts.md) or kind of text. */
export const longest = {
  ...{ name: 120, description: 200, text: 1000, notes: 1000, other: 120 },
  ...{ message: 300, answer: 2000, reply: 20_000 },
} as const;

function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 0xa0 || code === 0x2028 || code === 0x2029;
}

/** Makes external text safe to show: no control or invisible characters, trimmed, truncated with `…`. */
export function cleanText(text: string, limit: number): string {
  const clean = isPlain(text) ? text : withoutUnsafe(text);
  return flatten(clean.length <= limit ? clean : `${cut(clean, limit - 1)}…`);
}

function withoutUnsafe(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(UNSAFE, (found) => {
      if (found === '\n' || found === '\t') return found;
      return isControl(found) ? ' ' : '';
    })
    .trim();
}

/** Truncates without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length).trimEnd();
}

function codeOf(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object's members; empty for any other value. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Parses external JSON; undefined if malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value as JSON on one line. Characters that break lines, hide text or change its direction are escaped. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, codeOf);
}

/** A text on one line with every character visible: unsafe ones are escaped as in JSON (`\n`, `\u001b`). */
export function visible(text: string): string {
  return text.search(UNSAFE) === -1 ? text : visibleJson(text).slice(1, -1);
}

/** External text for use in our own: one clean line in quotation marks that it cannot close. */
export function quoted(text: string, limit: number = longest.text): string {
  return `"${inQuotes(oneLine(text, limit))}"`;
}

/** A single word, too short to pass for a sentence of ours. */
const WORD = /^[\p{L}\p{M}\p{N}_.,:/+*%@#()-]{0,80}$/u;

/** External value for use in our own text: unquoted if it is one word, else in quotation marks. */
export function asWord(text: string): string {
  return WORD.test(text) ? text : quoted(text);
}

/** Characters that look like a double quotation mark, in any script; apostrophes are excluded. */
const QUOTATION_MARK =
  /(?!['’‘])[\p{Quotation_Mark}\u02ba\u02dd\u02ee\u02f5\u02f6\u05f2\u05f4\u2033\u2034\u2036\u2037\u2057\u275b-\u2760\u3003\u{1f676}-\u{1f678}]/gu;

/** Two of these side by side look like a double quotation mark. */
const APOSTROPHES = /['’‘`´′‵ʹʼ]{2,}/g;

/** Text for use inside quotation marks: it can neither close them nor escape the closing one. */
export function inQuotes(text: string): string {
  const inner = text.replace(QUOTATION_MARK, "'").replace(APOSTROPHES, "'");
  return `${inner}${inner.endsWith('\\') ? ' ' : ''}`;
}

/** Text to be sent, on its own line: in quotation marks, or after `>` if it contains some itself. */
export function onOwnLine(text: string): string {
  const line = visible(text);
  const hasMarks = line.search(QUOTATION_MARK) !== -1 || line.search(APOSTROPHES) !== -1;
  return hasMarks ? `> ${line}` : `"${line}"`;
}

/** Text to be sent, in quotation marks that it cannot close: JSON with every character visible. */
export function quotedExactly(text: string): string {
  const inner = visibleJson(text)
    .slice(1, -1)
    .replace(QUOTATION_MARK, (mark) => (mark === '"' ? mark : codeOf(mark)))
    .replace(APOSTROPHES, codeOf);
  return `"${inner}"`;
}

/** A line of our own text with embedded values: one clean line, indentation kept. */
export function asLine(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ''}${oneLine(line)}`;
}

/** External text as one clean line. */
export function oneLine(text: string, limit: number = Number.POSITIVE_INFINITY): string {
  return cleanText(isPlain(text) ? text : withoutUnsafe(text).replace(/\s+/gu, ' '), limit);
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes text for XML or HTML, also inside double quotes, and drops characters not allowed in XML. */
export function escapeXml(text: string): string {
  return text.replace(NOT_IN_XML, '').replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}

/** Start of a formula in some spreadsheet, also in full-width signs and after blanks. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@|\u2212\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20])/;

/** Keeps a text from becoming a formula in a spreadsheet: a leading apostrophe makes it text. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** One line of a CSV for Excel in Brazil: semicolons, CRLF, quotes if a value needs them. */
export function spreadsheetLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[";\r\n\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(';')}\r\n`;
}
