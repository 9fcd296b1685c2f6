import type { DocumentArea } from '../archive/references.ts';
import type { Archive, StoredDocument } from '../archive/store/archive.ts';
import type { Selection } from '../archive/store/ask/question.ts';
import type { Checker, Covered, Finding, Rule, RuleCode, RuleContext } from '../documents/rules/index.ts';
import type { DocumentKind, DocumentSummary } from '../documents/summary/summary.ts';

/** What is looked at, and what is known of it. */
export interface Examined {
  readonly archive: Archive;
  readonly selection: Selection;
  readonly rules: readonly Rule[];
  /** Documents of the other kind, where a rule is about the link with them. */
  readonly linked: Selection | undefined;
  readonly covered: Covered;
  /** The moment deadlines are looked at from. */
  readonly now: Date;
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

export interface Examination {
  readonly documents: number;
  readonly findings: readonly Finding[];
  readonly byRule: ReadonlyMap<string, number>;
}

/** Findings that are kept to be shown; all are counted. */
const MOST_FINDINGS_KEPT = 5_000;

const kindsOf: Readonly<Record<DocumentArea, readonly DocumentKind[]>> = {
  nfe: ['nfe', 'nfce', 'summary'],
  cte: ['cte', 'cteos'],
  nfse: ['nfse'],
};

/** Whether a rule can find anything among the documents of an area. */
export function isAbout(area: DocumentArea, { kinds }: Rule): boolean {
  return kinds.some((kind) => kindsOf[area].includes(kind));
}

const opposite = { inbound: 'outbound', outbound: 'inbound' } as const;

const isNumbering = ({ code }: Rule): boolean => code === 'number_gap';
const laterEvents: readonly RuleCode[] = ['cancelled_after_entry', 'corrected_after_entry'];

/** A document as it is now: its own text may be older than what happened to it. */
function asItIs({ summary, status }: StoredDocument): DocumentSummary {
  return { ...summary, status };
}

/** What the rules are told besides the documents. */
async function contextOf(
  { archive, selection, rules, covered, now, timeZone }: Examined,
  contents: ReadonlyMap<DocumentSummary, number>,
): Promise<RuleContext> {
  const { company, direction, area } = selection;
  const isAboutEntry = rules.some(({ code }) => laterEvents.includes(code));
  const entered = isAboutEntry ? await archive.entryDays(selection) : new Map<string, string>();
  const isNumbered = rules.some(isNumbering) && area !== 'nfse';
  return {
    givenUp: isNumbered ? await archive.files.givenUp({ company, area }) : [],
    company,
    covered,
    direction,
    now,
    timeZone,
    contents: (document) => contents.get(document),
    entryDay: ({ key }) => (key === undefined ? undefined : entered.get(key)),
  };
}

/** The other side of the link: what was listed, and what is missing there and kept in the archive all the same. */
async function takeLinked(
  { archive, linked, signal }: Examined,
  checker: Checker,
  expected: Set<string>,
): Promise<void> {
  if (linked === undefined) return;
  for await (const document of archive.read(linked)) {
    signal.throwIfAborted();
    if (document.summary.key !== undefined) expected.delete(document.summary.key);
    checker.take(asItIs(document));
  }
  for (const key of expected) {
    signal.throwIfAborted();
    const kept = await archive.find({ document: 'nfe', key });
    if (kept !== undefined) checker.take(asItIs(kept));
  }
}

/** Runs the rules over the documents, their events, and what they are linked with; only findings of theirs count. */
export async function examine(examined: Examined): Promise<Examination> {
  const { createChecker, goodsExpectedBy } = await import('../documents/rules/index.ts');
  const { archive, selection, rules, linked, signal } = examined;
  const { company, direction, area } = selection;
  const contents = new Map<DocumentSummary, number>();
  const context = await contextOf(examined, contents);
  const checker = createChecker(
    context,
    rules.filter((rule) => !isNumbering(rule)),
  );
  const numbering = createChecker(context, rules.filter(isNumbering));
  const findings: Finding[] = [];
  const byRule = new Map<string, number>();
  const note = (finding: Finding) => {
    if (!kindsOf[area].includes(finding.document.kind)) return;
    byRule.set(finding.rule, (byRule.get(finding.rule) ?? 0) + 1);
    if (findings.length < MOST_FINDINGS_KEPT) findings.push(finding);
  };
  let documents = 0;
  const expected = new Set<string>();
  for await (const document of archive.read(selection)) {
    signal.throwIfAborted();
    documents += 1;
    const summary = asItIs(document);
    contents.clear();
    if (document.contents > 1) contents.set(summary, document.contents);
    for (const finding of checker.take(summary)) note(finding);
    numbering.take(summary);
    if (linked !== undefined) for (const key of goodsExpectedBy(summary, context)) expected.add(key);
    for (const event of document.events) checker.take(event.summary);
  }
  if (direction !== undefined && rules.some(isNumbering)) {
    const filters = { ...selection.filters, issuer: [company] };
    const own = { ...selection, direction: opposite[direction], filters };
    for await (const document of archive.read(own)) numbering.take(asItIs(document));
  }
  await takeLinked(examined, checker, expected);
  for (const finding of numbering.finish()) note(finding);
  for (const finding of checker.finish()) note(finding);
  return { documents, findings, byRule };
}
