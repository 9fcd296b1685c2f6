import type { BlobResourceContents, TextResourceContents } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { StoredDocument } from '../../archive/archive.ts';
import {
  type DocumentReference,
  mimeTypes,
  type ResourceFormat,
  resourceUri,
} from '../../archive/references.ts';
import type { Company } from '../../company/company.ts';
import { documentPdf } from '../../company/document-pdf.ts';
import { eventHistory, type PastEvent } from '../../documents/events/event-history.ts';
import { type EventAuthor, isReformEvent, knownEvent } from '../../documents/events/event-names.ts';
import { checkAgainstCompany } from '../../documents/summary/checks.ts';
import { type DocumentSummary, type Item, kindName } from '../../documents/summary/summary.ts';
import { asWord, oneLine, visibleJson } from '../../documents/untrusted.ts';
import { type Translator, warningLines } from '../../messages/index.ts';
import { csvLine, textIn } from '../../messages/message.ts';
import { texts } from './definition.ts';
import { LONGEST_CONTENT, thatFit } from './paging.ts';

export const partyShape = () => z.object(texts('id', 'id_type', 'name', 'state'));

export const warningShape = () => z.object({ code: z.string(), message: z.string() });

export type WarningText = z.output<ReturnType<typeof warningShape>>;

/** Outline of a summary's output schema; the fields are in `documents/summary/summary.ts`. */
export const documentShape = () =>
  z.looseObject({
    kind: z.string(),
    ...texts('layout', 'key', 'number', 'series', 'issued_at'),
    status: z.string(),
    issuer: z.looseObject({}).optional(),
    recipient: z.looseObject({}).optional(),
    totals: z.record(z.string(), z.string()).optional().describe('Decimal text; absent is not zero'),
    items: z.array(z.looseObject({})).optional(),
    item_count: z.int().optional(),
    warnings: z.array(warningShape()).optional(),
  });

/** A summary in the structured answer: warnings in words, events included, empty values removed. */
export type SummaryOutput = z.input<ReturnType<typeof documentShape>> &
  Partial<Omit<DocumentSummary, 'warnings' | 'items' | 'kind' | 'status'>> &
  Pick<DocumentSummary, 'kind' | 'status'> & {
    readonly items?: Item[];
    readonly warnings?: WarningText[];
    readonly events?: readonly EventOutput[];
  };

export const documentParts = ['status', 'parties', 'totals', 'items', 'transport'] as const;

export type DocumentPart = (typeof documentParts)[number];

/** Identity and status, included in every part. */
const always: readonly string[] = ['kind', 'key', 'number', 'series', 'issued_at', 'status'];

const fieldsOf: Readonly<Record<DocumentPart, readonly string[]>> = {
  status: ['protocol'],
  parties: ['issuer', 'recipient', 'sender', 'payer'],
  totals: ['totals', 'iss_withheld', 'payments', 'installments'],
  items: ['items', 'item_count', 'service', 'taxation'],
  transport: ['transport', 'route', 'modal', 'linked_keys', 'references'],
};

/** Selects the requested parts; all by default. Events stand beside the parts, see `eventLines`. */
export function partsOf(summary: SummaryOutput, parts: readonly DocumentPart[] | undefined): SummaryOutput {
  if (parts === undefined) return summary;
  const fields = new Set([...always, ...parts.flatMap((part) => fieldsOf[part])]);
  return Object.fromEntries(Object.entries(summary).filter(([name]) => fields.has(name))) as SummaryOutput;
}

/** Removes empty values at any depth. */
function withoutEmpty(value: object): object {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) => {
    if (member === null || typeof member !== 'object') return member;
    const filled = Array.isArray(member) ? member.filter((one) => one !== undefined) : member;
    return Object.keys(filled).length > 0 ? filled : undefined;
  });
}

/** A summary's warnings, including that the company is no party of the document. */
export function warningTexts(summary: DocumentSummary, company: string | undefined, translator: Translator) {
  const ofCompany = company === undefined ? [] : checkAgainstCompany(summary, company);
  return [...summary.warnings, ...ofCompany].map((problem) => {
    return { code: problem.code, message: translator.problem(problem) };
  });
}

/** An event; those of the reform with their name and author in the person's language. */
export type EventOutput = PastEvent & { readonly title?: string; readonly by?: EventAuthor };

/** All registered events of a document, from its own file and others. */
export function eventsOutput(document: Pick<StoredDocument, 'summary' | 'events'>, { language }: Translator) {
  const { kind } = document.summary;
  return eventHistory(document).map((event) => {
    const known = isReformEvent(event.code) ? knownEvent(kind, event.code) : undefined;
    return known === undefined ? event : { ...event, title: textIn(known.name, language), by: known.by };
  });
}

/** Latest events shown beside a part, and characters of each one's text. */
const SHOWN_EVENTS = 5;
const SHOWN_EVENT_TEXT = 60;
/** `YYYY-MM-DDTHH:mm`. */
const MINUTE_LENGTH = 16;

/** The latest events as lines under their header. */
export function eventLines(events: readonly EventOutput[]): string[] {
  if (events.length === 0) return [];
  const earlier = events.length - SHOWN_EVENTS;
  return [
    'at,code,name,text',
    ...(earlier > 0 ? [`… +${earlier}`] : []),
    ...events
      .slice(-SHOWN_EVENTS)
      .map(({ at, code, title, name, undone, text }) =>
        csvLine([
          at?.slice(0, MINUTE_LENGTH),
          code,
          `${title ?? name ?? ''}${undone ? ' (110001)' : ''}`,
          text && oneLine(text, SHOWN_EVENT_TEXT),
        ]),
      ),
  ];
}

/** A document's summary with its events applied. */
export function summaryOutput(
  document: Pick<StoredDocument, 'summary' | 'status' | 'events'>,
  company: string | undefined,
  translator: Translator,
): SummaryOutput {
  const { summary, status } = document;
  const events = eventsOutput(document, translator);
  const output = {
    ...summary,
    status,
    warnings: warningTexts(summary, company, translator),
    events: events.length > 0 ? events : undefined,
  };
  // The summary has no index signature, which the loose output schema requires.
  return withoutEmpty(output) as SummaryOutput;
}

/** Entries shown per list beside the items: a CT-e may carry two thousand notes. */
const SHOWN_ENTRIES = 20;

const itemColumns = [
  'number',
  'code',
  'description',
  'ncm',
  'cfop',
  'cst',
  'quantity',
  'unit',
  'unit_value',
  'total',
] as const;

function shortenLists(head: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shorten = (value: unknown): unknown => {
    if (!Array.isArray(value) || value.length <= SHOWN_ENTRIES) return value;
    return [...value.slice(0, SHOWN_ENTRIES), `… +${value.length - SHOWN_ENTRIES}`];
  };
  return Object.fromEntries(Object.entries(head).map(([name, value]) => [name, shorten(value)]));
}

/** Items as lines under their header, as many as fit. */
function itemLines(items: readonly Item[], characters: number, translator: Translator): string[] {
  const all = items.map((item) => {
    const taxes = Object.entries(item.taxes ?? {}).map(([name, value]) => `${name}=${value}`);
    return csvLine([...itemColumns.map((name) => item[name]), taxes.join(' ')]);
  });
  const lines = thatFit(all, characters, (line) => line.length + 1);
  const [shown, total] = [lines.length, items.length];
  return [
    ...(shown > 0 ? [`${itemColumns.join(',')},taxes`, ...lines] : []),
    ...(shown < total ? [translator.say('document.items_cut', { shown, total })] : []),
  ];
}

/** A layout's name with its version, as documents state it. */
const LAYOUT = /^[a-z-]+(?: [\d.]{1,8})?$/i;

/** Summary as text: its head as JSON, items as lines, and a note on untrusted text. */
export function describeSummary(summary: SummaryOutput, translator: Translator): string[] {
  const { items = [], warnings = [], ...head } = summary;
  const { kind, number, ...part } = head;
  const { layout, status, key = '' } = head;
  const { say } = translator;
  const title = [kindName(kind), asWord(number ?? key)].join(' ').trim();
  const named = layout !== undefined && LAYOUT.test(layout) ? layout : asWord(layout ?? '');
  const opening = [
    layout === undefined
      ? `${title}: ${say(`status.${status}`)}.`
      : `${title} (${named}). ${say('document.content_note')}`,
    visibleJson(shortenLists(layout === undefined ? part : head)),
    ...warningLines(
      warnings.map(({ message }) => message),
      translator,
    ),
  ];
  const room = LONGEST_CONTENT - opening.join('\n').length;
  return [...opening, ...itemLines(items, room, translator)];
}

/** A PDF as resource contents. */
export function pdfResource(uri: string, bytes: Uint8Array): BlobResourceContents {
  return { uri, mimeType: mimeTypes.pdf, blob: Buffer.from(bytes).toString('base64') };
}

/** Reads a document's resource: summary, XML or PDF. @throws what the memory throws; Unfulfilled */
export async function readResource(
  reference: DocumentReference,
  format: ResourceFormat,
  company: Company,
  signal: AbortSignal,
): Promise<TextResourceContents | BlobResourceContents> {
  const uri = resourceUri(reference, format);
  if (format === 'pdf') {
    const { bytes } = await documentPdf(reference, company, { signal });
    return pdfResource(uri, bytes);
  }
  const needsXml = format === 'xml';
  const document = await company.memory.document(reference, { signal, needsXml });
  const summary = needsXml ? undefined : summaryOutput(document, company.settings.cnpj, company.translator);
  const text = summary === undefined ? (document.xml ?? '') : JSON.stringify(summary);
  return { uri, mimeType: mimeTypes[format], text };
}
