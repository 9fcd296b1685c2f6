import type { Archive, StoredDocument } from '../../archive/archive.ts';
import type { Selection } from '../../archive/ask/question.ts';
import {
  type EventName,
  eventByCode,
  eventNames,
  manifestationEvents,
} from '../../documents/events/manifestation.ts';
import { standingEvents } from '../../documents/events/statuses.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import type { DocumentSummary, EventSummary } from '../../documents/summary/summary.ts';

/** The events after which nothing more is expected of the recipient. */
export const conclusive = eventNames.filter((name) => manifestationEvents[name].conclusive);

/** A note without a conclusive event among its documents. */
export interface Candidate {
  readonly document: StoredDocument;
  readonly key: string;
  /** Manifestations that came with the note. */
  readonly delivered: ReadonlySet<EventName>;
  /** All that are known, also from a write or from what the service said of an event. */
  readonly known: ReadonlySet<EventName>;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Documents of the selection. */
  readonly documents: number;
  /** Of these, those that are not for the company to manifest. */
  readonly notOurs: number;
}

const namesOf = (events: readonly EventSummary[]): ReadonlySet<EventName> =>
  new Set(events.flatMap(({ code = '' }) => eventByCode(code)?.name ?? []));

/**
 * The manifestations that stand: those that came with the note, in a list or in the user's files, and all that are
 * known.
 */
function manifestationsOf({ summary, events }: StoredDocument) {
  const delivered = events.filter(({ from }) => from === 'document' || from === 'list' || from === 'files');
  const standing = (some: typeof events) =>
    namesOf(
      standingEvents(
        summary,
        some.map((one) => one.summary),
      ),
    );
  return { delivered: standing(delivered), known: standing(events) };
}

/**
 * Only a note's recipient manifests, and not one that it issued itself (a note of entry); a summary of a note
 * (resNFe) names no recipient and goes to the recipient alone. Source: docs/fiscal/events.md (575).
 */
function isForCompany({ kind, issuer, recipient, key }: DocumentSummary, company: string): boolean {
  if (issuer?.id === company || key === undefined) return false;
  if (kind === 'nfe') return recipient?.id === company;
  const checked = checkAccessKey(key);
  return kind === 'summary' && (!checked.ok || checked.value.kind === 'nfe');
}

/** The notes of a selection that the company may have to manifest still, by what the archive has of them. */
export async function candidatesOf(
  archive: Archive,
  selection: Selection,
  signal: AbortSignal,
): Promise<Candidates> {
  const candidates: Candidate[] = [];
  let documents = 0;
  let notOurs = 0;
  for await (const document of archive.read(selection)) {
    signal.throwIfAborted();
    documents += 1;
    const { key } = document.summary;
    if (key === undefined || !isForCompany(document.summary, selection.company)) {
      notOurs += 1;
      continue;
    }
    const { delivered, known } = manifestationsOf(document);
    if (!conclusive.some((name) => known.has(name))) candidates.push({ document, key, delivered, known });
  }
  return { candidates, documents, notOurs };
}
