import type { X509Certificate } from 'node:crypto';
import type { StoredDocument } from '../../archive/archive.ts';
import { type DossierFile, sha256 } from '../../archive/export/dossier.ts';
import { createNames } from '../../archive/export/zip.ts';
import type { CallContext } from '../../company/call-context.ts';
import { trustStore } from '../../company/trust-store.ts';
import {
  type AuthorizationCheck,
  type ContentCheck,
  checkAuthorization,
  checkContent,
} from '../../documents/signatures/content.ts';
import { checkSigner, type SignerCheck } from '../../documents/signatures/signer.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { type XmlProgress, xmlFiles } from '../shared/exported-file.ts';
import { type EventOutput, eventsOutput } from '../shared/summary-output.ts';

/** Documents of one dossier: its tables are held until it is written. */
const MOST_DOCUMENTS = 20_000;

/** A document of a dossier: its file, hash and check results, or the reason why it has no file. */
export interface DossierRow {
  readonly document: StoredDocument;
  readonly summary: DocumentSummary;
  /** All known events, from its own file and others. */
  readonly events: readonly EventOutput[];
  readonly file?: string;
  readonly sha256?: string;
  readonly bytes?: number;
  readonly content?: ContentCheck;
  readonly signer?: SignerCheck;
  readonly authorization?: AuthorizationCheck;
  readonly reason?: string;
}

/** The results of `verify_document` for a text at hand. */
async function verified(
  xml: string,
  summary: DocumentSummary,
  { source, status }: StoredDocument,
  store: readonly X509Certificate[] | undefined,
) {
  const content = await checkContent(xml, summary.kind);
  const signer =
    content.result === 'unchanged' ? checkSigner(content.certificate, summary, store) : undefined;
  // Files alone don't confirm a status, but can speak against a document.
  const isSaid = source !== 'files' || status === 'cancelled' || status === 'denied';
  const authorization = checkAuthorization(xml, summary, content, isSaid ? status : undefined);
  return { content, signer, authorization };
}

/**
 * The documents one after the other, as files and as rows, until all are done, the time is over or the service fails.
 * @param rows gets a row for each document
 */
export async function* documentFiles(
  documents: AsyncIterable<StoredDocument>,
  rows: DossierRow[],
  progress: XmlProgress,
  deadline: number,
  context: CallContext,
): AsyncGenerator<DossierFile> {
  const store = await trustStore(context);
  const nameOf = createNames('xml');
  // Rows come in the order of the documents, one for each.
  const underWay: StoredDocument[] = [];
  async function* noted() {
    let taken = 0;
    for await (const document of documents) {
      if (++taken > MOST_DOCUMENTS) return;
      underWay.push(document);
      yield document;
    }
  }
  for await (const row of xmlFiles(noted(), { deadline }, progress, context)) {
    const document = underWay.shift();
    if (document === undefined) throw new TypeError('a row without a document');
    const { summary } = row;
    const events = eventsOutput(document, context.translator);
    if ('reason' in row) rows.push({ document, summary, events, reason: row.reason });
    else {
      const { xml } = row;
      const file = `xml/${nameOf(summary)}`;
      const results = await verified(Buffer.from(xml).toString(), document.summary, document, store);
      rows.push({ document, summary, events, file, sha256: sha256(xml), bytes: xml.length, ...results });
      yield { name: file, content: xml, modified: summary.issued_at ?? summary.event?.at };
    }
    if (Date.now() > deadline) return;
  }
}
