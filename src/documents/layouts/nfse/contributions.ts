import { addDecimals, sameDecimal } from '../../decimals.ts';
import type { Collected, Sections } from '../../summary/collected.ts';

type Contribution = 'pis' | 'cofins' | 'csll';

/** tpRetPisCofins where it names one contribution alone; 2 says PIS and COFINS are not kept back. */
const alone: Readonly<Record<string, Contribution>> = { 2: 'csll', 5: 'pis', 6: 'cofins', 8: 'csll' };

/** Of before NT 007, where vPis and vCofins were kept back too if it was said: whether vTotalRet has all three in it. */
function areApart({ sections }: Collected, issWithheld: boolean): boolean {
  const { totals, withheld } = sections;
  if (totals.withheld === undefined || totals.pis === undefined || totals.cofins === undefined) return false;
  const parts = [...Object.values(withheld), totals.pis, totals.cofins];
  const all = addDecimals([...parts, ...(issWithheld && totals.iss !== undefined ? [totals.iss] : [])]);
  return all !== undefined && sameDecimal(all, totals.withheld);
}

function move(sections: Sections, to: Contribution | undefined): void {
  const { withheld, totals } = sections;
  const amount = withheld.csll;
  if (amount === undefined || to === 'csll') return;
  delete withheld.csll;
  if (to === undefined) totals.contributions_withheld = amount;
  else withheld[to] = amount;
}

/**
 * Puts what a national note gives in vRetCSLL where it belongs. The field is the sum of the social contributions kept
 * back, and tpRetPisCofins says which; a sum of several can't be split, since vPis and vCofins are what the provider
 * owes by itself. Source: docs/fiscal/layouts.md, NT 007 of SE/CGNFS-e.
 */
export function splitContributions(collected: Collected, issWithheld: boolean): void {
  const { sections } = collected;
  const { clue, withheld, totals } = sections;
  if (withheld.csll !== undefined && Number(withheld.csll) === 0) return;
  const isOldForm = clue.contributions === '1';
  if (isOldForm && areApart(collected, issWithheld)) {
    withheld.pis = totals.pis;
    withheld.cofins = totals.cofins;
    return;
  }
  move(sections, alone[clue.contributions ?? '']);
}
