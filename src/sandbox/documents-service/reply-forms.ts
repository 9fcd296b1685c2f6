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

/** What goes around the pieces of a text, and what becomes of each of them. */
interface Wrapping {
  readonly contentType: string;
  readonly opening: string;
  readonly closing: string;
  wrap(piece: string): string;
}

/** The inside of a JSON string. */
function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const JSON_TYPE = 'application/json; charset=utf-8';
const STRING_ELEMENT = '<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">';

const wrappings: Readonly<Record<TextForm, Wrapping>> = {
  json: { contentType: JSON_TYPE, opening: '"', closing: '"', wrap: jsonText },
  'json-twice': {
    contentType: JSON_TYPE,
    opening: '"\\"',
    closing: '\\""',
    wrap: (piece) => jsonText(jsonText(piece)),
  },
  'string-xml': {
    contentType: 'application/xml; charset=utf-8',
    opening: STRING_ELEMENT,
    closing: '</string>',
    wrap: escapeXml,
  },
  bare: { contentType: 'text/plain; charset=utf-8', opening: '', closing: '', wrap: (piece) => piece },
};

function* wrapped({ opening, closing, wrap }: Wrapping, pieces: Iterable<string>): Generator<string> {
  yield opening;
  for (const piece of pieces) yield wrap(piece);
  yield closing;
}

function textReply(pieces: Iterable<string>, form: TextForm): Reply {
  const wrapping = wrappings[form];
  return reply(200, wrapping.contentType, wrapped(wrapping, pieces));
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
      return textReply(answer.pieces, replyForm.form);
    case 'pdf':
      if (replyForm.pdf === 'raw') return reply(200, 'application/pdf', answer.pdf);
      if (replyForm.pdf === 'json-bytes') return jsonReply(200, [...answer.pdf]);
      return textReply([pdfText(answer.pdf, replyForm.pdf, () => link(answer.path))], replyForm.form);
  }
}
