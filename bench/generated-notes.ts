import { completeAccessKey } from '../src/documents/identity/keys.ts';

const CERTIFICATE_LENGTH = 2600;
const SIGNATURE_ALGORITHMS = 'http://www.w3.org/2000/09/xmldsig#';

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

type Leaf = readonly [name: string, text: string];

/** Elements one after the other. */
function elements(...leaves: readonly Leaf[]): string {
  return leaves.map(([name, text]) => `<${name}>${text}</${name}>`).join('');
}

function taxes(cents: number): string {
  const base: Leaf = ['vBC', amount(cents)];
  const tax = (rate: number) => amount(Math.round(cents * rate));
  const icms = elements(
    ['orig', '0'],
    ['CST', '00'],
    ['modBC', '3'],
    base,
    ['pICMS', '18.0000'],
    ['vICMS', tax(0.18)],
    ['pFCP', '0.0000'],
    ['vFCP', '0.00'],
  );
  const ipi = elements(['CST', '50'], base, ['pIPI', '0.0000'], ['vIPI', '0.00']);
  const pis = elements(['CST', '01'], base, ['pPIS', '1.6500'], ['vPIS', tax(0.0165)]);
  const cofins = elements(['CST', '01'], base, ['pCOFINS', '7.6000'], ['vCOFINS', tax(0.076)]);
  const state = elements(['pIBSUF', '0.1000'], ['vIBSUF', tax(0.001)]);
  const city = elements(['pIBSMun', '0.0000'], ['vIBSMun', '0.00']);
  const federal = elements(['pCBS', '0.9000'], ['vCBS', tax(0.009)]);
  return (
    `<vTotTrib>${tax(0.3)}</vTotTrib><ICMS><ICMS00>${icms}</ICMS00></ICMS><IPI><cEnq>999</cEnq><IPITrib>${ipi}` +
    `</IPITrib></IPI><PIS><PISAliq>${pis}</PISAliq></PIS><COFINS><COFINSAliq>${cofins}</COFINSAliq></COFINS>` +
    `<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS>${elements(base)}<gIBSUF>${state}</gIBSUF>` +
    `<gIBSMun>${city}</gIBSMun><vIBS>${tax(0.001)}</vIBS><gCBS>${federal}</gCBS></gIBSCBS></IBSCBS>`
  );
}

function item(number: number, random: () => number): { xml: string; cents: number } {
  const cents = 100 + Math.floor(random() * 500_000);
  const product = elements(
    ['cProd', `P${Math.floor(random() * 1e6)}`],
    ['cEAN', 'SEM GTIN'],
    ['xProd', `PARAFUSO SEXTAVADO AÇO &amp; PORCA ${Math.floor(random() * 1e6)}`],
    ['NCM', '73181500'],
    ['CEST', '1005900'],
    ['cBenef', 'SP010001'],
    ['CFOP', '5102'],
    ['uCom', 'UN'],
    ['qCom', '1.0000'],
    ['vUnCom', `${amount(cents)}00000000`],
    ['vProd', amount(cents)],
    ['cEANTrib', 'SEM GTIN'],
    ['uTrib', 'UN'],
    ['qTrib', '1.0000'],
    ['vUnTrib', `${amount(cents)}00000000`],
    ['indTot', '1'],
  );
  const batch = elements(
    ['nLote', 'L20261105'],
    ['qLote', '1.000'],
    ['dFab', '2026-10-01'],
    ['dVal', '2030-12-31'],
  );
  return {
    xml: `<det nItem="${number}"><prod>${product}<rastro>${batch}</rastro></prod><imposto>${taxes(cents)}</imposto></det>`,
    cents,
  };
}

function address(city: string, code: string): string {
  return elements(
    ['xLgr', 'AVENIDA DAS INDÚSTRIAS'],
    ['nro', '1500'],
    ['xBairro', 'DISTRITO INDUSTRIAL'],
    ['cMun', code],
    ['xMun', city],
    ['UF', 'SP'],
    ['CEP', '13000000'],
    ['cPais', '1058'],
    ['xPais', 'BRASIL'],
    ['fone', '1933330000'],
  );
}

function header(number: number, key: string): string {
  const identification = elements(
    ['cUF', '35'],
    ['cNF', key.slice(35, 43)],
    ['natOp', 'VENDA DE MERCADORIA'],
    ['mod', '55'],
    ['serie', '1'],
    ['nNF', String(number)],
    ['dhEmi', '2026-11-05T10:00:00-03:00'],
    ['tpNF', '1'],
    ['idDest', '1'],
    ['cMunFG', '3550308'],
    ['tpImp', '1'],
    ['tpEmis', '1'],
    ['tpAmb', '1'],
    ['finNFe', '1'],
    ['indFinal', '0'],
    ['indPres', '9'],
    ['procEmi', '0'],
    ['verProc', 'ERP 4.00'],
  );
  return (
    `<ide>${identification}</ide><emit><CNPJ>11222333000181</CNPJ><xNome>METALÚRGICA EXEMPLO LTDA</xNome><enderEmit>` +
    `${address('SAO PAULO', '3550308')}</enderEmit><IE>110042490114</IE><CRT>3</CRT></emit><dest>` +
    `<CNPJ>58716523000119</CNPJ><xNome>COMPRADORA EXEMPLO S.A.</xNome><enderDest>${address('CAMPINAS', '3509502')}` +
    '</enderDest><indIEDest>1</indIEDest><IE>244000000117</IE></dest>'
  );
}

function totals(total: string): string {
  const zero = [
    'vICMSDeson',
    'vFCP',
    'vBCST',
    'vST',
    'vFCPST',
    'vFrete',
    'vSeg',
    'vDesc',
    'vII',
    'vIPI',
    'vOutro',
  ];
  const zeros = zero.map((name): Leaf => [name, '0.00']);
  return `<total><ICMSTot>${elements(['vBC', total], ...zeros, ['vProd', total], ['vNF', total])}</ICMSTot></total>`;
}

function software(): string {
  const supplier = elements(
    ['CNPJ', '45723174000110'],
    ['xContato', 'SUPORTE DO EMISSOR'],
    ['email', 'suporte@emissor.example'],
    ['fone', '1140000000'],
  );
  return `<infRespTec>${supplier}</infRespTec>`;
}

function signature(key: string): string {
  const algorithms = ['CanonicalizationMethod', 'SignatureMethod'].map(
    (name) => `<${name} Algorithm="${SIGNATURE_ALGORITHMS}"/>`,
  );
  return (
    `<Signature xmlns="${SIGNATURE_ALGORITHMS}"><SignedInfo>${algorithms.join('')}<Reference URI="#NFe${key}">` +
    `<DigestMethod Algorithm="${SIGNATURE_ALGORITHMS}sha1"/><DigestValue>${'C'.repeat(27)}=</DigestValue></Reference>` +
    `</SignedInfo><SignatureValue>${'A'.repeat(344)}</SignatureValue><KeyInfo><X509Data><X509Certificate>` +
    `${'B'.repeat(CERTIFICATE_LENGTH)}</X509Certificate></X509Data></KeyInfo></Signature>`
  );
}

function note(number: number, size: number, random: () => number): string {
  const items = Array.from({ length: size }, (_, i) => item(i + 1, random));
  const total = amount(items.reduce((sum, { cents }) => sum + cents, 0));
  const key = completeAccessKey(
    `352611112223330001815500100${String(number).padStart(7, '0')}1${10_000_000 + number}`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe>' +
    `<infNFe versao="4.00" Id="NFe${key}">${header(number, key)}${items.map(({ xml }) => xml).join('')}` +
    `${totals(total)}<transp><modFrete>0</modFrete></transp><pag><detPag><tPag>15</tPag><vPag>${total}</vPag></detPag>` +
    `</pag><infAdic><infCpl>Pedido ${number}</infCpl></infAdic>${software()}</infNFe>${signature(key)}</NFe><protNFe versao="4.00">` +
    `<infProt><tpAmb>1</tpAmb><chNFe>${key}</chNFe><dhRecbto>2026-11-05T10:00:05-03:00</dhRecbto><nProt>` +
    `135260000000${number}</nProt><cStat>100</cStat></infProt></protNFe></nfeProc>`
  );
}

/** Few items mostly, many at times: 1 to 60, 13 on the average. */
function itemCount(random: () => number): number {
  return Math.min(60, 1 + Math.floor(-Math.log(1 - random()) * 12.6));
}

/**
 * NF-e in form, always the same for the same seed, about 24 KB each on the average, with signature, certificate, tax
 * reform groups and entities.
 */
export function* eachNote(count: number, seed = 1): Generator<string> {
  const random = pseudoRandom(seed);
  for (let number = 1; number <= count; number++) yield note(number, itemCount(random), random);
}

/** The same, all at once. */
export function generateNotes(count: number, seed = 1): string[] {
  return [...eachNote(count, seed)];
}
