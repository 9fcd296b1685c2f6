import { stateByCode } from '../documents/identity/states.ts';
import type { DocumentSummary, Party } from '../documents/summary/summary.ts';
import { cityName } from '../documents/tables/cities.ts';
import type { XmlElement } from '../documents/xml/tree.ts';
import { fieldName } from './field-names.ts';
import { type LeafField, leavesOf } from './parties.ts';
import { day, moment, money, quantity, taxId } from './printed.ts';
import { amounts, andMore, type Block, field, fieldBlock, type SheetHead, sentence } from './sheet.ts';

/** Fields that a sheet lists; how many more there are stands below them. */
const MOST_FIELDS = 3_000;

/** The head of our own form for notes that have no national one. */
export function mirrorHead(
  { number, series, issued_at, layout, key }: DocumentSummary,
  title: string,
): SheetHead {
  return {
    title,
    subtitle: ['Reprodução dos campos do arquivo', `Leiaute: ${layout}`],
    issuer: [],
    facts: [
      { label: 'Nº', value: number ?? '' },
      ...(series === undefined ? [] : [{ label: 'SÉRIE', value: series }]),
      { label: 'EMISSÃO', value: moment(issued_at) },
    ],
    ...(key !== undefined && { key }),
    consultation:
      'Este espelho não é o documento auxiliar do município. Confira a autenticidade no portal da prefeitura, com o número e o código de verificação.',
    corner: [],
  };
}

/** A city's code with its name and state; any other text as it is. */
function cityText(code: string | undefined): string {
  const name = code === undefined ? undefined : cityName(code);
  return name === undefined ? (code ?? '') : `${name}/${stateByCode[code?.slice(0, 2) ?? ''] ?? ''}`;
}

/** A value as the file has it; the code of a city with its name before it. */
function valueText({ names, value }: LeafField): string {
  if (!/^\d{7}$/.test(value) || !/mun|cidade|ibge|incid|loc/i.test(names.at(-1) ?? '')) return value;
  const city = cityText(value);
  return city === value ? value : `${city} (${value})`;
}

function partyBlock(title: string, party: Party | undefined): Block {
  if (party === undefined) return sentence(`${title} NÃO IDENTIFICADO NO ARQUIVO`);
  const named = cityText(party.city_code);
  const city =
    party.city === undefined && named !== '' ? named : [party.city, party.state].filter(Boolean).join('/');
  return fieldBlock(title, [
    [
      field('NOME / RAZÃO SOCIAL', party.name, 48),
      field('CNPJ / CPF', taxId(party.id), 20, 'center'),
      field('INSCRIÇÃO MUNICIPAL', party.municipal_registration, 16, 'center'),
      field('MUNICÍPIO / UF', city, 16),
    ],
  ]);
}

/** No municipal layout says what is withheld in all: that is the sum of its parts. */
function values({ totals, service, iss_withheld: withheld }: DocumentSummary): Block {
  const isWithheld = withheld === undefined ? '' : withheld ? 'Sim' : 'Não';
  return fieldBlock('VALORES', [
    amounts([
      ['VALOR DOS SERVIÇOS', money(totals.services)],
      ['DEDUÇÕES', money(totals.deductions)],
      ['DESCONTOS', money(totals.discount)],
      ['BASE DE CÁLCULO', money(service?.base)],
      ['ALÍQUOTA', quantity(service?.rate)],
    ]),
    amounts([
      ['VALOR DO ISS', money(totals.iss)],
      ['ISS RETIDO', isWithheld],
      [totals.withheld === undefined ? 'RETENÇÕES' : 'RETENÇÕES (CALCULADO)', money(totals.withheld)],
      ['IBS', money(totals.ibs)],
      ['CBS', money(totals.cbs)],
      ['VALOR LÍQUIDO', money(totals.total)],
    ]),
  ]);
}

/** What is understood of a note, and every field of its file by the file's own names: nothing of it is left out. */
export function mirrorBlocks(summary: DocumentSummary, tree: XmlElement): Block[] {
  const all = leavesOf(tree);
  const left = all.length - MOST_FIELDS;
  const { service } = summary;
  return [
    fieldBlock(undefined, [
      [
        field('CÓDIGO DE VERIFICAÇÃO', summary.verification_code, 30),
        field('COMPETÊNCIA', day(summary.competence), 20),
        field('CÓDIGO DO SERVIÇO', [service?.code, service?.national_code].filter(Boolean).join(' / '), 25),
        field('MUNICÍPIO DA PRESTAÇÃO', cityText(service?.city), 25),
      ],
    ]),
    partyBlock('PRESTADOR', summary.issuer),
    partyBlock('TOMADOR', summary.recipient),
    values(summary),
    {
      kind: 'table',
      title: 'TODOS OS CAMPOS DO ARQUIVO',
      columns: [
        { heading: 'CAMPO', width: 42, lines: 3 },
        { heading: 'VALOR', width: 58, lines: 60 },
      ],
      rows: all.slice(0, MOST_FIELDS).map((one) => ({ cells: [fieldName(one.names), valueText(one)] })),
    },
    ...andMore(left, 'CAMPOS'),
  ];
}
