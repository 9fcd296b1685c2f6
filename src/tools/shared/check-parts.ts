import type { Archive, LeftOut } from '../../archive/archive.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { Rule, Stretch } from '../../documents/rules/index.ts';
import type { DocumentStatus } from '../../documents/summary/summary.ts';
import type { Basis, Fetching } from './basis.ts';
import { beginExamination, type Examination, isAbout } from './examine.ts';
import { coveredDays, ensureLinkFetched, type Link, openDay } from './link.ts';
import { type Asked, fetchParts } from './several-kinds.ts';
import { createSignedTexts, type SignatureTally } from './signed-texts.ts';

/** What is to be checked: of every company and kind of document by itself. */
export interface ToCheck extends Asked {
  readonly rules: readonly Rule[];
  readonly statuses: readonly DocumentStatus[];
}

/** The documents of one kind of one company, and how far they were looked at. */
export interface CheckedPart {
  readonly area: DocumentArea;
  /** Those that can find something in this kind. */
  readonly rules: readonly Rule[];
  readonly basis: Basis;
  readonly link: Link | undefined;
  readonly leftOut: readonly LeftOut[];
  readonly examination: Examination;
  /** How far signatures were looked at, where a rule is about them. */
  readonly signatures: SignatureTally | undefined;
  /** Documents there are to look at. */
  readonly total: number;
}

/** Fetches what is to be checked and what it is linked with, and begins to look at it. */
export async function beginCheck(
  { rules: wanted, statuses, ...asked }: ToCheck,
  context: CallContext,
  fetching: Fetching,
): Promise<CheckedPart[]> {
  const now = new Date(context.company.now());
  const openFrom = openDay(now);
  const parts: CheckedPart[] = [];
  for (const company of asked.companies) {
    for (const { selection: found, basis } of await fetchParts(
      { ...asked, companies: [company] },
      context,
      fetching,
    )) {
      const { area } = found;
      const selection = { ...found, filters: { status: statuses } };
      const rules = wanted.filter((rule) => isAbout(area, rule));
      const link = await ensureLinkFetched(selection, rules, context, fetching);
      const days: Record<DocumentArea, readonly Stretch[]> = {
        nfe: [],
        cte: [],
        nfse: [],
        // Nothing says that what is not in the files does not exist.
        ...(link &&
          !basis.files?.isAlone && { [link.selection.area]: coveredDays(link.selection, link, openFrom) }),
        [area]: coveredDays(selection, basis, openFrom),
      };
      // A list counts what it leaves out; nothing of it is shown.
      const { left_out: leftOut, total } = await basis.archive.list({ ...selection, limit: 1 });
      const texts = rules.some(({ scope }) => scope === 'text') ? createSignedTexts(context) : undefined;
      const examination = beginExamination({
        archive: basis.archive,
        selection,
        rules,
        linked: link?.selection,
        covered: { days, openFrom },
        now,
        timeZone: context.company.settings.timeZone,
        texts,
      });
      parts.push({ area, rules, basis, link, leftOut, examination, signatures: texts?.tally, total });
    }
  }
  return parts;
}

interface Kept {
  readonly parts: readonly CheckedPart[];
  readonly until: number;
}

/** How long what was looked at is kept for the next page of it. */
const KEPT_MS = 10 * 60_000;
/** Looks that are kept at once; of each some megabytes of findings at the most. */
const MOST_KEPT = 8;

/** What was looked at, by question, so that a next page is no second look. It belongs to the archive it was read from. */
const keptOf = new WeakMap<Archive, Map<string, Kept>>();

/** The look that a page before this one was of; undefined where it is no longer kept, as after a restart. */
export function keptCheck(
  archive: Archive,
  question: string,
  now: number,
): readonly CheckedPart[] | undefined {
  const kept = keptOf.get(archive)?.get(question);
  return kept !== undefined && now < kept.until ? kept.parts : undefined;
}

/** Keeps a look whose documents are all there; what was kept longest makes room. */
export function keepCheck(
  archive: Archive,
  question: string,
  parts: readonly CheckedPart[],
  now: number,
): void {
  const kept = keptOf.get(archive) ?? new Map<string, Kept>();
  keptOf.set(archive, kept);
  kept.delete(question);
  // News is told once, on the first page.
  const known = parts.map((part) => ({
    ...part,
    basis: { ...part.basis, changes: [], changes_total: 0, fetched: 0 },
  }));
  kept.set(question, { parts: known, until: now + KEPT_MS });
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}
