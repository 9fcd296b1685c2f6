import { createBooks } from '../src/sandbox/data/books.ts';
import { dayOfDate, startOf } from '../src/sandbox/data/calendar.ts';
import { largeCompany } from '../src/sandbox/data/parties.ts';

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';
const [from, to] = [startOf(dayOfDate(2026, 1, 1)), startOf(dayOfDate(2027, 1, 1)) - 1];

/** As long as a real one, and no signature of anything. */
function signature(key: string): string {
  const algorithms = ['CanonicalizationMethod', 'SignatureMethod'].map(
    (name) => `<${name} Algorithm="${XMLDSIG}"/>`,
  );
  return (
    `<Signature xmlns="${XMLDSIG}"><SignedInfo>${algorithms.join('')}<Reference URI="#NFe${key}">` +
    `<DigestMethod Algorithm="${XMLDSIG}sha1"/><DigestValue>${'C'.repeat(27)}=</DigestValue></Reference></SignedInfo>` +
    `<SignatureValue>${'A'.repeat(344)}</SignatureValue><KeyInfo><X509Data><X509Certificate>${'B'.repeat(2_600)}` +
    '</X509Certificate></X509Data></KeyInfo></Signature>'
  );
}

/**
 * NF-e of the sandbox's large company in the form that issuers send, always the same for the same seed: some 17 KB each
 * on the average, with 1 to 60 items, signature and certificate.
 */
export function* eachNote(count: number, seed = 1): Generator<string> {
  const books = createBooks(`notes ${seed}`, true, () => to);
  let left = count;
  for (const note of books.nfe.select({ companies: [largeCompany], from, to })) {
    if (left === 0) return;
    left -= 1;
    const xml = books.nfe.xml(note).replace(/<procEventoNFe .*(?=<\/nfeProc>)/s, '');
    yield xml.replace('</infNFe>', `</infNFe>${signature(note.key)}`);
  }
  if (left > 0) yield* eachNote(left, seed + 1_000);
}

/** The same, all at once. */
export function generateNotes(count: number, seed = 1): string[] {
  return [...eachNote(count, seed)];
}
