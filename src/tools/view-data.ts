import { referenceOf } from '../archive/references.ts';
import type { CallContext } from '../company/call-context.ts';
import { type Standing, sheetFor } from '../company/document-pdf.ts';
import { createTranslator, type Language, languages } from '../messages/index.ts';
import { summaryOutput } from './shared/summary-output.ts';

/** A document with its text, where that is at hand. */
export type ShownDocument = Standing & { readonly xml?: string | undefined };

/**
 * What the view of a document needs beside the answer: how the document is named in a call, its summary where the answer
 * itself doesn't have all of it, and the fields of its sheet where its text is at hand. Undefined for clients that show
 * no views.
 */
export async function documentView(
  document: ShownDocument,
  { hasViews, company, translator }: CallContext,
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
    document: isAnswered ? undefined : summaryOutput(document, company.settings.cnpj, translator),
    sheet: xml === undefined ? undefined : await sheetFor(xml, document, translator),
  };
}

/**
 * What the view of a period needs beside the answer: the sentences it rests on, without the first, which says what was
 * asked, and what columns and their values are called; in every language, since the host's need not be the server's. What
 * the service answered stays as it was said first. Undefined for clients that show no views.
 *
 * @param linesIn the sentences in the language of a call
 */
export async function periodView(linesIn: (context: CallContext) => readonly string[], context: CallContext) {
  if (!context.hasViews) return undefined;
  const { columnMessages } = await import('../messages/apart/views/columns.ts');
  const { translator, company } = context;
  const linesOf = (language: Language) => {
    const isOwn = translator.language === language;
    const { timeZone } = company.settings;
    return linesIn(isOwn ? context : { ...context, translator: createTranslator(language, timeZone) }).slice(
      1,
    );
  };
  return {
    lines: Object.fromEntries(languages.map((language) => [language, linesOf(language)])),
    words: columnMessages,
  };
}
