import { checkPeriod } from '../../days.ts';
import { InvalidQuestion } from '../../errors.ts';
import { checkPage } from '../ask/ask.ts';
import { reasonFor } from '../ask/census.ts';
import type { Filters, LeftOut, LeftOutReason, ListQuestion, Selection } from '../ask/question.ts';
import { isVoid, otherStateOf } from '../rollups/rollups.ts';
import { searchText, unitsOf } from '../schema/encoding.ts';
import type { PlacementRow } from '../schema/schema.ts';
import type { PreparedLine } from '../write/prepare.ts';
import type { Held, PlainDocuments } from './documents.ts';

function isOneOf(value: string, values: readonly string[] | undefined): boolean {
  return values === undefined || values.includes(value);
}

function beginsWithOneOf(value: string, starts: readonly string[] | undefined): boolean {
  return starts === undefined || starts.some((start) => value.startsWith(start));
}

function units(text: string): bigint {
  const amount = unitsOf(text);
  if (amount === undefined) throw new InvalidQuestion('amount', text);
  return amount;
}

function hasLine(lines: readonly PreparedLine[], { cfop, ncm, cst, class_trib }: Filters): boolean {
  if ([cfop, ncm, cst, class_trib].every((filter) => filter === undefined)) return true;
  return lines.some(
    (line) =>
      beginsWithOneOf(line.cfop, cfop) &&
      beginsWithOneOf(line.ncm, ncm) &&
      isOneOf(line.cst, cst) &&
      isOneOf(line.class_trib, class_trib),
  );
}

/** Whether a document meets every filter but that of the status. */
function matches({ document }: Held, placement: PlacementRow, filters: Filters): boolean {
  const { row, lines } = document;
  const { min_total, max_total, text } = filters;
  const total = row.total ?? undefined;
  const sought = text === undefined ? undefined : searchText(text);
  return (
    isOneOf(row.issuer, filters.issuer) &&
    isOneOf(row.recipient, filters.recipient) &&
    isOneOf(otherStateOf(placement, row), filters.state) &&
    isOneOf(row.kind, filters.kind) &&
    (min_total === undefined || (total !== undefined && total >= units(min_total))) &&
    (max_total === undefined || (total !== undefined && total <= units(max_total))) &&
    hasLine(lines, filters) &&
    (sought === undefined ||
      row.search.includes(sought) ||
      lines.some(({ description }) => searchText(description).includes(sought)))
  );
}

interface Placed {
  readonly held: Held;
  readonly placement: PlacementRow;
}

function* placed(
  { documents }: PlainDocuments,
  { company, area, by, direction }: Selection,
): Generator<Placed> {
  for (const held of documents.values()) {
    const placement = held.placements.get(`${company} ${by}`);
    if (placement === undefined || placement.area !== area) continue;
    if (direction === undefined || [direction, 'both'].includes(placement.direction))
      yield { held, placement };
  }
}

const isWithin = ({ from_day, to_day }: PlacementRow, { from, to }: Selection): boolean =>
  from_day >= from && to_day <= to;
const isAcross = ({ from_day, to_day }: PlacementRow, { from, to }: Selection): boolean =>
  from_day <= to && to_day >= from && (from_day < from || to_day > to);

/** Documents that stand in the period of a selection, whatever they are. */
export function placedIn(all: PlainDocuments, selection: Selection): Placed[] {
  checkPeriod(selection);
  return [...placed(all, selection)].filter(({ placement }) => isWithin(placement, selection));
}

/** Documents of a selection, those an answer rests on; in no order. */
export function selected(all: PlainDocuments, selection: Selection): Placed[] {
  const { filters = {} } = selection;
  const isAsked = (status: string) =>
    filters.status === undefined ? !isVoid(status) : isOneOf(status, filters.status);
  return placedIn(all, selection).filter(
    ({ held, placement }) =>
      held.document.row.exclusion !== 'test' && isAsked(held.status) && matches(held, placement, filters),
  );
}

function leftOut(all: PlainDocuments, selection: Selection): LeftOut[] {
  const { filters = {} } = selection;
  const counts = new Map<LeftOutReason, number>();
  for (const { held, placement } of placed(all, selection)) {
    const isUndated = selection.by !== 'issue' && isAcross(placement, selection);
    if (!(isUndated || isWithin(placement, selection)) || !matches(held, placement, filters)) continue;
    const { exclusion } = held.document.row;
    const isCounted = isUndated || isOneOf(held.status, filters.status);
    const reason = isUndated ? 'undated' : reasonFor({ status: held.status, exclusion }, filters, 'list');
    if (isCounted && reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count }));
}

/** A page of a selection, in the order asked for. */
export function listed(all: PlainDocuments, question: ListQuestion) {
  checkPeriod(question);
  checkPage(question);
  const { orderBy = { by: 'issued_at', descending: true }, limit, offset = 0 } = question;
  if (orderBy.by !== 'issued_at' && orderBy.by !== 'total') throw new InvalidQuestion('order', orderBy.by);
  const way = orderBy.descending ? -1 : 1;
  const found = selected(all, question).map(({ held }) => held);
  const amountOf = ({ document }: Held) => document.row[orderBy.by] ?? undefined;
  found.sort((one, other) => {
    const [first, second] = [amountOf(one), amountOf(other)];
    if (first === undefined || second === undefined) {
      return first === second ? way * (one.id - other.id) : first === undefined ? 1 : -1;
    }
    return first === second ? way * (one.id - other.id) : first < second ? -way : way;
  });
  return { page: found.slice(offset, offset + limit), total: found.length, left_out: leftOut(all, question) };
}
