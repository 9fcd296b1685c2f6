import { describe, expect, it } from 'vitest';
import { checkAuthorization, checkContent } from '../../../src/documents/signatures/content.ts';
import { certificatesIn, checkSigner } from '../../../src/documents/signatures/signer.ts';
import { bareNote, ourCompany } from '../../support/filed-documents.ts';
import { makeIssuer, signedNote } from '../../support/signed-documents.ts';
import { one } from '../one-document.ts';

/** Tomorrow: certificates are generated now and valid from now on. */
const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const note = { number: 1, issuer: ourCompany, total: '100.00', day };

const issuer = makeIssuer();
const own = issuer.issue(`HORIZONTE LTDA:${ourCompany}`, ourCompany);
const xml = signedNote(note, own);

const check = async (text: string) => {
  const { result, form, reason } = await checkContent(text, 'nfe');
  return { result, form, reason };
};

describe('the content of a signed note', () => {
  it.each<[what: string, change: (text: string) => string, form: string]>([
    ['with a declaration', (text) => `<?xml version="1.0" encoding="UTF-8"?>${text}`, 'as_is'],
    ['other quotes', (text) => text.replace('versao="4.00"><ide>', "versao='4.00'><ide>"), 'as_is'],
    ['with a numeric entity', (text) => text.replace('ção', '&#231;&#227;o'), 'as_is'],
    [
      'in a wrapper with prefixes of its own',
      (text) => `<soap:Envelope xmlns:soap="urn:s" xmlns:xsi="urn:x">${text}</soap:Envelope>`,
      'own_namespaces',
    ],
    [
      'without the namespace of the note, which the process has',
      (text) => text.replace('<NFe xmlns="http://www.portalfiscal.inf.br/nfe">', '<NFe>'),
      'as_is',
    ],
    ['with blanks between its tags', (text) => text.replaceAll('><', '>\n  <'), 'without_blanks'],
  ])('is unchanged %s', async (_, change, form) => {
    expect(await check(change(xml))).toEqual({ result: 'unchanged', form, reason: undefined });
  });

  it.each<[what: string, change: (text: string) => string]>([
    ['one cent', (text) => text.replace('<vNF>100.00</vNF>', '<vNF>100.01</vNF>')],
    ['blanks inside a value', (text) => text.replace('<xProd>Parafuso', '<xProd> Parafuso')],
    [
      'the digest with the content',
      (text) =>
        text
          .replace('<vNF>100.00</vNF>', '<vNF>1.00</vNF>')
          .replace(/<DigestValue>..../, '<DigestValue>AAAA'),
    ],
  ])('is changed by %s', async (_, change) => {
    expect(await check(change(xml))).toMatchObject({ result: 'changed', reason: 'digest' });
  });

  it('is changed where the signature is of another certificate', async () => {
    const other = issuer.issue('OUTRA LTDA:11222333000181', '11222333000181');
    const foreign = /<X509Certificate>.*?<\/X509Certificate>/.exec(signedNote(note, other))?.[0] ?? '';
    expect(await check(xml.replace(/<X509Certificate>.*?<\/X509Certificate>/, foreign))).toMatchObject({
      result: 'changed',
      reason: 'signature',
    });
  });
});

describe('a signature that vouches for something else', () => {
  const elementIn = (text: string) => /<infNFe[\s\S]*<\/infNFe>/.exec(text)?.[0] ?? '';
  const forgedElement = () => elementIn(bareNote({ ...note, total: '999999.00' }));
  const original = () => elementIn(xml);
  const renamed = () => original().replaceAll('infNFe', 'other');
  const withObject = (element: string, object: string) =>
    xml.replace(original(), element).replace('</KeyInfo>', `</KeyInfo><Object>${object}</Object>`);

  it.each([
    [
      'the original beside the forged one',
      () => xml.replace(original(), forgedElement() + original()),
      'several_signed_elements',
    ],
    [
      'the original hidden in an Object of the signature',
      () => withObject(forgedElement(), original()),
      'several_signed_elements',
    ],
    [
      'the original renamed and the forged one without its Id',
      () => withObject(forgedElement().replace(/ Id="[^"]*"/, ''), renamed()),
      'other_element_signed',
    ],
    ['the same Id twice', () => withObject(forgedElement(), renamed()), 'duplicate_id'],
    [
      'two references',
      () => xml.replace('</Reference>', '</Reference><Reference URI="#x"></Reference>'),
      'several_references',
    ],
    [
      'two signatures',
      () => xml.replace(/<Signature[\s\S]*<\/Signature>/, (found) => found + found),
      'several_signatures',
    ],
    ['a comment inside a value', () => xml.replace('<vNF>100.00', '<vNF>1<!-- -->00.00'), 'comments'],
    ['an instruction inside', () => xml.replace('<vNF>', '<?php x ?><vNF>'), 'comments'],
    [
      'a transform that picks',
      () => xml.replace(/"[^"]*enveloped-signature"/, '"http://www.w3.org/TR/1999/REC-xpath-19991116"'),
      'transforms',
    ],
    ['an algorithm that anyone can compute', () => xml.replace('#rsa-sha1', '#hmac-sha1'), 'algorithms'],
    [
      'a key of its own',
      () => xml.replace('<KeyInfo>', '<KeyInfo><KeyValue><RSAKeyValue/></KeyValue>'),
      'key_info',
    ],
    [
      'a whole document that is signed instead of the part',
      () => xml.replace(/URI="#[^"]*"/, 'URI=""'),
      'other_element_signed',
    ],
    ['no certificate', () => xml.replace(/<X509Certificate>..../, '<X509Certificate>!!!!'), 'certificate'],
    ['a DOCTYPE', () => `<!DOCTYPE a>${xml}`, 'not_well_formed'],
  ])('is refused: %s', async (_, forge, reason) => {
    const text = forge();
    expect(text).not.toBe(xml);
    expect(await check(text)).toEqual({ result: 'unknown', form: undefined, reason });
  });
});

describe('the signer', () => {
  const signer = async (text: string, store?: string) => {
    const { certificate } = await checkContent(text, 'nfe');
    return checkSigner(certificate, one(text), store === undefined ? undefined : certificatesIn(store));
  };

  it('matches by the CNPJ in the certificate, of the company or another of its branches', async () => {
    expect(await signer(xml)).toEqual({
      result: 'matches',
      id: ourCompany,
      name: 'HORIZONTE LTDA',
      valid_at_issue: true,
      chain: 'not_checked',
      by: 'issuer',
    });
    const branch = issuer.issue('FILIAL', '48152036000206');
    expect(await signer(signedNote(note, branch))).toMatchObject({ result: 'matches', id: '48152036000206' });
    const stranger = issuer.issue('OUTRA', '11222333000181');
    expect(await signer(signedNote(note, stranger))).toMatchObject({
      result: 'differs',
      id: '11222333000181',
    });
    const nobody = issuer.issue('SERVIDOR');
    expect(await signer(signedNote(note, nobody))).toMatchObject({ result: 'unknown', id: undefined });
  });

  it('is trusted up to a root of the store, and by no other', async () => {
    expect(await signer(xml, issuer.root.certificate)).toMatchObject({ chain: 'trusted' });
    expect(await signer(xml, makeIssuer().root.certificate)).toMatchObject({ chain: 'untrusted' });
    expect(await signer(xml, own.certificate)).toMatchObject({ chain: 'untrusted' });
  });

  it('is looked at for the day of issue', async () => {
    const early = signedNote({ ...note, day: '2011-01-05' }, own);
    expect(await signer(early)).toMatchObject({ valid_at_issue: false });
  });
});

describe('the authorisation', () => {
  const authorization = async (text: string, asked?: 'authorized' | 'cancelled') => {
    return checkAuthorization(text, one(text), await checkContent(text, 'nfe'), asked);
  };

  it('is contradicted by the protocol of another content, and by a key that says something else', async () => {
    const mixed = xml.replace(/<digVal>..../, '<digVal>AAAA');
    expect(await authorization(mixed, 'authorized')).toMatchObject({
      result: 'contradicted',
      protocol_matches: false,
    });
    const dearer = xml.replace('<vNF>100.00', '<vNF>900.00');
    expect(await authorization(dearer)).toEqual({ result: 'unknown', key_matches: true });
    const unread = xml.replace(/<X509Certificate>..../, '<X509Certificate>!!!!');
    expect(await authorization(unread)).toEqual({ result: 'unknown', key_matches: true });
    const renumbered = xml.replace('<nNF>1</nNF>', '<nNF>2</nNF>');
    expect(await authorization(renumbered)).toMatchObject({ result: 'contradicted', key_matches: false });
  });

  it('is contradicted by a cancellation or a denial, in the file or at the service', async () => {
    const denied = xml.replace('<cStat>100<', '<cStat>110<');
    expect(await authorization(denied)).toMatchObject({ result: 'contradicted' });
    expect(await authorization(denied, 'authorized')).toMatchObject({ result: 'contradicted' });
    expect(await authorization(xml, 'cancelled')).toMatchObject({ result: 'contradicted' });
    expect(await authorization(xml, 'authorized')).toMatchObject({ result: 'confirmed' });
  });
});
