import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Remembered } from '../archive/memory/memory.ts';
import {
  type DocumentArea,
  type DocumentReference,
  fileNameOf,
  formatsOf,
  type ResourceFormat,
  resourceUri,
} from '../archive/references.ts';
import { readTool, type ToolAnswer } from '../mcp/definition.ts';
import { shared } from '../mcp/parameters.ts';
import { readResource } from '../mcp/resources/contents.ts';
import { describeSummary, documentShape, summaryOutput } from '../mcp/resources/summary-output.ts';
import { saveFile } from '../mcp/saved-files.ts';
import { kindName } from '../messages/kinds.ts';
import type { CallContext } from '../services/call-context.ts';
import { explainFailure, Unfulfilled } from '../services/failures.ts';

const input = () =>
  z.strictObject({
    document: shared.document(),
    key: shared.key().optional(),
    number: z.string().min(1).optional().describe('nfse'),
    issue_date: shared.date().optional(),
    issuer_cnpj: shared.issuer().optional(),
    format: z
      .enum(['summary', 'xml', 'pdf'])
      .default('summary')
      .describe('Default summary; pdf: DANFE, not for cte'),
    delivery: z.enum(['link', 'embed', 'file']).default('link').describe('Default link; file: saved on disk'),
    refresh: shared.refresh(),
  });

const output = () =>
  z.object({
    document: documentShape().optional(),
    uri: z.string(),
    uris: z.array(z.string()),
    format: z.string(),
    bytes: z.int().optional(),
    path: z.string().optional(),
    source: z.enum(['service', 'files', 'both']).optional(),
    as_of: z.string().optional().describe('When its status was last asked for'),
    status_from: z.enum(['document', 'event', 'service']).optional(),
    contents: z.int().optional().describe('Different contents under its key, where more than one'),
    service_checks: z.record(z.string(), z.string()).optional(),
    reply_forms: z.array(z.string()).optional(),
  });

type Arguments = z.output<ReturnType<typeof input>>;
type Output = z.input<ReturnType<typeof output>>;

/** What fits into one message besides everything else; hosts drop a connection at 10 MB. */
const LARGEST_EMBEDDED = 5 * 1024 ** 2;

/** The document a call names. @throws Unfulfilled saying how its kind is named */
function referenceFrom(args: Arguments): DocumentReference {
  const { document, key, number, issue_date: issueDate, issuer_cnpj: issuer } = args;
  if (document === 'nfse') {
    if (key !== undefined || !number || !issueDate || !issuer) throw new Unfulfilled('failure.identify_nfse');
    return { document, number: number.trim(), issueDate, issuer: issuer.id };
  }
  if (key === undefined || number || issueDate || issuer) {
    throw new Unfulfilled('failure.identify_by_key', { kind: kindName(document) });
  }
  const area: DocumentArea = key.kind === 'cte' || key.kind === 'cteos' ? 'cte' : 'nfe';
  if (area !== document) {
    const values = { found: kindName(key.kind), asked: kindName(document), document: area };
    throw new Unfulfilled('failure.key_of_other_kind', values);
  }
  return { document, key: key.key };
}

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
}

async function deliver(
  args: Arguments,
  reference: DocumentReference,
  bytes: () => Uint8Array,
  context: CallContext,
): Promise<Delivered> {
  const { translator, services } = context;
  const { format, delivery } = args;
  if (delivery === 'file') {
    const content = bytes();
    const ending = format === 'summary' ? 'json' : format;
    const path = await saveFile(services.settings.downloadDir, fileNameOf(reference), ending, content);
    return {
      sentence: translator.say('document.saved', { path, bytes: content.length }),
      attachments: [],
      path,
    };
  }
  const formats: readonly ResourceFormat[] = format === 'summary' ? formatsOf(reference.document) : [format];
  const uris = formats.map((one) => resourceUri(reference, one));
  const sentence = translator.say('document.links', { uris: uris.join(' ') });
  if (delivery === 'link') return { sentence, attachments: linksTo(reference, formats) };
  const size = bytes().length;
  if (size > LARGEST_EMBEDDED) throw new Unfulfilled('failure.too_large_to_embed', { bytes: size });
  const resource = await readResource(reference, format, services, context.signal);
  return { sentence, attachments: [{ type: 'resource', resource }] };
}

async function answerPdf(
  args: Arguments,
  reference: DocumentReference,
  context: CallContext,
): Promise<ToolAnswer<Output>> {
  if (reference.document === 'cte') {
    throw new Unfulfilled('failure.no_operation', {
      what: 'get_document document=cte format=pdf',
      nearest: 'get_document document=cte format=xml',
    });
  }
  const bytes = await context.services.memory.pdf(reference, context.signal);
  const { sentence, attachments, path } = await deliver(args, reference, () => bytes, context);
  const uri = resourceUri(reference, 'pdf');
  return {
    structured: { uri, uris: [uri], format: 'pdf', bytes: bytes.length, path },
    text: `${context.translator.say('document.pdf_ready', { bytes: bytes.length })}\n${sentence}`,
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
  const checks = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  if (checks.length === 0) return { text: [] };
  return { text: [translator.say('document.service_checks', { checks: checks.join(', ') })], values };
}

/** Where the status is from, how old that is, and what speaks against taking it as it stands. */
function memorySentences(document: Remembered, { translator }: CallContext): string[] {
  const { status_from: from, status_at: at, contents, notRefreshed } = document;
  const failure = notRefreshed && explainFailure(notRefreshed, translator);
  return [
    translator.say(`memory.status_from_${from}`, { at: translator.moment(at) }),
    ...(contents > 1 ? [`⚠ ${translator.say('memory.contents', { count: contents })}`] : []),
    ...(failure === undefined ? [] : [`⚠ ${translator.say('memory.not_refreshed', { reason: failure })}`]),
  ];
}

async function answerXml(
  args: Arguments,
  reference: DocumentReference,
  context: CallContext,
): Promise<ToolAnswer<Output>> {
  const { services, translator } = context;
  const { signal } = context;
  const needsXml = args.format === 'xml';
  const document = await services.memory.document(reference, { signal, needsXml, refresh: args.refresh });
  const summary = summaryOutput(document, services.settings.cnpj, translator);
  const bytes = () => Buffer.from(needsXml ? (document.xml ?? '') : JSON.stringify(summary));
  const { sentence, attachments, path } = await deliver(args, reference, bytes, context);
  const checks = serviceChecks(document, context);
  return {
    structured: {
      document: summary,
      uri: resourceUri(reference, args.format),
      uris: formatsOf(reference.document).map((one) => resourceUri(reference, one)),
      format: args.format,
      source: document.source,
      as_of: document.status_at,
      status_from: document.status_from,
      contents: document.contents > 1 ? document.contents : undefined,
      reply_forms: document.forms.length > 0 ? [...document.forms] : undefined,
      service_checks: checks.values || undefined,
      bytes: needsXml ? Buffer.byteLength(document.xml ?? '') : undefined,
      path,
    },
    text: [
      describeSummary(summary, translator),
      ...memorySentences(document, context),
      ...checks.text,
      sentence,
    ].join('\n'),
    attachments,
  };
}

export const getDocument = readTool({
  name: 'get_document',
  group: 'documents',
  description:
    'Get one document: a summary with parties, taxes and items, its XML or its PDF. nfe, cte: by key; nfse: by number, issue_date, issuer_cnpj.',
  input,
  output,
  async run(args, context) {
    const reference = referenceFrom(args);
    return args.format === 'pdf' ? answerPdf(args, reference, context) : answerXml(args, reference, context);
  },
});
