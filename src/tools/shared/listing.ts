import * as z from 'zod';
import type { ColumnValues, StoredDocument } from '../../archive/archive.ts';
import { type DocumentReference, referenceOf, resourceUri } from '../../archive/references.ts';
import type { ReplyWarning } from '../../clients/documents/replies/results.ts';
import type { CallContext } from '../../company/call-context.ts';
import { standingEvents } from '../../documents/events/event-history.ts';
import type { EventSummary, Party } from '../../documents/summary/summary.ts';
import { asWord } from '../../documents/untrusted.ts';
import { type Translator, warningLines } from '../../messages/index.ts';
import { csvLine } from '../../messages/message.ts';
import { memoryShape, unlessEmpty } from './basis.ts';
import { firstOf, sentences, texts } from './definition.ts';
import { periodOf } from './period.ts';
import { companyAsked } from './question.ts';
import { partyShape, warningShape, warningTexts } from './summary-output.ts';

export const coverageShape = () => ({
  operation: z.string().describe('Upstream operation'),
  ...texts('company', 'from', 'to'),
  total: z.int().describe('How many in all'),
  shown: z.int(),
  next_cursor: z.string().optional(),
  ...memoryShape(),
  assumptions: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
});

/** Operation name when the user's files answered. */
export const FILES = 'files';

type CoverageOutput = z.input<z.ZodObject<ReturnType<typeof coverageShape>>>;

export interface Coverage extends Omit<CoverageOutput, keyof ReturnType<typeof memoryShape>> {
  assumptions: string[];
  warnings: string[];
}

/** Coverage in the structured answer. */
export function coverageOutput({ assumptions, warnings, ...coverage }: Coverage) {
  return { ...coverage, assumptions: unlessEmpty(assumptions), warnings: unlessEmpty(warnings) };
}

/** Company and period, in moments, of a list of the service. @throws BadArguments, Unfulfilled */
export async function periodAsked(
  args: Parameters<typeof periodOf>[0] & Parameters<typeof companyAsked>[0],
  context: CallContext,
) {
  const company = await companyAsked(args, context);
  return { company, ...periodOf(args, context) };
}

/** Format of dates on the wire, which the service does not document. */
export function dateAssumption({ company: { settings }, translator: { say } }: CallContext): string {
  const { dateFormat: date, timeFormat: time, timeZone: zone } = settings;
  return say('assumption.dates', { format: time === 'none' ? date : `${date} ${time} (${zone})` });
}

/** Warnings of a reply as sentences. */
export function replyWarnings(warnings: readonly ReplyWarning[], { tell }: Translator): string[] {
  return warnings.map(({ code, values }) => tell(`reply.${code}`, values));
}

/**
 * Opening sentences of a list: the question, the count, assumptions and oddities.
 * @param isWhole whether the service answered for every day; only then is "none" certain
 */
export function describeCoverage(
  coverage: Coverage,
  subject: string,
  translator: Translator,
  isWhole = coverage.operation !== FILES,
): string[] {
  const { say, period } = translator;
  const { company, from, to, total, shown, operation, next_cursor: cursor } = coverage;
  const about = sentences(
    subject,
    company !== undefined && say('cover.company', { company }),
    from !== undefined && to !== undefined && period({ from, to }),
  ).join(', ');
  const count = total === 0 && isWhole ? say('cover.none') : say('cover.count', { total, shown });
  const details = sentences(
    operation !== FILES && say('cover.operation', { operation }),
    coverage.assumptions,
    cursor !== undefined && say('cover.next', { cursor }),
  ).join('; ');
  return sentences(
    `${about}: ${count}.`,
    details !== '' && `(${details})`,
    warningLines(coverage.warnings, translator),
  );
}

export const lineShape = () =>
  z.object({
    key: z.string().optional(),
    kind: z.string(),
    ...texts('number', 'series', 'issued_at'),
    issuer: partyShape().optional(),
    recipient: partyShape().optional(),
    totals: z.object(texts('total', 'services')),
    status: z.string(),
    event: z
      .object(texts('code', 'name', 'at'))
      .optional()
      .describe('What happened, of an event'),
    warnings: z.array(warningShape()).optional(),
    source: z.enum(['service', 'files', 'both']).optional(),
    uri: z.string().optional().describe('Summary resource, of the first ten'),
  });

/** A listed document. Fields beyond `lineShape` appear in questions that ask for them. */
export type ListLine = z.input<ReturnType<typeof lineShape>> & {
  document?: string;
  entered_on?: string;
  payer?: string;
  events?: EventOfLine[];
  columns?: ColumnValues;
};

/** A standing event. `text` is a correction or justification. */
type EventOfLine = Pick<EventSummary, 'code' | 'name' | 'at' | 'text'>;

/** Events of a listed document, oldest first. */
export function eventsOf(document: StoredDocument): EventOfLine[] {
  return standingEvents(document).map(({ code, name, at, text }) => ({ code, name, at, text }));
}

/** Linked lines; a link is as long as a line, and every document can be asked for anyway. */
const MOST_LINKS = 10;

function partyOutput(party: Party | undefined): ListLine['issuer'] {
  if (party === undefined) return undefined;
  const { id, id_type, name, state } = party;
  return { id, id_type, name, state };
}

/** A document's line, with both parties. */
export function listLine(
  { summary, status, source }: StoredDocument,
  company: string | undefined,
  { company: { settings }, translator }: CallContext,
): ListLine {
  const { kind, key, number, series, issued_at, issuer, recipient, totals, event } = summary;
  const warnings = warningTexts(summary, company, translator);
  // A cancelled note carries its cancellation too; only event lines name an event.
  const own = kind === 'event' ? event : undefined;
  return {
    kind,
    key,
    number: number || undefined,
    series,
    issued_at: issued_at || undefined,
    issuer: partyOutput(issuer),
    recipient: partyOutput(recipient),
    totals: { total: totals.total },
    status,
    event: own && { code: own.code, name: own.name, at: own.at },
    warnings: warnings.length > 0 ? warnings : undefined,
    source: settings.files === undefined ? undefined : source,
  };
}

/** Adds the link to the first lines. */
export function linked(line: ListLine, reference: DocumentReference | undefined, place: number): ListLine {
  return reference && place < MOST_LINKS ? { ...line, uri: resourceUri(reference, 'summary') } : line;
}

/** Abbreviates the company asked about, a party of nearly every line. */
const OWN = '*';

type Cells = (line: ListLine, own: string | undefined) => readonly (string | undefined)[];

function partyCells(side: 'issuer' | 'recipient'): Cells {
  return ({ [side]: party }, own) =>
    own !== undefined && party?.id === own ? ['', OWN] : [party?.id, party?.name];
}

/** Columns of a list's text by heading. An event shows its name and moment as number and date. */
const columns = {
  document: ({ document }) => [document],
  kind: ({ kind }) => [kind],
  number: ({ number, event }) => [
    number ?? ([event?.code, event?.name].filter(Boolean).join(' ') || undefined),
  ],
  date: ({ issued_at, event }) => [(issued_at ?? event?.at)?.slice(0, 10)],
  entered_on: ({ entered_on }) => [entered_on],
  'issuer_id,issuer': partyCells('issuer'),
  'recipient_id,recipient': partyCells('recipient'),
  payer: ({ payer }, own) => [own !== undefined && payer === own ? OWN : payer],
  services: ({ totals }) => [totals.services],
  total: ({ totals }) => [totals.total],
  status: ({ status }) => [status],
  events: ({ events = [] }) => [
    events
      .map(({ code, name, at, text }) => [at?.slice(0, 10), name ?? code, text].filter(Boolean).join(' '))
      .join('; '),
  ],
  key: ({ key }) => [key],
} satisfies Record<string, Cells>;

export type LineColumn = keyof typeof columns;

/** A line of the text. @param own the company written as `*` */
export function writeListLine(line: ListLine, shown: readonly LineColumn[], own: string | undefined): string {
  return csvLine(shown.flatMap((column) => columns[column](line, own)));
}

/** Heading of a list's text, preceded by the meaning of `*` if used. */
export function listHeading(
  lines: readonly ListLine[],
  shown: readonly string[],
  own: string | undefined,
  { translator }: CallContext,
): string[] {
  const isNamed = ({ issuer, recipient, payer }: ListLine) =>
    [issuer?.id, recipient?.id, payer].includes(own);
  const hasOwn = own !== undefined && lines.some(isNamed);
  return [...(hasOwn ? [translator.say('cover.own', { mark: OWN, company: own })] : []), shown.join(',')];
}

/** Records a listed document for completions. */
export function noteListed({ summary }: StoredDocument, { company }: CallContext): void {
  const reference = referenceOf(summary);
  if (reference) company.memory.seen.note(reference);
}

const MOST_NAMED = 5;

/** Names documents with contradicting contents; the list shows one of them. */
export function severalContents(documents: readonly StoredDocument[], translator: Translator): string[] {
  const several = documents.filter(({ contents }) => contents > 1);
  if (several.length === 0) return [];
  const names = several.map(({ summary }) => asWord(summary.key ?? summary.number ?? ''));
  const values = { count: several.length, names: firstOf(names, MOST_NAMED) };
  return [translator.say('warning.several_contents', values)];
}
