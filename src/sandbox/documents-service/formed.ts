import { gzipSync } from 'node:zlib';
import { escapeXml } from '../data/xml.ts';
import { jsonReply, type Reply, reply } from '../reply.ts';
import { zipOf } from '../zip.ts';
import type { Answer } from './answers.ts';
import type { PdfForm, TextForm } from './reply-forms.ts';
import type { DocumentsService } from './service.ts';
import { BLOB_PREFIX, MOVED_PREFIX } from './shared-access.ts';

type Wrapped = 'json' | 'json-twice' | 'string-xml' | 'bare';

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

const wrappings: Readonly<Record<Wrapped, Wrapping>> = {
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

function textReply(pieces: Iterable<string>, form: Wrapped): Reply {
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

/** A shared-access URL in a reply, as good as the form says. */
export function linkTo(path: string, { replyForm, sharedAccess }: DocumentsService): string {
  const { links } = replyForm();
  const place = links === 'moved' ? path.replace(BLOB_PREFIX, MOVED_PREFIX) : path;
  return sharedAccess.grant(place, links === 'expired');
}

type Text = Answer & { kind: 'text' };

function zipped({ pieces, documents }: Text): Buffer {
  const files = documents === undefined ? [[...pieces].join('')] : [...documents];
  return zipOf(
    files.map((text, i) => ({ name: `${String(i + 1).padStart(5, '0')}.xml`, bytes: Buffer.from(text) })),
  );
}

function* inArray(documents: Iterable<string>): Generator<string> {
  let before = '[';
  for (const document of documents) {
    yield `${before}${JSON.stringify(document)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function textInForm(answer: Text, form: TextForm, service: DocumentsService): Reply {
  const { pieces, documents } = answer;
  switch (form) {
    case 'side-by-side':
      return textReply(documents ?? pieces, 'json');
    case 'json-array':
      return documents ? reply(200, JSON_TYPE, inArray(documents)) : textReply(pieces, 'json');
    case 'zip':
      return reply(200, 'application/zip', zipped(answer));
    case 'url': {
      const make = () => Buffer.from([...pieces].join(''));
      return textReply([linkTo(service.files.keep('xml', 'application/xml', make), service)], 'json');
    }
    case 'url-zip': {
      const make = () => zipped(answer);
      return textReply([linkTo(service.files.keep('zip', 'application/zip', make), service)], 'json');
    }
    default:
      return textReply(pieces, form);
  }
}

function recordsInForm(value: unknown, { replyForm }: DocumentsService): unknown {
  const { records } = replyForm();
  if (typeof value !== 'object' || value === null || records === 'plain') return value;
  if (records === 'value') return { value: [value].flat() };
  return Array.isArray(value) ? value.map(sparse) : sparse(value);
}

/** A record without what may be missing, or with nothing in it. */
function sparse(record: object): object {
  const { Sucesso: _success, Usuario: _user, ...others }: { Sucesso?: unknown; Usuario?: unknown } = record;
  return { ...others, Evento: null };
}

/** Puts an answer into the form asked for. Values other than strings are JSON in every form. */
export function formed(answer: Answer, service: DocumentsService): Reply {
  const { form, pdf } = service.replyForm();
  switch (answer.kind) {
    case 'value':
      return jsonReply(200, recordsInForm(answer.value, service));
    case 'text':
      return textInForm(answer, answer.isPlain ? wrappedForm(form) : form, service);
    case 'pdf':
      if (pdf === 'raw') return reply(200, 'application/pdf', answer.pdf);
      if (pdf === 'json-bytes') return jsonReply(200, [...answer.pdf]);
      return textReply([pdfText(answer.pdf, pdf, () => linkTo(answer.path, service))], wrappedForm(form));
  }
}

/** A PDF, and the answer of an operation that is no list, are quoted in forms that are for documents only. */
function wrappedForm(form: TextForm): Wrapped {
  return Object.hasOwn(wrappings, form) ? (form as Wrapped) : 'json';
}
