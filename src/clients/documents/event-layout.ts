import { type EventName, manifestationEvents } from '../../documents/events/manifestation.ts';
import { accepted, type Checked, refused } from '../../documents/problems.ts';
import { escapeXml } from '../../documents/untrusted.ts';
import { foreignCharacter } from '../../documents/xml/characters.ts';
import { XmlSequence } from '../../documents/xml/sequence.ts';
import { XmlError } from '../../documents/xml/xml.ts';

/** One event to be put into the service's `evento` or `eventos` string. */
export interface EventFields {
  readonly key: string;
  readonly event: EventName;
  /** As it is to be sent, already normalised; undefined or empty for none. */
  readonly justification?: string | undefined;
}

/** How events are written for the service (`DFE_EVENT_TEMPLATE`). */
export interface EventLayout {
  readonly kind: 'json' | 'xml' | 'plain';
  /** One event. Refused where a value could be mistaken for the layout around it. */
  render(event: EventFields): Checked<string>;
  /** A JSON array of the events when the layout is JSON, else one event a line. */
  renderBatch(events: readonly EventFields[]): Checked<string>;
}

const fieldNames = ['key', 'code', 'name', 'justification'] as const;
type Field = (typeof fieldNames)[number];

/** A template taken apart: `literals[0] fields[0] literals[1] fields[1] … literals[n]`. */
interface Template {
  readonly literals: readonly string[];
  readonly fields: readonly Field[];
}

/** Writes a value for its place in the template; undefined where it cannot be written there. */
type Encode = (value: string, place: number) => string | undefined;

const PLACEHOLDER = /\{\s*[\p{L}_][\p{L}\p{N}_-]*\s*\}/gu;
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;

function assemble({ literals, fields }: Template, write: (place: number) => string): string {
  return fields.reduce((text, _, place) => text + write(place) + literals[place + 1], literals[0] ?? '');
}

/** A value that a template is tried out with. */
const probe = (place: number): string => `probe${place}x`;

/** Whether a reader of the layout finds the value of every place once, as data. */
function findsEveryProbe({ fields }: Template, data: readonly string[]): boolean {
  return fields.every((_, place) => data.filter((text) => text.includes(probe(place))).length === 1);
}

/** Values that a parser of the layout finds in a text; undefined for malformed text. */
function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof XmlError) return undefined;
    throw error;
  }
}

function jsonTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...jsonTexts(member)]);
}

/** Bare places are put in quotes, but for the code, which is then a number. */
function jsonEscape(template: Template): Encode | undefined {
  const { literals, fields } = template;
  /** Which places are inside a JSON string; the others replace a whole JSON value. */
  let isInString = false;
  const inString = fields.map((_, place) => {
    const quotes = literals[place]?.replace(/\\./gs, '').match(/"/g) ?? [];
    if (quotes.length % 2 === 1) isInString = !isInString;
    return isInString;
  });
  const quoted = (text: string, place: number) => (inString[place] ? text : `"${text}"`);
  const value = tried((): unknown => JSON.parse(assemble(template, (place) => quoted(probe(place), place))));
  if (typeof value !== 'object' || !findsEveryProbe(template, jsonTexts(value))) return undefined;
  return (text, place) => {
    const isNumber = fields[place] === 'code' && !inString[place];
    return isNumber ? text : quoted(JSON.stringify(text).slice(1, -1), place);
  };
}

function xmlValue(value: string): string | undefined {
  if (foreignCharacter(value) !== -1) return undefined;
  return escapeXml(value).replace(/['\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Texts and attribute values of one document; undefined for malformed XML. */
function xmlTexts(text: string): string[] | undefined {
  const data: string[] = [];
  const document = new XmlSequence({
    open: (_, attributes) => void data.push(...Object.values(attributes)),
    text: (piece) => void data.push(piece),
    close: () => undefined,
  });
  return tried(() => {
    document.write(text);
    return document.end() === 1 ? data : undefined;
  });
}

/** Places are allowed in text and attribute values only: comments, CDATA and names have no escapes. */
function xmlEscape(template: Template): Encode | undefined {
  const isInCdata = template.fields.some((_, place) => {
    const before = template.literals.slice(0, place + 1).join('');
    return before.lastIndexOf('<![CDATA[') > before.lastIndexOf(']]>');
  });
  const data = isInCdata ? undefined : xmlTexts(assemble(template, probe));
  return data !== undefined && findsEveryProbe(template, data) ? xmlValue : undefined;
}

/** The signs of a separator: all but letters, digits and the ordinary blank. */
function signsOf(separator: string): string[] {
  return separator.match(/[^\p{L}\p{N} ]/gu) ?? [];
}

/** Adjacent fields need a separator that no value contains, so that they can be parsed again. */
function plainEscape({ literals }: Template): Encode | undefined {
  if (literals.some((literal) => LINE_BREAK.test(literal))) return undefined;
  if (literals.slice(1, -1).some((separator) => signsOf(separator).length === 0)) return undefined;
  const forbidden = new Set(literals.slice(1).flatMap(signsOf));
  return (value) => {
    const isSafe = !LINE_BREAK.test(value) && !/\p{Cs}/u.test(value);
    return isSafe && signsOf(value).every((sign) => !forbidden.has(sign)) ? value : undefined;
  };
}

function decideLayout(text: string, template: Template): [EventLayout['kind'], Encode | undefined] {
  if (/^\s*</.test(text)) return ['xml', xmlEscape(template)];
  const asJson = jsonEscape(template);
  if (asJson !== undefined) return ['json', asJson];
  const looksLikeJson = /^\s*(?:\[|\{(?!(?:key|code|name|justification)\}))/.test(text);
  return ['plain', looksLikeJson ? undefined : plainEscape(template)];
}

/**
 * Reads an event template with the places `{key}`, `{code}` (`tpEvento`), `{name}` (`descEvento`) and
 * `{justification}`: JSON, XML (begins with `<`) or plain fields. Refused where a value could be mistaken for the layout.
 */
export function createEventLayout(text: string): Checked<EventLayout> {
  const fields: Field[] = [];
  for (const [placeholder] of text.matchAll(PLACEHOLDER)) {
    const field = fieldNames.find((name) => name === placeholder.slice(1, -1));
    if (field === undefined) return refused('template_placeholder', { found: placeholder });
    fields.push(field);
  }
  if (!fields.includes('key')) return refused('template_key');
  if (!fields.includes('code') && !fields.includes('name')) return refused('template_event');
  const template = { fields, literals: text.split(PLACEHOLDER) };
  const [kind, encode] = decideLayout(text, template);
  if (encode === undefined) return refused('template_layout');

  function render({ key, event, justification = '' }: EventFields): Checked<string> {
    const { code, description } = manifestationEvents[event];
    const values = { key, code, name: description, justification };
    if (justification !== '' && !fields.includes('justification')) return refused('event_justification_lost');
    const written = fields.map((field, place) => encode?.(values[field], place));
    const lost = fields[written.indexOf(undefined)];
    if (lost !== undefined) return refused('event_value', { field: lost });
    return accepted(assemble(template, (place) => written[place] ?? ''));
  }

  return accepted({
    kind,
    render,
    renderBatch(events) {
      const texts: string[] = [];
      for (const event of events) {
        const one = render(event);
        if (!one.ok) return one;
        texts.push(one.value);
      }
      return accepted(kind === 'json' ? `[${texts.join(',')}]` : texts.join('\n'));
    },
  });
}

/** The most characters a request line may have: servers of this kind refuse more than 2,048. */
const longestRequestLine = 2000;

/** The most events in one batch. Source: docs/fiscal/events.md. */
const mostEventsInBatch = 20;

/** One request: the keys in it, where known, and its `evento` or `eventos` string, not yet percent-encoded. */
export interface EventRequest {
  readonly keys: readonly string[];
  readonly text: string;
}

/** The length of a request line with this text, all parameters percent-encoded. */
type LineLength = (text: string) => number;

/** A request that fits into a request line. */
export function fittingRequest(request: EventRequest, lengthOf: LineLength): Checked<EventRequest> {
  const { keys, text } = request;
  const length = lengthOf(text);
  if (length <= longestRequestLine) return accepted(request);
  const key = (keys[0] ?? text).slice(0, 60);
  return refused('event_too_long', { key, length: String(length), limit: String(longestRequestLine) });
}

/**
 * Requests of events, in their order: one each, or batches, as few as fit into a request line and have at most 20
 * events. Refused as a whole where one event cannot be written or does not fit alone, so that nothing is sent.
 */
export function requestsOf(
  events: readonly EventFields[],
  layout: EventLayout,
  { isBatch, lengthOf }: { readonly isBatch: boolean; readonly lengthOf: LineLength },
): Checked<readonly EventRequest[]> {
  const requests: EventRequest[] = [];
  /** Events of the last request. */
  let last: readonly EventFields[] = [];
  const requestOf = (some: readonly EventFields[], text: Checked<string>): Checked<EventRequest> =>
    text.ok ? fittingRequest({ keys: some.map(({ key }) => key), text: text.value }, lengthOf) : text;
  for (const event of events) {
    const joined = [...last, event];
    const canJoin = isBatch && last.length > 0 && joined.length <= mostEventsInBatch;
    const together = canJoin ? requestOf(joined, layout.renderBatch(joined)) : undefined;
    if (together?.ok) {
      requests[requests.length - 1] = together.value;
      last = joined;
      continue;
    }
    const alone = requestOf([event], isBatch ? layout.renderBatch([event]) : layout.render(event));
    if (!alone.ok) return alone;
    requests.push(alone.value);
    last = [event];
  }
  return accepted(requests);
}
