import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { samplePaths, sampleText } from '../documents/samples.ts';
import { isLong } from '../support/depth.ts';
import { pdfFaults } from '../support/pdf-text.ts';
import { canScan, dense, pageCount, scannedCodes } from '../support/sheet-reader.ts';
import { drawn } from './drawn.ts';

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

/** Every value of a file with its path, but those of its signature, as another reader of XML than the program's has them. */
function valuesIn(node: unknown, path = ''): (readonly [path: string, value: string])[] {
  if (typeof node === 'string') return node === '' ? [] : [[path, node]];
  if (Array.isArray(node)) return node.flatMap((one) => valuesIn(one, path));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, child]) =>
    name === 'Signature' || name.startsWith('@_') || name === '?xml'
      ? []
      : valuesIn(child, name === '#text' ? path : `${path}/${name}`),
  );
}

const decimals = (text: string, least: number, most = least) =>
  Number(text).toLocaleString('pt-BR', { minimumFractionDigits: least, maximumFractionDigits: most });
const day = (text: string) => text.replace(/^(....)-(..)-(..).*$/, '$3/$2/$1');
const hour = (text: string) => text.slice(11, 19);
const inThrees = (text: string) => text.padStart(9, '0').replace(/^(...)(...)(...)$/, '$1.$2.$3');
const phone = (text: string) => text.replace(/^(..)(.{4,5})(.{4})$/, '($1) $2-$3');

/** The ways in which a form may write a value of this look, worked out otherwise than by the program. */
function writings(value: string): string[] {
  const places = value.split('.')[1]?.length ?? 0;
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) return [day(value)];
  if (/^\d+\.\d+$/.test(value))
    return [decimals(value, Math.max(2, places)), decimals(value, 2, 10), decimals(value, places)];
  if (/^[0-9A-Z]{12}\d{2}$/.test(value))
    return [value.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5')];
  if (/^\d{11}$/.test(value)) return [value.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4'), phone(value)];
  if (/^\d{10}$/.test(value)) return [value, phone(value)];
  if (/^\d{8}$/.test(value)) return [value, value.replace(/^(.{5})(...)$/, '$1-$2'), inThrees(value)];
  if (/^\d{6}$/.test(value)) return [value, value.replace(/^(..)(..)(..)$/, '$1.$2.$3'), inThrees(value)];
  if (/^\d{1,9}$/.test(value)) return [value, inThrees(value)];
  return [value, value.toUpperCase()];
}

/** True if the sheet has the beginning of a value, followed by an ellipsis. */
function isCut(sheet: string, text: string): boolean {
  const beginning = text.slice(0, Math.min(18, Math.ceil(text.length / 2)));
  const at = sheet.indexOf(beginning);
  return at !== -1 && sheet.slice(at, at + text.length + 3).includes('...');
}

interface Form {
  readonly content: string;
  /** Ends of the paths that the form does not print, nor anything below them. */
  readonly lacks: string;
  /** How the form prints the values of certain paths. */
  readonly words: Readonly<Record<string, (text: string) => string>>;
}

const forms = {
  nfe: {
    content: 'infNFe',
    lacks:
      'verProc cMunFG cMunFGIBS pRedutor cMun cPais xPais xFant CNAE IM email avulsa infRespTec cEAN cEANTrib CEST xPed ' +
      'prod/vFrete prod/vOutro DI rastro med cEnq IPINT PIS COFINS II ICMSUFDest vICMSUFDest vICMSUFRemet ' +
      'imposto/vTotTrib pRedBC pCredSN gMonoPadrao gRed gIBSUF/pIBSUF gCBS/pCBS',
    words: {
      'ide/nNF': inThrees,
      'ide/serie': (text) => `SÉRIE ${text}`,
      'ide/dhSaiEnt': hour,
      'emit/CRT': (text) => `CRT: ${text}`,
    },
  },
  cte: {
    content: 'infCte',
    lacks: 'verProc xCaracAd cMunEnv cMunIni cMunFim cMun cPais xFant email infRespTec xEmi RENAVAM cobr',
    words: {
      'ide/nCT': inThrees,
      'ide/serie': (text) => `SÉRIE ${text}`,
      'ide/mod': (text) => `MODELO ${text}`,
      'ide/dhEmi': (text) => `${day(text)} ${hour(text)}`,
    },
  },
  nfse: {
    content: 'infNFSe',
    lacks: 'verAplic nDFSe xNBS cIntContrib pAliqPis pAliqCofins',
    words: {
      dhProc: (text) => `${day(text)} ${hour(text)}`,
      'DPS/infDPS/dhEmi': (text) => `${day(text)} ${hour(text)}`,
    },
  },
} as const satisfies Record<string, Form>;

/** The values of a file that its sheet doesn't show as its form should. */
function missing(sheet: string, document: unknown, { lacks, words }: Form): string[] {
  const values = valuesIn(document).map(([path, value]) => [path, value.replace(/\p{Cc}/gu, ' ')] as const);
  const hasNoPlace = (path: string) => lacks.split(' ').some((place) => `${path}/`.includes(`/${place}/`));
  const isShown = (value: string) =>
    writings(value).some((text) => sheet.includes(dense(text))) || isCut(sheet, dense(value));
  // A code of few digits appears somewhere on every sheet.
  const isCode = (value: string) => /^\d{1,3}$/.test(value);
  const lacking = values.filter(([path, value]) => !hasNoPlace(path) && !isCode(value) && !isShown(value));
  const unworded = values.filter(([path, value]) => {
    const write = words[path.slice(1)];
    return write !== undefined && !sheet.includes(dense(write(value)));
  });
  return [...lacking, ...unworded].map(([path, value]) => `${path}: ${value}`);
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
/** Marks expected across samples, from their files. */
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

describe.each(['nfe', 'cte'] as const)('sheets of the %s samples', (area) => {
  it.each(samplesOf(area))('$name shows what its file says', async ({ name, xml }) => {
    const tree = parser.parse(xml) as Tree;
    const document = find(tree, forms[area].content);
    const { bytes, dense: sheet, marks: across } = await drawn(xml);
    expect(pdfFaults(bytes)).toEqual([]);
    expect(missing(sheet, document, forms[area])).toEqual([]);
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
      const document = find(parser.parse(xml), forms.nfse.content);
      const { bytes, dense: sheet, marks: across } = await drawn(xml);
      expect(pdfFaults(bytes)).toEqual([]);
      expect(pageCount(bytes)).toBe(1);
      expect(missing(sheet, document, forms.nfse)).toEqual([]);
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
      const values = valuesIn(parser.parse(xml)).map(([, value]) => value);
      // The smallest samples have but a few fields, and none is none at all.
      expect(values.length).toBeGreaterThan(5);
      expect(values.filter((value) => !sheet.includes(dense(value)))).toEqual([]);
      expect(sheet).toContain('EspelhodaNFS-e');
      expect(sheet).not.toContain('DANFSe');
    },
  );
});
