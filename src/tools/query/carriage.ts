import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { Part } from '../shared/question.ts';
import { othersThan } from './shares.ts';

/** Freight of CT-e by payer. */
export interface Carriage {
  readonly own: string;
  readonly others: string;
}

type Sums = readonly { readonly document: string; readonly measures: Readonly<Record<string, string>> }[];

const CTE: DocumentArea = 'cte';

/** The share of freight the company pays itself; undefined if it pays all, or if the question is about payers. */
export async function carriageOf(
  parts: readonly Part[],
  sums: Sums,
  asked: readonly string[],
): Promise<Carriage | undefined> {
  const part = parts.find(({ selection }) => selection.area === CTE);
  const { total } = sums.find(({ document }) => document === CTE)?.measures ?? {};
  const isApart = part?.selection.filters?.payer !== undefined || asked.includes('payer');
  if (part === undefined || total === undefined || isApart) return undefined;
  if (part.selection.direction === 'outbound') return undefined;
  const { selection, basis } = part;
  const payer = [selection.company, ...(selection.others ?? [])];
  const question = { ...selection, filters: { ...selection.filters, payer, withVoid: undefined } };
  const { rows } = await basis.archive.ask({ ...question, groupBy: [], measures: ['total'], limit: 1 });
  const own = rows[0]?.measures.total ?? '0.00';
  const { total: others = '0.00' } = othersThan([{ total: own }], { total }, ['total']) as { total?: string };
  return others === '0.00' ? undefined : { own, others };
}

/** The same in words. */
export function carriageSentences(
  carriage: Carriage | undefined,
  { translator: { say, money } }: CallContext,
): string[] {
  if (carriage === undefined) return [];
  const { own, others } = carriage;
  return [say('analysis.carriage_paid', { own: money(own), others: money(others) })];
}
