import { referenceOf } from '../archive/references.ts';
import type { StoredDocument } from '../archive/store/archive.ts';
import { Cancelled, UpstreamError } from '../clients/errors.ts';
import { firstOf } from '../clients/http/signals.ts';
import type { Finding } from '../documents/rules/index.ts';
import type { ContentCheck } from '../documents/signatures/content.ts';
import type { CallContext } from '../services/call-context.ts';
import { explainFailure } from '../services/failures.ts';

/** How far the documents' own texts were held against their signatures. */
export interface SignatureTally {
  /** Documents whose text was judged, for or against. */
  judged: number;
  /** Those that could not be judged, by the reason in words for a person. */
  readonly notJudged: Map<string, number>;
  /** Of these, those whose text could not be had: an answer without them is not complete. */
  withoutText: number;
}

/** Until when a text is waited for (milliseconds since 1970), and what ends the wait before. */
export interface Waiting {
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Holds documents' own texts against their signatures. */
export interface SignedTexts {
  readonly tally: SignatureTally;
  /** How many are looked at side by side. */
  readonly atOnce: number;
  /**
   * What was found of a document, if anything; `later` where the time was over before its text was there.
   * @throws the signal's reason
   */
  judge(document: StoredDocument, waiting: Waiting): Promise<Finding | 'later' | undefined>;
}

/** A text that does not come must not take the time of all others. */
const LONGEST_TEXT_MS = 12_000;
/** So many failures of the service one after the other, and it is not asked any more. */
const FAILURES_BEFORE_STOPPING = 3;

function findingOf({ summary }: StoredDocument, reason: string): Finding {
  const { kind, key, issuer, number, issued_at, totals } = summary;
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
export function createSignedTexts({ services, translator }: CallContext): SignedTexts {
  const tally: SignatureTally = { judged: 0, notJudged: new Map(), withoutText: 0 };
  let failures = 0;
  let stopped: string | undefined;

  function leaveOut(reason: string): undefined {
    tally.notJudged.set(reason, (tally.notJudged.get(reason) ?? 0) + 1);
    return undefined;
  }

  function leaveOutWithoutText(reason: string): undefined {
    tally.withoutText += 1;
    return leaveOut(reason);
  }

  function outcomeOf(document: StoredDocument, { result, reason }: ContentCheck): Finding | undefined {
    if (result === 'unknown') return leaveOut(translator.say(`verify.reason_${reason ?? 'not_signed'}`));
    tally.judged += 1;
    return result === 'changed' ? findingOf(document, reason ?? 'digest') : undefined;
  }

  /** The text of a document that is not kept. @throws UpstreamError, an error in words for a person */
  async function fetched(document: StoredDocument, signal: AbortSignal): Promise<string | undefined> {
    const reference = referenceOf(document.summary);
    if (reference === undefined) return undefined;
    return (await services.memory.document(reference, { signal, needsXml: true })).xml;
  }

  return {
    tally,
    atOnce: services.settings.concurrency,
    async judge(document, { until, signal }) {
      const { checkContent } = await import('../documents/signatures/content.ts');
      const { kind } = document.summary;
      if (document.xml !== undefined) return outcomeOf(document, await checkContent(document.xml, kind));
      if (stopped !== undefined) return leaveOutWithoutText(stopped);
      const left = until - Date.now();
      if (left <= 0) return 'later';
      const limit = AbortSignal.timeout(Math.min(left, LONGEST_TEXT_MS));
      try {
        const xml = await fetched(document, firstOf(signal, limit));
        failures = 0;
        if (xml === undefined) return leaveOutWithoutText(translator.say('analysis.not_alone'));
        return outcomeOf(document, await checkContent(xml, kind));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Cancelled && left <= LONGEST_TEXT_MS) return 'later';
        const reason = explainFailure(error, translator);
        if (reason === undefined) throw error;
        failures += error instanceof UpstreamError ? 1 : 0;
        if (failures === FAILURES_BEFORE_STOPPING) stopped = reason;
        return leaveOutWithoutText(reason);
      }
    },
  };
}
