import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { samplePaths, sampleText } from '../documents/samples.ts';
import { isLong } from '../support/depth.ts';
import { pdfFaults } from '../support/pdf-text.ts';
import { canScan, pageCount, scannedCodes } from '../support/sheet-reader.ts';
import { dense, drawn } from './drawn.ts';

interface Sample {
  readonly name: string;
  readonly xml: string;
}

function samplesOf(area: string): Sample[] {
  const inArea = samplePaths().filter((path) => path.startsWith(`${area}/`));
  return inArea.map((path) => ({ name: path.slice(area.length + 1), xml: sampleText(path) }));
}

type Tree = { readonly [name: string]: Tree | string | readonly (Tree | string)[] };

const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
});

/** All values at a path, as another reader of XML than the program's has them; `**` before a name is anywhere. */
function valuesAt(tree: unknown, path: string): string[] {
  const walk = (node: unknown, names: readonly string[]): string[] => {
    if (Array.isArray(node)) return node.flatMap((one) => walk(one, names));
    const [name, ...rest] = names;
    if (name === undefined) return typeof node === 'string' && node !== '' ? [node] : textOf(node);
    if (typeof node !== 'object' || node === null) return [];
    return name in node ? walk((node as Tree)[name], rest) : [];
  };
  return walk(tree, path.split('/'));
}

function textOf(node: unknown): string[] {
  const text = typeof node === 'object' && node !== null ? (node as Tree)['#text'] : undefined;
  return typeof text === 'string' && text !== '' ? [text] : [];
}

/** The first element of this name anywhere in the file. */
function find(node: unknown, name: string): Tree | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  if (name in node) return (node as Tree)[name] as Tree;
  for (const child of Object.values(node)) {
    const found = find(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How the test writes values, worked out otherwise than by the program: with numbers and their own formatting. */
const decimals = (text: string, least: number, most = least) =>
  Number(text).toLocaleString('pt-BR', {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  });
const placesOf = (text: string) => text.split('.')[1]?.length ?? 0;
const amount = (text: string) => decimals(text, Math.max(2, placesOf(text)));
const shortest = (text: string) => decimals(text, 2, 10);
const count = (text: string) => decimals(text, placesOf(text));
const day = (text: string) => `${text.slice(8, 10)}/${text.slice(5, 7)}/${text.slice(0, 4)}`;
const hour = (text: string) => text.slice(11, 19);
const masked = (text: string) =>
  text.length === 11
    ? `${text.slice(0, 3)}.${text.slice(3, 6)}.${text.slice(6, 9)}-${text.slice(9)}`
    : `${text.slice(0, 2)}.${text.slice(2, 5)}.${text.slice(5, 8)}/${text.slice(8, 12)}-${text.slice(12)}`;
const same = (text: string) => text;

type Expectation = readonly [path: string, write: (text: string) => string, mayBeCut?: 'cut'];

/** Whether the beginning of a value stands there, and then that it goes on. */
function isCut(sheet: string, text: string): boolean {
  const beginning = text.slice(0, Math.min(18, Math.ceil(text.length / 2)));
  const at = sheet.indexOf(beginning);
  return at !== -1 && sheet.slice(at, at + text.length + 3).includes('...');
}

/** The values of a file that its sheet doesn't show as it should. */
function missing(sheet: string, tree: unknown, expectations: readonly Expectation[]): string[] {
  return expectations.flatMap(([path, write, mayBeCut]) =>
    valuesAt(tree, path).flatMap((value) => {
      const text = dense(write(value));
      const isThereWhole = sheet.includes(text) || (mayBeCut === 'cut' && isCut(sheet, text));
      return isThereWhole ? [] : [`${path}: ${write(value)}`];
    }),
  );
}

/** Fields of one group, by their names. */
const parts = (root: string, names: string, ...how: [(text: string) => string, 'cut'?]): Expectation[] =>
  names.split(' ').map((name) => [root === '' ? name : `${root}/${name}`, ...how]);

const nfeValues: readonly Expectation[] = [
  ['ide/nNF', (text) => text.padStart(9, '0').replace(/^(...)(...)(...)$/, '$1.$2.$3')],
  ['ide/serie', (text) => `SÉRIE ${text}`],
  ['ide/natOp', same],
  ...parts('ide', 'dhEmi dhSaiEnt', day),
  ['ide/dhSaiEnt', hour],
  ...parts('emit', 'xNome IE', same),
  ['emit/CRT', (text) => `CRT: ${text}`],
  ...parts('emit', 'CNPJ CPF', masked),
  ...parts('emit/enderEmit', 'xLgr nro xBairro xMun UF', same),
  ['dest/xNome', same],
  ...parts('dest', 'CNPJ CPF', masked),
  ...parts('dest', 'idEstrangeiro IE', same),
  ...parts('dest/enderDest', 'xLgr nro xBairro xMun UF', same),
  ['cobr/fat/nFat', same],
  ...parts('cobr/fat', 'vOrig vDesc vLiq', amount),
  ['cobr/dup/nDup', same],
  ['cobr/dup/dVenc', day],
  ['cobr/dup/vDup', amount],
  ...parts('total/ICMSTot', 'vBC vICMS vBCST vST vFCP vFCPST vProd vFrete vSeg vDesc vOutro vII', amount),
  ...parts('total/ICMSTot', 'vIPI vPIS vCOFINS vNF vTotTrib', amount),
  ...parts('total/ISSQNtot', 'vServ vBC vISS', amount),
  ['total/ISTot/vIS', amount],
  ['total/IBSCBSTot/gCBS/vCBS', amount],
  ['total/IBSCBSTot/gIBS/gIBSUF/vIBSUF', amount],
  ['total/IBSCBSTot/gIBS/gIBSMun/vIBSMun', amount],
  ...parts('total/IBSCBSTot/gMono', 'vIBSMono vCBSMono vIBSMonoReten vCBSMonoReten', amount),
  ['transp/modFrete', same],
  ['transp/transporta/xNome', same],
  ['transp/transporta/xEnder', same, 'cut'],
  ['transp/transporta/CNPJ', masked],
  ['transp/veicTransp/placa', same],
  ...parts('transp/vol', 'qVol pesoL pesoB', count),
  ...parts('transp/vol', 'esp marca nVol', same),
  ...parts('det/prod', 'cProd xProd NCM CFOP uCom', same),
  ['det/prod/qCom', count],
  ['det/prod/vUnCom', shortest],
  ...parts('det/prod', 'vProd vDesc', amount),
  ['det/infAdProd', same, 'cut'],
  ['det/imposto/ICMS/ICMS00/vICMS', amount],
  ['det/imposto/ICMS/ICMS20/vICMS', amount],
  ['det/imposto/ICMS/ICMS10/vICMSST', amount],
  ['det/imposto/IPI/IPITrib/vIPI', amount],
  ...parts('det/imposto/IBSCBS', 'CST cClassTrib', same),
  ['det/imposto/IBSCBS/gIBSCBS/vBC', amount],
  ['det/imposto/IBSCBS/gIBSCBS/gIBSUF/vIBSUF', amount],
  ['det/imposto/IBSCBS/gIBSCBS/gIBSMun/vIBSMun', amount],
  ['det/imposto/IBSCBS/gIBSCBS/gCBS/vCBS', amount],
  ...parts('infAdic', 'infCpl infAdFisco', same, 'cut'),
];

const cteParties = ['rem', 'exped', 'receb', 'dest', 'toma'];

const cteValues: readonly Expectation[] = [
  ['ide/nCT', (text) => text.padStart(9, '0').replace(/^(...)(...)(...)$/, '$1.$2.$3')],
  ['ide/serie', (text) => `SÉRIE ${text}`],
  ['ide/mod', (text) => `MODELO ${text}`],
  ['ide/CFOP', same],
  ['ide/natOp', same, 'cut'],
  ['ide/dhEmi', (text) => `${day(text)} ${hour(text)}`],
  ...parts('ide', 'xMunIni UFIni xMunFim UFFim', same),
  ...parts('emit', 'xNome IE', same),
  ['emit/CNPJ', masked],
  ...cteParties.flatMap((party): Expectation[] => [
    [`${party}/xNome`, same, 'cut'],
    [`${party}/CNPJ`, masked],
    [`${party}/CPF`, masked],
    [`${party}/IE`, same],
  ]),
  ...parts('vPrest', 'vTPrest vRec', amount),
  ['vPrest/Comp/xNome', same],
  ['vPrest/Comp/vComp', amount],
  ...['ICMS00', 'ICMS20', 'ICMS45', 'ICMS60', 'ICMS90'].flatMap((group) => [
    ...parts(`imp/ICMS/${group}`, 'vBC pICMS vICMS pRedBC', amount),
    ...parts(`imp/ICMS/${group}`, 'CST', same),
  ]),
  ...parts('imp/infTribFed', 'vPIS vCOFINS vIR vINSS vCSLL', amount),
  ...parts('infCTeNorm/infCarga', 'proPred xOutCat', same),
  ['infCTeNorm/infCarga/vCarga', amount],
  ['infCTeNorm/infCarga/infQ/qCarga', count],
  ['infCTeNorm/infServico/xDescServ', same],
  ['infCTeNorm/infDoc/infNFe/chave', same],
  ['infCTeNorm/infModal/rodo/RNTRC', same],
  ['infCTeNorm/infModal/rodo/veic/placa', same],
  ['infCTeNorm/infModal/rodoOS/TAF', same],
  ['compl/xObs', same, 'cut'],
];

const party = (root: string): Expectation[] => [
  [`${root}/CNPJ`, masked],
  [`${root}/CPF`, masked],
  [`${root}/xNome`, same, 'cut'],
  [`${root}/IM`, same],
  [`${root}/email`, same],
  [`${root}/end/xLgr`, same],
  [`${root}/end/nro`, same],
  [`${root}/end/xBairro`, same],
  [`${root}/end/endNac/cMun`, same],
];
const declared = 'DPS/infDPS';

const nationalValues: readonly Expectation[] = [
  ['nNFSe', same],
  ['dhProc', (text) => `${day(text)} ${hour(text)}`],
  ...parts('', 'xLocEmi xLocIncid', same),
  ['xTribNac', same, 'cut'],
  ['emit/CNPJ', masked],
  ['emit/xNome', same],
  ...parts('emit/enderNac', 'xLgr cMun', same),
  ...parts('valores', 'vBC pAliqAplic vISSQN vLiq vTotalRet', amount),
  ['IBSCBS/valores/vBC', amount],
  ['IBSCBS/totCIBS/vTotNF', amount],
  ['IBSCBS/totCIBS/gIBS/vIBSTot', amount],
  ['IBSCBS/totCIBS/gIBS/gIBSUFTot/vIBSUF', amount],
  ['IBSCBS/totCIBS/gCBS/vCBS', amount],
  [`${declared}/nDPS`, same],
  [`${declared}/serie`, same],
  [`${declared}/dCompet`, day],
  [`${declared}/dhEmi`, (text) => `${day(text)} ${hour(text)}`],
  ...party(`${declared}/toma`),
  ...party(`${declared}/interm`),
  [`${declared}/serv/cServ/cTribNac`, (text) => text.replace(/^(..)(..)(..)$/, '$1.$2.$3')],
  [`${declared}/serv/cServ/cNBS`, same],
  [`${declared}/serv/cServ/xDescServ`, same],
  [`${declared}/serv/infoCompl/xInfComp`, same],
  [`${declared}/valores/vServPrest/vServ`, amount],
  [`${declared}/valores/vDescCondIncond/vDescIncond`, amount],
  [`${declared}/valores/vDescCondIncond/vDescCond`, amount],
  ...parts(`${declared}/valores/trib/tribFed`, 'vRetCP vRetIRRF vRetCSLL', amount),
  ...parts(`${declared}/valores/trib/tribFed/piscofins`, 'vPis vCofins', amount),
  ...parts(`${declared}/valores/trib/totTrib/pTotTrib`, 'pTotTribFed pTotTribEst pTotTribMun', amount),
  [`${declared}/IBSCBS/valores/trib/gIBSCBS/cClassTrib`, same],
];

/** Every value of a file but those of its signature. */
function allValues(node: unknown): string[] {
  if (typeof node === 'string') return node === '' ? [] : [node];
  if (Array.isArray(node)) return node.flatMap(allValues);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, child]) =>
    name === 'Signature' || name.startsWith('@_') || name === '?xml' ? [] : allValues(child),
  );
}

const keyOf = (element: Tree | undefined) => String(element?.['@_Id'] ?? '').replace(/^(NFe|CTe|NFS)/, '');
const groups = (key: string) => key.match(/.{4}/g)?.join(' ') ?? key;

/** Whose codes are read by another program in the short suite, which takes seconds; the long one reads them all. */
const short = [
  'nfe-3itens-2018.xml',
  'nfe-derivada-cnpj-alfanumerico.xml',
  'cteProc-producao-4840.xml',
  'nacional-autorizada.xml',
];
const scanned = { has: (name: string) => isLong || short.includes(name) };

const [UNAUTHORIZED_NOTE, TEST] = ['NÃO AUTORIZADA', 'SEM VALOR FISCAL'];
/** What has to stand across which samples, by what their files say. */
const marks: Readonly<Record<string, readonly string[]>> = {
  'enviNFe-rtc-510-620-monofasico.xml': [UNAUTHORIZED_NOTE, TEST],
  'nfe-Id-sem-prefixo.xml': [UNAUTHORIZED_NOTE, TEST],
  'nfe-cancelada-com-retEvento.xml': ['CANCELADA'],
  'nfe-contingencia-tpEmis6-sem-assinatura.xml': [UNAUTHORIZED_NOTE, TEST],
  'nfe-homologacao-procNFe.xml': [TEST],
  'nfe-sem-protocolo-raiz-NFe.xml': [UNAUTHORIZED_NOTE, TEST],
  'cte-2012-sem-protocolo.xml': ['NÃO AUTORIZADO', TEST],
  'cte-derivado-cnpj-alfanumerico.xml': ['CANCELADO'],
  'cteProc-cancelado-com-procCancCTe.xml': ['CANCELADO', TEST],
  'cteProc-producao-4840.xml': ['CANCELADO'],
  'cteos-mod67-bom.xml': ['NÃO AUTORIZADO', TEST],
  'nacional-retorno-ibscbs-2025-12.xml': ['SEM VALIDADE JURÍDICA'],
};

describe.each([
  ['nfe', 'infNFe', nfeValues],
  ['cte', 'infCte', cteValues],
] as const)('sheets of the %s samples', (area, content, expectations) => {
  it.each(samplesOf(area))('$name shows what its file says', async ({ name, xml }) => {
    const tree = parser.parse(xml) as Tree;
    const document = find(tree, content);
    const { bytes, dense: sheet, marks: across } = await drawn(xml);
    expect(pdfFaults(bytes)).toEqual([]);
    expect(missing(sheet, document, expectations)).toEqual([]);
    const key = keyOf(document);
    expect(sheet).toContain(dense(groups(key)));
    const protocol = find(tree, 'infProt');
    expect(sheet).toContain(protocol === undefined ? 'SEMPROTOCOLO' : String(protocol.nProt ?? ''));
    expect(across).toEqual(marks[name] ?? []);
    for (const mark of across) expect(sheet).toContain(dense(mark));
    expect(sheet).toContain('origin:rendered');
    if (canScan && scanned.has(name)) {
      const supplement = find(tree, 'infNFeSupl') ?? find(tree, 'infCTeSupl');
      const qr = supplement?.qrCode ?? supplement?.qrCodCTe;
      const expected = [key, ...(typeof qr === 'string' ? [qr.trim()] : [])];
      // A key with letters has a quarter more bars in the same width.
      expect(scannedCodes(bytes, /[A-Z]/.test(key) || isLong ? 300 : 200).sort()).toEqual(expected.sort());
    }
  });
});

describe('sheets of the NFS-e samples', () => {
  const isNational = ({ name }: Sample) => name.startsWith('nacional');

  it.each(samplesOf('nfse').filter(isNational))(
    '$name is one page with what its file says',
    async ({ name, xml }) => {
      const document = find(parser.parse(xml), 'infNFSe');
      const { bytes, dense: sheet, marks: across } = await drawn(xml);
      expect(pdfFaults(bytes)).toEqual([]);
      expect(pageCount(bytes)).toBe(1);
      expect(missing(sheet, document, nationalValues)).toEqual([]);
      const key = keyOf(document);
      expect(sheet).toContain(key);
      expect(sheet).toContain('TotaisAproximadosdosTributoscfe.Leinº12.741/2012');
      expect(across).toEqual(marks[name] ?? []);
      expect(sheet.includes(dense('NFS-e SEM VALIDADE JURÍDICA'))).toBe(across.length > 0);
      if (canScan && scanned.has(name)) {
        expect(scannedCodes(bytes)).toEqual([`https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=${key}`]);
      }
    },
  );

  it.each(samplesOf('nfse').filter((one) => !isNational(one)))(
    '$name is a mirror of all its fields',
    async ({ xml }) => {
      const { bytes, dense: sheet } = await drawn(xml);
      expect(pdfFaults(bytes)).toEqual([]);
      const values = allValues(parser.parse(xml));
      // The smallest samples have but a few fields, and none is none at all.
      expect(values.length).toBeGreaterThan(5);
      expect(values.filter((value) => !sheet.includes(dense(value)))).toEqual([]);
      expect(sheet).toContain('EspelhodaNFS-e');
      expect(sheet).not.toContain('DANFSe');
    },
  );
});
