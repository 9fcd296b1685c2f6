import { completeAccessKey } from '../../src/documents/identity/keys.ts';

/** A well-formed key for the small notes of these tests. */
export const noteKey = completeAccessKey('3526111122233300018155001000000123110000000');

export interface NoteParts {
  readonly id?: string;
  readonly header?: string;
  readonly issuer?: string;
  readonly recipient?: string;
  readonly items?: string;
  readonly totals?: string;
  readonly rest?: string;
  readonly beside?: string;
}

export function item(number: number, total: string, taxes = '', more = ''): string {
  return (
    `<det nItem="${number}"><prod><cProd>P${number}</cProd><xProd>PARAFUSO</xProd><NCM>73181500</NCM><CFOP>5102</CFOP>` +
    `<qCom>1.0000</qCom><vUnCom>${total}</vUnCom><vProd>${total}</vProd>${more}</prod><imposto>${taxes}</imposto></det>`
  );
}

/** A correct NF-e with one item of 10.00, except for the given parts. */
export function note(parts: NoteParts = {}): string {
  const {
    id = `NFe${noteKey}`,
    header = '<cUF>35</cUF><natOp>VENDA</natOp><mod>55</mod><serie>1</serie><nNF>123</nNF>' +
      '<dhEmi>2026-11-05T10:00:00-03:00</dhEmi><tpNF>1</tpNF><tpAmb>1</tpAmb><finNFe>1</finNFe>',
    issuer = '<CNPJ>11222333000181</CNPJ><xNome>METALURGICA</xNome><enderEmit><UF>SP</UF></enderEmit>',
    recipient = '<dest><CNPJ>58716523000119</CNPJ><xNome>COMPRADORA</xNome><enderDest><UF>SP</UF></enderDest></dest>',
    items = item(1, '10.00'),
    totals = '<ICMSTot><vProd>10.00</vProd><vNF>10.00</vNF></ICMSTot>',
    rest = '',
    beside = `<protNFe><infProt><chNFe>${noteKey}</chNFe><nProt>135260000000001</nProt><cStat>100</cStat></infProt></protNFe>`,
  } = parts;
  return (
    `<nfeProc versao="4.00"><NFe><infNFe versao="4.00" Id="${id}"><ide>${header}</ide><emit>${issuer}</emit>` +
    `${recipient}${items}<total>${totals}</total>${rest}</infNFe></NFe>${beside}</nfeProc>`
  );
}
