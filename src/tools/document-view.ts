import { referenceOf } from '../archive/references.ts';
import { summaryOutput } from '../mcp/resources/summary-output.ts';
import type { CallContext } from '../services/call-context.ts';
import { type Standing, sheetFor } from '../services/document-sheet.ts';

/** A document with its text, where that is at hand. */
export type ShownDocument = Standing & { readonly xml?: string | undefined };

/**
 * What the view of a document needs beside the answer: how the document is named in a call, its summary where the answer
 * itself doesn't have all of it, and the fields of its sheet where its text is at hand. Undefined for clients that show
 * no views.
 */
export async function documentView(
  document: ShownDocument,
  { hasViews, services, translator }: CallContext,
  isAnswered = false,
) {
  if (!hasViews) return undefined;
  const { xml, summary } = document;
  const reference = referenceOf(summary);
  return {
    named:
      reference?.document === 'nfse'
        ? {
            document: reference.document,
            number: reference.number,
            issue_date: reference.issueDate,
            issuer_cnpj: reference.issuer,
          }
        : reference,
    document: isAnswered ? undefined : summaryOutput(document, services.settings.cnpj, translator),
    sheet: xml === undefined ? undefined : await sheetFor(xml, document, translator),
  };
}
