import { addDecimals, compareDecimals, isDecimal, negateDecimal } from '../decimals.ts';
import type { DocumentSummary } from '../summary/summary.ts';
import { calendar } from './reform/calendar.ts';
import {
  about,
  absent,
  type Deviation,
  isPositive,
  isWithinACent,
  kinds,
  type Rule,
  verified,
} from './rule.ts';

/** Marked as withheld without ISS. Providers under the Simples need not show theirs. */
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

/** From the month of competence that the national layout is due in, where the note names one. */
function isSinceNationalNfse({ competence }: DocumentSummary): boolean {
  const month = competence?.match(/^\d{4}-\d{2}/)?.[0];
  return month === undefined || month >= calendar.simplesNationalNfse.from.slice(0, 7);
}

/** A city's layout used by a micro or small company under the Simples. MEI have had a duty of their own since 2023. */
function checkMunicipalLayout(document: DocumentSummary): Deviation[] {
  const { layout, issuer } = document;
  const isAsked =
    issuer?.is_under_simples === true && issuer.is_mei !== true && isSinceNationalNfse(document);
  if (!isAsked || layout.startsWith('nfse national')) return [];
  return [{ found: layout.replace(/^nfse /, ''), expected: 'nfse national' }];
}

const issBasis = verified('LC 116/2003, art. 6º; leiautes ABRASF e nacional da NFS-e');

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
