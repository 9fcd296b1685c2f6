import { X509Certificate } from 'node:crypto';
import { isAvulsa } from '../identity/keys.ts';
import type { DocumentSummary } from '../summary/summary.ts';
import { cleanText, longest } from '../untrusted.ts';

/** The signer named in a certificate, and evidence for the certificate. */
export interface SignerCheck {
  readonly result: 'matches' | 'differs' | 'unknown';
  readonly id?: string;
  readonly name?: string;
  readonly valid_at_issue?: boolean;
  /** Up to a root in the given store. */
  readonly chain: 'trusted' | 'untrusted' | 'not_checked';
  /** `national`: the server of the national NFS-e. `authority`: signed by an authority instead of the issuer. */
  readonly by?: 'issuer' | 'national' | 'authority';
}

/** ICP-Brasil, DOC-ICP-04: CNPJ of a company; data of a person, with the CPF from the ninth position. */
const cnpjOid = Buffer.from('0605604c010303', 'hex');
const personOid = Buffer.from('0605604c010301', 'hex');

/** Text of any string type within the context tag after an object identifier in a certificate. */
function textAfter(der: Buffer, oid: Buffer): string | undefined {
  const at = der.indexOf(oid);
  if (at === -1) return undefined;
  const value = at + oid.length;
  if (der[value] !== 0xa0) return undefined;
  const length = der[value + 3];
  if (length === undefined || length > 0x7f) return undefined;
  return der.subarray(value + 4, value + 4 + length).toString('latin1');
}

function commonNameOf({ subject }: X509Certificate): string | undefined {
  return /^CN=(.*)$/m.exec(subject)?.[1];
}

/** The tax id in a certificate; undefined if it has none, as in server certificates. */
function taxIdIn(certificate: X509Certificate): string | undefined {
  const cnpj = textAfter(certificate.raw, cnpjOid)?.trim();
  if (cnpj !== undefined && /^[0-9A-Z]{12}\d{2}$/.test(cnpj)) return cnpj;
  const cpf = textAfter(certificate.raw, personOid)?.slice(8, 19);
  if (cpf !== undefined && /^\d{11}$/.test(cpf) && !/^0+$/.test(cpf)) return cpf;
  return /:([0-9A-Z]{12}\d{2}|\d{11})$/.exec(commonNameOf(certificate) ?? '')?.[1];
}

/** The server of the national NFS-e signs with a web server certificate. */
function isNationalServer(certificate: X509Certificate): boolean {
  const isOurs = (host: string) => host === 'nfse.gov.br' || host.endsWith('.nfse.gov.br');
  const others = (certificate.subjectAltName ?? '').matchAll(/DNS:([^\s,]+)/g);
  const names = [commonNameOf(certificate) ?? '', ...[...others].map(([, name = '']) => name)];
  return names.some((name) => isOurs(name.replace(/^\*\./, '').toLowerCase()));
}

/** Certificates in a PEM file; empty if it contains none. */
export function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?(?:-----END CERTIFICATE-----|$)/g) ?? [];
  const whole = blocks.filter((block) => block.endsWith('-----END CERTIFICATE-----'));
  return whole.map((block) => new X509Certificate(block));
}

const LONGEST_CHAIN = 8;

/** True if a certificate chains up to a root in a store, via intermediates in the same store. */
function isTrusted(certificate: X509Certificate, store: readonly X509Certificate[]): boolean {
  let current = certificate;
  for (let step = 0; step < LONGEST_CHAIN; step++) {
    const issuer = store.find((one) => one.ca && current.checkIssued(one) && current.verify(one.publicKey));
    if (issuer === undefined) return false;
    if (issuer.checkIssued(issuer)) return issuer.verify(issuer.publicKey);
    current = issuer;
  }
  return false;
}

/** True for the same person, or establishments of one company. */
function isSame(id: string, other: string): boolean {
  return id === other || (id.length === 14 && other.length === 14 && id.slice(0, 8) === other.slice(0, 8));
}

/** Tax id of the expected signer; undefined if an authority signs for others. */
function expectedSigner({ kind, issuer, event, series }: DocumentSummary): string | undefined {
  if (kind === 'event') return event?.author;
  // Notes issued by an authority for others. Source: MOC NF-e 7.0, field serie.
  const isOfAuthority = (kind === 'nfe' || kind === 'nfce') && isAvulsa(series ?? '');
  return isOfAuthority ? undefined : issuer?.id;
}

function isValidAt(certificate: X509Certificate, moment: string | undefined): boolean | undefined {
  const at = Date.parse(moment ?? '');
  if (Number.isNaN(at)) return undefined;
  return at >= Date.parse(certificate.validFrom) && at <= Date.parse(certificate.validTo);
}

/** Compares the holder of a certificate with the parties of the document. */
export function checkSigner(
  certificate: X509Certificate | undefined,
  document: DocumentSummary,
  store: readonly X509Certificate[] | undefined,
): SignerCheck {
  if (certificate === undefined) return { result: 'unknown', chain: 'not_checked' };
  const id = taxIdIn(certificate);
  const expected = expectedSigner(document);
  const isNational = document.kind === 'nfse' && isNationalServer(certificate);
  const isKnown = id !== undefined && expected !== undefined;
  const result = isNational ? 'matches' : !isKnown ? 'unknown' : isSame(id, expected) ? 'matches' : 'differs';
  const moment = document.event?.at ?? document.issued_at;
  const by = isNational ? 'national' : expected === undefined ? 'authority' : 'issuer';
  return {
    // A note signed by a city on a provider's behalf has the city as signer.
    result: document.kind === 'nfse' && !isNational && result === 'differs' ? 'unknown' : result,
    id,
    name: cleanText((commonNameOf(certificate) ?? '').replace(/:[0-9A-Z]+$/, ''), longest.name),
    valid_at_issue: isValidAt(certificate, moment),
    chain: store === undefined ? 'not_checked' : isTrusted(certificate, store) ? 'trusted' : 'untrusted',
    by,
  };
}
