import { checkPeriod } from '../../days.ts';
import { InvalidQuestion } from '../../errors.ts';
import { checkPage } from '../ask/ask.ts';
import { reasonFor } from '../ask/census.ts';
import { asksItems, companiesOf } from '../ask/conditions.ts';
import type { Filters, LeftOut, LeftOutReason, ListQuestion, Selection } from '../ask/question.ts';
import { natureOfLine } from '../rollups/nature.ts';
import { isVoid, otherCityOf, otherStateOf } from '../rollups/rollups.ts';
import { amountText, searchText } from '../schema/encoding.ts';
import { hasWord } from '../schema/head-text.ts';
import type { PlacementRow } from '../schema/schema.ts';
import { plus, type Units, unitsOf } from '../schema/units.ts';
import type { Held, PlainDocuments } from './documents.ts';

function isOneOf(value: string, values: readonly string[] | undefined): boolean {
  return values === undefined || values.includes(value);
}

function beginsWithOneOf(value: string, starts: readonly string[] | undefined): boolean {
  return starts === undefined || starts.some((start) => value.startsWith(start));
}

function units(text: string): Units {
  const amount = unitsOf(text);
  if (amount === undefined) throw new InvalidQuestion('amount', text);
  return amount;
}

function isParty(id: string, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.some((one) => id === one || (one.length === 8 && rootOf(id) === one));
}

function rootOf(id: string): string {
  return id.length === 14 ? id.slice(0, 8) : id;
}

function hasLine({ row, lines }: Held['document'], selection: Selection, filters: Filters): boolean {
  if (!asksItems(filters)) return true;
  const { cfop, ncm, cst, class_trib, nature, unit } = filters;
  return lines.some(
    (line) =>
      beginsWithOneOf(line.cfop, cfop) &&
      beginsWithOneOf(line.ncm, ncm) &&
      isOneOf(line.cst, cst) &&
      isOneOf(line.class_trib, class_trib) &&
      isOneOf(line.unit, unit) &&
      isOneOf(natureOfLine(line.cfop, row, companiesOf(selection)), nature),
  );
}

/** Whether a document meets every filter but that of the status. */
function matches({ document, source }: Held, placement: PlacementRow, selection: Selection): boolean {
  const { row, head, lines } = document;
  const { filters = {} } = selection;
  const { min_total, max_total, text } = filters;
  const total = row.total ?? undefined;
  const words = text === undefined ? [] : searchText(text).split(' ');
  return (
    isParty(row.issuer, filters.issuer) &&
    isParty(row.recipient, filters.recipient) &&
    isParty(row.payer, filters.payer) &&
    isOneOf(otherStateOf(placement, row), filters.state) &&
    isOneOf(otherCityOf(placement, row), filters.city) &&
    isOneOf(row.kind, filters.kind) &&
    isOneOf(row.number.replace(/^0+/, ''), filters.number) &&
    isOneOf(row.purpose, filters.purpose) &&
    isOneOf(row.competence, filters.competence) &&
    isOneOf(row.regime, filters.regime) &&
    isOneOf(source, filters.source) &&
    (min_total === undefined || (total !== undefined && total >= units(min_total))) &&
    (max_total === undefined || (total !== undefined && total <= units(max_total))) &&
    hasLine(document, selection, filters) &&
    words.every(
      (word) =>
        hasWord(head, row, word) || lines.some(({ description }) => searchText(description).includes(word)),
    )
  );
}

interface Placed {
  readonly held: Held;
  readonly placement: PlacementRow;
}

function* placed(
  { documents }: PlainDocuments,
  selection: Selection,
  isMeant: (placement: PlacementRow, selection: Selection) => boolean,
): Generator<Placed> {
  const { area, by, direction } = selection;
  const companies = companiesOf(selection).toSorted();
  for (const held of documents.values()) {
    const found = companies
      .flatMap((company) => held.placements.get(`${company} ${by}`) ?? [])
      .filter((placement) => placement.area === area && isMeant(placement, selection))
      .find((one) => direction === undefined || [direction, 'both'].includes(one.direction));
    if (found !== undefined) yield { held, placement: found };
  }
}

const isWithin = ({ from_day, to_day }: PlacementRow, { from, to }: Selection): boolean =>
  from_day >= from && to_day <= to;
const isAcross = ({ from_day, to_day }: PlacementRow, { from, to }: Selection): boolean =>
  from_day <= to && to_day >= from && (from_day < from || to_day > to);

/** Documents that stand in the period of a selection, whatever they are. */
export function placedIn(all: PlainDocuments, selection: Selection): Placed[] {
  checkPeriod(selection);
  return [...placed(all, selection, isWithin)];
}

/** Documents of a selection, those an answer rests on; in no order. */
export function selected(all: PlainDocuments, selection: Selection): Placed[] {
  const { filters = {} } = selection;
  const isAsked = (status: string) =>
    filters.status === undefined ? !isVoid(status) : isOneOf(status, filters.status);
  return placedIn(all, selection).filter(
    ({ held, placement }) =>
      held.document.row.exclusion !== 'test' && isAsked(held.status) && matches(held, placement, selection),
  );
}

function leftOut(all: PlainDocuments, selection: Selection): LeftOut[] {
  const { filters = {} } = selection;
  const counts = new Map<LeftOutReason, number>();
  const isEither = (placement: PlacementRow) =>
    isWithin(placement, selection) || (selection.by !== 'issue' && isAcross(placement, selection));
  for (const { held, placement } of placed(all, selection, isEither)) {
    const isUndated = !isWithin(placement, selection);
    if (!matches(held, placement, selection)) continue;
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
  const totals = found.flatMap(({ document: { row } }) => row.total ?? []);
  const isExact = found.every(({ document: { row } }) => row.exclusion !== 'inexact');
  const sum = totals.reduce<Units>(plus, 0);
  return {
    page: found.slice(offset, offset + limit),
    total: found.length,
    sum: isExact && totals.length > 0 ? amountText(String(sum)) : undefined,
    left_out: leftOut(all, question),
  };
}
