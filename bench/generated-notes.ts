const SIGNATURE_LENGTH = 2400;

function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function amount(cents: number): string {
  return (cents / 100).toFixed(2);
}

function item(number: number, random: () => number): { xml: string; cents: number } {
  const cents = 100 + Math.floor(random() * 500_000);
  const value = amount(cents);
  const tax = (rate: number) => amount(Math.round(cents * rate));
  const xml =
    `<det nItem="${number}"><prod><cProd>P${Math.floor(random() * 1e6)}</cProd><cEAN>SEM GTIN</cEAN>` +
    `<xProd>PARAFUSO SEXTAVADO AÇO &amp; PORCA ${Math.floor(random() * 1e6)}</xProd><NCM>73181500</NCM>` +
    `<CFOP>5102</CFOP><uCom>UN</uCom><qCom>1.0000</qCom><vUnCom>${value}00000000</vUnCom><vProd>${value}</vProd>` +
    `<cEANTrib>SEM GTIN</cEANTrib><uTrib>UN</uTrib><qTrib>1.0000</qTrib><vUnTrib>${value}</vUnTrib>` +
    '<indTot>1</indTot></prod><imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC>' +
    `<vBC>${value}</vBC><pICMS>18.00</pICMS><vICMS>${tax(0.18)}</vICMS></ICMS00></ICMS><IPI><cEnq>999</cEnq>` +
    `<IPITrib><CST>50</CST><vBC>${value}</vBC><pIPI>0.00</pIPI><vIPI>0.00</vIPI></IPITrib></IPI>` +
    `<PIS><PISAliq><CST>01</CST><vBC>${value}</vBC><pPIS>1.65</pPIS><vPIS>${tax(0.0165)}</vPIS></PISAliq></PIS>` +
    `<COFINS><COFINSAliq><CST>01</CST><vBC>${value}</vBC><pCOFINS>7.60</pCOFINS><vCOFINS>${tax(0.076)}</vCOFINS>` +
    '</COFINSAliq></COFINS><IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS>' +
    `<vBC>${value}</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>${tax(0.001)}</vIBSUF></gIBSUF><gIBSMun>` +
    `<pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>${tax(0.001)}</vIBS><gCBS>` +
    `<pCBS>0.9000</pCBS><vCBS>${tax(0.009)}</vCBS></gCBS></gIBSCBS></IBSCBS></imposto></det>`;
  return { xml, cents };
}

function note(number: number, size: number, random: () => number): string {
  const items = Array.from({ length: size }, (_, i) => item(i + 1, random));
  const total = amount(items.reduce((sum, { cents }) => sum + cents, 0));
  const key = `352611112223330001815500100${String(number).padStart(7, '0')}1${String(10_000_000 + number)}0`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe>' +
    `<infNFe versao="4.00" Id="NFe${key}"><ide><cUF>35</cUF><natOp>VENDA</natOp><mod>55</mod><serie>1</serie>` +
    `<nNF>${number}</nNF><dhEmi>2026-11-05T10:00:00-03:00</dhEmi><tpNF>1</tpNF><tpAmb>1</tpAmb><finNFe>1</finNFe>` +
    '</ide><emit><CNPJ>11222333000181</CNPJ><xNome>METALÚRGICA EXEMPLO LTDA</xNome><enderEmit><xMun>SAO PAULO' +
    '</xMun><UF>SP</UF></enderEmit><IE>110042490114</IE><CRT>3</CRT></emit><dest><CNPJ>58716523000119</CNPJ>' +
    '<xNome>COMPRADORA EXEMPLO S.A.</xNome><enderDest><xMun>CAMPINAS</xMun><UF>SP</UF></enderDest></dest>' +
    `${items.map(({ xml }) => xml).join('')}<total><ICMSTot><vBC>${total}</vBC><vProd>${total}</vProd>` +
    `<vNF>${total}</vNF></ICMSTot></total><transp><modFrete>0</modFrete></transp><pag><detPag><tPag>15</tPag>` +
    `<vPag>${total}</vPag></detPag></pag><infAdic><infCpl>Pedido ${number}</infCpl></infAdic></infNFe><Signature>` +
    `<SignatureValue>${'A'.repeat(344)}</SignatureValue><X509Certificate>${'B'.repeat(SIGNATURE_LENGTH)}` +
    `</X509Certificate></Signature></NFe><protNFe versao="4.00"><infProt><chNFe>${key}</chNFe><nProt>` +
    `135260000000${number}</nProt><cStat>100</cStat><dhRecbto>2026-11-05T10:00:05-03:00</dhRecbto></infProt>` +
    '</protNFe></nfeProc>'
  );
}

/** Few items mostly, many at times: 1 to 60, 13 on the average. */
function itemCount(random: () => number): number {
  return Math.min(60, 1 + Math.floor(-Math.log(1 - random()) * 12.6));
}

/**
 * NF-e in form, always the same for the same seed, about 24 KB each on the average, with signature, tax reform groups
 * and entities.
 */
export function generateNotes(count: number, seed = 1): string[] {
  const random = pseudoRandom(seed);
  return Array.from({ length: count }, (_, i) => note(i + 1, itemCount(random), random));
}
