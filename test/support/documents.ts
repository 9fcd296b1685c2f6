/**
 * Small documents and the service's replies that carry them, as far as its form is known (docs/upstream-services.md).
 * Check digits are computed here a second time, so that tests do not lean on the code they test.
 */

export const company = '11222333000181';
export const supplier = '58716523000119';
export const alphanumericCompany = '12ABC34501DE35';

/** The check digit of 43 positions: ASCII less 48, weights 2 to 9 from the right. Source: docs/fiscal/keys.md. */
function keyCheckDigit(first43: string): number {
  const sum = [...first43]
    .reverse()
    .reduce((total, character, i) => total + (character.charCodeAt(0) - 48) * (2 + (i % 8)), 0);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

export interface KeyParts {
  readonly number: number;
  readonly issuer?: string;
  readonly model?: string;
  readonly series?: string;
  /** Of issue, `YYYY-MM-DD`. */
  readonly day?: string;
}

const ISSUED = '2026-11-05';

/** A valid access key of São Paulo, by default of November 2026 and series 1. */
export function accessKey({
  number,
  issuer = supplier,
  model = '55',
  series = '1',
  day = ISSUED,
}: KeyParts): string {
  const padded = String(number).padStart(9, '0');
  const month = day.slice(2, 4) + day.slice(5, 7);
  const first43 = `35${month}${issuer}${model}${series.padStart(3, '0')}${padded}1${padded.slice(1)}`;
  return `${first43}${keyCheckDigit(first43)}`;
}

/** The same key with a check digit that is wrong. */
export const withOtherDigit = (key: string, plus = 1): string =>
  `${key.slice(0, 43)}${(Number(key.at(-1)) + plus) % 10}`;

/** A number of keys, by default numbered from 1. */
export function accessKeys(
  count: number,
  { first = 1, ...parts }: Omit<KeyParts, 'number'> & { readonly first?: number } = {},
): string[] {
  return Array.from({ length: count }, (_, i) => accessKey({ ...parts, number: first + i }));
}

export interface Note extends Omit<KeyParts, 'model'> {
  readonly issuerName?: string;
  readonly recipient?: string;
  readonly recipientName?: string;
  readonly items?: number;
  readonly description?: string;
}

function nfeItem(number: number, description: string): string {
  return (
    `<det nItem="${number}"><prod><cProd>P${number}</cProd><xProd>${description} ${number}</xProd><NCM>73181500</NCM>` +
    '<CFOP>5102</CFOP><uCom>UN</uCom><qCom>2.0000</qCom><vUnCom>5.0000000000</vUnCom><vProd>10.00</vProd>' +
    '<indTot>1</indTot></prod><imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><vBC>10.00</vBC><pICMS>18.00</pICMS>' +
    '<vICMS>1.80</vICMS></ICMS00></ICMS></imposto></det>'
  );
}

/** An authorised NF-e whose every item is worth 10.00. */
export function nfeXml(note: Note): string {
  const { number, series = '1', day = ISSUED, issuer = supplier, recipient = company, items = 1 } = note;
  const key = accessKey({ number, issuer, series, day });
  const total = `${items * 10}.00`;
  const lines = Array.from({ length: items }, (_, i) => nfeItem(i + 1, note.description ?? 'Parafuso aço'));
  return (
    '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe>' +
    `<infNFe Id="NFe${key}" versao="4.00"><ide><cUF>35</cUF><natOp>Venda</natOp><mod>55</mod><serie>${series}</serie>` +
    `<nNF>${number}</nNF><dhEmi>${day}T10:00:00-03:00</dhEmi><tpNF>1</tpNF><tpAmb>1</tpAmb></ide>` +
    `<emit><CNPJ>${issuer}</CNPJ><xNome>${note.issuerName ?? 'Metalúrgica Ação Ltda'}</xNome>` +
    '<enderEmit><UF>SP</UF></enderEmit></emit>' +
    `<dest><CNPJ>${recipient}</CNPJ><xNome>${note.recipientName ?? 'Comercial Exemplo S.A.'}</xNome></dest>` +
    `${lines.join('')}<total><ICMSTot><vProd>${total}</vProd><vNF>${total}</vNF></ICMSTot></total></infNFe></NFe>` +
    `<protNFe versao="4.00"><infProt><chNFe>${key}</chNFe><dhRecbto>${day}T10:00:05-03:00</dhRecbto>` +
    '<nProt>135260000000001</nProt><cStat>100</cStat></infProt></protNFe></nfeProc>'
  );
}

/** An authorised CT-e worth 100.00, of the notes it carries. */
export function cteXml(
  { number, day = ISSUED, issuer = supplier, recipient = company }: Note,
  carried: readonly string[] = [],
): string {
  const key = accessKey({ number, issuer, day, model: '57' });
  return (
    '<cteProc xmlns="http://www.portalfiscal.inf.br/cte" versao="4.00"><CTe>' +
    `<infCte Id="CTe${key}" versao="4.00"><ide><cUF>35</cUF><CFOP>5353</CFOP><natOp>Transporte</natOp><mod>57</mod>` +
    `<serie>1</serie><nCT>${number}</nCT><dhEmi>${day}T10:00:00-03:00</dhEmi><tpAmb>1</tpAmb><modal>01</modal>` +
    `<toma3><toma>3</toma></toma3></ide><emit><CNPJ>${issuer}</CNPJ><xNome>Transportadora Rápida</xNome></emit>` +
    `<rem><CNPJ>${issuer}</CNPJ><xNome>Remetente</xNome></rem><dest><CNPJ>${recipient}</CNPJ>` +
    '<xNome>Comercial Exemplo S.A.</xNome></dest><vPrest><vTPrest>100.00</vTPrest><vRec>100.00</vRec></vPrest>' +
    `<infCTeNorm><infDoc>${carried.map((key) => `<infNFe><chave>${key}</chave></infNFe>`).join('')}</infDoc></infCTeNorm>` +
    '</infCte></CTe><protCTe versao="4.00"><infProt>' +
    `<chCTe>${key}</chCTe><cStat>100</cStat></infProt></protCTe></cteProc>`
  );
}

/** A municipal (ABRASF) NFS-e worth 300.00. */
export function nfseXml({ number, issuer = supplier, recipient = company }: Note): string {
  return (
    '<CompNfse xmlns="http://www.abrasf.org.br/nfse.xsd"><Nfse versao="2.02"><InfNfse>' +
    `<Numero>${number}</Numero><CodigoVerificacao>A1B2-${number}</CodigoVerificacao>` +
    '<DataEmissao>2026-11-05T09:00:00</DataEmissao>' +
    '<ValoresNfse><BaseCalculo>300.00</BaseCalculo><Aliquota>5.00</Aliquota><ValorIss>15.00</ValorIss>' +
    '<ValorLiquidoNfse>300.00</ValorLiquidoNfse></ValoresNfse>' +
    `<PrestadorServico><RazaoSocial>Consultoria Clara</RazaoSocial></PrestadorServico>` +
    '<DeclaracaoPrestacaoServico><InfDeclaracaoPrestacaoServico><Competencia>2026-11-05</Competencia>' +
    '<Servico><Valores><ValorServicos>300.00</ValorServicos></Valores><IssRetido>2</IssRetido>' +
    '<ItemListaServico>17.01</ItemListaServico><Discriminacao>Consultoria</Discriminacao></Servico>' +
    `<Prestador><CpfCnpj><Cnpj>${issuer}</Cnpj></CpfCnpj></Prestador>` +
    `<Tomador><IdentificacaoTomador><CpfCnpj><Cnpj>${recipient}</Cnpj></CpfCnpj></IdentificacaoTomador>` +
    '<RazaoSocial>Comercial Exemplo S.A.</RazaoSocial></Tomador>' +
    '</InfDeclaracaoPrestacaoServico></DeclaracaoPrestacaoServico></InfNfse></Nfse></CompNfse>'
  );
}

export interface RegisteredEvent {
  readonly key: string;
  readonly code: string;
  readonly at: string;
  /** Who registered it: the tax id of the issuer, or of the company that manifests. */
  readonly author: string;
  readonly sequence?: number;
}

/** An event of a note with its registration. */
export function eventXml({ key, code, at, author, sequence = 1 }: RegisteredEvent): string {
  return (
    '<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><evento versao="1.00">' +
    `<infEvento Id="ID${code}${key}0${sequence}"><cOrgao>35</cOrgao><tpAmb>1</tpAmb><CNPJ>${author}</CNPJ>` +
    `<chNFe>${key}</chNFe><dhEvento>${at}</dhEvento><tpEvento>${code}</tpEvento><nSeqEvento>${sequence}</nSeqEvento>` +
    '<detEvento versao="1.00"><nProt>135260000000001</nProt><xJust>Erro de digitacao no pedido</xJust></detEvento>' +
    '</infEvento></evento><retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><cStat>135</cStat>' +
    `<chNFe>${key}</chNFe><tpEvento>${code}</tpEvento><nSeqEvento>${sequence}</nSeqEvento>` +
    `<dhRegEvento>${at}</dhRegEvento><nProt>135260000009999</nProt></infEvento></retEvento></procEventoNFe>`
  );
}

const answered = '<cStat>100</cStat><xMotivo>OK</xMotivo><dhResp>2026-11-06T10:00:00</dhResp>';

/** A list of keys; the outermost element is literally named `xml`. */
export function keyListReply(keys: readonly string[]): string {
  const entries = keys.map((key) => `<ChaveNFe>${key}</ChaveNFe>`).join('');
  return (
    `<xml version="1.0"><retChavesNfe versao="1.00">${answered}<Quantidade>${keys.length}</Quantidade>` +
    `<retorno>${entries}</retorno></retChavesNfe></xml>`
  );
}

/** The service's answer for a period without documents. */
export const emptyReply =
  '<xml version="1.0"><retChavesNfe versao="1.00"><cStat>137</cStat><xMotivo>Nenhum documento localizado</xMotivo>' +
  '<dhResp>2026-11-06T10:00:00</dhResp><Quantidade>0</Quantidade></retChavesNfe></xml>';

/** A list of identifications of NFS-e. */
export function nfseListReply(numbers: readonly number[], issuer = supplier): string {
  const entries = numbers.map(
    (number) =>
      `<NFSe><NumeroNFe>${number}</NumeroNFe><DataEmissaoNFe>2026-11-05</DataEmissaoNFe><CNPJ>${issuer}</CNPJ></NFSe>`,
  );
  return (
    `<?xml version="1.0" encoding="utf-8"?><retChavesNfse versao="1.00">${answered}` +
    `<Quantidade>${numbers.length}</Quantidade><retorno>${entries.join('')}</retorno></retChavesNfse>`
  );
}

/** One document, with the service's own checks of it. */
export function downloadReply(xml: string): string {
  return (
    `<?xml version="1.0" encoding="utf-8"?><retDownloadNFe versao="1.00">${answered}<retorno>` +
    '<vIntegridade>1</vIntegridade><vSefaz>1</vSefaz><vCadastral>-</vCadastral>' +
    `<Conteudo><![CDATA[<?xml version="1.0" encoding="utf-8"?>${xml}]]></Conteudo></retorno></retDownloadNFe>`
  );
}

/** A list of whole documents. */
export function documentListReply(documents: readonly string[]): string {
  const entries = documents.map((xml) => `<Conteudo><![CDATA[${xml}]]></Conteudo>`).join('');
  return (
    `<?xml version="1.0" encoding="utf-8"?><retListaXml versao="1.00">${answered}` +
    `<Quantidade>${documents.length}</Quantidade><retorno>${entries}</retorno></retListaXml>`
  );
}

/** The smallest file that is a PDF. */
export const pdfBytes = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
