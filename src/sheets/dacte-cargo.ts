import { elementAt, elementsAt, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { cityOf } from './parties.ts';
import { day, keyGroups, money, quantity, taxId } from './printed.ts';
import { amounts, type Block, type Field, field, fieldBlock, inFullRows, type TableRow } from './sheet.ts';

type Codes = Readonly<Record<string, string>>;

/** What the codes of a CT-e mean. Source: MOC CT-e 4.00, layouts of CT-e, CT-e OS and simplified CT-e. */
export const modals: Codes = {
  '01': 'Rodoviário',
  '02': 'Aéreo',
  '03': 'Aquaviário',
  '04': 'Ferroviário',
  '05': 'Dutoviário',
  '06': 'Multimodal',
};

export const purposes: Codes = {
  0: 'Normal',
  1: 'Complemento de valores',
  2: 'Anulação',
  3: 'Substituto',
  5: 'Simplificado',
  6: 'Substituto simplificado',
};

export const services: Codes = {
  0: 'Normal',
  1: 'Subcontratação',
  2: 'Redespacho',
  3: 'Redespacho intermediário',
  4: 'Serviço vinculado a multimodal',
  6: 'Transporte de pessoas',
  7: 'Transporte de valores',
  8: 'Excesso de bagagem',
};

export const takers: Codes = {
  0: 'Remetente',
  1: 'Expedidor',
  2: 'Recebedor',
  3: 'Destinatário',
  4: 'Outros',
};

const units: Codes = {
  '00': 'M3',
  '01': 'KG',
  '02': 'TON',
  '03': 'UN',
  '04': 'LITROS',
  '05': 'MMBTU',
};

/** Elements of the four parties, by the code of the taker. */
export const partiesByTaker: Codes = { 0: 'rem', 1: 'exped', 2: 'receb', 3: 'dest' };

/** What is carried: the goods, or of a CT-e OS the service. */
export function cargoBlocks(cte: XmlElement): Block[] {
  const cargo = elementAt(cte, 'infCTeNorm/infCarga') ?? elementAt(cte, 'infCarga');
  const service = elementAt(cte, 'infCTeNorm/infServico');
  const measured = [...elementsAt(cargo, 'infQ'), ...elementsAt(service, 'infQ')].map((one) => {
    const unit = textAt(one, 'cUnid') ?? '';
    const label = [textAt(one, 'tpMed') ?? 'QUANTIDADE', units[unit] ?? unit].filter(Boolean).join(' / ');
    return field(label.toUpperCase(), quantity(textAt(one, 'qCarga')), 20);
  });
  if (cargo === undefined && service === undefined) return [];
  const head =
    service === undefined
      ? [
          field('PRODUTO PREDOMINANTE', textAt(cargo, 'proPred'), 40),
          field('OUTRAS CARACTERÍSTICAS DA CARGA', textAt(cargo, 'xOutCat'), 36),
          field('VALOR TOTAL DA CARGA', money(textAt(cargo, 'vCarga')), 24, 'right'),
        ]
      : [field('DESCRIÇÃO DO SERVIÇO PRESTADO', textAt(service, 'xDescServ'), 100)];
  return [
    fieldBlock(service === undefined ? 'INFORMAÇÕES DA CARGA' : 'INFORMAÇÕES DA PRESTAÇÃO DO SERVIÇO', [
      head,
      ...inFullRows(measured, 5),
    ]),
  ];
}

/** What the carriage costs. */
export function priceBlock(cte: XmlElement): Block {
  const parts = elementsAt(cte, 'vPrest/Comp').map((one) =>
    field(textAt(one, 'xNome') ?? '', money(textAt(one, 'vComp')), 25, 'right'),
  );
  return fieldBlock('COMPONENTES DO VALOR DA PRESTAÇÃO DO SERVIÇO', [
    ...inFullRows(parts.length > 0 ? parts : [field('NOME / VALOR', '', 25)], 4),
    amounts([
      ['VALOR TOTAL DO SERVIÇO', money(textAt(cte, 'vPrest/vTPrest', 'total/vTPrest'))],
      ['VALOR A RECEBER', money(textAt(cte, 'vPrest/vRec', 'total/vTRec'))],
      ['VALOR TOTAL DO DOCUMENTO', money(textAt(cte, 'imp/vTotDFe', 'total/vTotDFe'))],
    ]),
  ]);
}

function federalRow(cte: XmlElement): Field[][] {
  const group = elementAt(cte, 'imp/infTribFed');
  if (group === undefined) return [];
  return [
    amounts([
      ['VALOR DO PIS', money(textAt(group, 'vPIS'))],
      ['VALOR DA COFINS', money(textAt(group, 'vCOFINS'))],
      ['VALOR DO IR', money(textAt(group, 'vIR'))],
      ['VALOR DO INSS', money(textAt(group, 'vINSS'))],
      ['VALOR DA CSLL', money(textAt(group, 'vCSLL'))],
    ]),
  ];
}

function reformRow(cte: XmlElement): Field[][] {
  const group = elementAt(cte, 'imp/IBSCBS');
  if (group === undefined) return [];
  const rate = (path: string) => money(textAt(group, `gIBSCBS/${path}`));
  return [
    [
      field('CST IBS/CBS', textAt(group, 'CST'), 10, 'center'),
      field('cClassTrib', textAt(group, 'cClassTrib'), 10, 'center'),
      field('BASE IBS/CBS', rate('vBC'), 20, 'right'),
      field('% IBS UF', rate('gIBSUF/pIBSUF'), 9, 'right'),
      field('VALOR IBS UF', rate('gIBSUF/vIBSUF'), 12, 'right'),
      field('% IBS MUN', rate('gIBSMun/pIBSMun'), 9, 'right'),
      field('VALOR IBS MUN', rate('gIBSMun/vIBSMun'), 12, 'right'),
      field('% CBS', rate('gCBS/pCBS'), 7, 'right'),
      field('VALOR CBS', rate('gCBS/vCBS'), 11, 'right'),
    ],
  ];
}

/** ICMS, which each situation has in an element of its own, and what the reform adds. */
export function taxBlock(cte: XmlElement): Block {
  const icms = elementAt(cte, 'imp/ICMS/*');
  const isSimples = textAt(icms, 'indSN') === '1';
  const situation = textAt(icms, 'CST') ?? (isSimples ? 'SIMPLES NACIONAL' : '');
  return fieldBlock('INFORMAÇÕES RELATIVAS AO IMPOSTO', [
    [
      field(
        'SITUAÇÃO TRIBUTÁRIA',
        isSimples && situation !== '' && situation !== 'SIMPLES NACIONAL'
          ? `${situation} - SIMPLES NACIONAL`
          : situation,
        24,
      ),
      field('BASE DE CÁLCULO', money(textAt(icms, 'vBC', 'vBCOutraUF', 'vBCSTRet')), 18, 'right'),
      field('ALÍQ. ICMS', money(textAt(icms, 'pICMS', 'pICMSOutraUF', 'pICMSSTRet')), 10, 'right'),
      field('VALOR DO ICMS', money(textAt(icms, 'vICMS', 'vICMSOutraUF')), 15, 'right'),
      field('% RED. BC', money(textAt(icms, 'pRedBC', 'pRedBCOutraUF')), 9, 'right'),
      field('ICMS ST', money(textAt(icms, 'vICMSSTRet')), 13, 'right'),
      field('CRÉDITO', money(textAt(icms, 'vCred')), 11, 'right'),
    ],
    ...federalRow(cte),
    ...reformRow(cte),
  ]);
}

/** Type, issuer or key, series and number. */
type Origin = readonly [kind: string, key: string, number: string];

function originsOf(cte: XmlElement): Origin[] {
  const documents = elementAt(cte, 'infCTeNorm/infDoc');
  const paper = elementsAt(documents, 'infNF').map(
    (one): Origin => [
      'NF',
      taxId(textAt(cte, 'rem/CNPJ', 'rem/CPF')),
      [textAt(one, 'serie'), textAt(one, 'nDoc')].filter(Boolean).join(' / '),
    ],
  );
  const others = elementsAt(documents, 'infOutros').map(
    (one): Origin => [
      textAt(one, 'descOutros') ?? 'OUTROS',
      '',
      [textAt(one, 'nDoc'), day(textAt(one, 'dEmi'))].filter(Boolean).join(' '),
    ],
  );
  const keyed = (kind: string, elements: readonly XmlElement[], name: string) =>
    elements.flatMap((one) => {
      const key = textAt(one, name);
      return key === undefined ? [] : [[kind, keyGroups(key), ''] satisfies Origin];
    });
  const earlier = elementsAt(cte, 'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle');
  return [
    ...keyed('NF-E', elementsAt(documents, 'infNFe'), 'chave'),
    ...keyed('DC-E', elementsAt(documents, 'infDCe'), 'chave'),
    ...paper,
    ...others,
    ...keyed('CT-E ANTERIOR', earlier, 'chCTe'),
    ...keyed('CT-E ANTERIOR', earlier, 'chave'),
    ...keyed('CT-E COMPLEMENTADO', elementsAt(cte, 'infCteComp'), 'chCTe'),
    ...keyed('CT-E SUBSTITUÍDO', elementsAt(cte, 'infCTeNorm/infCteSub'), 'chCte'),
    ...keyed('CT-E SUBSTITUÍDO', elementsAt(cte, 'infCteSub'), 'chCte'),
  ];
}

/** The documents that the goods came with, two in a row. */
export function originBlocks(cte: XmlElement): Block[] {
  const origins = originsOf(cte);
  if (origins.length === 0) return [];
  const half = Math.ceil(origins.length / 2);
  const rows = Array.from({ length: half }, (_, i): TableRow => {
    const [left = ['', '', ''], right = ['', '', '']] = [origins[2 * i], origins[2 * i + 1]];
    return { cells: [...left, ...right] };
  });
  return [
    {
      kind: 'table',
      title: 'DOCUMENTOS ORIGINÁRIOS',
      columns: [
        { heading: 'TIPO', width: 10 },
        { heading: 'CHAVE DE ACESSO / CNPJ', width: 32 },
        { heading: 'SÉRIE / Nº', width: 8 },
        { heading: 'TIPO', width: 10 },
        { heading: 'CHAVE DE ACESSO / CNPJ', width: 32 },
        { heading: 'SÉRIE / Nº', width: 8 },
      ],
      rows,
    },
  ];
}

/** What the price of a delivery is made of, its notes, and the CT-e before it with those of their notes it is for. */
function deliveryDetails(delivery: XmlElement): string[] {
  const keyed = (kind: string, parent: XmlElement, path: string, name: string) =>
    elementsAt(parent, path).map((one) => `${kind} ${keyGroups(textAt(one, name) ?? '')}`);
  return [
    ...elementsAt(delivery, 'Comp').map(
      (one) => `${textAt(one, 'xNome') ?? ''}: ${money(textAt(one, 'vComp'))}`,
    ),
    ...keyed('NF-E', delivery, 'infNFe', 'chNFe'),
    ...elementsAt(delivery, 'infDocAnt').flatMap((earlier) => [
      `CT-E ANTERIOR ${keyGroups(textAt(earlier, 'chCTe') ?? '')}`,
      ...keyed('NF-E', earlier, 'infNFeTranspParcial', 'chNFe'),
    ]),
  ];
}

/** The deliveries of a simplified CT-e, each with its notes below it. */
export function deliveryBlocks(cte: XmlElement): Block[] {
  const deliveries = elementsAt(cte, 'det');
  if (deliveries.length === 0) return [];
  const city = (one: XmlElement, end: 'Ini' | 'Fim') =>
    [textAt(one, `xMun${end}`) ?? textAt(one, `cMun${end}`), textAt(one, `UF${end}`)]
      .filter(Boolean)
      .join('/');
  return [
    {
      kind: 'table',
      title: 'ENTREGAS',
      columns: [
        { heading: 'INÍCIO', width: 30 },
        { heading: 'TÉRMINO', width: 30 },
        { heading: 'VALOR DA PRESTAÇÃO', width: 20, align: 'right' },
        { heading: 'VALOR A RECEBER', width: 20, align: 'right' },
      ],
      rows: deliveries.map((one) => ({
        cells: [city(one, 'Ini'), city(one, 'Fim'), money(textAt(one, 'vPrest')), money(textAt(one, 'vRec'))],
        details: deliveryDetails(one),
      })),
    },
  ];
}

/** Where the way begins and ends, as the head of every page says it. */
export function wayOf(cte: XmlElement, end: 'Ini' | 'Fim'): string {
  const city = textAt(cte, `ide/xMun${end}`);
  const state = textAt(cte, `ide/UF${end}`);
  return city === undefined && state === undefined
    ? cityOf(undefined)
    : [city, state].filter(Boolean).join(' - ');
}
