import * as z from 'zod';
import { failedFor } from '../archive/errors.ts';
import type { FiledDocument } from '../archive/files/contents.ts';
import { type DocumentReference, referenceOf } from '../archive/references.ts';
import type { Remembered } from '../archive/remember/memory.ts';
import { Cancelled, UpstreamError } from '../clients/errors.ts';
import type { CallContext } from '../company/call-context.ts';
import { explainFailure, Unfulfilled } from '../company/failures.ts';
import type { AuthorizationCheck } from '../documents/signatures/content.ts';
import { type DocumentStatus, type DocumentSummary, isVoid, kindName } from '../documents/summary/summary.ts';
import { asWord } from '../documents/untrusted.ts';
import type { Translator } from '../messages/index.ts';
import { documentView, referenceFrom } from './document.ts';
import { missing } from './shared/arguments.ts';
import { certificateWords, contentWords, signerWords, trustStore } from './shared/authenticity.ts';
import { readTool, sentences, texts } from './shared/definition.ts';
import { documentNames, shared } from './shared/parameters.ts';

const input = () =>
  z.strictObject({
    document: shared.document().optional(),
    ...documentNames(),
    file: z.string().min(1).optional().describe('Path in the DFE_FILES folders, instead'),
  });

const output = () =>
  z.object({
    kind: z.string(),
    ...texts('key', 'number'),
    content: z.object({
      result: z.enum(['unchanged', 'changed', 'unknown']),
      ...texts('form', 'reason'),
    }),
    signer: z.object({
      result: z.enum(['matches', 'differs', 'unknown']),
      ...texts('id', 'name'),
      valid_at_issue: z.boolean().optional(),
      chain: z.enum(['trusted', 'untrusted', 'not_checked']),
    }),
    authorization: z.object({
      result: z.enum(['confirmed', 'contradicted', 'unknown']),
      protocol_matches: z.boolean().optional(),
      key_matches: z.boolean().optional(),
      ...texts('status', 'as_of', 'reason'),
    }),
    source: z.enum(['service', 'files', 'both']).optional(),
  });

type Arguments = z.output<ReturnType<typeof input>>;

/** The document to verify, with its known state. */
interface Subject {
  readonly xml: string;
  readonly summary: DocumentSummary;
  /** Known status; from the files if the service was not asked. */
  readonly known: Remembered | undefined;
  /** Why the service could not be asked. */
  readonly notAsked?: string | undefined;
  /** Set while files are being read, since one may hold an event. */
  readonly notRead?: string | undefined;
}

/** The only document of a file, or the one its key names. @throws Unfulfilled */
function singleOut(documents: readonly FiledDocument[], args: Arguments): FiledDocument {
  const { key } = args;
  const wanted = documents.filter(({ summary }) => key === undefined || summary.key === key.key);
  const notes = wanted.filter(({ summary }) => summary.kind !== 'event');
  const candidates = notes.length > 0 ? notes : wanted;
  const [document, ...others] = candidates;
  if (document === undefined) throw new Unfulfilled('verify.no_document');
  if (others.length > 0) {
    const keys = candidates.slice(0, 10).map(({ summary }) => asWord(summary.key ?? summary.number ?? '?'));
    throw new Unfulfilled('verify.several', { count: candidates.length, keys: keys.join(', ') });
  }
  return document;
}

/** Current state of the document, from the files and the service. */
async function askAbout(
  reference: DocumentReference | undefined,
  { company, signal, translator }: CallContext,
): Promise<Pick<Subject, 'known' | 'notAsked'>> {
  if (reference === undefined) return { known: undefined };
  try {
    const known = await company.memory.document(reference, { signal });
    return { known, notAsked: known.notRefreshed && explainFailure(known.notRefreshed, translator) };
  } catch (error) {
    const isUpstream = error instanceof UpstreamError && !(error instanceof Cancelled);
    const isNotInFiles = failedFor('not_in_files', error) || failedFor('files_not_read', error);
    if (!isUpstream && !isNotInFiles) throw error;
    return {
      known: undefined,
      notAsked: company.hasService ? explainFailure(error, translator) : undefined,
    };
  }
}

async function fromFile(path: string, args: Arguments, context: CallContext): Promise<Subject> {
  const { company, signal, translator } = context;
  const files = await company.files();
  if (files === undefined) throw new Unfulfilled('verify.no_folders');
  const found = files.find(path);
  if (found === undefined) throw new Unfulfilled('verify.no_file');
  const documents: FiledDocument[] = [];
  for await (const document of files.documentsIn(found)) documents.push(document);
  const { summary, xml } = singleOut(documents, args);
  const asked = await askAbout(referenceOf(summary), context);
  const { isReading, progress } = await files.ready({ deadline: 0, signal });
  const notRead = isReading ? translator.say('files.reading', { read: progress.read }) : undefined;
  return { summary, xml, notRead, ...asked };
}

async function byReference(args: Arguments, context: CallContext): Promise<Subject> {
  const { document } = args;
  if (document === undefined) throw missing('document', context);
  const { memory } = context.company;
  const reference = await referenceFrom({ ...args, document }, context);
  const known = await memory.document(reference, { signal: context.signal, needsXml: true });
  if (known.xml === undefined) throw new Unfulfilled('verify.no_text');
  const notAsked = known.notRefreshed && explainFailure(known.notRefreshed, context.translator);
  return { summary: known.summary, xml: known.xml, known, notAsked };
}

/** The service's status; from files only one that speaks against the document, the verified one first. */
function statusSaid({ known, summary }: Subject): DocumentStatus | undefined {
  if (known !== undefined && known.source !== 'files') return known.status;
  return [summary.status, known?.status].find(isVoid);
}

function authorizationWords(
  { result, protocol_matches: protocol, key_matches: key }: AuthorizationCheck,
  status: DocumentStatus | undefined,
  { known, notAsked, notRead }: Subject,
  { say, moment }: Translator,
): string {
  const words = status && say(`status.${status}`);
  return sentences(
    `${say(`verify.authorization_${result}`)}.`,
    words &&
      (known?.status === status
        ? say('verify.status', { status: words, at: moment(known?.status_at ?? '') })
        : say('verify.status_in_file', { status: words })),
    protocol !== undefined && say(protocol ? 'verify.protocol_matches' : 'verify.protocol_differs'),
    key === false && say('verify.key_differs'),
    notAsked !== undefined && say('verify.not_asked', { reason: notAsked }),
    notRead,
  ).join(' ');
}

export const verifyDocument = readTool({
  name: 'verify_document',
  group: 'analysis',
  description:
    'Verify whether a document is genuine: content (unchanged since signed), signer, authorization; three separate results. By key, as get_document, or file.',
  input,
  output,
  view: 'document',
  async run(args, context) {
    const { translator, company } = context;
    const subject =
      args.file === undefined ? await byReference(args, context) : await fromFile(args.file, args, context);
    const { xml, summary, known, notAsked, notRead } = subject;
    const [{ checkContent, checkAuthorization }, { checkSigner }] = await Promise.all([
      import('../documents/signatures/content.ts'),
      import('../documents/signatures/signer.ts'),
    ]);
    const store = await trustStore(context);
    const content = await checkContent(xml, summary.kind);
    const check = checkSigner(content.certificate, summary, store);
    const { by: _, ...signer } = check;
    const isSigned = content.result === 'unchanged';
    const trusted = isSigned ? signer : { ...signer, result: 'unknown' as const };
    const status = statusSaid(subject);
    const authorization = checkAuthorization(xml, summary, content, status);
    const title = [kindName(summary.kind), ...[summary.number, summary.key].map((one = '') => asWord(one))]
      .filter(Boolean)
      .join(' ');
    const linesIn = (words: Translator) => {
      const { say } = words;
      const signedBy = isSigned
        ? `${signerWords(check, words)}; ${certificateWords(check, words)}`
        : say('verify.signer_not_judged');
      return [
        `${say('verify.content')}: ${contentWords(content, words)}.`,
        `${say('verify.signer')}: ${signedBy}.`,
        `${say('verify.authorization')}: ${authorizationWords(authorization, status, subject, words)}`,
      ];
    };
    const isBad =
      content.result === 'changed' || trusted.result === 'differs' || authorization.result === 'contradicted';
    const asItStands = {
      status: summary.status,
      status_at: new Date(company.now()).toISOString(),
      events: [],
    };
    const structured = {
      kind: summary.kind,
      key: summary.key,
      number: summary.number,
      content: { result: content.result, form: content.form, reason: content.reason },
      signer: trusted,
      authorization: {
        ...authorization,
        status,
        as_of: known !== undefined && known.status === status ? known.status_at : undefined,
        reason: notAsked ?? notRead,
      },
      source: known?.source,
    };
    return {
      forView: await documentView({ ...asItStands, ...known, summary, xml }, context, { isBad, linesIn }),
      structured,
      text: [
        `${title}:`,
        ...linesIn(translator).map((line) => `- ${line}`),
        translator.say('verify.not_one_tick'),
      ],
    };
  },
});
