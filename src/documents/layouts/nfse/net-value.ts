import { addDecimals, negateDecimal } from '../../decimals.ts';
import type { Collected } from '../../summary/collected.ts';

/** The discounts a note names, of both kinds: each lowers what is paid. */
export function discountsFrom({ sections }: Collected): string[] {
  const { discount } = sections.totals;
  return [discount, sections.clue.discount_conditional].filter((amount) => amount !== undefined);
}

/** All that a municipal note says is withheld: the ISS only where the recipient keeps it. */
export function municipalWithheld(collected: Collected, issWithheld: boolean): string | undefined {
  const { totals, withheld } = collected.sections;
  const iss = issWithheld ? (withheld.iss ?? totals.iss ?? '0') : '0';
  const { iss: _, ...others } = withheld;
  return addDecimals([iss, ...Object.values(others)]);
}

/**
 * The net value, where the file leaves it out and says all it takes: services less what is withheld, less discounts.
 * Source: ABRASF conceptual model, ValorLiquidoNfse; cities' own layouts have no such field.
 */
export function derivedNet(collected: Collected, issWithheld: boolean | undefined): string | undefined {
  const { totals, withheld } = collected.sections;
  const isIssKnown = issWithheld === false || (withheld.iss ?? totals.iss) !== undefined;
  const taken = municipalWithheld(collected, issWithheld === true);
  if (totals.total !== undefined || totals.services === undefined) return undefined;
  if (issWithheld === undefined || !isIssKnown || taken === undefined) return undefined;
  return addDecimals([totals.services, ...[taken, ...discountsFrom(collected)].map(negateDecimal)]);
}
