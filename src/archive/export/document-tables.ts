import {
  type DocumentStatus,
  type DocumentSummary,
  familyOf,
  type Item,
  isVoid,
  kindName,
  type TaxName,
  type TotalName,
} from '../../documents/summary/summary.ts';
import {
  type Column,
  type ColumnKind,
  column,
  type Heading,
  type HeadingLanguage,
  no,
  type Standing,
  type Table,
  yes,
} from './table.ts';

/** A document with its day of entry, if known. */
export type DocumentRow = DocumentSummary & { readonly entered_on?: string | undefined };

/** An item with its document. */
export type ItemRow = DocumentRow & { readonly item: Item };

const otherKinds: Readonly<Partial<Record<DocumentSummary['kind'], Heading>>> = {
  event: { 'pt-BR': 'Evento', en: 'Event' },
  summary: { 'pt-BR': 'Resumo de NF-e', en: 'NF-e summary' },
};

const testName: Heading = { 'pt-BR': 'Homologação', en: 'Test environment' };

const statusNames: Readonly<Record<DocumentStatus, Heading>> = {
  authorized: { 'pt-BR': 'Autorizado', en: 'Authorised' },
  cancelled: { 'pt-BR': 'Cancelado', en: 'Cancelled' },
  denied: { 'pt-BR': 'Denegado', en: 'Denied' },
  no_protocol: { 'pt-BR': 'Sem protocolo', en: 'Without protocol' },
  unknown: { 'pt-BR': 'Não informado', en: 'Not stated' },
};

type DocumentColumn = Column<DocumentRow>;

function total(name: TotalName, portuguese: string, english: string): DocumentColumn {
  return column('money', portuguese, english, ({ totals }) => totals[name]);
}

export const identityColumns = {
  kind: column(
    'text',
    'Documento',
    'Document',
    ({ kind }, language) => otherKinds[kind]?.[language] ?? kindName(kind),
  ),
  key: column('code', 'Chave de acesso', 'Access key', ({ key }) => key),
  series: column('text', 'Série', 'Series', ({ series }) => series),
  number: column('text', 'Número', 'Number', ({ number }) => number),
  issued: column('date', 'Emissão', 'Issued', ({ issued_at }) => issued_at),
  status: column('text', 'Situação', 'Status', ({ status }, language) => statusNames[status][language]),
  issuerId: column('tax_id', 'CNPJ/CPF do emitente', 'Issuer tax id', ({ issuer }) => issuer?.id),
} as const satisfies Record<string, DocumentColumn>;

const documentColumns: readonly DocumentColumn[] = [
  ...Object.values(identityColumns),
  column('text', 'Emitente', 'Issuer', ({ issuer }) => issuer?.name),
  column('text', 'UF do emitente', 'Issuer state', ({ issuer }) => issuer?.state),
  column('tax_id', 'CNPJ/CPF do destinatário', 'Recipient tax id', ({ recipient }) => recipient?.id),
  column('text', 'Destinatário', 'Recipient', ({ recipient }) => recipient?.name),
  column('text', 'UF do destinatário', 'Recipient state', ({ recipient }) => recipient?.state),
  column('date', 'Entrada', 'Entered', ({ entered_on }) => entered_on),
];

/** Statuses requested by name, whose documents count. */
type Asked = readonly DocumentStatus[] | undefined;

/** A document's group and share in totals: kinds are never summed together, and questions sum alike. */
function standing(
  { kind, status, environment, totals }: DocumentRow,
  asked: Asked,
  language: HeadingLanguage,
): Standing {
  const isTest = environment === 'test';
  return {
    group: kindName(familyOf(kind)),
    status: (isTest ? testName : statusNames[status])[language],
    counts: !isTest && (!isVoid(status) || asked?.includes(status) === true),
    amount: totals.total,
  };
}

function leftOutColumn(asked: Asked): DocumentColumn {
  return column('text', 'Fora dos totais', 'Left out of totals', (row, language) => {
    const { counts, status } = standing(row, asked, language);
    return counts ? undefined : status;
  });
}

type Route = NonNullable<DocumentSummary['route']>;

/** City and state: `Campinas/SP`. */
function placeText(place: Route['origin']): string | undefined {
  const parts = [place?.name ?? place?.city, place?.state].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join('/') : undefined;
}

const allDocumentColumns: readonly DocumentColumn[] = [
  ...documentColumns,
  column('text', 'Natureza da operação', 'Operation', ({ operation }) => operation),
  column('money', 'Valor total', 'Total', ({ totals }) => totals.total),
  total('products', 'Produtos', 'Products'),
  total('services', 'Serviços', 'Services'),
  total('icms_base', 'Base do ICMS', 'ICMS base'),
  total('icms', 'ICMS', 'ICMS'),
  total('icms_st', 'ICMS-ST', 'ICMS-ST'),
  total('ipi', 'IPI', 'IPI'),
  total('pis', 'PIS', 'PIS'),
  total('cofins', 'COFINS', 'COFINS'),
  total('iss', 'ISS', 'ISS'),
  column('text', 'ISS retido', 'ISS withheld', ({ iss_withheld }, language) =>
    iss_withheld === undefined ? undefined : (iss_withheld ? yes : no)[language],
  ),
  total('withheld', 'Retenções', 'Withheld'),
  total('ibs', 'IBS', 'IBS'),
  total('cbs', 'CBS', 'CBS'),
  total('is', 'Imposto Seletivo', 'Selective tax'),
  total('freight', 'Frete', 'Freight'),
  total('insurance', 'Seguro', 'Insurance'),
  total('discount', 'Desconto', 'Discount'),
  total('other', 'Outras despesas', 'Other expenses'),
  column('code', 'Protocolo', 'Protocol', ({ protocol }) => protocol?.number),
  column('tax_id', 'CNPJ/CPF do tomador do frete', 'Freight payer tax id', ({ payer }) => payer?.id),
  column('text', 'Tomador do frete', 'Freight payer', ({ payer }) => payer?.name),
  column('text', 'Origem', 'Origin', ({ route }) => placeText(route?.origin)),
  column('text', 'Destino', 'Destination', ({ route }) => placeText(route?.destination)),
  column('code', 'Chaves transportadas', 'Carried keys', ({ linked_keys }) => linked_keys.join(' ')),
];

/** One row per document. Documents left out of totals are marked; those of an `asked` status count. */
export function documentTable(asked?: Asked): Table<DocumentRow> {
  return {
    title: { 'pt-BR': 'Documentos', en: 'Documents' },
    columns: [...allDocumentColumns, leftOutColumn(asked)],
    standing: (row, language) => standing(row, asked, language),
  };
}

type ItemColumn = Column<ItemRow>;

function ofItem(
  kind: ColumnKind,
  portuguese: string,
  english: string,
  field: Exclude<keyof Item, 'taxes'>,
): ItemColumn {
  return column(kind, portuguese, english, ({ item }) => item[field]);
}

function tax(kind: ColumnKind, portuguese: string, english: string, name: TaxName): ItemColumn {
  return column(kind, portuguese, english, ({ item }) => item.taxes[name]);
}

const allItemColumns: readonly ItemColumn[] = [
  ...documentColumns,
  ofItem('text', 'Item', 'Item', 'number'),
  ofItem('code', 'Código do produto', 'Product code', 'code'),
  ofItem('text', 'Descrição', 'Description', 'description'),
  ofItem('code', 'NCM', 'NCM', 'ncm'),
  ofItem('text', 'CFOP', 'CFOP', 'cfop'),
  ofItem('code', 'CST/CSOSN', 'CST/CSOSN', 'cst'),
  ofItem('number', 'Quantidade', 'Quantity', 'quantity'),
  ofItem('text', 'Unidade', 'Unit', 'unit'),
  ofItem('number', 'Valor unitário', 'Unit value', 'unit_value'),
  ofItem('money', 'Valor do item', 'Item total', 'total'),
  ofItem('money', 'Desconto', 'Discount', 'discount'),
  tax('money', 'Base do ICMS', 'ICMS base', 'icms_base'),
  tax('number', 'Alíquota do ICMS', 'ICMS rate', 'icms_rate'),
  tax('money', 'ICMS', 'ICMS', 'icms'),
  tax('money', 'ICMS-ST', 'ICMS-ST', 'icms_st'),
  tax('money', 'IPI', 'IPI', 'ipi'),
  tax('money', 'PIS', 'PIS', 'pis'),
  tax('money', 'COFINS', 'COFINS', 'cofins'),
  tax('money', 'ISS', 'ISS', 'iss'),
  tax('code', 'CST do IBS/CBS', 'IBS/CBS CST', 'ibs_cbs_cst'),
  tax('code', 'cClassTrib', 'cClassTrib', 'class_trib'),
  tax('money', 'Base do IBS/CBS', 'IBS/CBS base', 'ibs_cbs_base'),
  tax('money', 'IBS', 'IBS', 'ibs'),
  tax('money', 'CBS', 'CBS', 'cbs'),
  tax('money', 'Imposto Seletivo', 'Selective tax', 'is'),
];

/** One row per item, marked as in `documentTable`; documents without items have no rows. */
export function itemTable(asked?: Asked): Table<ItemRow> {
  return {
    title: { 'pt-BR': 'Itens', en: 'Items' },
    columns: [...allItemColumns, leftOutColumn(asked)],
    standing: (row, language) => ({ ...standing(row, asked, language), amount: row.item.total }),
  };
}

/** Streams the rows of `itemTable`. */
export async function* itemRows(
  documents: AsyncIterable<DocumentRow> | Iterable<DocumentRow>,
): AsyncGenerator<ItemRow> {
  for await (const document of documents) {
    for (const item of document.items) yield { ...document, item };
  }
}
