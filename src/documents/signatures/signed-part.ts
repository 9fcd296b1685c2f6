import type { Facts, NamesIn } from '../problems.ts';
import { allElements, treeIfWellFormed, type XmlElement } from '../xml/tree.ts';
import { createXmlReader } from '../xml/xml.ts';

/** Reasons a signature can't be verified. None of them means that the document is false. */
export type Objection =
  | NamesIn<'not_signed not_well_formed too_large several_signed_elements several_signatures'>
  | NamesIn<'several_references other_element_signed duplicate_id comments algorithms transforms key_info'>
  | 'certificate';

/**
 * The signed part and its signature, as in the text: the signed element, its parent, which also contains the signature,
 * and the certificate in base64 of its DER.
 */
export type SignedPart = Required<Facts<'element holder signature digest certificate'>>;

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

const canonicalizations = [C14N, `${C14N}#WithComments`, EXCLUSIVE, `${EXCLUSIVE}WithComments`];
/** Algorithms used by fiscal documents; any other, such as XSLT, is refused. */
const allowed = {
  signature: [`${DSIG}rsa-sha1`, `${MORE}rsa-sha256`, `${MORE}rsa-sha512`],
  digest: [`${DSIG}sha1`, `${ENCRYPTION}sha256`, `${ENCRYPTION}sha512`],
  transform: [`${DSIG}enveloped-signature`, ...canonicalizations],
} as const;

const MOST_TRANSFORMS = 4;
/** Canonicalisation takes about two seconds per million characters, for every form of the text. */
const LARGEST = 3 * 1024 ** 2;
const idNames = ['Id', 'id', 'ID'] as const;

function idsOf({ attributes }: XmlElement): string[] {
  return idNames.flatMap((name) => attributes[name] ?? []);
}

const named = (elements: readonly XmlElement[], name: string) => elements.filter((one) => one.name === name);

/** The only child with this name; undefined if there is none or more than one. */
function only(element: XmlElement | undefined, name: string): XmlElement | undefined {
  const found = named(element?.children ?? [], name);
  return found.length === 1 ? found[0] : undefined;
}

const algorithmOf = (element: XmlElement | undefined): string => element?.attributes.Algorithm ?? '';

function isAllowed(kind: keyof typeof allowed, algorithm: string): boolean {
  return allowed[kind].some((one) => one === algorithm);
}

function areTransformsAllowed(reference: XmlElement): boolean {
  const lists = named(reference.children, 'Transforms');
  const transforms = lists.flatMap(({ children }) => children);
  const areKnown = transforms.every(
    (one) =>
      one.name === 'Transform' && isAllowed('transform', algorithmOf(one)) && one.children.length === 0,
  );
  return areKnown && lists.length <= 1 && transforms.length <= MOST_TRANSFORMS;
}

/** CDATA is excluded: it contains no markup. */
function hasComments(text: string): boolean {
  return /<!--|<\?/.test(text.replace(/<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/g, ''));
}

/** The certificate, if the key information contains exactly one and no other key reference. */
function certificateIn(signature: XmlElement): string | undefined {
  const info = only(signature, 'KeyInfo');
  if (info?.children.length !== 1) return undefined;
  const data = only(info, 'X509Data');
  const certificates = named(data?.children ?? [], 'X509Certificate');
  return certificates.length === 1 ? certificates[0]?.text.replace(/\s+/g, '') : undefined;
}

/** The signature next to a signed element, or the reason it can't be verified. */
function signatureBeside(
  holder: XmlElement,
  element: XmlElement,
  all: readonly XmlElement[],
): XmlElement | Objection {
  const signatures = named(holder.children, 'Signature');
  const [signature] = signatures;
  if (signature === undefined) return 'not_signed';
  if (signatures.length > 1) return 'several_signatures';
  const [id] = idsOf(element);
  const references = named(only(signature, 'SignedInfo')?.children ?? [], 'Reference');
  if (references.length > 1) return 'several_references';
  if (id === undefined || references[0]?.attributes.URI !== `#${id}`) return 'other_element_signed';
  return all.flatMap(idsOf).filter((one) => one === id).length === 1 ? signature : 'duplicate_id';
}

/** Finds the signed part by the element's name, not by the signature's reference. Source: docs/fiscal/signatures.md. */
export function signedPart(xml: string, name: string): SignedPart | Objection {
  if (xml.length > LARGEST) return 'too_large';
  const tree = treeIfWellFormed(xml);
  if (tree === undefined) return 'not_well_formed';
  const all = allElements(tree);
  // The authority's reply to an event contains an unsigned element with the same name.
  const holders = all.filter((one) => !/^ret/i.test(one.name));
  const candidates = holders.flatMap((holder) =>
    named(holder.children, name).map((element) => ({ holder, element })),
  );
  const [candidate] = candidates;
  if (candidate === undefined || tree.name === name) return 'not_signed';
  if (candidates.length > 1) return 'several_signed_elements';
  const { holder, element } = candidate;
  const signature = signatureBeside(holder, element, all);
  if (typeof signature === 'string') return signature;
  const info = only(signature, 'SignedInfo');
  const reference = only(info, 'Reference');
  if (reference === undefined) return 'several_references';
  const isKnown =
    canonicalizations.includes(algorithmOf(only(info, 'CanonicalizationMethod'))) &&
    isAllowed('signature', algorithmOf(only(info, 'SignatureMethod'))) &&
    isAllowed('digest', algorithmOf(only(reference, 'DigestMethod')));
  if (!isKnown) return 'algorithms';
  if (!areTransformsAllowed(reference)) return 'transforms';
  const certificate = certificateIn(signature);
  if (certificate === undefined) return 'key_info';
  const part = (one: XmlElement) => xml.slice(one.start, one.end);
  if (hasComments(part(element)) || hasComments(part(signature))) return 'comments';
  return {
    element: part(element),
    holder: part(holder),
    signature: part(signature),
    digest: only(reference, 'DigestValue')?.text.trim() ?? '',
    certificate,
  };
}

/** Normalised content of an element: equal for any two notations of the same content. */
export function sayingOf(xml: string): string {
  const parts: string[] = [];
  let text = '';
  const flush = () => {
    if (text.trim() !== '') parts.push(JSON.stringify(text));
    text = '';
  };
  const reader = createXmlReader({
    open(name, attributes) {
      flush();
      const all = Object.entries(attributes).sort(([one], [other]) => (one < other ? -1 : 1));
      parts.push(`<${name} ${JSON.stringify(all)}>`);
    },
    text: (piece) => {
      text += piece;
    },
    close(name) {
      flush();
      parts.push(`</${name}>`);
    },
  });
  reader.write(xml);
  reader.end();
  return parts.join('');
}
