import { gzipSync } from 'node:zlib';
import { escapeXml } from '../data/xml.ts';
import { jsonReply, type Reply, reply } from '../reply.ts';
import type { Answer } from './answers.ts';

const TEXT_FORMS = ['json', 'json-twice', 'string-xml', 'bare'] as const;
const PDF_FORMS = ['base64', 'raw', 'hex', 'json-bytes', 'gzip-base64', 'url'] as const;

/** How a string goes on the wire: in JSON quotes (what the service is believed to do), or as other services would. */
export type TextForm = (typeof TEXT_FORMS)[number];

/** How a PDF goes on the wire: as base64 text, or as other services would. */
export type PdfForm = (typeof PDF_FORMS)[number];

export interface ReplyForm {
  readonly form: TextForm;
  readonly pdf: PdfForm;
}

export const DEFAULT_REPLY_FORM: ReplyForm = { form: 'json', pdf: 'base64' };

/** The form named by a JSON value; what it leaves out stays as it was. Undefined where it names none. */
export function readReplyForm(value: unknown, before: ReplyForm): ReplyForm | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { form = before.form, pdf = before.pdf }: { form?: unknown; pdf?: unknown } = value;
  const textForm = TEXT_FORMS.find((known) => known === form);
  const pdfForm = PDF_FORMS.find((known) => known === pdf);
  return textForm && pdfForm && { form: textForm, pdf: pdfForm };
}

function textReply(text: string, form: TextForm): Reply {
  switch (form) {
    case 'json':
      return jsonReply(200, text);
    case 'json-twice':
      return jsonReply(200, JSON.stringify(text));
    case 'string-xml': {
      const namespace = 'http://schemas.microsoft.com/2003/10/Serialization/';
      const body = `<string xmlns="${namespace}">${escapeXml(text)}</string>`;
      return reply(200, 'application/xml; charset=utf-8', body);
    }
    case 'bare':
      return reply(200, 'text/plain; charset=utf-8', text);
  }
}

/** A PDF as text; `link` makes a shared-access URL for it. */
export function pdfText(pdf: Buffer, form: PdfForm, link: () => string): string {
  switch (form) {
    case 'hex':
      return pdf.toString('hex');
    case 'gzip-base64':
      return gzipSync(pdf).toString('base64');
    case 'url':
      return link();
    default:
      return pdf.toString('base64');
  }
}

/** Puts an answer into the form asked for. Values other than strings are JSON in every form. */
export function formed(answer: Answer, replyForm: ReplyForm, link: (path: string) => string): Reply {
  switch (answer.kind) {
    case 'value':
      return jsonReply(200, answer.value);
    case 'text':
      return textReply(answer.text, replyForm.form);
    case 'pdf':
      if (replyForm.pdf === 'raw') return reply(200, 'application/pdf', answer.pdf);
      if (replyForm.pdf === 'json-bytes') return jsonReply(200, [...answer.pdf]);
      return textReply(
        pdfText(answer.pdf, replyForm.pdf, () => link(answer.path)),
        replyForm.form,
      );
  }
}
