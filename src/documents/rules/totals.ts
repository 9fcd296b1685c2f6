import { addDecimals } from '../decimals.ts';
import type { ProblemCode } from '../problems.ts';
import type { DocumentSummary, Item, TaxName, TotalName } from '../summary/summary.ts';
import {
  about,
  absent,
  type Deviation,
  isRelieved,
  isWithinACent,
  kinds,
  RELIEF_IN_VALUE,
  type Rule,
  verified,
  type Words,
} from './rule.ts';

/** The total's name in the schema, where a rule is about several. */
const fieldOf: Readonly<Partial<Record<ProblemCode, string>>> = {
  items_against_pis: 'vPIS',
  items_against_cofins: 'vCOFINS',
};

/** Seen when the document was read, with more of the file than the summary keeps. */
function remarkedAs(...codes: readonly ProblemCode[]): (document: DocumentSummary) => Deviation[] {
  return ({ warnings }) =>
    warnings
      .filter((warning) => codes.includes(warning.code))
      .map(({ code, values: { found = absent, expected = absent } }) => {
        const field = fieldOf[code];
        return { found, expected, ...(field === undefined ? {} : { values: { field } }) };
      })
      .filter(({ found, expected }) => !isWithinACent(found, expected));
}

/** An amount that stands in every item and, added up, in the totals; by the total's name in the schema. */
export interface SummedField {
  readonly field: string;
  readonly name: TaxName & TotalName;
}

/** Without PIS and COFINS, which may stand elsewhere in the file. Source: docs/fiscal/layouts.md. */
const icmsAndIpi: readonly SummedField[] = [
  { field: 'vBC', name: 'icms_base' },
  { field: 'vICMS', name: 'icms' },
  { field: 'vFCP', name: 'fcp' },
  { field: 'vST', name: 'icms_st' },
  { field: 'vFCPST', name: 'fcp_st' },
  { field: 'vII', name: 'import_duty' },
  { field: 'vIPI', name: 'ipi' },
];

export const ibsAndCbs: readonly SummedField[] = [
  { field: 'vBCIBSCBS', name: 'ibs_cbs_base' },
  { field: 'vIBS', name: 'ibs' },
  { field: 'vCBS', name: 'cbs' },
];

function sumOfItems(items: readonly Item[], name: TaxName): string {
  const amounts: string[] = [];
  for (const { taxes } of items) {
    const amount = taxes[name];
    if (amount !== undefined) amounts.push(amount);
  }
  return addDecimals(amounts) ?? '0.00';
}

/** What a total may be, the likelier first: relieved ICMS may be counted in or not. */
function expectableTotals({ items, layout }: DocumentSummary, name: TaxName): readonly [string, ...string[]] {
  const all = sumOfItems(items, name);
  if (name !== 'icms') return [all];
  const due = sumOfItems(
    items.filter((item) => !isRelieved(item)),
    name,
  );
  return layout === RELIEF_IN_VALUE ? [due, all] : [all, due];
}

/** Items against totals; a cent is no difference. */
export function itemsAgainstTotals(
  fields: readonly SummedField[],
): (document: DocumentSummary) => Deviation[] {
  return (document) => {
    const { items, item_count, totals } = document;
    if (items.length === 0 || items.length !== item_count) return [];
    const wrong: Deviation[] = [];
    for (const { field, name } of fields) {
      const expected = totals[name];
      if (expected === undefined) continue;
      const sums = expectableTotals(document, name);
      if (!sums.some((sum) => isWithinACent(sum, expected))) {
        wrong.push({ found: sums[0], expected, values: { field } });
      }
    }
    return wrong;
  };
}

const totalsBasis = verified('MOC NF-e 7.0, Anexo I, grupo W (totais)');
const issBasis = verified('LC 116/2003, art. 6º; leiautes ABRASF e nacional da NFS-e');

const itemsAgainstTotal: Words = [
  '{field}: os itens somam {found} e o total é {expected}',
  '{field}: the items add up to {found} and the total is {expected}',
];

const askIssuer: Words = [
  'Não escriture antes de esclarecer com o emitente qual dos valores vale.',
  'Do not book it before the issuer has said which of the amounts holds.',
];

/** Rules of this subject. */
export const totalRules: readonly Rule[] = [
  {
    ...about('items_against_products', 'error', kinds.notes, totalsBasis),
    title: ['Soma dos itens × total dos produtos', 'Sum of items × total of products'],
    finding: [
      'os itens somam {found} e o total dos produtos (vProd) é {expected}',
      'the items add up to {found} and the total of products (vProd) is {expected}',
    ],
    todo: askIssuer,
    check: remarkedAs('items_against_products'),
  },
  {
    ...about('parts_against_total', 'error', kinds.notes, totalsBasis),
    title: ['Valor da nota × parcelas', 'Total of the note × its parts'],
    finding: [
      'o valor da nota (vNF) é {found} e as parcelas somam {expected}',
      'the total of the note (vNF) is {found} and its parts add up to {expected}',
    ],
    todo: [
      'Confira o valor a pagar antes de lançar a duplicata.',
      'Check the amount to pay before the invoice is entered.',
    ],
    check: remarkedAs('parts_against_total'),
  },
  {
    ...about('item_taxes_against_totals', 'error', kinds.notes, totalsBasis),
    title: ['ICMS e IPI dos itens × totais', 'ICMS and IPI of items × totals'],
    finding: itemsAgainstTotal,
    todo: [
      'Não aproveite o crédito antes de esclarecer com o emitente qual dos valores vale.',
      'Do not take the credit before the issuer has said which of the amounts holds.',
    ],
    check: itemsAgainstTotals(icmsAndIpi),
  },
  {
    ...about('pis_cofins_items_against_totals', 'error', kinds.notes, totalsBasis),
    title: ['PIS e COFINS dos itens × totais', 'PIS and COFINS of items × totals'],
    finding: itemsAgainstTotal,
    todo: [
      'Confira o valor de cada item: o crédito de PIS e COFINS se apura por item.',
      'Check each item: credits of PIS and COFINS are worked out per item.',
    ],
    check: remarkedAs('items_against_pis', 'items_against_cofins'),
  },
  {
    ...about('net_against_parts', 'warning', kinds.nfse, issBasis),
    title: [
      'Valor líquido da NFS-e × retenções e descontos',
      'Net value of the NFS-e × withheld taxes and discounts',
    ],
    finding: [
      'o valor líquido é {found} e a conta de serviços, retenções e descontos dá {expected}',
      'the net value is {found} and services less withheld taxes and discounts give {expected}',
    ],
    todo: [
      'Confira retenções e descontos antes de pagar o prestador.',
      'Check withheld taxes and discounts before the provider is paid.',
    ],
    check: remarkedAs('net_against_parts'),
  },
];
