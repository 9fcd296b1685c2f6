import { addDecimals, negateDecimal } from '../decimals.ts';
import type { DocumentSummary, Item, TaxName } from '../summary/summary.ts';
import {
  absent,
  type Check,
  type Deviation,
  inEach,
  isMoreThan,
  isPositive,
  isRelieved,
  kinds,
  RELIEF_IN_VALUE,
  rule,
  singlePhaseCodes,
  verified,
  type Words,
} from './rule.ts';

/**
 * Codes that require or exclude an amount: the field of the code (`cst` is the item's ICMS code, CST or CSOSN), the
 * codes, the amount and its name in the schema.
 */
type Situation = readonly [
  code: 'cst' | 'ipi_cst' | 'pis_cst' | 'cofins_cst' | 'ibs_cbs_cst',
  codes: string,
  amount: TaxName,
  field: string,
];

/** Checks items in these situations. Plain loops, because it runs on every item of every document. */
function checkUnder(
  situations: readonly Situation[],
  expected: string,
  isWrong: (item: Item, amount: TaxName, document: DocumentSummary) => boolean,
): Check {
  const tables = situations.map(
    ([code, codes, ...amount]) => [code, new Set(codes.split(' ')), ...amount] as const,
  );
  return (document) => {
    const wrong: Deviation[] = [];
    let isAbout = false;
    for (const item of document.items) {
      for (const [code, codes, amount, field] of tables) {
        const cst = (code === 'cst' ? item.cst : item.taxes[code]) ?? '';
        if (!codes.has(cst)) continue;
        isAbout = true;
        if (!isWrong(item, amount, document)) continue;
        const values = { item: item.number ?? absent, cst, field };
        wrong.push({ found: item.taxes[amount] ?? absent, expected, values });
      }
    }
    return isAbout ? wrong : undefined;
  };
}

/** Finds amounts under codes that exclude them. */
export function notDue(...situations: readonly Situation[]): Check {
  return checkUnder(situations, '0.00', (item, amount, { layout }) => {
    const isRelief = amount === 'icms' && layout === RELIEF_IN_VALUE && isRelieved(item);
    return isPositive(item.taxes[amount]) && !isRelief;
  });
}

/**
 * Finds codes of a tax without its amount, on items with a price. Complementary and adjustment notes are exempt: they
 * carry only the missing amount.
 */
export function due(...situations: readonly Situation[]): Check {
  const check = checkUnder(situations, '> 0', ({ total, discount, taxes }, amount) => {
    const price = total && addDecimals([total, discount && negateDecimal(discount)]);
    // On less than a real, the lowest rate rounds to zero.
    return !isPositive(taxes[amount]) && isMoreThan(price, '0.99');
  });
  return (document) => (['2', '3'].includes(document.purpose ?? '') ? undefined : check(document));
}

const pisCofinsDue = due(
  // Taxed at the basic rate, at another rate, by quantity.
  ['pis_cst', '01 02 03', 'pis', 'vPIS'],
  ['cofins_cst', '01 02 03', 'cofins', 'vCOFINS'],
);

/** CRT 1 (Simples) and 4 (MEI) use a CSOSN; 2 (Simples above the sublimit) and 3 (normal) a CST. */
const codesOfRegime = new Map(Object.entries({ 1: 'CSOSN', 2: 'CST', 3: 'CST', 4: 'CSOSN' }));

const regimeBasis = verified('Ajuste SINIEF 07/05 (CRT e CSOSN); MOC NF-e 7.0, rejeições 590 e 591');
const cstBasis = verified(
  'Convênio s/nº de 15/12/1970, Anexo I (CST, Tabela B); Ajuste SINIEF 07/05 (CSOSN)',
);
const endBasis = verified('ADCT, art. 126, II (EC 132/2023); LC 214/2025, art. 542', '2026-11-23');
const federalBasis = verified('IN RFB 1.009/2010, Anexo Único (CST de IPI, PIS e COFINS)');

const withoutCredit: Words = [
  'Não aproveite o crédito antes de esclarecer com o emitente se o que está errado é o código ou o valor.',
  'Do not take the credit before the issuer has said whether the code or the amount is wrong.',
];

const missingAmount: Words = [
  'Pergunte ao emitente se falta o valor ou se o código é outro; sem destaque não há crédito.',
  'Ask the issuer whether the amount is missing or the code is another; without the amount there is no credit.',
];

export const amountUnderCode: Words = [
  'item {item}: CST {cst} com {field} {found}; o esperado é {expected}',
  'item {item}: CST {cst} with {field} {found}; {expected} is expected',
];

export const situationRules = [
  rule('cst_against_regime', 'error', kinds.notes, regimeBasis, {
    title: ['CST ou CSOSN × regime do emitente', 'CST or CSOSN × regime of the issuer'],
    finding: [
      'item {item}: {found} em nota de emitente com CRT {regime}, que usa {expected}',
      'item {item}: {found} in a note of an issuer with CRT {regime}, which uses {expected}',
    ],
    todo: [
      'Consulte o regime do emitente (Simples Nacional) e não aproveite crédito de ICMS antes disso.',
      'Look up the regime of the issuer (Simples Nacional) and take no ICMS credit before that.',
    ],
    /** A CSOSN has three digits, a CST two. */
    check({ issuer, items }) {
      const regime = issuer?.tax_regime ?? '';
      const expected = codesOfRegime.get(regime);
      if (expected === undefined) return undefined;
      const coded = items.filter(({ cst = '' }) => /^\d{2,3}$/.test(cst) && !singlePhaseCodes.has(cst));
      return inEach(coded, ({ number = absent, cst = absent }) => {
        const found = cst.length === 3 ? 'CSOSN' : 'CST';
        if (found === expected) return [];
        return [{ found: `${found} ${cst}`, expected, values: { item: number, regime } }];
      });
    },
  }),
  rule('icms_not_due', 'error', kinds.notes, cstBasis, {
    title: ['ICMS destacado em CST ou CSOSN sem ICMS', 'ICMS under a CST or CSOSN without ICMS'],
    finding: amountUnderCode,
    todo: withoutCredit,
    // Exempt, not taxed, suspended, deferred by substitution; and Simples codes that show no ICMS.
    check: notDue(['cst', '30 40 41 50 60 61 101 102 103 201 202 203 300 400 500', 'icms', 'vICMS']),
  }),
  rule('icms_due', 'warning', kinds.notes, cstBasis, {
    title: ['CST tributado sem ICMS', 'Taxed CST without ICMS'],
    finding: amountUnderCode,
    todo: missingAmount,
    // Taxed in full, with substitution, with a reduced base.
    check: due(['cst', '00 10 20 70', 'icms', 'vICMS']),
  }),
  rule('icms_st_not_due', 'error', kinds.notes, cstBasis, {
    title: ['ICMS-ST em CST ou CSOSN sem substituição', 'ICMS-ST under a CST or CSOSN without substitution'],
    finding: amountUnderCode,
    todo: [
      'Confira com o emitente se houve substituição tributária: dela dependem o custo e o preço de revenda.',
      'Ask the issuer whether there was tax substitution: cost and resale price depend on it.',
    ],
    check: notDue(['cst', '00 20 40 41 50 51 60 61 101 102 103 300 400 500', 'icms_st', 'vICMSST']),
  }),
  rule('simples_credit_not_due', 'error', kinds.notes, cstBasis, {
    title: ['Crédito do Simples em CSOSN que não o permite', 'Simples credit under a CSOSN that gives none'],
    finding: [
      'item {item}: CSOSN {cst} com {field} {found}; o esperado é {expected}',
      'item {item}: CSOSN {cst} with {field} {found}; {expected} is expected',
    ],
    todo: withoutCredit,
    check: notDue(['cst', '102 103 202 203 300 400 500', 'icms_credit', 'vCredICMSSN']),
  }),
  rule('simples_credit_due', 'warning', kinds.notes, cstBasis, {
    title: ['CSOSN com crédito sem o valor do crédito', 'CSOSN with credit without its amount'],
    finding: [
      'item {item}: CSOSN {cst} permite crédito e {field} é {found}; o esperado é {expected}',
      'item {item}: CSOSN {cst} gives a credit and {field} is {found}; {expected} is expected',
    ],
    todo: [
      'Peça ao emitente o valor do crédito (pCredSN e vCredICMSSN) por carta de correção.',
      'Ask the issuer for the amount of the credit (pCredSN and vCredICMSSN) by a correction letter.',
    ],
    check: due(['cst', '101 201', 'icms_credit', 'vCredICMSSN']),
  }),
  rule('ipi_cst_against_flow', 'warning', kinds.notes, federalBasis, {
    title: ['CST do IPI × entrada ou saída', 'CST of IPI × inbound or outbound for the issuer'],
    finding: [
      'item {item}: CST do IPI {found}; para esta nota vai de {expected}',
      'item {item}: CST of IPI {found}; for this note it is one of {expected}',
    ],
    todo: [
      'Escriture a sua entrada com o CST de entrada; em nota própria, corrija o cadastro do produto.',
      'Book your entry with an inbound CST; for your own notes, correct the product’s master data.',
    ],
    /** Codes below 50 are for goods the issuer receives (tpNF 0), from 50 on for those it sends. */
    check({ items, flow }) {
      if (flow !== '0' && flow !== '1') return undefined;
      const coded = items.filter(({ taxes }) => /^\d\d$/.test(taxes.ipi_cst ?? ''));
      return inEach(coded, ({ number = absent, taxes: { ipi_cst = absent } }) =>
        ipi_cst < '50' === (flow === '0')
          ? []
          : [{ found: ipi_cst, expected: flow === '0' ? '00-49' : '50-99', values: { item: number } }],
      );
    },
  }),
  rule('ipi_not_due', 'error', kinds.notes, federalBasis, {
    title: ['IPI em CST sem IPI', 'IPI under a CST without IPI'],
    finding: [
      'item {item}: CST do IPI {cst} com {field} {found}; o esperado é {expected}',
      'item {item}: CST of IPI {cst} with {field} {found}; {expected} is expected',
    ],
    todo: withoutCredit,
    // Zero rate, exempt, not taxed, immune, suspended.
    check: notDue(['ipi_cst', '01 02 03 04 05 51 52 53 54 55', 'ipi', 'vIPI']),
  }),
  rule('pis_cofins_not_due', 'error', kinds.notes, federalBasis, {
    title: ['PIS ou COFINS em CST sem contribuição', 'PIS or COFINS under a CST without it'],
    finding: amountUnderCode,
    todo: withoutCredit,
    // Single-phase resale, substitution, zero rate, exempt, without incidence, suspended.
    check: notDue(
      ['pis_cst', '04 05 06 07 08 09', 'pis', 'vPIS'],
      ['cofins_cst', '04 05 06 07 08 09', 'cofins', 'vCOFINS'],
    ),
  }),
  rule('pis_cofins_due', 'warning', kinds.notes, federalBasis, {
    // From the first NF-e to the last day of the contributions.
    valid: { from: '2006-01-01', to: '2026-12-31' },
    title: ['CST tributado sem PIS ou COFINS', 'Taxed CST without PIS or COFINS'],
    finding: amountUnderCode,
    todo: [
      'Confira o CST: o crédito segue a compra, e não o destaque, mas o código errado esconde alíquota zero ou monofásica.',
      'Check the CST: the credit follows the purchase and not the amount shown, but a wrong code hides a zero or single-phase rate.',
    ],
    check: (document) => (document.issuer?.tax_regime === '3' ? pisCofinsDue(document) : undefined),
  }),
  rule('pis_cofins_ended', 'warning', kinds.notes, endBasis, {
    valid: { from: '2027-01-01' },
    title: ['PIS ou COFINS depois de 2026', 'PIS or COFINS after 2026'],
    finding: [
      'item {item}: {field} {found} em nota de 2027 ou depois, quando a contribuição já não existe',
      'item {item}: {field} {found} in a note of 2027 or later, when the contribution no longer exists',
    ],
    todo: [
      'Não aproveite esse valor como crédito; pergunte ao emitente se não devia ser a CBS.',
      'Do not take this amount as a credit; ask the issuer whether it should be the CBS.',
    ],
    /** Returns repeat the taxes of their original; complementary notes may complete an earlier one. */
    check({ purpose, items }) {
      if (purpose !== '1') return undefined;
      return inEach(items, ({ number = absent, taxes }) =>
        (['pis', 'cofins'] as const).flatMap((field) => {
          const found = taxes[field];
          return isPositive(found) ? [{ found, expected: '0.00', values: { item: number, field } }] : [];
        }),
      );
    },
  }),
];
