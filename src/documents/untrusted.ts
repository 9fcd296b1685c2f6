const SPACE = 0x20;
/** Printable ASCII and the letters and signs of western Europe, without the blank and the hyphen that are not seen. */
const isPlainUnit = Uint8Array.from({ length: 0x100 }, (_, unit) =>
  Number((unit >= SPACE && unit < 0x7f) || (unit > 0xa0 && unit !== 0xad)),
);

/** Whether a text has such characters alone and no blank edges, as nearly every field: it is clean as it is. */
function isPlain(text: string): boolean {
  const last = text.length - 1;
  if (text.charCodeAt(0) === SPACE || text.charCodeAt(last) === SPACE) return false;
  for (let i = 0; i <= last; i++) if (isPlainUnit[text.charCodeAt(i)] !== 1) return false;
  return true;
}

/** Up to this length V8 copies a substring; a longer one points into the text it was cut from. */
const LONGEST_COPIED = 12;
const SCRATCH_LENGTH = 256;

const WIDE = /[\u0100-\uffff]/;
/** Only Node has one: a page in a browser is gone soon, and may hold on to what its texts were cut from. */
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

/** Steers a terminal, hides text or turns its direction: controls, invisible characters, separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Most characters kept of a stranger's text, by field (source: docs/fiscal/layouts.md) or kind of text. */
export const longest = {
  ...{ name: 120, description: 200, text: 1000, notes: 1000, other: 120 },
  ...{ message: 300, answer: 2000, reply: 20_000 },
} as const;

function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 0xa0 || code === 0x2028 || code === 0x2029;
}

/** Makes a stranger's text safe to show: no control or invisible characters, trimmed, cut with `…`. */
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

/** Cuts between characters, never inside a surrogate pair. */
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

/** The value in a stranger's JSON; undefined where it is malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value as JSON on one line, where what would begin a line, hide or turn its direction stands by its code. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, codeOf);
}

/** A text as one line that shows every character: unsafe ones as in JSON (`\n`, `\u001b`). */
export function visible(text: string): string {
  return text.search(UNSAFE) === -1 ? text : visibleJson(text).slice(1, -1);
}

/** A stranger's text among our words: one clean line in quotation marks that it cannot leave. */
export function quoted(text: string, limit: number = longest.text): string {
  return `"${inQuotes(oneLine(text, limit))}"`;
}

/** A single word, too little to pass for a sentence of ours. */
const WORD = /^[\p{L}\p{M}\p{N}_.,:/+*%@#()-]{0,80}$/u;

/** A stranger's value among our words: as it is where it is one word, else in quotation marks. */
export function asWord(text: string): string {
  return WORD.test(text) ? text : quoted(text);
}

/** Characters that a reader takes for a double quotation mark, in any script; apostrophes are none. */
const QUOTATION_MARK =
  /(?!['’‘])[\p{Quotation_Mark}\u02ba\u02dd\u02ee\u02f5\u02f6\u05f2\u05f4\u2033\u2034\u2036\u2037\u2057\u275b-\u2760\u3003\u{1f676}-\u{1f678}]/gu;

/** Two of these side by side look like a double quotation mark. */
const APOSTROPHES = /['’‘`´′‵ʹʼ]{2,}/g;

/** Text for use inside quotation marks: it cannot end them or escape the last one. */
export function inQuotes(text: string): string {
  const inner = text.replace(QUOTATION_MARK, "'").replace(APOSTROPHES, "'");
  return `${inner}${inner.endsWith('\\') ? ' ' : ''}`;
}

/** A text that will be sent, for a line of its own: in quotation marks, or behind a mark where it has some itself. */
export function onOwnLine(text: string): string {
  const line = visible(text);
  const hasMarks = line.search(QUOTATION_MARK) !== -1 || line.search(APOSTROPHES) !== -1;
  return hasMarks ? `> ${line}` : `"${line}"`;
}

/** A text that will be sent, in quotation marks that it cannot leave: JSON that shows every character of it. */
export function quotedExactly(text: string): string {
  const inner = visibleJson(text)
    .slice(1, -1)
    .replace(QUOTATION_MARK, (mark) => (mark === '"' ? mark : codeOf(mark)))
    .replace(APOSTROPHES, codeOf);
  return `"${inner}"`;
}

/** A line of a text of ours, whatever was put into it: one line, clean, with the blanks it begins with. */
export function asLine(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ''}${oneLine(line)}`;
}

/** A stranger's text as one clean line. */
export function oneLine(text: string, limit: number = Number.POSITIVE_INFINITY): string {
  return cleanText(isPlain(text) ? text : withoutUnsafe(text).replace(/\s+/gu, ' '), limit);
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes text for XML or HTML, also inside double quotes, and drops characters that XML does not have. */
export function escapeXml(text: string): string {
  return text.replace(NOT_IN_XML, '').replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}

/** The beginning of a formula to some spreadsheet, also in full-width signs and behind blanks. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@|\u2212\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20])/;

/** Keeps a text from becoming a formula in a spreadsheet: an apostrophe in front makes it text. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** One line of a CSV as Excel in Brazil opens it: semicolons, CRLF, quotes where a value needs them. */
export function spreadsheetLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[";\r\n\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(';')}\r\n`;
}
