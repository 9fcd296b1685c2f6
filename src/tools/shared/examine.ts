import type { Archive, JudgedDocument } from '../../archive/archive.ts';
import type { Selection } from '../../archive/ask/question.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { Checker, Covered, Finding, Rule, RuleCode, RuleContext } from '../../documents/rules/index.ts';
import type { DocumentKind } from '../../documents/summary/summary.ts';
import type { SignedTexts, Waiting } from './signed-texts.ts';

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
  /** Holds texts against their signatures, where a rule is about that. */
  readonly texts?: SignedTexts | undefined;
}

/** A look at documents that may stop on the way and goes on where it stopped. */
export interface Examination {
  /** How many were looked at so far. */
  readonly documents: number;
  /** As many as are kept, in the order they were found. */
  readonly findings: readonly Finding[];
  /** All that were found, by rule. */
  readonly byRule: ReadonlyMap<string, number>;
  readonly isDone: boolean;
  /**
   * Looks on until all is done or the moment (milliseconds since 1970) has come.
   * @throws what reading the archive throws, and the signal's reason
   */
  proceed(until: number, signal: AbortSignal): Promise<void>;
}

/** Findings that are kept to be shown; all are counted. */
const MOST_FINDINGS_KEPT = 5_000;

/** Documents that are looked at before the clock is looked at, so that every call gets on. */
const STRIDE = 50;

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

/** What the rules are told besides the documents. */
async function contextOf({
  archive,
  selection,
  rules,
  covered,
  now,
  timeZone,
}: Examined): Promise<RuleContext> {
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
    entryDay: (key) => entered.get(key),
  };
}

/** The other side of the link: what was listed, and what is missing there and kept in the archive all the same. */
async function* takeLinked(
  { archive, linked }: Examined,
  checker: Checker,
  expected: Set<string>,
  isTime: () => boolean,
): AsyncGenerator<void> {
  if (linked === undefined) return;
  for await (const document of archive.judged(linked)) {
    const { key } = document.judgement.facts;
    if (key !== undefined) expected.delete(key);
    checker.take(document.judgement, document);
    if (isTime()) yield;
  }
  const { judge } = await import('../../documents/rules/index.ts');
  for (const key of expected) {
    const kept = await archive.find({ document: 'nfe', key });
    if (kept !== undefined) checker.take(judge(kept.summary), kept);
    if (isTime()) yield;
  }
}

interface Tally {
  documents: number;
  readonly findings: Finding[];
  readonly byRule: Map<string, number>;
}

/** Whether it is time to give way, once in so many documents. */
function createStride(): () => boolean {
  let documents = 0;
  return () => {
    documents += 1;
    return documents % STRIDE === 0;
  };
}

/** The documents' own texts, for as long as each call has time. */
async function* lookAtTexts(
  { archive, selection }: Examined,
  texts: SignedTexts,
  note: (finding: Finding) => void,
  waiting: () => Waiting,
): AsyncGenerator<void> {
  for (;;) {
    const { findings, isDone } = await texts.proceed((offset) => archive.read(selection, offset), waiting());
    for (const finding of findings) note(finding);
    if (isDone) return;
    yield;
  }
}

/**
 * The whole look: the documents, their events, and what they are linked with; only findings of theirs count. It gives
 * way wherever the clock is to be looked at.
 */
async function* look(examined: Examined, tally: Tally, waiting: () => Waiting): AsyncGenerator<void> {
  const { createChecker, goodsExpectedBy } = await import('../../documents/rules/index.ts');
  const { archive, selection, rules, linked, texts } = examined;
  const { company, direction, area } = selection;
  const context = await contextOf(examined);
  // What is among the documents is told of the numbering first.
  const ordered = [...rules.filter(isNumbering), ...rules.filter((rule) => !isNumbering(rule))];
  const checker = createChecker(context, ordered);
  const note = (finding: Finding) => {
    if (!kindsOf[area].includes(finding.document.kind)) return;
    tally.byRule.set(finding.rule, (tally.byRule.get(finding.rule) ?? 0) + 1);
    if (tally.findings.length < MOST_FINDINGS_KEPT) tally.findings.push(finding);
  };
  const expected = new Set<string>();
  const isTime = createStride();
  const look = ({ judgement, status, contents, events }: JudgedDocument) => {
    const { facts } = judgement;
    for (const finding of checker.take(judgement, { status, contents })) note(finding);
    if (linked !== undefined)
      for (const key of goodsExpectedBy({ ...facts, status }, context)) expected.add(key);
    for (const event of events) checker.takeEvent(facts.key ?? '', event, event.status);
  };
  for await (const document of archive.judged(selection)) {
    tally.documents += 1;
    look(document);
    if (isTime()) yield;
  }
  if (direction !== undefined && rules.some(isNumbering)) {
    const filters = { ...selection.filters, issuer: [company] };
    for await (const document of archive.judged({ ...selection, direction: opposite[direction], filters })) {
      checker.takeBeside(document.judgement, 'number_gap', document);
      if (isTime()) yield;
    }
  }
  yield* takeLinked(examined, checker, expected, isTime);
  for (const finding of checker.finish()) note(finding);
  if (texts !== undefined) yield* lookAtTexts(examined, texts, note, waiting);
}

/** Begins to run the rules over the documents. Nothing is read before it proceeds. */
export function beginExamination(examined: Examined): Examination {
  const tally: Tally = { documents: 0, findings: [], byRule: new Map() };
  let waiting: Waiting | undefined;
  const steps = look(examined, tally, () => {
    if (waiting === undefined) throw new TypeError('a look proceeds until a moment');
    return waiting;
  });
  let isDone = false;
  let turn: Promise<void> = Promise.resolve();
  const proceed = async (until: number, signal: AbortSignal) => {
    waiting = { until, signal };
    while (!isDone) {
      isDone = (await steps.next()).done === true;
      if (isDone) return;
      signal.throwIfAborted();
      if (Date.now() >= until) return;
    }
  };
  return {
    get documents() {
      return tally.documents;
    },
    findings: tally.findings,
    byRule: tally.byRule,
    get isDone() {
      return isDone;
    },
    proceed(until, signal) {
      // Two calls that go on with the same look take turns.
      turn = turn.catch(() => undefined).then(() => proceed(until, signal));
      return turn;
    },
  };
}
