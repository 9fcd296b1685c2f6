import type { LeftOut } from '../../archive/archive.ts';
import type { Selection } from '../../archive/ask/question.ts';
import { type DocumentArea, everyStatus } from '../../archive/references.ts';
import { Cancelled, UpstreamError } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { addDays, earlier, firstDay, later, monthOf, type Period } from '../../documents/days.ts';
import type { Finding, OwnFacts, Rule, RuleContext } from '../../documents/rules/index.ts';
import { familyOf } from '../../documents/summary/summary.ts';
import { type XmlProgress, xmlFiles } from '../shared/document-files.ts';
import {
  type Asked,
  type Basis,
  coveredDays,
  type Fetching,
  fetchParts,
  jointBasis,
  openDay,
} from '../shared/fetching.ts';
import { keptByQuestion, Resumable } from '../shared/paging.ts';

/** Documents of one kind and company, and those of the linked kind that rules need. */
export interface CheckedPart {
  readonly selection: Selection;
  readonly basis: Basis;
  readonly link: ({ readonly selection: Selection } & Pick<Basis, 'missing' | 'pending'>) | undefined;
  readonly rules: readonly Rule[];
  readonly leftOut: readonly LeftOut[];
  readonly total: number;
}

/** A check that is under way, or done. */
export interface Check {
  /** Before fetching: a day that was not over then may have had further documents. */
  readonly beganAt: Date;
  readonly parts: readonly CheckedPart[];
  readonly steps: Resumable<CallContext>;
  documents: number;
  /** First findings, in order of discovery. */
  readonly findings: Finding[];
  /** All findings and documents of each rule; those of rules across documents are counted at a part's end. */
  readonly byRule: ReadonlyMap<Rule, { count: number; applied_to: number }>;
  /** Signature checks, if a rule makes any. */
  readonly signatures: { judged: number; without_text: number; readonly notJudged: Map<string, number> };
}

/** Findings kept for display; all are counted. */
const MOST_FINDINGS_KEPT = 15_000;
/** Milliseconds; hosts may give up on a call that is silent for five seconds. */
const PROGRESS_EVERY_MS = 2_000;

const needing = (rules: readonly Rule[], need: Rule['needs']) => rules.find(({ needs }) => needs === need);

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
  context: CallContext,
  fetching: Fetching,
): Promise<CheckedPart['link']> {
  const { longestWait } = await import('../../documents/rules/index.ts');
  const selection = counterpart(asked, longestWait, new Date(context.company.now()));
  if (selection === undefined) return undefined;
  const { company, area, from, to, by } = selection;
  const linked = { companies: [company], areas: [area], from, to, by } as const;
  const { missing, pending } = jointBasis(
    await fetchParts(linked, context, { ...fetching, mayBeEmpty: true }),
  );
  return { selection, missing, pending };
}

/** Returns whether a fact about a document is new, rather than counted for another company that shares it. */
function createSharing(companies: readonly string[]) {
  const counted = new Set<string>();
  return (what: string, facts: OwnFacts): boolean => {
    if (companies.length < 2) return true;
    const parties = new Set([facts.issuer, facts.recipient, facts.sender, facts.payer]);
    const sharing = companies.filter((one) => parties.has(one));
    if (sharing.length < 2) return true;
    const { kind, key, issuer, number, issued_at, verification_code } = facts;
    const name = [what, kind, key ?? [issuer, number, issued_at, verification_code].join('|')].join('|');
    if (counted.has(name)) return false;
    counted.add(name);
    return true;
  };
}

async function ruleContext(part: CheckedPart, now: Date, timeZone: string): Promise<RuleContext> {
  const { basis, link, rules, selection } = part;
  const { archive } = basis;
  const { company, direction, area } = selection;
  const openFrom = openDay(now);
  const days: Record<DocumentArea, readonly Period[]> = { nfe: [], cte: [], nfse: [] };
  // A document missing from the files may exist nevertheless.
  if (link && !basis.files?.isAlone) days[link.selection.area] = coveredDays(link.selection, link, openFrom);
  days[area] = coveredDays(selection, basis, openFrom);
  const entered = needing(rules, 'entry_days')
    ? await archive.entryDays(selection)
    : new Map<string, string>();
  const isNumbered = needing(rules, 'own_numbers') && area !== 'nfse';
  const givenUp = isNumbered ? await archive.files.givenUp({ company, area }) : [];
  return {
    ...{ givenUp, company, direction, covered: { days, openFrom } },
    ...{ now, timeZone, entryDay: (key) => entered.get(key) },
  };
}

function addTo({ byRule }: Check, rule: Rule, sum: 'count' | 'applied_to'): void {
  const sums = byRule.get(rule);
  if (sums !== undefined) sums[sum] += 1;
}

/** Counts findings, and keeps the first. */
function note(check: Check, found: Iterable<Finding>): void {
  for (const finding of found) {
    addTo(check, finding.rule, 'count');
    if (check.findings.length < MOST_FINDINGS_KEPT) check.findings.push(finding);
  }
}

/** Checks signatures. Texts come from the archive or files, otherwise from the service, a few at a time. */
async function* examineTexts(
  rule: Rule,
  { selection, basis }: CheckedPart,
  check: Check,
  tick: () => void,
  current: () => CallContext,
): AsyncGenerator<void> {
  const { checkContent } = await import('../../documents/signatures/content.ts');
  const { factsOf, findingOf } = await import('../../documents/rules/index.ts');
  const { signatures } = check;
  const { notJudged } = signatures;
  const leaveOut = (reason: string) => notJudged.set(reason, (notJudged.get(reason) ?? 0) + 1);
  /** Why the service is no longer asked. */
  let failure: unknown;
  for (let taken = 0; ; ) {
    const { translator, signal, deadline } = current();
    const progress: XmlProgress = { taken: 0, missing: [] };
    const fetching = { deadline: deadline.workBy, failure };
    let stopped: unknown;
    try {
      for await (const row of xmlFiles(basis.archive.read(selection, taken), fetching, progress, current())) {
        tick();
        if (!('xml' in row)) {
          signatures.without_text += 1;
          leaveOut(row.reason);
          continue;
        }
        const { result, reason } = await checkContent(Buffer.from(row.xml).toString(), row.summary.kind);
        const changed = { found: reason ?? 'digest', expected: 'unchanged' };
        if (result === 'changed') note(check, [findingOf(rule, factsOf(row.summary), changed)]);
        if (result === 'unknown') leaveOut(translator.say(`verify.reason_${reason ?? 'not_signed'}`));
        else {
          signatures.judged += 1;
          addTo(check, rule, 'applied_to');
        }
      }
      stopped = progress.stopped;
    } catch (error) {
      if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
      stopped = error;
    }
    signal.throwIfAborted();
    taken += progress.taken;
    if (stopped === undefined && Date.now() < deadline.workBy) return;
    failure ??= stopped;
    yield;
  }
}

/** Runs the rules over the parts, a document a step. Only rules on single documents count before a part's end. */
async function* examine(check: Check, current: () => CallContext): AsyncGenerator<void> {
  const { createChecker, goodsExpectedBy, judge } = await import('../../documents/rules/index.ts');
  const { beganAt, parts } = check;
  const isNew = createSharing([...new Set(parts.map(({ selection }) => selection.company))]);
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  let reportedAt = Date.now();
  const tick = () => {
    if (Date.now() - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = Date.now();
    const { translator, progress } = current();
    const done = check.documents;
    void progress(done, total, translator.say('analysis.checking', { done, total }));
  };
  for (const part of parts) {
    const { selection, link, rules, basis } = part;
    const { archive } = basis;
    const context = await ruleContext(part, beganAt, current().company.settings.timeZone);
    const numbering = needing(rules, 'own_numbers');
    // Gaps are reported before other findings among documents.
    const ordered = numbering ? [numbering, ...rules.filter((rule) => rule !== numbering)] : rules;
    const checker = createChecker(context, ordered, selection.area, (rule, facts) => {
      const isCounted = isNew(rule.code, facts);
      if (isCounted) addTo(check, rule, 'applied_to');
      return isCounted;
    });
    const expected = new Set<string>();
    for await (const { judgement, status, contents } of archive.judged(selection)) {
      const { facts } = judgement;
      if (isNew('', facts)) check.documents += 1;
      note(check, checker.take(judgement, { status, contents }));
      if (link !== undefined)
        for (const key of goodsExpectedBy({ ...facts, status }, context)) expected.add(key);
      yield tick();
    }
    if (selection.direction !== undefined && numbering) {
      const direction = selection.direction === 'inbound' ? 'outbound' : 'inbound';
      const filters = { ...selection.filters, issuer: [selection.company] };
      for await (const document of archive.judged({ ...selection, direction, filters })) {
        checker.takeNumber(document.judgement, document);
        yield tick();
      }
    }
    if (link !== undefined) {
      for await (const document of archive.judged(link.selection)) {
        expected.delete(document.judgement.facts.key ?? '');
        checker.take(document.judgement, document);
        yield tick();
      }
      // An unlisted note may be in the archive.
      for (const key of expected) {
        const kept = await archive.find({ document: 'nfe', key });
        if (kept !== undefined) checker.take(judge(kept.summary), kept);
        yield tick();
      }
    }
    note(check, checker.finish());
    const aboutText = needing(rules, 'text');
    if (aboutText) yield* examineTexts(aboutText, part, check, tick, current);
  }
}

/** Checks cached for each archive, with some megabytes of findings each. */
const keptChecks = keptByQuestion<Check>({ max: 8 });

/** Begins a check, or continues that of the previous page: fetches and examines documents until the deadline. */
export async function checkUntilDeadline(
  asked: Asked & { readonly rules: readonly Rule[] },
  { question, isContinued }: { readonly question: string; readonly isContinued: boolean },
  context: CallContext,
  fetching: Fetching,
): Promise<Check & { readonly isKnown: boolean }> {
  const kept = keptChecks(await context.company.archive());
  const known = isContinued ? kept.get(question) : undefined;
  const check = known ?? (await beginCheck(asked, context, fetching));
  const { workBy } = context.deadline;
  if (Date.now() < workBy) await check.steps.proceed(context, () => Date.now() >= workBy);
  // By another call: its failure is not this one's.
  if (check.steps.isBroken)
    return checkUntilDeadline(asked, { question, isContinued: false }, context, fetching);
  const isPending = check.parts.some(
    ({ basis, link }) => basis.pending.length + (link?.pending.length ?? 0) > 0,
  );
  if (!isPending) kept.set(question, check);
  return { ...check, isKnown: known !== undefined };
}

async function beginCheck(
  { rules: wanted, ...asked }: Parameters<typeof checkUntilDeadline>[0],
  context: CallContext,
  fetching: Fetching,
): Promise<Check> {
  const beganAt = new Date(context.company.now());
  const parts: CheckedPart[] = [];
  for (const { selection: period, basis } of await fetchParts(asked, context, {
    ...fetching,
    isEach: true,
  })) {
    const selection = { ...period, filters: { status: everyStatus } };
    const rules = wanted.filter(({ kinds }) => kinds.some((kind) => familyOf(kind) === period.area));
    const link = needing(rules, 'linked') ? await fetchLinked(selection, context, fetching) : undefined;
    const { left_out: leftOut, total } = await basis.archive.list({ ...selection, limit: 1 });
    parts.push({ selection, basis, link, rules, leftOut, total });
  }
  const check: Check = {
    beganAt,
    parts,
    steps: new Resumable<CallContext>((current) => examine(check, current)),
    documents: 0,
    findings: [],
    byRule: new Map(wanted.map((rule) => [rule, { count: 0, applied_to: 0 }])),
    signatures: { judged: 0, without_text: 0, notJudged: new Map() },
  };
  return check;
}
