import { X509Certificate } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type DocumentKind, type DocumentStatus, type DocumentSummary, isVoid } from '../summary/summary.ts';
import { elementsNamed, readTree, textAt } from '../xml/tree.ts';
import { type Objection, type SignedPart, sayingOf, signedPart } from './signed-part.ts';

/** Result of comparing a document with its signature. */
export interface ContentCheck {
  readonly result: 'unchanged' | 'changed' | 'unknown';
  /** Form of the text that verifies: as is, with its own namespaces only, or without blanks between tags. */
  readonly form?: 'as_is' | 'own_namespaces' | 'without_blanks';
  /** `digest`: the content differs from the signed content. `signature`: the signature is not by this certificate. */
  readonly reason?: Objection | 'digest' | 'signature';
  readonly digest?: string;
  readonly certificate?: X509Certificate;
}

/** Outermost signed element of each kind, the only one that counts. Source: docs/fiscal/signatures.md. */
const signedElements: Readonly<Partial<Record<DocumentKind, readonly string[]>>> = {
  nfe: ['infNFe'],
  nfce: ['infNFe'],
  cte: ['infCte'],
  cteos: ['infCte'],
  event: ['infEvento', 'infPedReg'],
  nfse: ['infNFSe', 'InfNfse', 'infDPS'],
};

/** The default namespace in scope around an element. */
function inheritedNamespace(xml: string, holder: string): string | undefined {
  const before = xml.slice(0, xml.indexOf(holder));
  const declared = [...before.matchAll(/<[^!?/<>][^<>]*/g)].flatMap(([tag]) => {
    const [, double, single] = /\sxmlns=(?:"([^"]*)"|'([^']*)')/.exec(tag) ?? [];
    return double ?? single ?? [];
  });
  return declared.at(-1);
}

/** The parent of the signed element as a standalone document. */
function standalone(xml: string, { holder }: SignedPart): string {
  const tag = /^<[^>]*>/.exec(holder)?.[0] ?? '';
  const namespace = /\sxmlns\s*=/.test(tag) ? undefined : inheritedNamespace(xml, holder);
  return namespace === undefined
    ? holder
    : holder.replace(/^<[^\s/>]+/, (name) => `${name} xmlns="${namespace}"`);
}

/** Removes blanks between tags, except in CDATA. */
function withoutBlanks(xml: string): string {
  return xml.replace(/<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|>\s+(?=<)/g, (found) =>
    found.startsWith('<!') ? found : '>',
  );
}

function certificateFrom(base64: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}

type Verdict = 'unchanged' | 'digest' | 'signature';

/** Verifies the signature over this text, and that it covers the element that is read. */
async function verdictOn(text: string, part: SignedPart, certificate: X509Certificate): Promise<Verdict> {
  const { default: library } = await import('xml-crypto');
  const signed = new library.SignedXml({
    publicCert: certificate.toString(),
    getCertFromKeyInfo: () => null,
  });
  try {
    signed.loadSignature(part.signature);
    await yieldToEventLoop();
    if (!signed.checkSignature(text)) return 'digest';
  } catch (error) {
    return error instanceof Error && /^invalid signature: the signature value/.test(error.message)
      ? 'signature'
      : 'digest';
  }
  const [reference, ...others] = signed.getSignedReferences();
  if (reference === undefined || others.length > 0) return 'digest';
  return sayingOf(reference) === sayingOf(part.element) ? 'unchanged' : 'digest';
}

async function checkElement(xml: string, name: string): Promise<ContentCheck> {
  const part = signedPart(xml, name);
  if (typeof part === 'string') return { result: 'unknown', reason: part };
  const certificate = certificateFrom(part.certificate);
  const { digest } = part;
  if (certificate === undefined) return { result: 'unknown', reason: 'certificate', digest };
  let reason: 'digest' | 'signature' = 'digest';
  const alone = standalone(xml, part);
  const forms = [
    ['as_is', () => xml],
    ['own_namespaces', () => alone],
    ['without_blanks', () => withoutBlanks(xml)],
    ['without_blanks', () => withoutBlanks(alone)],
  ] as const;
  for (const [form, make] of forms) {
    const text = make();
    const partInForm = signedPart(text, name);
    await yieldToEventLoop();
    if (typeof partInForm === 'string') continue;
    const verdict = await verdictOn(text, partInForm, certificate);
    if (verdict === 'unchanged') return { result: 'unchanged', form, digest, certificate };
    if (verdict === 'signature') reason = 'signature';
  }
  return { result: 'changed', reason, digest, certificate };
}

/** Checks whether a document is unchanged since it was signed. Undecidable is `unknown`, never `changed`. */
export async function checkContent(xml: string, kind: DocumentKind): Promise<ContentCheck> {
  // Also matches a name inside a comment: the result is then unknown, never unchanged.
  const has = (name: string) => new RegExp(`<(?:[^\\s<>/:]+:)?${name}[\\s/>]`).test(xml);
  const name = signedElements[kind]?.find(has);
  return name === undefined ? { result: 'unknown', reason: 'not_signed' } : checkElement(xml, name);
}

/** Evidence for a document's authorisation, except facts that only the service has. */
export type AuthorizationCheck = ReturnType<typeof checkAuthorization>;

const keyProblems = /^(?:key_|protocol_against_key$)/;

/** The protocol is unsigned, so it can only contradict. Only the service's reply for the key, `asked`, can confirm. */
export function checkAuthorization(
  xml: string,
  summary: DocumentSummary,
  { result: content, digest }: Pick<ContentCheck, 'result' | 'digest'>,
  asked: DocumentStatus | undefined,
) {
  const [inProtocol] = elementsNamed(readTree(xml), 'infProt').flatMap((one) => textAt(one, 'digVal') ?? []);
  const isOfSigned = digest === undefined || inProtocol === undefined ? undefined : digest === inProtocol;
  const protocol_matches = isOfSigned && content !== 'unchanged' ? undefined : isOfSigned;
  const hasKey = summary.key !== undefined;
  const key_matches = hasKey ? !summary.warnings.some(({ code }) => keyProblems.test(code)) : undefined;
  const isContradicted =
    protocol_matches === false || key_matches === false || isVoid(asked) || isVoid(summary.status);
  const known = asked === 'authorized' ? 'confirmed' : 'unknown';
  const result = isContradicted ? 'contradicted' : known;
  // `protocol_matches`: `digVal` is that of this content. `key_matches`: the key fits the document.
  return { result, protocol_matches, key_matches } as const;
}
