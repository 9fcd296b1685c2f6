import type { Selection } from '../../archive/ask/question.ts';
import {
  addDays,
  daysOf,
  earlier,
  firstDay,
  later,
  monthOf,
  type Period,
  periodsOf,
} from '../../archive/days.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { Rule, Stretch } from '../../documents/rules/index.ts';
import { type Basis, ensureFetched, type Fetching, gapFor } from './basis.ts';

/** What of a basis is not there. */
export type Gaps = Pick<Basis, 'missing' | 'pending'>;

/** Documents of the other kind that a question's documents are linked with, and what of them is not there. */
export interface Link extends Gaps {
  readonly selection: Selection;
}

/** Rules about the link between goods and freight: only they rest on documents of the other kind, too. */
const linkRules: readonly string[] = ['cte_without_nfe', 'nfe_without_cte'];

/** The first day that is not over everywhere in the country; its west is at UTC-5. */
export function openDay(now: Date): string {
  return new Date(now.getTime() - 5 * 3_600_000).toISOString().slice(0, 10);
}

/**
 * The other side of the link, over the days in which it may lie: the freight of a note follows it, and a note that is
 * carried is of the same month or of the one before, which are taken whole because its key tells no day.
 */
function counterpart(selection: Selection, longestWait: number, now: Date): Selection | undefined {
  if (selection.area === 'nfse') return undefined;
  const { direction: _, ...both } = selection;
  const { from, to } = selection;
  if (selection.area === 'cte') {
    return { ...both, area: 'nfe', from: firstDay(monthOf(addDays(firstDay(monthOf(from)), -1))) };
  }
  // What is still to come need not be asked for.
  return { ...both, area: 'cte', to: later(to, earlier(addDays(to, longestWait), openDay(now))) };
}

/** Fetches the other side of the link. That it cannot be had makes an answer incomplete and does not prevent it. */
export async function ensureLinkFetched(
  asked: Selection,
  rules: readonly Rule[],
  context: CallContext,
  fetching: Fetching,
): Promise<Link | undefined> {
  if (!rules.some(({ code }) => linkRules.includes(code))) return undefined;
  const { longestWait } = await import('../../documents/rules/index.ts');
  const selection = counterpart(asked, longestWait, new Date());
  if (selection === undefined) return undefined;
  try {
    const { missing, pending } = await ensureFetched(selection, context, fetching);
    return { selection, missing, pending };
  } catch (error) {
    return { selection, missing: [gapFor(error, selection, context)], pending: [] };
  }
}

/** The days of a period that are over and were fetched. */
export function coveredDays(period: Period, { missing, pending }: Gaps, openFrom: string): Stretch[] {
  const lacking = new Set([...missing, ...pending].flatMap(daysOf));
  return periodsOf(daysOf(period).filter((day) => day < openFrom && !lacking.has(day)));
}
