import { addDecimals, compareDecimals, isDecimal, negateDecimal } from '../decimals.ts';
import type { DocumentSummary } from '../summary/summary.ts';
import { isPositive, isWithinACent } from './amounts.ts';
import { absent, type Deviation, kinds, type Rule, verified } from './rule.ts';

/**
 * Marked as withheld, and there is no ISS to withhold. A provider under the Simples pays its ISS with the rest of its
 * taxes, and its notes need not show it.
 */
function checkWithheldFlag({ iss_withheld, totals, issuer }: DocumentSummary): Deviation[] {
  if (issuer?.is_under_simples === true) return [];
  if (iss_withheld !== true || isPositive(totals.iss) || isPositive(totals.iss_withheld)) return [];
  return [{ found: totals.iss ?? absent, expected: '> 0' }];
}

/** Marked as withheld, and what was withheld in all is less than the ISS. */
function checkWithheldAmount({ iss_withheld, totals }: DocumentSummary): Deviation[] {
  const { withheld } = totals;
  const iss = totals.iss_withheld ?? totals.iss;
  if (iss_withheld !== true || !isPositive(iss)) return [];
  const isCovered =
    withheld !== undefined &&
    isDecimal(withheld) &&
    (compareDecimals(withheld, iss) >= 0 || isWithinACent(withheld, iss));
  return isCovered ? [] : [{ found: withheld ?? absent, expected: `>= ${iss}` }];
}

/** Not marked as withheld, and the net value is the gross value less exactly the ISS. */
function checkDeducted({ iss_withheld, totals }: DocumentSummary): Deviation[] {
  const { iss, services, total, discount } = totals;
  if (iss_withheld !== false || !isPositive(iss) || isPositive(discount)) return [];
  if (services === undefined || total === undefined) return [];
  const withoutIss = addDecimals([services, negateDecimal(iss)]);
  if (withoutIss === undefined || !isWithinACent(withoutIss, total)) return [];
  return [{ found: total, expected: services, values: { iss } }];
}

const issBasis = verified('LC 116/2003, art. 6º; leiautes ABRASF e nacional da NFS-e');

/** Rules of this subject. */
export const serviceRules: readonly Rule[] = [
  {
    code: 'iss_withheld_without_iss',
    scope: 'document',
    severity: 'warning',
    kinds: kinds.nfse,
    ...issBasis,
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
    code: 'iss_above_withheld',
    scope: 'document',
    severity: 'warning',
    kinds: kinds.nfse,
    ...issBasis,
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
    code: 'iss_deducted_not_withheld',
    scope: 'document',
    severity: 'warning',
    kinds: kinds.nfse,
    ...issBasis,
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
];
