import { addDays, areAllWithin, type Covered, daysOfMonth } from '../days.ts';
import { type DocumentFacts, ENTRY, isDocument, isInEffect, type RuleContext } from './facts.ts';
import { absent, type Examined, kinds, rule, verified } from './rule.ts';

/** True for an NF-e; its abridged form (resNFe) also proves that the note exists. */
const isNote = ({ kind }: DocumentFacts) => kind === 'nfe' || kind === 'summary';

/**
 * True if the note would be known. A key gives only the month, so all its days up to the CT-e must have been checked.
 */
function noteWouldBeSeen(key: string, carriedOn: string | undefined, { days }: Covered): boolean {
  const month = daysOfMonth(key.slice(2, 6));
  if (month === undefined) return false;
  const isEarlier = carriedOn !== undefined && carriedOn >= month.first && carriedOn < month.last;
  return areAllWithin(days.nfe, month.first, isEarlier ? carriedOn : month.last);
}

/**
 * Keys of the NF-e carried by a CT-e. Each is missing unless it is among the documents: callers add notes known from
 * elsewhere.
 */
export function goodsExpectedBy(facts: DocumentFacts, { company, covered }: RuleContext): string[] {
  const { kind, sender, recipient, linked_keys, issued_at } = facts;
  if (covered === undefined || kind !== 'cte' || !isInEffect(facts)) return [];
  // Only sender and recipient receive the note of the goods; a carrier or another payer does not.
  if (![undefined, sender, recipient].includes(company)) return [];
  const day = issued_at?.slice(0, 10);
  return linked_keys.filter((key) => /^.{20}55.{22}$/.test(key) && noteWouldBeSeen(key, day, covered));
}

/** CT-e with a missing NF-e that would be known if it existed. */
function* carriageWithoutGoods(facts: readonly DocumentFacts[], context: RuleContext): Iterable<Examined> {
  const notes = new Set(facts.filter(isNote).map(({ key }) => key));
  for (const about of facts) {
    const expected = goodsExpectedBy(about, context);
    if (expected.length === 0) continue;
    const missing = expected.filter((key) => !notes.has(key));
    const [nfe] = missing;
    const known = about.linked_keys.filter((key) => notes.has(key) || missing.includes(key)).length;
    const [found, all] = [String(known - missing.length), String(known)];
    yield { about, deviations: nfe === undefined ? [] : [{ found, expected: all, values: { nfe } }] };
  }
}

/** True if a CT-e is due: freight out of town by a third-party carrier, identified by CNPJ or hired without a name. */
function expectsCarriage({ flow, freight, issuer, recipient }: DocumentFacts, company: string): boolean {
  if (freight === undefined || freight.within_city) return false;
  const { carrier, mode, is_hired } = freight;
  const isHiredUnnamed = carrier === undefined && is_hired && flow !== ENTRY;
  if (carrier?.length !== 14 && !isHiredUnnamed) return false;
  if (carrier !== undefined && (carrier === issuer || carrier === recipient)) return false;
  return (mode === '0' && issuer === company) || (mode === '1' && recipient === company);
}

/** Days after a note within which its freight is billed. Rule of thumb: no law sets a term. */
export const longestWait = 31;
/** Days after which a missing CT-e is reported, though `longestWait` has not passed. */
const usualWait = 15;

/** True if the CT-e of a note of this day should be known by now. */
function isOverdue(day: string | undefined, { days, openFrom }: Covered): boolean {
  if (day === undefined || addDays(day, usualWait) >= openFrom) return false;
  const last = addDays(day, longestWait);
  return areAllWithin(days.cte, day, last < openFrom ? last : addDays(openFrom, -1));
}

/** NF-e whose freight the company pays and whose CT-e should be known by now but is missing. */
function* goodsWithoutCarriage(
  facts: readonly DocumentFacts[],
  { company, covered }: RuleContext,
): Iterable<Examined> {
  if (company === undefined || covered === undefined) return;
  const inEffect = facts.filter((one) => isDocument(one) && isInEffect(one));
  const carried = new Set(inEffect.flatMap(({ kind, linked_keys }) => (kind === 'cte' ? linked_keys : [])));
  const expecting = new Map<string, DocumentFacts>();
  for (const note of inEffect) {
    const { kind, key, issued_at } = note;
    const isExpecting = kind === 'nfe' && key !== undefined && expectsCarriage(note, company);
    if (isExpecting && isOverdue(issued_at?.slice(0, 10), covered)) expecting.set(key, note);
  }
  for (const [key, about] of expecting) {
    const { mode = absent, carrier = absent } = about.freight ?? {};
    const lacking = { found: '0', expected: '1', values: { mode, carrier } };
    yield { about, deviations: carried.has(key) ? [] : [lacking] };
  }
}

function* carriageOfCancelled(facts: readonly DocumentFacts[]): Iterable<Examined> {
  const notes = facts.filter(isNote);
  const known = new Set(notes.map(({ key }) => key));
  const cancelled = new Set(notes.flatMap(({ key, status }) => (status === 'cancelled' ? key : [])));
  for (const about of facts) {
    const isAsked = about.kind === 'cte' && isInEffect(about);
    if (!isAsked || !about.linked_keys.some((key) => known.has(key))) continue;
    const voided = about.linked_keys.filter((key) => cancelled.has(key));
    const [nfe] = voided;
    const found = String(voided.length);
    yield { about, deviations: nfe === undefined ? [] : [{ found, expected: '0', values: { nfe } }] };
  }
}

export const carriageBasis = verified('MOC CT-e 4.00, grupo infDoc');
const freightBasis = verified(
  'MOC CT-e 4.00, grupo infDoc; NT 2016.002 da NF-e, campo modFrete',
  '2026-11-26',
);
const circulationBasis = verified(
  'Ajuste SINIEF 07/05, cl. 12ª (cancelamento só sem circulação da mercadoria)',
  '2026-11-24',
);

export const carriageRules = [
  rule('cte_without_nfe', 'warning', kinds.cte, carriageBasis, {
    title: ['CT-e sem a sua NF-e', 'CT-e without its NF-e'],
    finding: [
      'constam {found} das {expected} NF-e transportadas; a primeira que falta é {nfe}',
      '{found} of the {expected} NF-e it carries are present; the first that is missing is {nfe}',
    ],
    todo: [
      'Procure a NF-e que falta: sem ela não se sabe de que compra ou venda é o frete.',
      'Look for the missing NF-e: without it nobody knows which purchase or sale the freight belongs to.',
    ],
    needs: 'linked',
    among: carriageWithoutGoods,
  }),
  rule('nfe_without_cte', 'info', kinds.nfe, freightBasis, {
    title: ['NF-e sem o seu CT-e', 'NF-e without its CT-e'],
    finding: [
      'frete por conta da empresa (modFrete {mode}), transportador {carrier}, e nenhum CT-e traz esta nota',
      'the company pays the freight (modFrete {mode}), carrier {carrier}, and no CT-e lists this note',
    ],
    todo: [
      'Peça o CT-e ao transportador antes de pagar o frete; se o veículo foi próprio, o modFrete seria 3 ou 4.',
      'Ask the carrier for the CT-e before the freight is paid; had it been an own vehicle, modFrete would be 3 or 4.',
    ],
    needs: 'linked',
    among: goodsWithoutCarriage,
  }),
  rule('freight_of_cancelled_note', 'warning', kinds.cte, circulationBasis, {
    title: ['Frete de nota cancelada', 'Freight of a cancelled note'],
    finding: [
      'transporta {found} NF-e {found:cancelada|canceladas}; a primeira é {nfe}',
      'carries {found} cancelled NF-e; the first is {nfe}',
    ],
    todo: [
      'Só se cancela nota cuja mercadoria não circulou: pergunte ao emitente que nota a substitui, ou ao transportador por que cobra o frete.',
      'Only a note whose goods did not move may be cancelled: ask its issuer which note replaces it, or the carrier why freight is charged.',
    ],
    needs: 'linked',
    among: carriageOfCancelled,
  }),
];
