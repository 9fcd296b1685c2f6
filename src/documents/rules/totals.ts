import { addDecimals, compareDecimals, isDecimal, negateDecimal } from '../decimals.ts';
import { DIRECT_TO_CONSUMER } from '../layouts/nfe-amounts.ts';
import type { ProblemCode } from '../problems.ts';
import type { DocumentSummary, Item, TaxName, TotalName } from '../summary/summary.ts';
import { calendar } from './reform/calendar.ts';
import {
  about,
  absent,
  type Deviation,
  isPositive,
  isRelieved,
  isWithinACent,
  kinds,
  RELIEF_IN_VALUE,
  type Rule,
  type Verdict,
  verified,
  type Words,
} from './rule.ts';

/** The total's name in the schema, where a rule is about several. */
const fieldOf: Readonly<Partial<Record<ProblemCode, string>>> = {
  items_against_pis: 'vPIS',
  items_against_cofins: 'vCOFINS',
};

/** Compared when the document was read, with more of the file than the summary keeps. */
function remarkedAs(
  codes: readonly ProblemCode[],
  isCompared: (document: DocumentSummary) => boolean,
): (document: DocumentSummary) => Verdict {
  return (document) => {
    const remarks = document.warnings.filter((warning) => codes.includes(warning.code));
    if (remarks.length === 0 && !isCompared(document)) return undefined;
    return remarks
      .map(({ code, values: { found = absent, expected = absent } }) => {
        const field = fieldOf[code];
        return { found, expected, ...(field === undefined ? {} : { values: { field } }) };
      })
      .filter(({ found, expected }) => !isWithinACent(found, expected));
  };
}

function hasProducts({ items, totals }: DocumentSummary): boolean {
  return items.length > 0 && totals.products !== undefined;
}

/**
 * Imports, complementary and adjustment notes and direct invoicing of vehicles add up by other rules. Source:
 * docs/fiscal/layouts.md.
 */
function hasPlainTotal(document: DocumentSummary): boolean {
  const { purpose, items, totals } = document;
  const isImport = items.some(({ cfop }) => cfop?.startsWith('3'));
  const isDirectVehicle = items.some((item) => item.vehicle_operation === DIRECT_TO_CONSUMER);
  const isPlain = (purpose === '1' || purpose === '4') && !isImport && !isDirectVehicle;
  return isPlain && totals.products !== undefined && totals.total !== undefined;
}

/** Beside services, substitution and items outside the total those of the goods stand elsewhere in the file. */
function hasContributionsOfGoods({ items, totals }: DocumentSummary): boolean {
  const isElsewhere = items.some(
    ({ in_total, pis_st, cofins_st, taxes: { iss, iss_base, iss_rate } }) =>
      (in_total ?? iss ?? iss_base ?? iss_rate ?? pis_st ?? cofins_st) !== undefined,
  );
  const hasTotal = (totals.pis ?? totals.cofins) !== undefined;
  return items.length > 0 && !isElsewhere && totals.services === undefined && hasTotal;
}

function hasNetAndGross({ totals }: DocumentSummary): boolean {
  return totals.services !== undefined && totals.total !== undefined && totals.withheld !== undefined;
}

/** An amount that stands in every item and, added up, in the totals; by the total's name in the schema. */
interface SummedField {
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
export function itemsAgainstTotals(fields: readonly SummedField[]): (document: DocumentSummary) => Verdict {
  return (document) => {
    const { items, item_count, totals } = document;
    if (items.length === 0 || items.length !== item_count) return undefined;
    const wrong: Deviation[] = [];
    let isCompared = false;
    for (const { field, name } of fields) {
      const expected = totals[name];
      if (expected === undefined) continue;
      isCompared = true;
      const sums = expectableTotals(document, name);
      if (!sums.some((sum) => isWithinACent(sum, expected))) {
        wrong.push({ found: sums[0], expected, values: { field } });
      }
    }
    return isCompared ? wrong : undefined;
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
    check: remarkedAs(['items_against_products'], hasProducts),
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
    check: remarkedAs(['parts_against_total'], hasPlainTotal),
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
    check: remarkedAs(['items_against_pis', 'items_against_cofins'], hasContributionsOfGoods),
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
    check: remarkedAs(['net_against_parts'], hasNetAndGross),
  },
];

/** Marked as withheld without ISS. Providers under the Simples need not show theirs. */
function checkWithheldFlag({ iss_withheld, totals, issuer }: DocumentSummary): Verdict {
  if (issuer?.is_under_simples === true || iss_withheld !== true) return undefined;
  if (isPositive(totals.iss) || isPositive(totals.iss_withheld)) return [];
  return [{ found: totals.iss ?? absent, expected: '> 0' }];
}

/** Marked as withheld, and what was withheld in all is less than the ISS. */
function checkWithheldAmount({ iss_withheld, totals }: DocumentSummary): Verdict {
  const { withheld } = totals;
  const iss = totals.iss_withheld ?? totals.iss;
  if (iss_withheld !== true || !isPositive(iss)) return undefined;
  const isCovered =
    withheld !== undefined &&
    isDecimal(withheld) &&
    (compareDecimals(withheld, iss) >= 0 || isWithinACent(withheld, iss));
  return isCovered ? [] : [{ found: withheld ?? absent, expected: `>= ${iss}` }];
}

/** Not marked as withheld, and the net value is the gross value less exactly the ISS. */
function checkDeducted({ iss_withheld, totals }: DocumentSummary): Verdict {
  const { iss, services, total, discount } = totals;
  if (iss_withheld !== false || !isPositive(iss) || isPositive(discount)) return undefined;
  if (services === undefined || total === undefined) return undefined;
  const withoutIss = addDecimals([services, negateDecimal(iss)]);
  if (withoutIss === undefined || !isWithinACent(withoutIss, total)) return [];
  return [{ found: total, expected: services, values: { iss } }];
}

/** From the month of competence that the national layout is due in, where the note names one. */
function isSinceNationalNfse({ competence }: DocumentSummary): boolean {
  const month = competence?.match(/^\d{4}-\d{2}/)?.[0];
  return month === undefined || month >= calendar.simplesNationalNfse.from.slice(0, 7);
}

/** A city's layout used by a micro or small company under the Simples. MEI have had a duty of their own since 2023. */
function checkMunicipalLayout(document: DocumentSummary): Verdict {
  const { layout, issuer } = document;
  const isAsked =
    issuer?.is_under_simples === true && issuer.is_mei !== true && isSinceNationalNfse(document);
  if (!isAsked) return undefined;
  if (layout.startsWith('nfse national')) return [];
  return [{ found: layout.replace(/^nfse /, ''), expected: 'nfse national' }];
}

const nationalLayoutBasis = verified(
  'Resolução CGSN 140/2018, art. 59, § 1º, na redação da Resolução CGSN 191/2026',
  '2026-11-23',
);

/** Rules of this subject. */
export const serviceRules: readonly Rule[] = [
  {
    ...about('iss_withheld_without_iss', 'warning', kinds.nfse, issBasis),
    title: ['ISS retido sem valor de ISS', 'ISS withheld without an amount of ISS'],
    finding: [
      'a nota marca ISS retido e o ISS é {found}; o esperado é {expected}',
      'the note says that ISS is withheld and the ISS is {found}; {expected} is expected',
    ],
    todo: [
      'Pergunte ao prestador se há ISS a reter e quanto: o recolhimento é do tomador.',
      'Ask the provider whether there is ISS to withhold, and how much: the service recipient (tomador) pays it.',
    ],
    check: checkWithheldFlag,
  },
  {
    ...about('iss_above_withheld', 'warning', kinds.nfse, issBasis),
    title: ['ISS retido maior que o total retido', 'ISS withheld above what was withheld in all'],
    finding: [
      'a nota marca ISS retido e o total retido é {found}; o esperado é {expected}',
      'the note says that ISS is withheld and {found} was withheld in all; {expected} is expected',
    ],
    todo: [
      'Confira as retenções antes de pagar: o ISS retido parece não ter sido descontado.',
      'Check the withheld taxes before paying: the ISS does not seem to have been deducted.',
    ],
    check: checkWithheldAmount,
  },
  {
    ...about('iss_deducted_not_withheld', 'warning', kinds.nfse, issBasis),
    title: [
      'ISS descontado do líquido sem marca de retenção',
      'ISS deducted from the net value but not marked as withheld',
    ],
    finding: [
      'o líquido {found} é o valor dos serviços {expected} menos o ISS {iss}, e a nota diz que o ISS não foi retido',
      'the net value {found} is the services {expected} less the ISS {iss}, and the note says that ISS is not withheld',
    ],
    todo: [
      'Confirme com o prestador quem recolhe o ISS antes de pagar o líquido.',
      'Ask the provider who pays the ISS before the net value is paid.',
    ],
    check: checkDeducted,
  },
  {
    ...about(
      'municipal_nfse_of_simples',
      'info',
      kinds.nfse,
      nationalLayoutBasis,
      calendar.simplesNationalNfse,
    ),
    title: [
      'NFS-e municipal de prestador do Simples, devida no padrão nacional',
      'Municipal NFS-e of a provider under the Simples, due in the national layout',
    ],
    finding: [
      'leiaute {found}; desde 01/11/2026 ME e EPP do Simples emitem pelo Emissor Nacional (Resolução CGSN 191/2026). A nota não deixa de valer por isso',
      'layout {found}; since 1 November 2026 companies under the Simples issue through the national issuer (Resolução CGSN 191/2026). That does not make the note invalid',
    ],
    todo: [
      'Pergunte ao prestador se o sistema do município está integrado ao ambiente nacional: se isso basta, a resolução não diz.',
      'Ask the provider whether the city’s system is integrated with the national environment: whether that is enough the resolution does not say.',
    ],
    check: checkMunicipalLayout,
  },
];
