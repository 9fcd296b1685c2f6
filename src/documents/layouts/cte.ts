import { addDecimals } from '../decimals.ts';
import { appendedCancellation, appendedEvents, statusByCode } from '../events/statuses.ts';
import {
  checkClassification,
  checkEnvironment,
  checkKey,
  checkParties,
  type Unchecked,
} from '../summary/checks.ts';
import type { Collected } from '../summary/collected.ts';
import { partyFrom, unlessEmpty } from '../summary/parties.ts';
import type { DocumentSummary, Party } from '../summary/summary.ts';
import { commonParts, keyFromId, withWarnings } from './common-parts.ts';

const OTHER_SERVICES_MODEL = '67';

/** One of the parties by number: sender, dispatcher, receiver, recipient. */
function partyNumbered({ sections }: Collected, sender?: Party, recipient?: Party): Party | undefined {
  switch (sections.clue.taker) {
    case '0':
      return sender;
    case '1':
      return partyFrom(sections.dispatcher);
    case '2':
      return partyFrom(sections.receiver);
    case '3':
      return recipient;
    default:
      return undefined;
  }
}

/**
 * Who pays is one of the parties, by number, or somebody of their own. A simplified CT-e has no such parties: its `toma`
 * has the number as the payer's role and the payer beside it. Source: MOC CT-e, layouts CT-e 4.00 (toma3, toma4) and
 * simplified CT-e 4.00 (toma).
 */
function payerFrom(collected: Collected, sender?: Party, recipient?: Party): Party | undefined {
  return partyNumbered(collected, sender, recipient) ?? partyFrom(collected.sections.taker);
}

/** A simplified CT-e may leave the totals of its deliveries to the reader. */
function addDeliveries({ sections, lists }: Collected): void {
  if (lists.parts.length === 0) return;
  const { totals } = sections;
  totals.total ??= addDecimals(lists.parts.map(({ total }) => total ?? ''));
  totals.receivable ??= addDecimals(lists.parts.map(({ receivable }) => receivable ?? ''));
}

function routeFrom({ sections }: Collected): DocumentSummary['route'] {
  const origin = unlessEmpty(sections.origin);
  const destination = unlessEmpty(sections.destination);
  return origin || destination ? { origin, destination } : undefined;
}

/** A CT-e, CT-e OS or simplified CT-e. Undefined where the file holds neither key nor number. */
export function summarizeCte(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header, protocol, taxation } = collected.sections;
  const key = keyFromId(clue.id) ?? protocol.key;
  if (key === undefined && header.number === undefined) return undefined;
  addDeliveries(collected);
  const event = appendedCancellation(collected, key);
  const parts = commonParts(collected, {
    kind: header.model === OTHER_SERVICES_MODEL ? 'cteos' : 'cte',
    layout: `cte ${clue.version ?? ''}`.trimEnd(),
    status: event === undefined ? statusByCode(protocol.code) : 'cancelled',
  });
  const sender = partyFrom(collected.sections.sender);
  const document: Unchecked = Object.assign(parts, {
    key,
    sender,
    payer: payerFrom(collected, sender, parts.recipient),
    route: routeFrom(collected),
    event,
    events: appendedEvents(collected, key),
  });
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...checkKey(document, collected),
    ...checkParties(document),
    ...checkClassification(taxation.ibs_cbs_cst, taxation.class_trib),
  ]);
}
