import type { StoredDocument } from '../../archive/archive.ts';
import { referenceOf } from '../../archive/references.ts';
import { Cancelled, UpstreamError } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { explainFailure } from '../../company/failures.ts';
import type { Finding } from '../../documents/rules/index.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import { type Without, type XmlProgress, xmlFiles } from './xml-files.ts';

/** How far the documents' own texts were held against their signatures. */
export interface SignatureTally {
  /** Documents whose text was judged, for or against. */
  judged: number;
  /** Those that could not be judged, by the reason in words for a person. */
  readonly notJudged: Map<string, number>;
  /** Of these, those whose text could not be had: an answer without them is not complete. */
  withoutText: number;
}

/** Until when texts are waited for (milliseconds since 1970), and what ends the wait before. */
export interface Waiting {
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Holds documents' own texts against their signatures. */
export interface SignedTexts {
  readonly tally: SignatureTally;
  /**
   * Goes on with the documents until all are done or the time is over.
   * @param from the documents but for the first so many
   * @throws the signal's reason
   */
  proceed(
    from: (offset: number) => AsyncIterable<StoredDocument>,
    waiting: Waiting,
  ): Promise<{ readonly findings: readonly Finding[]; readonly isDone: boolean }>;
}

function findingOf(
  { kind, key, issuer, number, issued_at, totals }: DocumentSummary,
  reason: string,
): Finding {
  const amount = totals?.total ?? totals?.services;
  return {
    rule: 'text_against_signature',
    key,
    document: { kind, issuer: issuer?.id, issuer_name: issuer?.name, number, issued_at, amount },
    found: reason,
    expected: 'unchanged',
  };
}

/** Texts are those that are kept or in the user's files, else they are fetched, a few at once. */
export function createSignedTexts({ company, translator }: CallContext): SignedTexts {
  const tally: SignatureTally = { judged: 0, notJudged: new Map(), withoutText: 0 };
  let taken = 0;
  /** Why the service is not asked any more. */
  let stopped: string | undefined;

  function leaveOut(reason: string): void {
    tally.notJudged.set(reason, (tally.notJudged.get(reason) ?? 0) + 1);
  }

  /** The text of a document that is not kept. @throws UpstreamError */
  async function fetch(document: StoredDocument, signal: AbortSignal): Promise<string | Without | undefined> {
    if (stopped !== undefined) return { reason: stopped };
    const reference = referenceOf(document.summary);
    if (reference === undefined) return undefined;
    try {
      return (await company.memory.document(reference, { signal, needsXml: true })).xml;
    } catch (error) {
      const reason = error instanceof UpstreamError ? undefined : explainFailure(error, translator);
      if (reason === undefined) throw error;
      return { reason };
    }
  }

  async function judge(summary: DocumentSummary, xml: Uint8Array): Promise<Finding[]> {
    const { checkContent } = await import('../../documents/signatures/content.ts');
    const { result, reason } = await checkContent(Buffer.from(xml).toString(), summary.kind);
    if (result === 'unknown') {
      leaveOut(translator.say(`verify.reason_${reason ?? 'not_signed'}`));
      return [];
    }
    tally.judged += 1;
    return result === 'changed' ? [findingOf(summary, reason ?? 'digest')] : [];
  }

  return {
    tally,
    async proceed(from, { until, signal }) {
      const findings: Finding[] = [];
      const progress: XmlProgress = { taken: 0, missing: [] };
      const explain = (error: UpstreamError | undefined) =>
        (error && explainFailure(error, translator)) ?? translator.say('analysis.not_alone');
      const atOnce = company.settings.concurrency;
      const rows = xmlFiles(from(taken), { fetch, explain, atOnce, deadline: until, signal }, progress);
      let failure: UpstreamError | undefined;
      try {
        for await (const row of rows) {
          if ('xml' in row) findings.push(...(await judge(row.summary, row.xml)));
          else {
            tally.withoutText += 1;
            leaveOut(row.reason);
          }
        }
        failure = progress.stopped;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
        failure = error;
      }
      taken += progress.taken;
      if (failure !== undefined) stopped = explain(failure);
      return { findings, isDone: failure === undefined && Date.now() < until };
    },
  };
}
