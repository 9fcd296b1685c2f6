import { addDecimals, compareDecimals, isDecimal, negateDecimal } from '../decimals.ts';
import { hasContributionsOfGoods, hasPlainTotal } from '../layouts/nfe-amounts.ts';
import type { ProblemCode } from '../problems.ts';
import type { DocumentSummary, Item, TaxName, TotalName } from '../summary/summary.ts';
import {
  absent,
  type Check,
  type Deviation,
  isPositive,
  isRelieved,
  isWithinACent,
  kinds,
  RELIEF_IN_VALUE,
  rule,
  verified,
  type Words,
} from './rule.ts';

/**
 * Turns warnings of the reader, which compared more of the file than the summary keeps, into deviations with a field
 * name.
 */
function fromWarnings(
  fields: Readonly<Partial<Record<ProblemCode, string>>>,
  isCompared: (document: DocumentSummary) => boolean,
): Check {
  return (document) => {
    const warnings = document.warnings.filter(({ code }) => fields[code] !== undefined);
    if (warnings.length === 0 && !isCompared(document)) return undefined;
    return warnings
      .map(({ code, values: { found = absent, expected = absent } }) => {
        const field = fields[code];
        return { found, expected, ...(field && { values: { field } }) };
      })
      .filter(({ found, expected }) => !isWithinACent(found, expected));
  };
}

/** Admissible values of a total, the likelier first: relieved ICMS may be included or not. */
function expectableTotals({ items, layout }: DocumentSummary, name: TaxName): readonly [string, ...string[]] {
  const sumOf = (those: readonly Item[]) => addDecimals(those.map(({ taxes }) => taxes[name])) ?? '0.00';
  const all = sumOf(items);
  if (name !== 'icms') return [all];
  const due = items.filter((item) => !isRelieved(item));
  const sum = due.length === items.length ? all : sumOf(due);
  return layout === RELIEF_IN_VALUE ? [sum, all] : [all, sum];
}

/** Compares item amounts with their totals, by the total's name in the schema; tolerates a cent. */
export function itemsAgainstTotals(fields: Readonly<Record<string, TaxName & TotalName>>): Check {
  return (document) => {
    const { items, item_count, totals } = document;
    if (items.length === 0 || items.length !== item_count) return undefined;
    const wrong: Deviation[] = [];
    let isCompared = false;
    for (const [field, name] of Object.entries(fields)) {
      const expected = totals[name];
      if (expected === undefined) continue;
      isCompared = true;
      const sums = expectableTotals(document, name);
      if (sums.some((sum) => isWithinACent(sum, expected))) continue;
      wrong.push({ found: sums[0], expected, values: { field } });
    }
    return isCompared ? wrong : undefined;
  };
}

const totalsBasis = verified('MOC NF-e 7.0, Anexo I, grupo W (totais)');
const issBasis = verified('LC 116/2003, art. 6º; leiautes ABRASF e nacional da NFS-e');
const nationalLayoutBasis = verified(
  'Resolução CGSN 140/2018, art. 59, § 1º, na redação da Resolução CGSN 191/2026',
  '2026-11-23',
);

export const itemsAgainstTotal: Words = [
  '{field}: os itens somam {found} e o total é {expected}',
  '{field}: the items add up to {found} and the total is {expected}',
];

export const totalRules = [
  rule('items_against_products', 'error', kinds.notes, totalsBasis, {
    title: ['Soma dos itens × total dos produtos', 'Sum of items × total of products'],
    finding: [
      'os itens somam {found} e o total dos produtos (vProd) é {expected}',
      'the items add up to {found} and the total of products (vProd) is {expected}',
    ],
    todo: [
      'Não escriture antes de esclarecer com o emitente qual dos valores vale.',
      'Do not book it before the issuer has said which of the amounts holds.',
    ],
    check: fromWarnings(
      { items_against_products: '' },
      ({ items, totals }) => items.length > 0 && totals.products !== undefined,
    ),
  }),
  rule('parts_against_total', 'error', kinds.notes, totalsBasis, {
    title: ['Valor da nota × parcelas', 'Total of the note × its parts'],
    finding: [
      'o valor da nota (vNF) é {found} e as parcelas somam {expected}',
      'the total of the note (vNF) is {found} and its parts add up to {expected}',
    ],
    todo: [
      'Confira o valor a pagar antes de lançar a duplicata.',
      'Check the amount to pay before the invoice is entered.',
    ],
    check: fromWarnings(
      { parts_against_total: '' },
      (document) => hasPlainTotal(document) && document.totals.total !== undefined,
    ),
  }),
  rule('item_taxes_against_totals', 'error', kinds.notes, totalsBasis, {
    title: ['ICMS e IPI dos itens × totais', 'ICMS and IPI of items × totals'],
    finding: itemsAgainstTotal,
    todo: [
      'Não aproveite o crédito antes de esclarecer com o emitente qual dos valores vale.',
      'Do not take the credit before the issuer has said which of the amounts holds.',
    ],
    // PIS and COFINS may be elsewhere in the file. Source: docs/fiscal/layouts.md.
    check: itemsAgainstTotals({
      vBC: 'icms_base',
      vICMS: 'icms',
      vFCP: 'fcp',
      vST: 'icms_st',
      vFCPST: 'fcp_st',
      vII: 'import_duty',
      vIPI: 'ipi',
    }),
  }),
  rule('pis_cofins_items_against_totals', 'error', kinds.notes, totalsBasis, {
    title: ['PIS e COFINS dos itens × totais', 'PIS and COFINS of items × totals'],
    finding: itemsAgainstTotal,
    todo: [
      'Confira o valor de cada item: o crédito de PIS e COFINS se apura por item.',
      'Check each item: credits of PIS and COFINS are worked out per item.',
    ],
    check: fromWarnings({ items_against_pis: 'vPIS', items_against_cofins: 'vCOFINS' }, (document) => {
      const { items, totals } = document;
      const hasTotal = (totals.pis ?? totals.cofins) !== undefined;
      return items.length > 0 && hasTotal && hasContributionsOfGoods(document);
    }),
  }),
  rule('net_against_parts', 'warning', kinds.nfse, issBasis, {
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
    check: fromWarnings(
      { net_against_parts: '' },
      ({ totals: { services, total, withheld } }) =>
        services !== undefined && total !== undefined && withheld !== undefined,
    ),
  }),
];

export const serviceRules = [
  rule('iss_withheld_without_iss', 'warning', kinds.nfse, issBasis, {
    title: ['ISS retido sem valor de ISS', 'ISS withheld without an amount of ISS'],
    finding: [
      'a nota marca ISS retido e o ISS é {found}; o esperado é {expected}',
      'the note says that ISS is withheld and the ISS is {found}; {expected} is expected',
    ],
    todo: [
      'Pergunte ao prestador se há ISS a reter e quanto: o recolhimento é do tomador.',
      'Ask the provider whether there is ISS to withhold, and how much: the service recipient (tomador) pays it.',
    ],
    /** Providers under the Simples need not state their ISS. */
    check({ iss_withheld, totals, issuer }) {
      if (issuer?.is_under_simples === true || iss_withheld !== true) return undefined;
      if (isPositive(totals.iss) || isPositive(totals.iss_withheld)) return [];
      return [{ found: totals.iss ?? absent, expected: '> 0' }];
    },
  }),
  rule('iss_above_withheld', 'warning', kinds.nfse, issBasis, {
    title: ['ISS retido maior que o total retido', 'ISS withheld above what was withheld in all'],
    finding: [
      'a nota marca ISS retido e o total retido é {found}; o esperado é {expected}',
      'the note says that ISS is withheld and {found} was withheld in all; {expected} is expected',
    ],
    todo: [
      'Confira as retenções antes de pagar: o ISS retido parece não ter sido descontado.',
      'Check the withheld taxes before paying: the ISS does not seem to have been deducted.',
    ],
    check({ iss_withheld, totals }) {
      const { withheld = absent } = totals;
      const iss = totals.iss_withheld ?? totals.iss;
      if (iss_withheld !== true || !isPositive(iss)) return undefined;
      const isCovered = isDecimal(withheld) && compareDecimals(withheld, iss) >= 0;
      return isCovered || isWithinACent(withheld, iss) ? [] : [{ found: withheld, expected: `>= ${iss}` }];
    },
  }),
  rule('iss_deducted_not_withheld', 'warning', kinds.nfse, issBasis, {
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
    check({ iss_withheld, totals: { iss, services, total, discount } }) {
      if (iss_withheld !== false || !isPositive(iss) || isPositive(discount)) return undefined;
      if (services === undefined || total === undefined) return undefined;
      const withoutIss = addDecimals([services, negateDecimal(iss)]);
      if (withoutIss === undefined || !isWithinACent(withoutIss, total)) return [];
      return [{ found: total, expected: services, values: { iss } }];
    },
  }),
  rule('municipal_nfse_of_simples', 'info', kinds.nfse, nationalLayoutBasis, {
    // Resolução CGSN 191/2026, article 3, I.
    valid: { from: '2026-11-01' },
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
    /** MEI have had a duty of their own since 2023. */
    check({ layout, issuer, competence }) {
      const month = competence?.match(/^\d{4}-\d{2}/)?.[0] ?? '2026-11';
      if (issuer?.is_under_simples !== true || issuer.is_mei === true || month < '2026-11') return undefined;
      if (layout.startsWith('nfse national')) return [];
      return [{ found: layout.replace(/^nfse /, ''), expected: 'nfse national' }];
    },
  }),
];
