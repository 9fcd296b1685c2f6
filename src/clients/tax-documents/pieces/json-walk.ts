import { Unreadable } from './forms.ts';
import { startOfString } from './json-strings.ts';
import { limits } from './limits.ts';
import { MORE, type More } from './text-cursor.ts';

/** What a value begins with or is, or the end of an object or array. */
export type Step = 'object' | 'array' | 'scalar' | 'null' | 'end';

const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
/** Printable ASCII without quotation mark and backslash, which stands for itself. */
const PLAIN = /^[ !#-[\]-~]*$/;

function broken(): Unreadable {
  return new Unreadable('broken json');
}

/**
 * Walks through a JSON text, value by value. Strict: whatever `JSON.parse` refuses is an error, and nesting is bounded.
 * Source: RFC 8259.
 */
export class JsonWalk {
  /** The member that the value of the last step belongs to; meaningless in an array. */
  member = '';
  /** Of a scalar: the content of a string, the text of a number or word as it stands. */
  value = '';
  readonly #json: string;
  /** Characters that are behind, now and at the last `MORE`. */
  #at = 0;
  #rested = 0;
  readonly #inside: ('object' | 'array')[] = [];
  #state: 'before' | 'opened' | 'behind' = 'before';
  /** What has been read of a long string. */
  #long: string | undefined;

  constructor(json: string) {
    this.#json = json;
  }

  /** How many objects and arrays are open. */
  get depth(): number {
    return this.#inside.length;
  }

  /**
   * The next value, or the end of one; undefined behind the outermost, where nothing but blanks may follow. `MORE` now
   * and then in long work, where others should have their turn.
   *
   * @throws Unreadable
   */
  next(): Step | More | undefined {
    if (this.#long !== undefined) return this.#goOn(this.#long);
    if (this.#at - this.#rested >= limits.slice) {
      this.#rested = this.#at;
      return MORE;
    }
    const around = this.#inside.at(-1);
    const mark = this.#mark();
    if (around === undefined) {
      if (this.#state === 'before') return this.#begin(mark);
      if (mark !== '') throw broken();
      return undefined;
    }
    if (mark === (around === 'object' ? '}' : ']')) return this.#end();
    if (this.#state === 'behind') this.#pass(',');
    if (around === 'object') this.#passMember();
    return this.#begin(this.#mark());
  }

  /** The first character of what comes next; '' at the end. */
  #mark(): string {
    BLANKS.lastIndex = this.#at;
    BLANKS.test(this.#json);
    this.#at = BLANKS.lastIndex;
    return this.#json.charAt(this.#at);
  }

  #pass(mark: string): void {
    if (this.#mark() !== mark) throw broken();
    this.#at++;
  }

  #passMember(): void {
    this.#pass('"');
    const { content, length, isLast } = this.#part();
    if (!isLast) throw broken();
    this.#at += length;
    this.member = content;
    this.#pass(':');
  }

  #begin(mark: string): Step | More {
    if (mark === '{') return this.#open('object');
    if (mark === '[') return this.#open('array');
    if (mark !== '"') return this.#word();
    this.#at++;
    return this.#goOn('');
  }

  #open(kind: 'object' | 'array'): Step {
    if (this.#inside.push(kind) > limits.jsonDepth) throw new Unreadable('nested too deeply');
    this.#state = 'opened';
    this.#at++;
    return kind;
  }

  #end(): Step {
    this.#inside.pop();
    this.#state = 'behind';
    this.#at++;
    return 'end';
  }

  #word(): Step {
    const found = this.#matched(NUMBER) ?? this.#matched(WORD);
    if (found === undefined) throw broken();
    this.value = found;
    this.#state = 'behind';
    return found === 'null' ? 'null' : 'scalar';
  }

  #matched(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#json)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** Reads the string that has been begun so far. */
  #goOn(begun: string): Step | More {
    const { content, length, isLast } = this.#part();
    this.#at += length;
    if (!isLast) {
      if (length === 0) throw broken();
      this.#long = begun + content;
      return MORE;
    }
    this.value = begun + content;
    this.#long = undefined;
    this.#state = 'behind';
    return 'scalar';
  }

  /** What can be had of a string at once. */
  #part(): ReturnType<typeof startOfString> {
    const quote = this.#json.indexOf('"', this.#at);
    if (quote === -1) throw broken();
    const text = this.#json.slice(this.#at, Math.min(quote, this.#at + limits.slice));
    return quote - this.#at <= limits.slice && PLAIN.test(text)
      ? { content: text, length: text.length + 1, isLast: true }
      : startOfString(this.#json.slice(this.#at, this.#at + limits.slice));
  }
}
