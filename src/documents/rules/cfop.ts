import type { DocumentSummary, Item } from '../summary/summary.ts';
import { natureOf } from '../tables/cfop.ts';
import { tables } from '../tables/sources.ts';
import type { DocumentFacts, RuleContext } from './facts.ts';
import { absent, type Deviation } from './rule.ts';

const ABROAD = 'EX';
const FORM = /^[123567]\d{3}$/;
/** Fuel sold to someone of another state who fills up here is an internal sale by its own codes. */
const FUEL_AT_THE_PUMP = new Set(['5656', '5667']);
/** Fuel for a ship or an aircraft that uses it abroad (UFCons EX) is sold here. */
const FUEL_USED_ABROAD = new Set(['7651', '7654', '7667']);

/** By first digit: 1 and 5 within the state, 2 and 6 between states, 3 and 7 abroad. */
type Reach = 'state' | 'country' | 'abroad';

const reachOf: Readonly<Record<string, Reach>> = {
  1: 'state',
  2: 'country',
  3: 'abroad',
  5: 'state',
  6: 'country',
  7: 'abroad',
};
/** By idDest. */
const statedReach = new Map<string, Reach>([
  ['1', 'state'],
  ['2', 'country'],
  ['3', 'abroad'],
]);
const inboundDigit: Readonly<Record<Reach, string>> = { state: '1', country: '2', abroad: '3' };
const outboundDigit: Readonly<Record<Reach, string>> = { state: '5', country: '6', abroad: '7' };

function digitFor(reach: Reach, isInbound: boolean): string {
  return (isInbound ? inboundDigit : outboundDigit)[reach];
}

function isInboundCode(cfop: string): boolean {
  return '123'.includes(cfop.charAt(0));
}

type CodedItem = Item & { readonly cfop: string };

function codedItems({ items }: DocumentSummary): CodedItem[] {
  return items.filter((item): item is CodedItem => item.cfop !== undefined);
}

function wellFormed(document: DocumentSummary): CodedItem[] {
  return codedItems(document).filter(({ cfop }) => FORM.test(cfop));
}

/** The first item of each code: a wrong code is told once, not for every item that has it. */
function oncePerCode(items: readonly CodedItem[]): CodedItem[] {
  const codes = items.map(({ cfop }) => cfop);
  return items.filter(({ cfop }, i) => codes.indexOf(cfop) === i);
}

/** Four digits that begin with 1, 2, 3, 5, 6 or 7. */
export function checkForm(document: DocumentSummary): Deviation[] {
  const odd = codedItems(document).filter(({ cfop }) => !FORM.test(cfop));
  return oncePerCode(odd).map(({ cfop, number = '' }) => ({
    found: cfop,
    expected: '1-3, 5-7',
    values: { item: number },
  }));
}

/** Well formed, and not in the official table; of a CT-e the one code of the whole document. */
export function checkKnown(document: DocumentSummary): Deviation[] {
  const whole = document.cfop === undefined ? [] : [{ cfop: document.cfop, number: absent }];
  const unknown = [...whole, ...oncePerCode(wellFormed(document))].filter(
    ({ cfop }) => FORM.test(cfop) && natureOf(cfop) === undefined,
  );
  return unknown.map(({ cfop, number = absent }) => ({
    found: cfop,
    expected: tables.cfop.published_on,
    values: { item: number },
  }));
}

/** The issuer's own codes: 1 to 3 where the issuer receives (tpNF 0), 5 to 7 where it sends (tpNF 1). */
export function checkFlow(document: DocumentSummary): Deviation[] {
  const { flow } = document;
  if (flow !== '0' && flow !== '1') return [];
  const wrong = wellFormed(document).filter(({ cfop }) => isInboundCode(cfop) !== (flow === '0'));
  return oncePerCode(wrong).map(({ cfop, number = '' }) => ({
    found: cfop,
    expected: flow === '0' ? '1-3' : '5-7',
    values: { item: number, flow },
  }));
}

/**
 * Who bought at the counter may be of another state: with a CPF that is common and nothing to report. A note that
 * states its reach has said so already.
 */
function mayBeBoughtHere({ recipient, reach }: DocumentSummary): boolean {
  return reach === undefined && recipient?.id_type !== 'cnpj';
}

function expectedReach({ reach, issuer, recipient }: DocumentSummary): Reach | undefined {
  if (reach !== undefined) return statedReach.get(reach);
  const origin = issuer?.state;
  const destination = recipient?.state;
  if (origin === undefined || destination === undefined) return undefined;
  if (destination === ABROAD) return 'abroad';
  return origin === destination ? 'state' : 'country';
}

/**
 * The code's reach against the one the note states (idDest), which knows of sales at the counter and of places of
 * delivery. Where it states none, as before layout 3.10, against the states of issuer and recipient: then a finding is a
 * thing to look at and not a fault by itself. Source: MOC NF-e, rejections 731, 732 and 733; 520 to 523, 772 and 773.
 */
export function checkStates(document: DocumentSummary): Deviation[] {
  const expected = expectedReach(document);
  if (expected === undefined) return [];
  const origin = document.issuer?.state ?? absent;
  const destination = document.recipient?.state ?? absent;
  const reach = document.reach ?? absent;
  const wrong = wellFormed(document).filter(({ cfop }) => {
    const found = reachOf[cfop.charAt(0)];
    if (found === expected || FUEL_AT_THE_PUMP.has(cfop) || FUEL_USED_ABROAD.has(cfop)) return false;
    return found !== 'state' || !mayBeBoughtHere(document);
  });
  return oncePerCode(wrong).map(({ cfop, number = '' }) => ({
    found: cfop,
    expected: digitFor(expected, isInboundCode(cfop)) + cfop.slice(1),
    values: { item: number, origin, destination, reach },
  }));
}

/** A CT-e's code against the states where the carriage begins and ends. */
export function checkRoute({ cfop, route }: DocumentSummary): Deviation[] {
  const origin = route?.origin?.state;
  const destination = route?.destination?.state;
  if (cfop === undefined || origin === undefined || destination === undefined) return [];
  const touchesAbroad = origin === ABROAD || destination === ABROAD;
  if (touchesAbroad || !/^[56]\d{3}$/.test(cfop)) return [];
  const expected = (origin === destination ? '5' : '6') + cfop.slice(1);
  return cfop === expected ? [] : [{ found: cfop, expected, values: { origin, destination } }];
}

/**
 * A supplier's entry note (tpNF 0) that names the company: goods went back to the supplier, nothing was bought. Among
 * what came in it is easily booked as a purchase.
 */
export function checkDirection(
  { flow, issuer, recipient, operation }: DocumentFacts,
  { company, direction }: RuleContext,
): Deviation[] {
  const isAnothers = company !== undefined && recipient === company && issuer !== company;
  if (direction !== 'inbound' || !isAnothers || flow !== '0') return [];
  return [{ found: 'tpNF 0', expected: 'tpNF 1', values: { operation: operation ?? absent } }];
}
