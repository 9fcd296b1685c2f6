import type { Sheet } from '../../sheets/sheet.ts';
import { listOf, membersOf, textOf, type Unknown } from '../frame/dom.ts';
import type { ToolResult } from '../frame/host.ts';

/** What is known of the document that is shown. */
export interface Known {
  /** How it is named in a call; undefined where it lacks what that takes. */
  readonly named: Unknown | undefined;
  readonly document: Unknown;
  readonly sheet: Sheet | undefined;
  /** The answer's own members: status_from, as_of, source, contents. */
  readonly answer: Unknown;
  /** What verify_document found. */
  readonly verified: Unknown | undefined;
}

/** Under this name an answer carries what only its view needs; the server has the same. */
export const VIEW_DATA = 'docfiscal/view';

const areas: Readonly<Record<string, string>> = {
  nfe: 'nfe',
  nfce: 'nfe',
  cte: 'cte',
  cteos: 'cte',
  nfse: 'nfse',
};

/** The kind of document that a key is of, by the model in it; undefined for what is no key. */
export function namedByKey(key: string): Unknown | undefined {
  // A national NFS-e has a key of fifty positions.
  if (/^\d{9}[0-9A-Z]{14}\d{27}$/.test(key)) return { document: 'nfse', key };
  if (!/^\d{6}[0-9A-Z]{12}\d{26}$/.test(key)) return undefined;
  return { document: ['57', '67'].includes(key.slice(20, 22)) ? 'cte' : 'nfe', key };
}

function namedByFields({ kind, key, number, issued_at: at, issuer }: Unknown): Unknown | undefined {
  const area = areas[textOf(kind) ?? ''];
  if (area !== 'nfse') return namedByKey(textOf(key) ?? '');
  const [id, day] = [textOf(membersOf(issuer).id), textOf(at)?.slice(0, 10)];
  return number && id && day ? { document: area, number, issue_date: day, issuer_cnpj: id } : undefined;
}

/** The fields of a form that an answer brings along; undefined where it has none, or of another shape. */
export function sheetIn({ _meta }: ToolResult): Sheet | undefined {
  const sheet = membersOf(membersOf(_meta?.[VIEW_DATA]).sheet);
  const { blocks, marks, head } = sheet;
  const isSheet = Array.isArray(blocks) && Array.isArray(marks) && Array.isArray(membersOf(head).facts);
  return isSheet ? (sheet as unknown as Sheet) : undefined;
}

/** What an answer says of a document; undefined where it has none in it. */
export function knownFrom(result: ToolResult): Known | undefined {
  const { structuredContent, _meta } = result;
  const answer = membersOf(structuredContent);
  const extra = membersOf(_meta?.[VIEW_DATA]);
  const isVerified = answer.content !== undefined && answer.signer !== undefined;
  const own = [extra.document, answer.document, isVerified ? answer : undefined].find(
    (one) => one !== undefined,
  );
  if (own === undefined) return undefined;
  const document = membersOf(own);
  return {
    document,
    named: extra.named === undefined ? namedByFields(document) : membersOf(extra.named),
    sheet: sheetIn(result),
    answer,
    verified: isVerified ? answer : undefined,
  };
}

/** Keys of the documents that this one speaks of or carries, each once. */
export function relatedKeys({ references, linked_keys: linked, key }: Unknown): string[] {
  const referred = listOf(references).map((one) => textOf(membersOf(one).key));
  const all = [...referred, ...listOf(linked).map(textOf)].filter((one) => one !== undefined);
  return [...new Set(all)].filter((one) => one !== key && namedByKey(one) !== undefined);
}

/** An address of the state or the federation, which a document's own address must be to be opened from here. */
export function officialAddress({ sheet }: Known): string | undefined {
  const text = sheet?.head.qr ?? '';
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && hostname.endsWith('.gov.br') ? text : undefined;
}
