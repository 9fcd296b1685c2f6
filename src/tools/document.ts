import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import {
  type DocumentArea,
  type DocumentReference,
  fileNameOf,
  mimeTypes,
  type ResourceFormat,
  resourceFormats,
  resourceUri,
} from '../archive/references.ts';
import type { Remembered } from '../archive/remember/memory.ts';
import type { CallContext } from '../company/call-context.ts';
import { documentPdf } from '../company/document-pdf.ts';
import { explainFailure, Unfulfilled } from '../company/failures.ts';
import { addMonths, earlier, firstDay, lastDay } from '../documents/days.ts';
import { standingEvents } from '../documents/events/event-history.ts';
import { knownEvent } from '../documents/events/event-names.ts';
import { possibleEvents } from '../documents/events/possible-events.ts';
import { checkDocumentKey, type NationalNfseKey } from '../documents/identity/keys.ts';
import { familyOf, kindName } from '../documents/summary/summary.ts';
import { asWord } from '../documents/untrusted.ts';
import { textIn } from '../messages/message.ts';
import type { ShownDocument, Verified } from './pages/document.ts';
import { unfit } from './shared/arguments.ts';
import { refreshOutput, refreshSentences, refreshShape, unlessEmpty } from './shared/basis.ts';
import { pageForView, readTool, sentences, texts } from './shared/definition.ts';
import { linkSentence, saveFile } from './shared/exported-file.ts';
import { fetchParts } from './shared/fetching.ts';
import { documentNames, shared } from './shared/parameters.ts';
import { todayOf } from './shared/period.ts';
import { companyAsked } from './shared/question.ts';
import {
  describeSummary,
  documentParts,
  documentShape,
  eventLines,
  eventsOutput,
  partsOf,
  pdfResource,
  readResource,
  summaryOutput,
} from './shared/summary-output.ts';

const input = () =>
  z.strictObject({
    document: shared.document(),
    ...documentNames(),
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

const output = () =>
  z.object({
    document: documentShape().optional(),
    uri: z.string(),
    uris: z.array(z.string()).optional(),
    format: z.string(),
    bytes: z.int().optional(),
    ...texts('path', 'url'),
    origin: z.enum(['service', 'rendered']).optional().describe('pdf: whose it is'),
    source: z.enum(['service', 'files', 'both']).optional(),
    as_of: z.string().optional().describe('When its status was last asked for'),
    status_from: z.enum(['document', 'event', 'service']).optional(),
    ...refreshShape(),
    events: z
      .array(
        z.object({
          ...texts('code', 'name', 'title', 'sequence', 'at'),
          by: z.string().optional().describe('Who registers it'),
          details: z.looseObject({}).optional(),
          items: z.array(z.looseObject({})).optional(),
          undone: z.boolean().optional().describe('Taken back by an event 110001'),
        }),
      )
      .optional()
      .describe('What happened to it, as far as known'),
    possible_events: z
      .array(z.object({ code: z.string(), name: z.string(), by: z.string(), why: z.string() }))
      .optional()
      .describe('Events of the reform that may be due; nothing here sends them'),
    contents: z.int().optional().describe('Different contents under its key, where more than one'),
    service_checks: z.record(z.string(), z.string()).optional(),
    reply_forms: z.array(z.string()).optional(),
  });

type NamedDocument = z.output<z.ZodObject<ReturnType<typeof documentNames>>> & {
  readonly document: DocumentArea;
};

/**
 * Finds a national NFS-e by its key; an unknown one is fetched from the key's month and the next. @throws Unfulfilled
 */
async function noteOfKey({ key, number, month }: NationalNfseKey, context: CallContext) {
  const find = () => context.company.memory.named(key, context.signal);
  const known = await find();
  if (known !== undefined) return known;
  const company = await companyAsked({}, context);
  const end = earlier(lastDay(addMonths(month, 1)), todayOf(context));
  const days = { from: firstDay(month), to: end };
  const question = { companies: [company], areas: ['nfse'], by: 'issue', ...days } as const;
  if (days.from <= days.to) await fetchParts(question, context);
  const found = await find();
  if (found !== undefined) return found;
  throw new Unfulfilled('failure.nfse_key_not_found', { number, month, company });
}

/** Reference of the named document. @throws Unfulfilled with the way to name its kind; BadArguments, ArchiveError */
export async function referenceFrom(args: NamedDocument, context: CallContext): Promise<DocumentReference> {
  const { document, key, number, issue_date, issuer_cnpj: issuer } = args;
  const isByKey = key !== undefined && !number && !issue_date && !issuer;
  if (document === 'nfse') {
    if (isByKey && !('kind' in key)) return noteOfKey(key, context);
    if (key !== undefined || !number || !issue_date || !issuer)
      throw new Unfulfilled('failure.identify_nfse');
    return { document, number: number.trim(), issue_date, issuer_cnpj: issuer.id };
  }
  if (!isByKey) throw new Unfulfilled('failure.identify_by_key', { kind: kindName(document) });
  const found = 'kind' in key ? key.kind : 'nfse';
  const area = familyOf(found);
  if (area !== document) {
    const values = { found: kindName(found), asked: kindName(document), document: area };
    throw new Unfulfilled('failure.key_of_other_kind', values);
  }
  // Wrong check digits are accepted if the user's files have the key.
  const checked = checkDocumentKey(key.key);
  if (!checked.ok && !(await context.company.memory.isFiled(key.key, context.signal)))
    throw unfit('key', context.translator.problem(checked.problem), context);
  return { document, key: key.key };
}

type Arguments = z.output<ReturnType<typeof input>>;

/** Bytes that fit into a message besides everything else; hosts close the connection at 10 MB. */
const LARGEST_EMBEDDED = 5 * 1024 ** 2;

function linksTo(reference: DocumentReference, formats: readonly ResourceFormat[]): ContentBlock[] {
  return formats.map((format) => ({
    type: 'resource_link',
    uri: resourceUri(reference, format),
    name: `${fileNameOf(reference)} ${format}`,
    mimeType: mimeTypes[format],
  }));
}

/** Links, embeds or saves the bytes. Returns the answer's sentence and attachments; `url` is a download link. */
async function deliver(
  { format, delivery }: Arguments,
  reference: DocumentReference,
  bytes: Uint8Array,
  { translator, company, links, signal }: CallContext,
): Promise<{ sentence: string; attachments?: readonly ContentBlock[]; path?: string; url?: string }> {
  const ending = format === 'summary' ? 'json' : format;
  const isFile = delivery === 'file' || (delivery === 'link' && format !== 'summary');
  if (links !== undefined && isFile) {
    const link = await links.link({ name: `${fileNameOf(reference)}.${ending}`, bytes });
    const attachments = delivery === 'link' ? linksTo(reference, [format]) : [];
    return { sentence: linkSentence(link, translator), attachments, url: link.url };
  }
  if (delivery === 'file') {
    const path = await saveFile(company.settings.downloadDir, fileNameOf(reference), ending, bytes);
    return { sentence: translator.say('document.saved', { path, bytes: bytes.length }), path };
  }
  const formats: readonly ResourceFormat[] = format === 'summary' ? resourceFormats : [format];
  const uris = formats.map((one) => resourceUri(reference, one));
  const sentence = translator.say('document.links', { uris: uris.join(' ') });
  if (delivery === 'link') return { sentence, attachments: linksTo(reference, formats) };
  if (bytes.length > LARGEST_EMBEDDED)
    throw new Unfulfilled('failure.too_large_to_embed', { bytes: bytes.length });
  const resource =
    format === 'pdf'
      ? pdfResource(resourceUri(reference, format), bytes)
      : await readResource(reference, format, company, signal);
  return { sentence, attachments: [{ type: 'resource', resource }] };
}

/** Source and age of the status, and any doubts about it. */
function statusSentences(document: Remembered, { translator }: CallContext): string[] {
  const { status_from: from, status_at: at, contents, notRefreshed } = document;
  const { say, moment } = translator;
  const reason = notRefreshed && explainFailure(notRefreshed, translator);
  return sentences(
    say('memory.status_from', { source: say(`memory.status_source.${from}`), at: moment(at) }),
    refreshSentences(document, translator),
    contents > 1 && `⚠ ${say('memory.contents', { count: contents })}`,
    reason !== undefined && `⚠ ${say('memory.not_refreshed', { reason })}`,
  );
}

/** Status, events and changes, for the summary and the XML. Events come without authors and texts. */
function knownOutput(document: Remembered, { refresh = false }: Arguments, { translator }: CallContext) {
  const { source, status_at, status_from, contents, forms } = document;
  const events = eventsOutput(document, translator).map(({ author: _, text: __, items, ...event }) => {
    return { ...event, items: items?.slice() };
  });
  return {
    source,
    as_of: status_at,
    status_from,
    ...refreshOutput({ ...document, isRefreshed: refresh }),
    events: unlessEmpty(events),
    contents: contents > 1 ? contents : undefined,
    reply_forms: unlessEmpty(forms),
  };
}

/** Events of the reform that the company may have to register on a received note. */
function possibleOutput(document: Remembered, { company, translator }: CallContext) {
  const { summary, status } = document;
  const possible = possibleEvents(summary, status, standingEvents(document), company.settings.cnpj);
  return possible.map(({ code, why }) => {
    const known = knownEvent('nfe', code);
    return {
      code,
      name: known === undefined ? code : textIn(known.name, translator.language),
      by: known?.by ?? 'recipient',
      why: textIn(why, translator.language),
    };
  });
}

/** The page of a document for its view. */
export function documentView(document: ShownDocument, context: CallContext, verified?: Verified) {
  return pageForView(context, async () => {
    const { documentPage } = await import('./pages/document.ts');
    return documentPage(document, context, verified);
  });
}

/** The PDF; for a drawn sheet with the reason, the status and the watermarks. */
async function answerPdf(args: Arguments, reference: DocumentReference, context: CallContext) {
  const { company, translator, signal } = context;
  const { say } = translator;
  const pdf = await documentPdf(reference, company, { signal });
  const { origin, bytes } = pdf;
  const { sentence, attachments, ...place } = await deliver(args, reference, bytes, context);
  const uri = resourceUri(reference, 'pdf');
  const drawn = pdf.origin === 'rendered' ? pdf : undefined;
  const reason = drawn?.failure === undefined ? undefined : explainFailure(drawn.failure, translator);
  const marks = drawn?.marks.join(', ');
  const { source, status_at: as_of, status_from } = drawn?.document ?? {};
  return {
    structured: {
      uri,
      uris: [uri],
      format: 'pdf',
      bytes: bytes.length,
      ...place,
      origin,
      source,
      as_of,
      status_from,
    },
    text: sentences(
      say(`document.pdf_${origin}`, { bytes: bytes.length }),
      drawn &&
        (reason === undefined
          ? say('document.pdf_none', { kind: kindName(drawn.document.summary.kind) })
          : `⚠ ${say('document.pdf_failed', { reason })}`),
      !!marks && `⚠ ${say('document.pdf_marked', { marks })}`,
      drawn && statusSentences(drawn.document, context),
      sentence,
    ),
    attachments,
  };
}

/** The XML, or the summary or the parts of it asked for; parts come without links. */
async function answerDocument(args: Arguments, reference: DocumentReference, context: CallContext) {
  const { company, translator, signal } = context;
  const { say } = translator;
  const { format, refresh, include, delivery } = args;
  const isXml = format === 'xml';
  const asked = include?.filter((part) => part !== 'all');
  const parts = isXml || asked?.length !== include?.length ? undefined : asked;
  const document = await company.memory.document(reference, { signal, needsXml: isXml, refresh });
  const summary = isXml
    ? undefined
    : partsOf(summaryOutput(document, company.settings.cnpj, translator), parts);
  const { kind, number, key } = document.summary;
  const title = `${kindName(kind)} ${asWord(number ?? key ?? '')}`.trim();
  const bytes = Buffer.from(summary === undefined ? (document.xml ?? '') : JSON.stringify(summary));
  const ready = { title, status: say(`status.${document.status}`), bytes: bytes.length };
  const uri = resourceUri(reference, isXml ? 'xml' : 'summary');
  const { reply_forms, ...known } = knownOutput(document, args, context);
  const structured = { document: summary, uri, format, ...known };
  const text = sentences(
    summary === undefined ? say('document.xml_ready', ready) : describeSummary(summary, translator),
    parts?.includes('status') && eventLines(eventsOutput(document, translator)),
    statusSentences(document, context),
  );
  const forView = await documentView(document, context);
  if (parts !== undefined && delivery === 'link') return { structured, text, forView };
  const { sentence, attachments, ...place } = await deliver(args, reference, bytes, context);
  const checks = Object.entries(document.checks ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const checksInWords = checks.map(([name, value]) => `${name}=${asWord(value)}`).join(', ');
  const possible = isXml ? [] : possibleOutput(document, context);
  return {
    forView,
    structured: {
      ...structured,
      uris: isXml ? [uri] : resourceFormats.map((one) => resourceUri(reference, one)),
      bytes: isXml ? bytes.length : undefined,
      reply_forms,
      possible_events: unlessEmpty(possible),
      service_checks: checks.length > 0 ? Object.fromEntries(checks) : undefined,
      ...place,
    },
    text: sentences(
      text,
      possible.length > 0 && say('document.possible_events'),
      possible.map(({ code, name, why }) => `- ${code} ${name}: ${why}`),
      checks.length > 0 && say('document.service_checks', { checks: checksInWords }),
      sentence,
    ),
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
    return args.format === 'pdf'
      ? answerPdf(args, reference, context)
      : answerDocument(args, reference, context);
  },
});
