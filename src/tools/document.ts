import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import {
  type DocumentReference,
  fileNameOf,
  type ResourceFormat,
  resourceFormats,
  resourceUri,
} from '../archive/references.ts';
import type { Remembered } from '../archive/remember/memory.ts';
import type { CallContext } from '../company/call-context.ts';
import { type DocumentPdf, documentPdf } from '../company/document-pdf.ts';
import { explainFailure, Unfulfilled } from '../company/failures.ts';
import { standingEvents } from '../documents/events/event-history.ts';
import { knownEvent } from '../documents/events/event-names.ts';
import { possibleEvents } from '../documents/events/possible-events.ts';
import { kindName } from '../documents/summary/summary.ts';
import { asWord } from '../documents/untrusted.ts';
import { textIn } from '../messages/message.ts';
import { referenceFrom } from './named-document.ts';
import { pdfResource, readResource } from './shared/contents.ts';
import { readTool, type ToolAnswer } from './shared/definition.ts';
import { alsoAsNumber, wholeNumber } from './shared/json-numbers.ts';
import { refreshOutput, refreshSentences, refreshShape } from './shared/memory-output.ts';
import { shared } from './shared/parameters.ts';
import { linkSentence, saveFile } from './shared/saved-files.ts';
import {
  type DocumentPart,
  describeSummary,
  documentParts,
  documentShape,
  eventLines,
  eventsOutput,
  partsOf,
  summaryOutput,
} from './shared/summary-output.ts';
import { documentView } from './view-data.ts';

const input = () =>
  z.strictObject({
    document: shared.document(),
    key: shared.documentKey().optional(),
    number: alsoAsNumber(z.string().min(1), wholeNumber).optional().describe('nfse'),
    issue_date: shared.date().optional(),
    issuer_cnpj: shared.issuer().optional(),
    format: z
      .enum(['summary', 'xml', 'pdf'])
      .default('summary')
      .describe('Default summary; pdf: DANFE, DACTE or DANFSe'),
    include: z
      .array(z.enum([...documentParts, 'all']))
      .min(1)
      .optional()
      .describe('Of the summary; default all. Cancelled? status'),
    delivery: z.enum(['link', 'embed', 'file']).default('link').describe('Default link; file: saved on disk'),
    refresh: shared.refresh(),
  });

const eventShape = () =>
  z.object({
    code: z.string().optional(),
    name: z.string().optional(),
    title: z.string().optional(),
    sequence: z.string().optional(),
    at: z.string().optional(),
    by: z.string().optional().describe('Who registers it'),
    details: z.looseObject({}).optional(),
    items: z.array(z.looseObject({})).optional(),
    undone: z.boolean().optional().describe('Taken back by an event 110001'),
  });

const possibleEventShape = () =>
  z.object({ code: z.string(), name: z.string(), by: z.string(), why: z.string() });

const output = () =>
  z.object({
    document: documentShape().optional(),
    uri: z.string(),
    uris: z.array(z.string()).optional(),
    format: z.string(),
    bytes: z.int().optional(),
    path: z.string().optional(),
    url: z.string().optional(),
    origin: z.enum(['service', 'rendered']).optional().describe('pdf: whose it is'),
    source: z.enum(['service', 'files', 'both']).optional(),
    as_of: z.string().optional().describe('When its status was last asked for'),
    status_from: z.enum(['document', 'event', 'service']).optional(),
    ...refreshShape(),
    events: z.array(eventShape()).optional().describe('What happened to it, as far as known'),
    possible_events: z
      .array(possibleEventShape())
      .optional()
      .describe('Events of the reform that may be due; nothing here sends them'),
    contents: z.int().optional().describe('Different contents under its key, where more than one'),
    service_checks: z.record(z.string(), z.string()).optional(),
    reply_forms: z.array(z.string()).optional(),
  });

type Arguments = z.output<ReturnType<typeof input>>;
type Output = z.input<ReturnType<typeof output>>;

/** Bytes that fit into a message besides everything else; hosts close the connection at 10 MB. */
const LARGEST_EMBEDDED = 5 * 1024 ** 2;

function linksTo(reference: DocumentReference, formats: readonly ResourceFormat[]): ContentBlock[] {
  return formats.map((format) => ({
    type: 'resource_link',
    uri: resourceUri(reference, format),
    name: `${fileNameOf(reference)} ${format}`,
    mimeType: { summary: 'application/json', xml: 'application/xml', pdf: 'application/pdf' }[format],
  }));
}

interface Delivered {
  readonly sentence: string;
  readonly attachments: readonly ContentBlock[];
  readonly path?: string;
  /** Download link, over HTTP. */
  readonly url?: string;
}

async function deliver(
  args: Arguments,
  reference: DocumentReference,
  bytes: () => Uint8Array,
  context: CallContext,
): Promise<Delivered> {
  const { translator, company, links } = context;
  const { format, delivery } = args;
  const ending = format === 'summary' ? 'json' : format;
  const isFile = delivery === 'file' || (delivery === 'link' && format !== 'summary');
  if (links !== undefined && isFile) {
    const link = await links.link({ name: `${fileNameOf(reference)}.${ending}`, bytes: bytes() });
    const attachments = delivery === 'link' ? linksTo(reference, [format]) : [];
    return { sentence: linkSentence(link, translator), attachments, url: link.url };
  }
  if (delivery === 'file') {
    const content = bytes();
    const path = await saveFile(company.settings.downloadDir, fileNameOf(reference), ending, content);
    return {
      sentence: translator.say('document.saved', { path, bytes: content.length }),
      attachments: [],
      path,
    };
  }
  const formats: readonly ResourceFormat[] = format === 'summary' ? resourceFormats : [format];
  const uris = formats.map((one) => resourceUri(reference, one));
  const sentence = translator.say('document.links', { uris: uris.join(' ') });
  if (delivery === 'link') return { sentence, attachments: linksTo(reference, formats) };
  const size = bytes().length;
  if (size > LARGEST_EMBEDDED) throw new Unfulfilled('failure.too_large_to_embed', { bytes: size });
  const resource =
    format === 'pdf'
      ? pdfResource(resourceUri(reference, format), bytes())
      : await readResource(reference, format, company, context.signal);
  return { sentence, attachments: [{ type: 'resource', resource }] };
}

/** Origin of the PDF; for a drawn sheet the reason, the status and the watermarks. */
function pdfSentences(pdf: DocumentPdf, context: CallContext): string[] {
  const { translator } = context;
  if (pdf.origin === 'service') return [];
  const { failure, document, marks } = pdf;
  const reason = failure === undefined ? undefined : explainFailure(failure, translator);
  return [
    reason === undefined
      ? translator.say('document.pdf_none', { kind: kindName(document.summary.kind) })
      : `⚠ ${translator.say('document.pdf_failed', { reason })}`,
    ...(marks.length === 0
      ? []
      : [`⚠ ${translator.say('document.pdf_marked', { marks: marks.join(', ') })}`]),
    ...memorySentences(document, context),
  ];
}

async function answerPdf(
  args: Arguments,
  reference: DocumentReference,
  context: CallContext,
): Promise<ToolAnswer<Output>> {
  const { company, translator, signal } = context;
  const pdf = await documentPdf(reference, company, { signal });
  const { origin, bytes } = pdf;
  const { sentence, attachments, ...place } = await deliver(args, reference, () => bytes, context);
  const uri = resourceUri(reference, 'pdf');
  const known = pdf.origin === 'rendered' ? pdf.document : undefined;
  return {
    structured: {
      uri,
      uris: [uri],
      format: 'pdf',
      bytes: bytes.length,
      ...place,
      origin,
      source: known?.source,
      as_of: known?.status_at,
      status_from: known?.status_from,
    },
    text: [
      translator.say(`document.pdf_${origin}`, { bytes: bytes.length }),
      ...pdfSentences(pdf, context),
      sentence,
    ],
    attachments,
  };
}

function serviceChecks(
  document: Remembered,
  { translator }: CallContext,
): { text: string[]; values?: Record<string, string> } {
  const values = Object.fromEntries(
    Object.entries(document.checks ?? {}).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const checks = Object.entries(values).map(([name, value]) => `${name}=${asWord(value)}`);
  if (checks.length === 0) return { text: [] };
  return { text: [translator.say('document.service_checks', { checks: checks.join(', ') })], values };
}

/** Source and age of the status, and any doubts about it. */
function memorySentences(document: Remembered, context: CallContext): string[] {
  const { translator } = context;
  const { status_from: from, status_at: at, contents, notRefreshed } = document;
  const failure = notRefreshed && explainFailure(notRefreshed, translator);
  return [
    translator.say(`memory.status_from_${from}`, { at: translator.moment(at) }),
    ...refreshSentences({ ...document, isRefreshed: false }, context),
    ...(contents > 1 ? [`⚠ ${translator.say('memory.contents', { count: contents })}`] : []),
    ...(failure === undefined ? [] : [`⚠ ${translator.say('memory.not_refreshed', { reason: failure })}`]),
  ];
}

/** The parts asked for; undefined means all. */
function partsAsked({ include }: Arguments): readonly DocumentPart[] | undefined {
  const parts = include?.flatMap((part) => (part === 'all' ? [] : [part]));
  return parts === undefined || parts.length < (include?.length ?? 0) ? undefined : parts;
}

/** Registered events without authors and texts; undefined if none is known. */
function knownEvents(document: Remembered, translator: CallContext['translator']): Output['events'] {
  const events = eventsOutput(document, translator);
  if (events.length === 0) return undefined;
  return events.map(({ author: _, text: __, details, items, ...event }) => ({
    ...event,
    details: details && { ...details },
    items: items?.map((item) => ({ ...item })),
  }));
}

/** Events of the reform that the company may have to register on a received note. */
function possibleOutput(
  { summary, status, events }: Remembered,
  { company, translator }: CallContext,
): NonNullable<Output['possible_events']> {
  const standing = standingEvents(
    summary,
    events.map((one) => one.summary),
  );
  return possibleEvents(summary, status, standing, company.settings.cnpj).map(({ code, why }) => {
    const known = knownEvent('nfe', code);
    return {
      code,
      name: known === undefined ? code : textIn(known.name, translator.language),
      by: known?.by ?? 'recipient',
      why: textIn(why, translator.language),
    };
  });
}

function possibleLines(
  possible: NonNullable<Output['possible_events']>,
  translator: CallContext['translator'],
): string[] {
  if (possible.length === 0) return [];
  return [
    translator.say('document.possible_events'),
    ...possible.map(({ code, name, why }) => `- ${code} ${name}: ${why}`),
  ];
}

/** State of knowledge, common to all answers about a document. */
function knownOutput(document: Remembered, { refresh = false }: Arguments, { translator }: CallContext) {
  const { source, status_at, status_from, contents, forms } = document;
  return {
    source,
    as_of: status_at,
    status_from,
    ...refreshOutput({ ...document, isRefreshed: refresh }),
    events: knownEvents(document, translator),
    contents: contents > 1 ? contents : undefined,
    reply_forms: forms.length > 0 ? [...forms] : undefined,
  };
}

/** The XML, without a summary. */
async function answerXml(
  args: Arguments,
  reference: DocumentReference,
  context: CallContext,
): Promise<ToolAnswer<Output>> {
  const { company, translator, signal } = context;
  const document = await company.memory.document(reference, {
    signal,
    needsXml: true,
    refresh: args.refresh,
  });
  const xml = Buffer.from(document.xml ?? '');
  const { sentence, attachments, ...place } = await deliver(args, reference, () => xml, context);
  const uri = resourceUri(reference, 'xml');
  const { kind, number, key } = document.summary;
  const title = `${kindName(kind)} ${asWord(number ?? key ?? '')}`.trim();
  const checks = serviceChecks(document, context);
  return {
    forView: await documentView(document, context),
    structured: {
      uri,
      uris: [uri],
      format: 'xml',
      bytes: xml.length,
      ...place,
      ...knownOutput(document, args, context),
      service_checks: checks.values,
    },
    text: [
      translator.say('document.xml_ready', {
        title,
        status: translator.say(`status.${document.status}`),
        bytes: xml.length,
      }),
      ...memorySentences(document, context),
      ...checks.text,
      sentence,
    ],
    attachments,
  };
}

async function answerSummary(
  args: Arguments,
  reference: DocumentReference,
  context: CallContext,
): Promise<ToolAnswer<Output>> {
  const { company, translator, signal } = context;
  const parts = partsAsked(args);
  const document = await company.memory.document(reference, { signal, refresh: args.refresh });
  const summary = partsOf(summaryOutput(document, company.settings.cnpj, translator), parts);
  const uri = resourceUri(reference, 'summary');
  const events = parts?.includes('status') ? eventLines(eventsOutput(document, translator)) : [];
  const text = [...describeSummary(summary, translator), ...events, ...memorySentences(document, context)];
  const forView = await documentView(document, context);
  if (parts !== undefined && args.delivery === 'link') {
    // A partial summary comes without links.
    const { reply_forms: _, ...known } = knownOutput(document, args, context);
    return { structured: { document: summary, uri, format: args.format, ...known }, text, forView };
  }
  const bytes = () => Buffer.from(JSON.stringify(summary));
  const { sentence, attachments, ...place } = await deliver(args, reference, bytes, context);
  const checks = serviceChecks(document, context);
  const possible = possibleOutput(document, context);
  return {
    forView,
    structured: {
      document: summary,
      uri,
      uris: resourceFormats.map((one) => resourceUri(reference, one)),
      format: args.format,
      ...knownOutput(document, args, context),
      possible_events: possible.length > 0 ? possible : undefined,
      service_checks: checks.values,
      ...place,
    },
    text: [...text, ...possibleLines(possible, translator), ...checks.text, sentence],
    attachments,
  };
}

export const getDocument = readTool({
  name: 'get_document',
  group: 'documents',
  description:
    'Get one document: a summary with parties, taxes and items, its XML or its PDF. By key; nfse also by number, issue_date, issuer_cnpj.',
  input,
  output,
  view: 'document',
  async run(args, context) {
    const reference = await referenceFrom(args, context);
    const answers = { summary: answerSummary, xml: answerXml, pdf: answerPdf };
    return answers[args.format](args, reference, context);
  },
});
