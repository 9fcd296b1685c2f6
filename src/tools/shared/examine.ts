import type { Archive, JudgedDocument, StoredDocument } from '../../archive/archive.ts';
import type { Selection } from '../../archive/ask/question.ts';
import { type DocumentArea, referenceOf } from '../../archive/references.ts';
import { Cancelled, UpstreamError } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { explainFailure } from '../../company/failures.ts';
import type { Covered, Finding, OwnFacts, Rule, RuleCode, RuleContext } from '../../documents/rules/index.ts';
import type { DocumentKind, DocumentSummary } from '../../documents/summary/summary.ts';
import { type Without, type XmlProgress, xmlFiles } from './xml-files.ts';

/** Several companies: a document between two of them counts once. */
interface Together {
  readonly companies: ReadonlySet<string>;
  readonly counted: Set<string>;
}

/** Whether a fact about a document was not yet counted for another company that shares it. */
function isNew(what: string, facts: OwnFacts, together: Together | undefined): boolean {
  if (together === undefined) return true;
  const { companies, counted } = together;
  const parties = new Set([facts.issuer, facts.recipient, facts.sender, facts.payer]);
  const sharing = [...parties].filter((party) => party !== undefined && companies.has(party));
  if (sharing.length < 2) return true;
  const { kind, key, issuer, number, issued_at, verification_code } = facts;
  const name = [what, kind, key ?? [issuer, number, issued_at, verification_code].join('|')].join('|');
  if (counted.has(name)) return false;
  counted.add(name);
  return true;
}

/** Documents to examine, and their context. */
export interface Examined {
  readonly archive: Archive;
  readonly selection: Selection;
  readonly rules: readonly Rule[];
  /** Linked documents, for rules about links. */
  readonly linked: Selection | undefined;
  readonly covered: Covered;
  /** Companies examined in turn, and what was counted of shared documents. */
  readonly together?: Together;
  /** Now, for deadlines. */
  readonly now: Date;
  readonly timeZone: string;
  /** Access to texts, for rules about signatures. */
  readonly texts?: Pick<CallContext, 'company' | 'translator'> | undefined;
}

/** Tally of signature checks. */
export interface SignatureTally {
  judged: number;
  /** Documents without a verdict, by reason in words. */
  readonly notJudged: Map<string, number>;
  /** Of these, documents without text, which make an answer incomplete. */
  withoutText: number;
}

/** Findings kept for display; all are counted. */
const MOST_FINDINGS_KEPT = 5_000;

/** Documents between clock checks. */
const STRIDE = 50;

const kindsOf: Readonly<Record<DocumentArea, readonly DocumentKind[]>> = {
  nfe: ['nfe', 'nfce', 'summary'],
  cte: ['cte', 'cteos'],
  nfse: ['nfse'],
};

/** Whether a rule applies to a kind. */
export function isAbout(area: DocumentArea, { kinds }: Rule): boolean {
  return kinds.some((kind) => kindsOf[area].includes(kind));
}

const opposite = { inbound: 'outbound', outbound: 'inbound' } as const;

const SIGNATURE_RULE: RuleCode = 'text_against_signature';
const isNumbering = ({ code }: Rule): boolean => code === 'number_gap';
const laterEvents: readonly RuleCode[] = ['cancelled_after_entry', 'corrected_after_entry'];

async function contextOf(examined: Examined): Promise<RuleContext> {
  const { archive, selection, rules, covered, now, timeZone } = examined;
  const { company, direction, area } = selection;
  const isAboutEntry = rules.some(({ code }) => laterEvents.includes(code));
  const entered = isAboutEntry ? await archive.entryDays(selection) : new Map<string, string>();
  const isNumbered = rules.some(isNumbering) && area !== 'nfse';
  const givenUp = isNumbered ? await archive.files.givenUp({ company, area }) : [];
  return { givenUp, company, covered, direction, now, timeZone, entryDay: (key) => entered.get(key) };
}

function changedText(summary: DocumentSummary, reason: string): Finding {
  const { kind, key, issuer, number, issued_at, totals } = summary;
  const amount = totals?.total ?? totals?.services;
  return {
    rule: SIGNATURE_RULE,
    key,
    document: { kind, issuer: issuer?.id, issuer_name: issuer?.name, number, issued_at, amount },
    found: reason,
    expected: 'unchanged',
  };
}

/** Runs rules over documents; resumable. */
export class Examination {
  /** Documents examined so far. */
  documents = 0;
  /** First findings, in order of discovery. */
  readonly findings: Finding[] = [];
  /** Counts of all findings. */
  readonly byRule = new Map<RuleCode, number>();
  /** Documents each rule applied to; rules across documents are counted at the end. */
  appliedTo = new Map<RuleCode, number>();
  isDone = false;
  /** Present if a rule checks signatures. */
  readonly signatures: SignatureTally | undefined;
  readonly #examined: Examined;
  readonly #steps: AsyncGenerator<void>;
  #until = 0;
  #signal = new AbortController().signal;
  #turn: Promise<void> = Promise.resolve();

  /** Reads nothing until `proceed`. */
  constructor(examined: Examined) {
    this.#examined = examined;
    this.#steps = this.#examine();
    if (examined.texts) this.signatures = { judged: 0, notJudged: new Map(), withoutText: 0 };
  }

  /**
   * Continues until done or `until` (milliseconds since 1970). Concurrent calls take turns. @throws the signal's
   * reason
   */
  proceed(until: number, signal: AbortSignal): Promise<void> {
    this.#turn = this.#turn.catch(() => undefined).then(() => this.#proceed(until, signal));
    return this.#turn;
  }

  async #proceed(until: number, signal: AbortSignal): Promise<void> {
    this.#until = until;
    this.#signal = signal;
    while (!this.isDone) {
      this.isDone = (await this.#steps.next()).done === true;
      if (this.isDone) return;
      signal.throwIfAborted();
      if (Date.now() >= until) return;
    }
  }

  #note(findings: Iterable<Finding>): void {
    for (const finding of findings) {
      this.byRule.set(finding.rule, (this.byRule.get(finding.rule) ?? 0) + 1);
      if (this.findings.length < MOST_FINDINGS_KEPT) this.findings.push(finding);
    }
  }

  /** Yields at clock checks. Only rules on single documents count here. */
  async *#examine(): AsyncGenerator<void> {
    const { createChecker, goodsExpectedBy, judge } = await import('../../documents/rules/index.ts');
    const { archive, selection, rules, linked, texts, together } = this.#examined;
    const { area, company, direction } = selection;
    const context = await contextOf(this.#examined);
    // Numbering comes first: it must see every number.
    const ordered = [...rules.filter(isNumbering), ...rules.filter((rule) => !isNumbering(rule))];
    const checker = createChecker(context, ordered, kindsOf[area], (rule, about) =>
      isNew(rule, about, together),
    );
    this.appliedTo = checker.appliedTo;
    const expected = new Set<string>();
    let taken = 0;
    const isTime = () => ++taken % STRIDE === 0;
    const take = ({ judgement, status, contents, events }: JudgedDocument): void => {
      const { facts } = judgement;
      if (isNew('', facts, together)) this.documents += 1;
      this.#note(checker.take(judgement, { status, contents }));
      const goods = linked === undefined ? [] : goodsExpectedBy({ ...facts, status }, context);
      for (const key of goods) expected.add(key);
      for (const event of events) checker.takeEvent(facts.key ?? '', event, event.status);
    };
    for await (const document of archive.judged(selection)) {
      take(document);
      if (isTime()) yield;
    }
    if (direction !== undefined && rules.some(isNumbering)) {
      const filters = { ...selection.filters, issuer: [company] };
      const others = { ...selection, direction: opposite[direction], filters };
      for await (const document of archive.judged(others)) {
        checker.takeBeside(document.judgement, 'number_gap', document);
        if (isTime()) yield;
      }
    }
    if (linked !== undefined) {
      for await (const document of archive.judged(linked)) {
        expected.delete(document.judgement.facts.key ?? '');
        checker.take(document.judgement, document);
        if (isTime()) yield;
      }
      // An unlisted note may be in the archive.
      for (const key of expected) {
        const kept = await archive.find({ document: 'nfe', key });
        if (kept !== undefined) checker.take(judge(kept.summary), kept);
        if (isTime()) yield;
      }
    }
    this.#note(checker.finish());
    if (texts !== undefined && this.signatures !== undefined)
      yield* this.#examineTexts(texts, this.signatures);
  }

  /** Texts come from the archive or files, otherwise from the service, a few at a time. */
  async *#examineTexts(
    { company, translator }: Pick<CallContext, 'company' | 'translator'>,
    tally: SignatureTally,
  ): AsyncGenerator<void> {
    const { checkContent } = await import('../../documents/signatures/content.ts');
    const { archive, selection } = this.#examined;
    const explain = (error: UpstreamError | undefined) =>
      (error && explainFailure(error, translator)) ?? translator.say('analysis.not_alone');
    const leaveOut = (reason: string) => tally.notJudged.set(reason, (tally.notJudged.get(reason) ?? 0) + 1);
    /** Why the service is no longer asked. */
    let stopped: string | undefined;
    let taken = 0;

    async function fetch(
      { summary }: StoredDocument,
      signal: AbortSignal,
    ): Promise<string | Without | undefined> {
      if (stopped !== undefined) return { reason: stopped };
      const reference = referenceOf(summary);
      if (reference === undefined) return undefined;
      try {
        return (await company.memory.document(reference, { signal, needsXml: true })).xml;
      } catch (error) {
        const reason = error instanceof UpstreamError ? undefined : explainFailure(error, translator);
        if (reason === undefined) throw error;
        return { reason };
      }
    }

    for (;;) {
      const [until, signal] = [this.#until, this.#signal];
      const progress: XmlProgress = { taken: 0, missing: [] };
      const fetching = { fetch, explain, atOnce: company.settings.concurrency, deadline: until, signal };
      let failure: UpstreamError | undefined;
      try {
        for await (const row of xmlFiles(archive.read(selection, taken), fetching, progress)) {
          if (!('xml' in row)) {
            tally.withoutText += 1;
            leaveOut(row.reason);
            continue;
          }
          const { result, reason } = await checkContent(Buffer.from(row.xml).toString(), row.summary.kind);
          if (result === 'unknown') leaveOut(translator.say(`verify.reason_${reason ?? 'not_signed'}`));
          else this.appliedTo.set(SIGNATURE_RULE, ++tally.judged);
          if (result === 'changed') this.#note([changedText(row.summary, reason ?? 'digest')]);
        }
        failure = progress.stopped;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
        failure = error;
      }
      taken += progress.taken;
      if (failure !== undefined) stopped = explain(failure);
      else if (Date.now() < until) return;
      yield;
    }
  }
}
