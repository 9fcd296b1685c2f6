import { execFileSync } from 'node:child_process';
import { createHash, createSign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './built-program.ts';
import { bareNote, type FiledNote, keyOf } from './filed-documents.ts';

/** A certificate with its private key, made for a test. */
export interface TestCertificate {
  readonly key: string;
  /** PEM. */
  readonly certificate: string;
}

/** Certificates of a company as ICP-Brasil writes them, and of the root that issued it. */
export interface TestIssuer {
  readonly root: TestCertificate;
  issue(name: string, cnpj?: string, days?: string): TestCertificate;
}

/** Enough for the checks of signatures, and generated in a tenth of the time of a key of 2048 bits. */
const shortKey = 'rsa:1024';

/** Makes a root, and certificates by it, with the program `openssl`. */
export function makeIssuer(): TestIssuer {
  const folder = temporaryFolder().path;
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const read = (name: string): TestCertificate => ({
    key: readFileSync(path(`${name}.key`), 'utf8'),
    certificate: readFileSync(path(`${name}.pem`), 'utf8'),
  });
  const files = (name: string, out: string) => [
    '-keyout',
    path(`${name}.key`),
    '-out',
    path(`${name}.${out}`),
  ];
  const request = ['-newkey', shortKey, '-nodes'];
  const isRoot = [
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-days',
    '7300',
    '-subj',
    '/CN=Raiz de teste',
  ];
  openssl('req', '-x509', ...request, ...isRoot, ...files('root', 'pem'));
  const root = read('root');
  let made = 0;
  return {
    root,
    issue(name, cnpj, days = '3650') {
      const file = `leaf${made++}`;
      openssl('req', '-new', ...request, '-subj', `/CN=${name}`, ...files(file, 'csr'));
      const names = cnpj === undefined ? 'DNS:www.nfse.gov.br' : `otherName:2.16.76.1.3.3;UTF8:${cnpj}`;
      writeFileSync(path(`${file}.ext`), `subjectAltName=${names}`);
      openssl(
        ...['x509', '-req', '-in', path(`${file}.csr`), '-CA', path('root.pem'), '-CAkey', path('root.key')],
        ...['-CAcreateserial', '-days', days, '-extfile', path(`${file}.ext`), '-out', path(`${file}.pem`)],
      );
      return read(file);
    },
  };
}

const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const NFE = 'http://www.portalfiscal.inf.br/nfe';

/** The algorithms of a signature, as a layout asks for them. */
export interface SignatureSuite {
  readonly hash: 'sha1' | 'sha256';
  readonly signature: string;
  readonly digest: string;
  /** Canonicalisation of the element and of its signed part. */
  readonly form: string;
}

/** Source: MOC NF-e 7.0, item 3.2.3. */
export const nfeSuite: SignatureSuite = {
  hash: 'sha1',
  signature: `${DSIG}rsa-sha1`,
  digest: `${DSIG}sha1`,
  form: C14N,
};

/** As the national NFS-e's own server signs. Source: XML Signature Syntax 1.1; Exclusive XML Canonicalization 1.0. */
export const nfseSuite: SignatureSuite = {
  hash: 'sha256',
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
  form: 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
};

function base64Of({ certificate }: TestCertificate): string {
  return certificate.replace(/-----[^-]+-----|\s/g, '');
}

/**
 * A signature over an element that is written in its canonical form already: the hashed text is assembled here by
 * hand, with the namespace in its place. Source: Canonical XML 1.0, XML Signature Syntax 1.0.
 */
export function signatureOver(
  canonical: string,
  id: string,
  by: TestCertificate,
  { more = '', suite = nfeSuite }: { more?: string; suite?: SignatureSuite } = {},
): string {
  const digest = createHash(suite.hash).update(canonical).digest('base64');
  const content =
    `<CanonicalizationMethod Algorithm="${suite.form}"></CanonicalizationMethod>` +
    `<SignatureMethod Algorithm="${suite.signature}"></SignatureMethod><Reference URI="#${id}"><Transforms>` +
    `<Transform Algorithm="${DSIG}enveloped-signature"></Transform><Transform Algorithm="${suite.form}"></Transform></Transforms>` +
    `<DigestMethod Algorithm="${suite.digest}"></DigestMethod><DigestValue>${digest}</DigestValue></Reference>${more}`;
  const value = createSign(suite.hash === 'sha1' ? 'RSA-SHA1' : 'RSA-SHA256')
    .update(`<SignedInfo xmlns="${DSIG}">${content}</SignedInfo>`)
    .sign(by.key, 'base64');
  return (
    `<Signature xmlns="${DSIG}"><SignedInfo>${content}</SignedInfo><SignatureValue>${value}</SignatureValue>` +
    `<KeyInfo><X509Data><X509Certificate>${base64Of(by)}</X509Certificate></X509Data></KeyInfo></Signature>`
  );
}

/** The element that is signed in a note, as it is hashed. */
function canonicalNote(note: FiledNote): string {
  const element = /<infNFe[\s\S]*<\/infNFe>/.exec(bareNote(note))?.[0] ?? '';
  return element.replace(
    /^<infNFe versao="4.00" Id="(.*?)">/,
    `<infNFe xmlns="${NFE}" Id="$1" versao="4.00">`,
  );
}

/** A note that its issuer signed and the authority authorised. */
export function signedNote(note: FiledNote, by: TestCertificate, more = ''): string {
  const key = keyOf(note);
  const signature = signatureOver(canonicalNote(note), `NFe${key}`, by, { more });
  const digest = /<DigestValue>(.*?)<\/DigestValue>/.exec(signature)?.[1] ?? '';
  const body = bareNote(note).replace('</infNFe></NFe>', `</infNFe>${signature}</NFe>`);
  const { day = '2026-10-05' } = note;
  return (
    `<nfeProc xmlns="${NFE}" versao="4.00">${body}<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>${key}</chNFe>` +
    `<dhRecbto>${day}T10:00:05-03:00</dhRecbto><nProt>135260000000001</nProt><digVal>${digest}</digVal><cStat>100</cStat>` +
    '</infProt></protNFe></nfeProc>'
  );
}
