import { accessKey, eventXml } from './documents.ts';

export const ourCompany = '48152036000117';
export const supplier = '11222333000181';
export const otherSupplier = '58716523000119';

/** What a note of these tests says. */
export interface FiledNote {
  readonly number: number;
  readonly issuer?: string;
  readonly recipient?: string;
  /** `YYYY-MM-DD`. */
  readonly day?: string;
  readonly total?: string;
  readonly model?: '55' | '65';
  /** Whether it goes out; a note of entry doesn't. */
  readonly flow?: '0' | '1';
}

/** The key of a note. */
export const keyOf = ({ number, issuer = supplier, day = '2026-10-05', model }: FiledNote): string =>
  accessKey({ number, issuer, day, model });

/** The note alone, as its issuer has it before it is authorised. */
export function bareNote(note: FiledNote): string {
  const { number, issuer = supplier, recipient = ourCompany, day = '2026-10-05', total = '100.00' } = note;
  const key = keyOf(note);
  return (
    `<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe versao="4.00" Id="NFe${key}"><ide><cUF>35</cUF>` +
    `<natOp>VENDA</natOp><mod>${note.model ?? '55'}</mod><serie>1</serie><nNF>${number}</nNF>` +
    `<dhEmi>${day}T10:00:00-03:00</dhEmi><tpNF>${note.flow ?? '1'}</tpNF><idDest>1</idDest><tpAmb>1</tpAmb><finNFe>1</finNFe></ide>` +
    `<emit><CNPJ>${issuer}</CNPJ><xNome>Fornecedor ${issuer.slice(0, 2)}</xNome><enderEmit><UF>SP</UF></enderEmit><CRT>3</CRT></emit>` +
    `<dest><CNPJ>${recipient}</CNPJ><xNome>Compradora ção</xNome><enderDest><UF>SP</UF></enderDest></dest>` +
    `<det nItem="1"><prod><cProd>1</cProd><xProd>Parafuso</xProd><NCM>73181500</NCM><CFOP>5102</CFOP><uCom>UN</uCom>` +
    `<qCom>1.0000</qCom><vUnCom>${total}</vUnCom><vProd>${total}</vProd></prod><imposto><ICMS><ICMS00><orig>0</orig>` +
    `<CST>00</CST><vBC>0.00</vBC><pICMS>0.00</pICMS><vICMS>0.00</vICMS></ICMS00></ICMS></imposto></det>` +
    `<total><ICMSTot><vBC>0.00</vBC><vICMS>0.00</vICMS><vProd>${total}</vProd><vNF>${total}</vNF></ICMSTot></total>` +
    '<transp><modFrete>9</modFrete></transp></infNFe></NFe>'
  );
}

/** The note with its authorisation. */
export function authorisedNote(note: FiledNote): string {
  const { day = '2026-10-05' } = note;
  return (
    `<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">${bareNote(note)}` +
    `<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>${keyOf(note)}</chNFe><dhRecbto>${day}T10:00:05-03:00</dhRecbto>` +
    `<nProt>135260000${String(note.number).padStart(6, '0')}</nProt><cStat>100</cStat></infProt></protNFe></nfeProc>`
  );
}

/** A registered event of a note, by default a cancellation. */
export function eventFile(note: FiledNote, code = '110111', sequence?: number): string {
  const { issuer = supplier } = note;
  return eventXml({ key: keyOf(note), code, at: '2026-10-06T09:00:00-03:00', author: issuer, sequence });
}

/** Numbers of the company's series 1 that were given up. */
export function givenUpFile(first: number, last: number, company = ourCompany, code = '102'): string {
  const numbers = `<CNPJ>${company}</CNPJ><mod>55</mod><serie>1</serie><nNFIni>${first}</nNFIni><nNFFin>${last}</nNFFin>`;
  return (
    '<?xml version="1.0"?><procInutNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><inutNFe versao="4.00">' +
    `<infInut><tpAmb>1</tpAmb><xServ>INUTILIZAR</xServ><cUF>35</cUF><ano>26</ano>${numbers}<xJust>Falha de sequencia no ERP</xJust></infInut></inutNFe>` +
    `<retInutNFe versao="4.00"><infInut><tpAmb>1</tpAmb><cStat>${code}</cStat><xMotivo>Inutilizacao</xMotivo><cUF>35</cUF><ano>26</ano>${numbers}` +
    '<dhRecbto>2026-10-09T10:00:00-03:00</dhRecbto><nProt>135260000111111</nProt></infInut></retInutNFe></procInutNFe>'
  );
}
