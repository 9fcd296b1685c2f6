import { describe, expect, it } from 'vitest';
import { checkContent } from '../../../src/documents/signatures/content.ts';
import { checkSigner } from '../../../src/documents/signatures/signer.ts';
import {
  makeIssuer,
  nfeSuite,
  nfseSuite,
  signatureOver,
  type TestCertificate,
} from '../../support/signed-documents.ts';
import { one } from '../one-document.ts';

const provider = '58716523000119';
const namespace = 'xmlns="http://www.sped.fazenda.gov.br/nfse"';
const key = '35503082258716523000119000000000001226011357924683';
/** Certificates are generated now and valid from now on. */
const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

const issuer = makeIssuer();
const server = issuer.issue('*.nfse.gov.br');
const company = issuer.issue(`PRESTADORA LTDA:${provider}`, provider);
const city = issuer.issue('MUNICIPIO DE EXEMPLO:18715383000140', '18715383000140');

/** Canonical once its namespace is inserted. */
const declaration = (value: string) =>
  '<infDPS Id="DPS355030825871652300011900001000000000000012"><tpAmb>1</tpAmb><tpEmit>1</tpEmit>' +
  `<prest><CNPJ>${provider}</CNPJ></prest><toma><CNPJ>11222333000181</CNPJ><xNome>TOMADORA</xNome></toma>` +
  `<valores><vServPrest><vServ>${value}</vServ></vServPrest></valores></infDPS>`;
const withNamespace = (element: string, name: string) => element.replace(`<${name}`, `<${name} ${namespace}`);

/** Both signatures of the layout: the provider's of the declaration, the authority's of the whole. */
function national({ net = '95.00', by = server } = {}) {
  const declared = declaration('100.00');
  const own = signatureOver(
    withNamespace(declared, 'infDPS'),
    'DPS355030825871652300011900001000000000000012',
    company,
  );
  const whole =
    `<infNFSe Id="NFS${key}"><nNFSe>12</nNFSe><cStat>100</cStat><dhProc>${day}T10:00:00-03:00</dhProc>` +
    `<emit><CNPJ>${provider}</CNPJ><xNome>PRESTADORA</xNome></emit><valores><vLiq>${net}</vLiq></valores>` +
    `<DPS versao="1.01">${declared}${own}</DPS></infNFSe>`;
  const signature = signatureOver(withNamespace(whole, 'infNFSe'), `NFS${key}`, by, { suite: nfseSuite });
  return { xml: `<NFSe ${namespace} versao="1.01">${whole}${signature}</NFSe>`, signature };
}

function abrasf(by: TestCertificate, value = '250.00') {
  const space = 'xmlns="http://www.abrasf.org.br/nfse.xsd"';
  const info =
    `<InfNfse Id="nfse77"><Numero>77</Numero><CodigoVerificacao>A1B2</CodigoVerificacao><DataEmissao>${day}T09:00:00</DataEmissao>` +
    `<ValoresNfse><ValorLiquidoNfse>${value}</ValorLiquidoNfse></ValoresNfse><PrestadorServico><IdentificacaoPrestador>` +
    `<CpfCnpj><Cnpj>${provider}</Cnpj></CpfCnpj></IdentificacaoPrestador><RazaoSocial>PRESTADORA</RazaoSocial></PrestadorServico>` +
    '<DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico><Servico><Valores><ValorServicos>250.00</ValorServicos>' +
    '</Valores><Discriminacao>CONSULTORIA</Discriminacao></Servico></InfDeclaracaoPrestacaoServico>' +
    '</DeclaracaoPrestacaoServico></InfNfse>';
  const signature = signatureOver(info.replace('<InfNfse', `<InfNfse ${space}`), 'nfse77', by, {
    suite: nfeSuite,
  });
  return `<CompNfse ${space}><Nfse versao="2.01">${info}${signature}</Nfse></CompNfse>`;
}

async function verdict(xml: string) {
  const { result, form, reason, certificate } = await checkContent(xml, 'nfse');
  const document = one(xml);
  const { result: signer, by, id } = checkSigner(certificate, document, undefined);
  return { result, form, reason, signer, by, id };
}

describe('a national NFS-e with both signatures', () => {
  it("is unchanged by the authority's, whose server is known by its name", async () => {
    const { xml } = national();
    const as = { result: 'unchanged', reason: undefined, signer: 'matches', by: 'national', id: undefined };
    expect(await verdict(xml)).toEqual({ ...as, form: 'as_is' });
    expect(await verdict(`<r xmlns:xsi="urn:x">${xml}</r>`)).toEqual({ ...as, form: 'as_is' });
    const spread = xml.replaceAll('><', '>\n<');
    expect(await verdict(spread)).toEqual({ ...as, form: 'without_blanks' });
  });

  it('signed by a city names the city, and nobody is said to differ', async () => {
    expect(await verdict(national({ by: city }).xml)).toMatchObject({
      result: 'unchanged',
      signer: 'unknown',
      id: '18715383000140',
    });
  });

  it.each('nfse.gov.br.example.com xnfse.gov.br www.nfse.gov.br.'.split(' '))(
    'is not of the national server: %s',
    async (name) => {
      // Every certificate without a CNPJ generated here has an alternative name of the server.
      const other = issuer.issue(name, '11222333000181');
      expect(await verdict(national({ by: other }).xml)).toMatchObject({
        result: 'unchanged',
        signer: 'unknown',
      });
    },
    60_000,
  );

  it('is changed by another value, outside of the declaration or in it', async () => {
    const { xml } = national();
    for (const [from, to] of [
      ['<vLiq>95.00', '<vLiq>99.00'],
      ['<vServ>100.00', '<vServ>900.00'],
    ] as const) {
      expect(await verdict(xml.replace(from, to))).toMatchObject({ result: 'changed', reason: 'digest' });
    }
  });

  it('is not vouched for by the declaration alone, which says nothing of the rest', async () => {
    const { xml, signature } = national();
    const stripped = xml.replace(signature, '').replace('<vLiq>95.00', '<vLiq>1.00');
    expect(await verdict(stripped)).toMatchObject({ result: 'unknown', reason: 'not_signed' });
    const taken = /<Signature[\s\S]*?<\/Signature>/.exec(stripped)?.[0] ?? '';
    const moved = stripped.replace(taken, '').replace('</infNFSe>', `</infNFSe>${taken}`);
    expect(await verdict(moved)).toMatchObject({ result: 'unknown', reason: 'other_element_signed' });
  });

  it('of two notes in one text is unknown: the text does not say which is meant', async () => {
    const { xml } = national();
    expect(await checkContent(`<l>${xml}${xml}</l>`, 'nfse')).toMatchObject({
      reason: 'several_signed_elements',
    });
  });
});

it('an ABRASF NFS-e signed by its city is unchanged, and names the city', async () => {
  expect(await verdict(abrasf(city))).toEqual({
    result: 'unchanged',
    form: 'as_is',
    reason: undefined,
    signer: 'unknown',
    by: 'issuer',
    id: '18715383000140',
  });
});

it('an ABRASF NFS-e signed by its provider matches, and is changed by one cent', async () => {
  const xml = abrasf(company);
  expect(await verdict(xml)).toMatchObject({ result: 'unchanged', signer: 'matches', id: provider });
  expect(await verdict(xml.replace('<ValorServicos>250.00', '<ValorServicos>250.01'))).toMatchObject({
    result: 'changed',
    reason: 'digest',
  });
});
