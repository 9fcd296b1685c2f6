import { addGiven, isDecimal, sameDecimal } from '../decimals.ts';
import { appendedCancellation, appendedEvents, statusByCode } from '../events/statuses.ts';
import { checkEnvironment, checkKey, checkParties, type Unchecked } from '../summary/checks.ts';
import type { Collected, ListRecords } from '../summary/collected.ts';
import { partyFrom, unlessEmpty } from '../summary/parties.ts';
import type { DocumentSummary, Item, Transport } from '../summary/summary.ts';
import { commonParts, keyFromId, withWarnings } from './common-parts.ts';
import { checkNfeAmounts } from './nfe-checks.ts';
import { sharesOf } from './nfe-shares.ts';

const CONSUMER_MODEL = '65';

/** IBS per item is the state's and the city's share where the file leaves the sum out. */
function addIbs({ lists }: Collected): void {
  lists.taxes.forEach((taxes, i) => {
    if (taxes.ibs !== undefined) return;
    const { ibs_state, ibs_city } = lists.item_clues[i] ?? {};
    const sum = addGiven([ibs_state, ibs_city]);
    if (sum !== undefined) taxes.ibs = sum;
  });
}

/** Fields that few items have: an object that begins with the common ones takes a third less memory. */
const rareItemFields = [
  'products_net',
  'discount',
  'freight',
  'insurance',
  'other',
  'order',
  'order_line',
  'notes',
  'fuel',
  'reference',
] as const;

function itemFrom(found: ListRecords['items'], taxes: ListRecords['taxes'], share: string | undefined): Item {
  const { number, code, description, ncm, cest, cfop, cst, origin, quantity, unit, unit_value, total } =
    found;
  const item: ListRecords['items'] & Pick<Item, 'taxes'> = {
    number,
    code,
    description,
    ncm,
    cest,
    cfop,
    cst,
    origin,
    quantity,
    unit,
    unit_value,
    total,
    taxes,
  };
  if (share !== undefined && !sameDecimal(share, total ?? '')) item.share = share;
  for (const field of rareItemFields) if (found[field] !== undefined) item[field] = found[field];
  return item;
}

/** What items go back to is among what the note refers to; a note named by all its items is named once. */
function addItemReferences({ lists }: Collected): void {
  const known = new Set(lists.references.map(({ key }) => key));
  for (const { reference } of lists.items) {
    if (reference === undefined || known.has(reference)) continue;
    known.add(reference);
    lists.references.push({ key: reference });
  }
}

function itemsFrom(collected: Collected): Item[] {
  const { items, taxes } = collected.lists;
  const shares = sharesOf(collected);
  return items.map((item, i) => itemFrom(item, taxes[i] ?? {}, shares[i]));
}

function transportFrom({ sections }: Collected): Transport | undefined {
  const carrier = partyFrom(sections.carrier);
  return carrier === undefined
    ? unlessEmpty(sections.transport)
    : Object.assign(sections.transport, { carrier });
}

/** A note with services says what ISS its taker keeps (vISSRet), and nothing where that is none. */
function isIssWithheld({ sections }: Collected): boolean | undefined {
  const { withheld, totals } = sections;
  totals.iss_withheld = withheld.iss;
  return withheld.iss !== undefined && isDecimal(withheld.iss) && Number(withheld.iss) > 0 ? true : undefined;
}

/** An NF-e or NFC-e. Undefined where the file holds neither key nor number. */
export function summarizeNfe(collected: Collected): DocumentSummary | undefined {
  const { clue, document: header, protocol } = collected.sections;
  const key = keyFromId(clue.id) ?? protocol.key;
  if (key === undefined && header.number === undefined) return undefined;
  addIbs(collected);
  addItemReferences(collected);
  const event = appendedCancellation(collected, key);
  const parts = commonParts(collected, {
    kind: header.model === CONSUMER_MODEL ? 'nfce' : 'nfe',
    layout: `nfe ${clue.version ?? ''}`.trimEnd(),
    status: event === undefined ? statusByCode(protocol.code) : 'cancelled',
  });
  const document: Unchecked = Object.assign(parts, {
    key,
    items: itemsFrom(collected),
    item_count: collected.lists.items.length,
    transport: transportFrom(collected),
    iss_withheld: isIssWithheld(collected),
    is_to_government: clue.government === undefined ? undefined : true,
    event,
    events: appendedEvents(collected, key),
  });
  return withWarnings(document, [
    ...checkEnvironment(document),
    ...checkKey(document, collected),
    ...checkParties(document),
    ...checkNfeAmounts(document, collected),
  ]);
}
