import { moment, money, quantity, taxId, unitValue } from '../../sheets/printed.ts';
import {
  type Block,
  type Column,
  type Field,
  field,
  fieldBlock,
  inRows,
  type Sheet,
  textBlock,
} from '../../sheets/sheet.ts';
import { listOf, membersOf, textOf, type Unknown } from '../frame/dom.ts';

/** Names of totals as the forms have them, in the forms' order. */
const totalNames: readonly (readonly [name: string, label: string])[] = [
  ['icms_base', 'BASE DE CÁLCULO DO ICMS'],
  ['icms', 'VALOR DO ICMS'],
  ['icms_st', 'VALOR DO ICMS ST'],
  ['fcp', 'VALOR DO FCP'],
  ['difal', 'ICMS UF DESTINO'],
  ['products', 'VALOR DOS PRODUTOS'],
  ['services', 'VALOR DOS SERVIÇOS'],
  ['freight', 'VALOR DO FRETE'],
  ['insurance', 'VALOR DO SEGURO'],
  ['discount', 'DESCONTO'],
  ['other', 'OUTRAS DESPESAS'],
  ['ipi', 'VALOR DO IPI'],
  ['pis', 'VALOR DO PIS'],
  ['cofins', 'VALOR DA COFINS'],
  ['iss_base', 'BASE DE CÁLCULO DO ISSQN'],
  ['iss', 'VALOR DO ISSQN'],
  ['withheld', 'RETENÇÕES'],
  ['ibs', 'VALOR DO IBS'],
  ['cbs', 'VALOR DA CBS'],
  ['is', 'VALOR DO IS'],
  ['cargo', 'VALOR DA CARGA'],
  ['receivable', 'VALOR A RECEBER'],
  ['total', 'VALOR TOTAL'],
];

const titles: Readonly<Record<string, readonly [title: string, issuer: string, recipient: string]>> = {
  nfe: ['NF-e', 'EMITENTE', 'DESTINATÁRIO / REMETENTE'],
  nfce: ['NFC-e', 'EMITENTE', 'DESTINATÁRIO'],
  cte: ['CT-e', 'EMITENTE', 'DESTINATÁRIO'],
  cteos: ['CT-e OS', 'EMITENTE', 'DESTINATÁRIO'],
  nfse: ['NFS-e', 'PRESTADOR / FORNECEDOR', 'TOMADOR / ADQUIRENTE'],
};

const FIELDS_IN_ROW = 6;

function party(title: string, value: unknown): Block[] {
  const of = membersOf(value);
  if (Object.keys(of).length === 0) return [];
  const city = [of.city, of.state].map(textOf).filter(Boolean).join(' / ');
  const row = [
    field('NOME / RAZÃO SOCIAL', textOf(of.name), 46),
    field('CNPJ / CPF', taxId(textOf(of.id)), 20, 'center'),
    field('INSCRIÇÃO', textOf(of.state_registration ?? of.municipal_registration), 16, 'center'),
    field('MUNICÍPIO / UF', city, 18),
  ];
  return [fieldBlock(title, [row])];
}

function totals(value: unknown): Block[] {
  const of = membersOf(value);
  const fields = totalNames.flatMap(([name, label]): Field[] => {
    const text = textOf(of[name]);
    return text === undefined ? [] : [field(label, money(text), 100 / FIELDS_IN_ROW, 'right')];
  });
  return fields.length === 0 ? [] : [fieldBlock('VALORES', inRows(fields, FIELDS_IN_ROW))];
}

const itemColumns: readonly (Column & { readonly name: string; write?(text: string | undefined): string })[] =
  [
    { heading: 'CÓDIGO', width: 10, name: 'code' },
    { heading: 'DESCRIÇÃO', width: 34, name: 'description' },
    { heading: 'NCM', width: 9, name: 'ncm' },
    { heading: 'CST', width: 6, name: 'cst' },
    { heading: 'CFOP', width: 6, name: 'cfop' },
    { heading: 'UN', width: 5, name: 'unit' },
    { heading: 'QUANT.', width: 9, align: 'right', name: 'quantity', write: quantity },
    { heading: 'VALOR UNIT.', width: 10, align: 'right', name: 'unit_value', write: unitValue },
    { heading: 'VALOR TOTAL', width: 11, align: 'right', name: 'total', write: money },
  ];

function items(value: unknown): Block[] {
  const rows = listOf(value).map((item) => {
    const of = membersOf(item);
    return { cells: itemColumns.map(({ name, write = (text = '') => text }) => write(textOf(of[name]))) };
  });
  if (rows.length === 0) return [];
  return [{ kind: 'table', title: 'DADOS DOS PRODUTOS / SERVIÇOS', columns: itemColumns, rows }];
}

function service(value: unknown): Block[] {
  const of = membersOf(value);
  const description = textOf(of.description);
  if (description === undefined) return [];
  const codes = [of.code, of.national_code].map(textOf).filter(Boolean).join(' / ');
  const label = codes === '' ? 'DESCRIÇÃO' : `DESCRIÇÃO (${codes})`;
  return [textBlock('SERVIÇO PRESTADO', [field(label, description, 100)], { least: 1, most: 40 })];
}

/** A sheet of a document's summary, for where its text isn't at hand: the same blocks with fewer fields. */
export function sheetOfSummary(document: Unknown): Sheet {
  const [title, issuer, recipient] = titles[textOf(document.kind) ?? ''] ?? [
    'Documento',
    'EMITENTE',
    'DESTINATÁRIO',
  ];
  const protocol = membersOf(document.protocol);
  const number = textOf(protocol.number);
  const key = textOf(document.key);
  const notes = textOf(document.notes);
  return {
    form: 'mirror',
    head: {
      title,
      subtitle: [],
      issuer: [],
      facts: [
        { label: 'Nº', value: textOf(document.number) ?? '' },
        { label: 'SÉRIE', value: textOf(document.series) ?? '' },
        { label: 'EMISSÃO', value: moment(textOf(document.issued_at)) },
      ],
      ...(key !== undefined && { key }),
      consultation: '',
      corner: [],
    },
    blocks: [
      fieldBlock(undefined, [
        [
          field('NATUREZA DA OPERAÇÃO', textOf(document.operation), 58),
          field(
            'PROTOCOLO DE AUTORIZAÇÃO',
            number && `${number} ${moment(textOf(protocol.at))}`,
            42,
            'center',
          ),
        ],
      ]),
      ...party(issuer, document.issuer),
      ...party(recipient, document.recipient),
      ...party('REMETENTE', document.sender),
      ...party('TOMADOR DO SERVIÇO', document.payer),
      ...service(document.service),
      ...totals(document.totals),
      ...items(document.items),
      ...(notes === undefined
        ? []
        : [textBlock('INFORMAÇÕES COMPLEMENTARES', [field('', notes, 100)], { least: 1, most: 40 })]),
    ],
    marks: [],
    foot: '',
  };
}
