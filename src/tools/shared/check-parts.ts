import { LRUCache } from 'lru-cache';
import type { Archive, LeftOut } from '../../archive/archive.ts';
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
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { Rule, Stretch } from '../../documents/rules/index.ts';
import type { DocumentStatus } from '../../documents/summary/summary.ts';
import { Examination, isAbout } from './examine.ts';
import { type Asked, type Basis, ensureFetched, type Fetching, fetchEach, gapFor } from './fetching.ts';

type Gaps = Pick<Basis, 'missing' | 'pending'>;

/** Documents of the linked kind. */
export interface Link extends Gaps {
  readonly selection: Selection;
}

/** Documents of one kind and company, with the progress of their examination. */
export interface CheckedPart {
  readonly area: DocumentArea;
  /** Rules that apply to this kind. */
  readonly rules: readonly Rule[];
  readonly basis: Basis;
  readonly link: Link | undefined;
  readonly leftOut: readonly LeftOut[];
  readonly examination: Examination;
  /** Number of documents. */
  readonly total: number;
}

/** Rules that need the linked kind. */
const linkRules: readonly string[] = ['cte_without_nfe', 'nfe_without_cte', 'freight_of_cancelled_note'];

/** The first day that is not over everywhere in Brazil, whose west is at UTC-5. */
export function openDay(now: Date): string {
  return new Date(now.getTime() - 5 * 3_600_000).toISOString().slice(0, 10);
}

/**
 * The linked documents: a note's freight follows it, and a carried note is of the same month or the one before; whole
 * months, since its key has no day.
 */
function counterpart(selection: Selection, longestWait: number, now: Date): Selection | undefined {
  const { direction: _, ...both } = selection;
  const { area, from, to } = selection;
  if (area === 'nfse') return undefined;
  if (area === 'cte') {
    return { ...both, area: 'nfe', from: firstDay(monthOf(addDays(firstDay(monthOf(from)), -1))) };
  }
  // Future days need not be fetched.
  return { ...both, area: 'cte', to: later(to, earlier(addDays(to, longestWait), openDay(now))) };
}

/** Fetches the linked documents; failures make the answer incomplete. */
async function fetchLinked(
  asked: Selection,
  rules: readonly Rule[],
  context: CallContext,
  fetching: Fetching,
): Promise<Link | undefined> {
  if (!rules.some(({ code }) => linkRules.includes(code))) return undefined;
  const { longestWait } = await import('../../documents/rules/index.ts');
  const selection = counterpart(asked, longestWait, new Date(context.company.now()));
  if (selection === undefined) return undefined;
  try {
    const { missing, pending } = await ensureFetched(selection, context, fetching);
    return { selection, missing, pending };
  } catch (error) {
    return { selection, missing: gapFor(error, selection, context), pending: [] };
  }
}

/** Past days of a period that were fetched. */
export function coveredDays(period: Period, { missing, pending }: Gaps, openFrom: string): Stretch[] {
  const lacking = new Set([...missing, ...pending].flatMap(daysOf));
  return periodsOf(daysOf(period).filter((day) => day < openFrom && !lacking.has(day)));
}

/** Fetches the documents to check, by company and kind, and those linked with them. */
export async function beginCheck(
  {
    rules: wanted,
    statuses,
    ...asked
  }: Asked & {
    readonly rules: readonly Rule[];
    readonly statuses: readonly DocumentStatus[];
  },
  context: CallContext,
  fetching: Fetching,
): Promise<CheckedPart[]> {
  const { settings, now: clock } = context.company;
  const now = new Date(clock());
  const openFrom = openDay(now);
  const parts: CheckedPart[] = [];
  const isAlone = asked.companies.length === 1;
  const together = isAlone ? undefined : { companies: new Set(asked.companies), counted: new Set<string>() };
  for (const { selection: period, basis } of await fetchEach(asked, context, fetching)) {
    const { area } = period;
    const { archive } = basis;
    const selection = { ...period, filters: { status: statuses } };
    const rules = wanted.filter((rule) => isAbout(area, rule));
    const link = await fetchLinked(selection, rules, context, fetching);
    const days: Record<DocumentArea, readonly Stretch[]> = { nfe: [], cte: [], nfse: [] };
    // A document missing from the files may exist nevertheless.
    if (link && !basis.files?.isAlone) {
      days[link.selection.area] = coveredDays(link.selection, link, openFrom);
    }
    days[area] = coveredDays(selection, basis, openFrom);
    const { left_out: leftOut, total } = await archive.list({ ...selection, limit: 1 });
    const examination = new Examination({
      archive,
      selection,
      rules,
      linked: link?.selection,
      covered: { days, openFrom },
      together,
      now,
      timeZone: settings.timeZone,
      texts: rules.some(({ readsText }) => readsText) ? context : undefined,
    });
    parts.push({ area, rules, basis, link, leftOut, examination, total });
  }
  return parts;
}

/** Checks cached at once, with some megabytes of findings each. */
const MOST_KEPT = 8;
const KEPT_MS = 10 * 60_000;

/** Cache of checks by question, for the following pages. */
const keptOf = new WeakMap<Archive, LRUCache<string, readonly CheckedPart[]>>();

/** The cached check this page continues, if any. */
export function keptCheck(archive: Archive, question: string): readonly CheckedPart[] | undefined {
  return keptOf.get(archive)?.get(question);
}

/** Caches a check whose documents are all fetched. Changes are reported on the first page only. */
export function keepCheck(archive: Archive, question: string, parts: readonly CheckedPart[]): void {
  const kept = keptOf.get(archive) ?? new LRUCache({ max: MOST_KEPT, ttl: KEPT_MS });
  keptOf.set(archive, kept);
  const known = parts.map((part) => ({ ...part, basis: { ...part.basis, changes: [], changes_total: 0 } }));
  kept.set(question, known);
}
