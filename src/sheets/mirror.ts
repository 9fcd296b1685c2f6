import { stateByCode } from '../documents/identity/keys.ts';
import type { DocumentSummary, Party } from '../documents/summary/summary.ts';
import { cityName } from '../documents/tables/cities.ts';
import type { XmlElement } from '../documents/xml/tree.ts';
import { amountRow, asItIs, type LeafField, leavesOf, section } from './entries.ts';
import { day, joined, moment, quantity, taxId } from './printed.ts';
import { andMore, type Block, field, fieldBlock, type SheetHead, sentence } from './sheet.ts';

const MOST_FIELDS = 3_000;

/** The head of our own form, for notes without a national one. */
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

/** Words of municipal layouts in correct spelling; element names have neither accents nor blanks. */
const dictionary =
  'CEP CNAE CNPJ COFINS CPF CSLL CST IBS CBS IBGE INSS IR IRRF ISS ISSQN NBS NFS-e PIS RPS UF alíquota ' +
  'apuração cálculo código competência construção crédito dedução deduções descrição discriminação ' +
  'emissão endereço execução identificação incidência informações inscrição intermediário líquido ' +
  'município número operação opção órgão país prestação razão responsável retenção retenções série ' +
  'serviço serviços situação substituição substituída tributação verificação';

/** Spelling by element name. */
const written: ReadonlyMap<string, string> = new Map([
  ...dictionary.split(' ').map(
    (word) =>
      [
        word
          .normalize('NFD')
          .replace(/[^a-z]/gi, '')
          .toLowerCase(),
        word,
      ] as const,
  ),
  ['id', 'identificador'],
  ['im', 'inscrição municipal'],
]);

const phrases: readonly (readonly [together: string, written: string])[] = [
  ['item lista serviço', 'item da lista de serviços'],
  ['código tributação município', 'código de tributação do município'],
  ['optante simples nacional', 'optante pelo Simples Nacional'],
  ['prestador serviço', 'prestador do serviço'],
  ['tomador serviço', 'tomador do serviço'],
  ['código verificação', 'código de verificação'],
  ['código município', 'código do município'],
  ['código serviço', 'código do serviço'],
  ['data emissão', 'data de emissão'],
  ['natureza operação', 'natureza da operação'],
  ['valor serviços', 'valor dos serviços'],
  ['base cálculo', 'base de cálculo'],
];

const ENVELOPES =
  /^(?:\w+:)?(?:CompNfse|Nfse|NFSe|NFS-e|NFe|InfNfse|infNFSe|ListaNfse|GerarNfse\w*|Retorno\w*|Consultar\w*|InfDeclaracaoPrestacaoServico|DeclaracaoPrestacaoServico|InfRps|CpfCnpj|Rps)$/;

/** `RazaoSocial` as `razão social`, `ISSRetido` as `ISS retido`, `VALOR_PIS` as `valor PIS`. */
function wordsOf(name: string): string {
  const words = name
    .replace(/^\w+:/, '')
    .replace(/NFS?-?[eE]|Nfs?e/g, 'Nfse')
    .replace(/CPF_?CNPJ/g, 'CpfCnpj')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .split(/[\s_.-]+/)
    .map((word) => written.get(word.toLowerCase()) ?? word.toLowerCase())
    .join(' ');
  return phrases.reduce((text, [together, known]) => text.replace(together, known), words);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Label of a field: the meaningful parts of its path, outermost first. */
function fieldName(names: readonly string[]): string {
  const [last = ''] = names.slice(-1);
  const parts = names.slice(0, -1).filter((name) => !ENVELOPES.test(name));
  return [...parts, last].map((name) => capital(wordsOf(name))).join(', ');
}

/** A city's code with its name and state; other text unchanged. */
function cityText(code: string | undefined): string {
  const name = code === undefined ? undefined : cityName(code);
  return name === undefined ? (code ?? '') : `${name}/${stateByCode[code?.slice(0, 2) ?? ''] ?? ''}`;
}

/** The file's value; a city code gets the city's name in front. */
function valueText({ names, value }: LeafField): string {
  if (!/^\d{7}$/.test(value) || !/mun|cidade|ibge|incid|loc/i.test(names.at(-1) ?? '')) return value;
  const city = cityText(value);
  return city === value ? value : `${city} (${value})`;
}

function partyBlock(title: string, party: Party | undefined): Block {
  if (party === undefined) return sentence(`${title} NÃO IDENTIFICADO NO ARQUIVO`);
  const named = cityText(party.city_code);
  const city = party.city === undefined && named !== '' ? named : joined('/', party.city, party.state);
  return fieldBlock(title, [
    [
      field('NOME / RAZÃO SOCIAL', party.name, 48),
      field('CNPJ / CPF', taxId(party.id), 20, 'center'),
      field('INSCRIÇÃO MUNICIPAL', party.municipal_registration, 16, 'center'),
      field('MUNICÍPIO / UF', city, 16),
    ],
  ]);
}

/** Amounts of the note. No municipal layout states the total withheld, so it is the sum of its parts. */
function values({ totals, service, iss_withheld: withheld }: DocumentSummary): Block {
  const isWithheld = withheld === undefined ? '' : withheld ? 'Sim' : 'Não';
  return section('VALORES', undefined, [
    amountRow(
      ['VALOR DOS SERVIÇOS', () => totals.services],
      ['DEDUÇÕES', () => totals.deductions],
      ['DESCONTOS', () => totals.discount],
      ['BASE DE CÁLCULO', () => service?.base],
      ['ALÍQUOTA', () => service?.rate, quantity],
    ),
    amountRow(
      ['VALOR DO ISS', () => totals.iss],
      ['ISS RETIDO', () => isWithheld, asItIs],
      [totals.withheld === undefined ? 'RETENÇÕES' : 'RETENÇÕES (CALCULADO)', () => totals.withheld],
      ['IBS', () => totals.ibs],
      ['CBS', () => totals.cbs],
      ['VALOR LÍQUIDO', () => totals.total],
    ),
  ]);
}

/** The parsed facts of a note, then every field of its file by path, so that nothing is omitted. */
export function mirrorBlocks(summary: DocumentSummary, tree: XmlElement): Block[] {
  const all = leavesOf(tree);
  const left = all.length - MOST_FIELDS;
  const { service } = summary;
  return [
    fieldBlock(undefined, [
      [
        field('CÓDIGO DE VERIFICAÇÃO', summary.verification_code, 30),
        field('COMPETÊNCIA', day(summary.competence), 20),
        field('CÓDIGO DO SERVIÇO', joined(' / ', service?.code, service?.national_code), 25),
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
