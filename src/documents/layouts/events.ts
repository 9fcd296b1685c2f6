import { eventFrom, eventStatusByCode } from '../events/statuses.ts';
import { checkEnvironment, checkEventKey, checkParties, type Unchecked } from '../summary/checks.ts';
import type { Collected } from '../summary/collected.ts';
import type { DocumentStatus, DocumentSummary, EventSummary } from '../summary/summary.ts';
import { cleanText, longest } from '../untrusted.ts';
import { commonParts, environmentFrom, withWarnings } from './common-parts.ts';

function withChecks(document: Unchecked): DocumentSummary {
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...checkEventKey(document.key),
    ...checkParties(document),
  ]);
}

/** A correction letter of a CT-e names group, field and new value of each change. */
function correctionsFrom({ lists }: Collected): string | undefined {
  const lines = lists.corrections.flatMap(({ group, field, value }) =>
    value === undefined ? [] : [`${group ?? ''}/${field ?? ''}: ${value}`],
  );
  return lines.length > 0 ? cleanText(lines.join('\n'), longest.text) : undefined;
}

interface FoundEvent {
  readonly layout: string;
  readonly status: DocumentStatus;
  readonly key: string | undefined;
  /** tpAmb. */
  readonly environment: string | undefined;
  readonly event: EventSummary;
}

function eventDocument(collected: Collected, found: FoundEvent): Unchecked {
  const { layout, status, key, environment, event } = found;
  const parts = commonParts(collected, { kind: 'event', layout: layout.trimEnd(), status });
  return Object.assign(parts, { key, environment: environmentFrom(environment), event });
}

function summarizeDocumentEvent(collected: Collected, family: 'nfe' | 'cte'): DocumentSummary | undefined {
  const [request] = collected.lists.events;
  const [receipt] = collected.lists.receipts;
  const key = request?.key ?? receipt?.key;
  const event = eventFrom(request, receipt);
  if (key === undefined && event.code === undefined) return undefined;
  const document = eventDocument(collected, {
    layout: `${family} event ${request?.version ?? receipt?.version ?? ''}`,
    status: eventStatusByCode(receipt?.status),
    key,
    environment: request?.environment ?? receipt?.environment,
    event: { ...event, text: event.text ?? correctionsFrom(collected) },
  });
  const protocol = receipt && { number: receipt.number, code: receipt.status, at: receipt.at };
  return withChecks(Object.assign(document, { protocol }));
}

/** An event of an NF-e, with or without its receipt. */
export function summarizeNfeEvent(collected: Collected): DocumentSummary | undefined {
  return summarizeDocumentEvent(collected, 'nfe');
}

/** An event of a CT-e, with or without its receipt. */
export function summarizeCteEvent(collected: Collected): DocumentSummary | undefined {
  return summarizeDocumentEvent(collected, 'cte');
}

/** An event of a national NFS-e; it is registered once it has been given a time. */
function summarizeNationalEvent(collected: Collected): DocumentSummary | undefined {
  const [request = {}] = collected.lists.events;
  if (request.key === undefined) return undefined;
  const code = /^EVT[0-9A-Z]{50}(\d{6})/.exec(request.id ?? '')?.[1];
  const document = eventDocument(collected, {
    layout: `nfse national event ${request.version ?? ''}`,
    status: collected.sections.protocol.at === undefined ? 'no_protocol' : 'authorized',
    key: request.key,
    environment: request.environment,
    event: { ...eventFrom(request), code },
  });
  return withChecks(document);
}

/** `evento`, which NF-e and national NFS-e share: the Id's prefix tells them apart. */
export function summarizeEventRequest(collected: Collected): DocumentSummary | undefined {
  const isNational = collected.lists.events[0]?.id?.startsWith('EVT');
  return isNational ? summarizeNationalEvent(collected) : summarizeNfeEvent(collected);
}

/** `resEvento`: an event as the tax office lists it, which it does once it is registered. */
export function summarizeAbridgedEvent(collected: Collected): DocumentSummary | undefined {
  const [request = {}] = collected.lists.events;
  if (request.key === undefined) return undefined;
  const document = eventDocument(collected, {
    layout: `nfe event summary ${request.version ?? ''}`,
    status: collected.sections.protocol.number === undefined ? 'unknown' : 'authorized',
    key: request.key,
    environment: undefined,
    event: eventFrom(request),
  });
  return withChecks(document);
}

/** cSitNFe: 1 authorised, 2 denied, 3 cancelled. */
function statusBySituation(situation: string | undefined): DocumentStatus {
  switch (situation) {
    case '1':
      return 'authorized';
    case '2':
      return 'denied';
    case '3':
      return 'cancelled';
    default:
      return 'unknown';
  }
}

/** `resNFe`: a note that is only known to exist; the full one comes after a manifestation. */
export function summarizeAbridgedNfe(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header } = collected.sections;
  if (header.key === undefined) return undefined;
  const parts = commonParts(collected, {
    kind: 'summary',
    layout: `nfe summary ${clue.version ?? ''}`.trimEnd(),
    status: statusBySituation(clue.situation),
  });
  return withChecks(parts);
}
