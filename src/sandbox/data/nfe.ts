import { type Day, isoDate, type Moment, SECONDS_IN_DAY, SECONDS_IN_HOUR, startOf } from './calendar.ts';
import {
  circleOf,
  consumers,
  customers,
  exporters,
  freeZoneCustomer,
  fuelSellers,
  isOfAccount,
  isPerson,
  largeCompany,
  type Party,
  partners,
  stateCode,
} from './parties.ts';
import {
  accessKeyOf,
  createRandom,
  type DayPlan,
  type Issued,
  issue,
  protocolOf,
  type Random,
  randomOf,
  type Slot,
} from './plan.ts';

/** An event registered on a note, possibly in the future. */
export interface NoteEvent {
  /** `tpEvento`, six digits. */
  readonly code: string;
  readonly at: Moment;
  readonly sequence: number;
  readonly protocol: string;
  /** Justification or correction. */
  readonly text?: string | undefined;
  /** A cancellation accepted after its deadline. */
  readonly isLate?: boolean;
}

/** An NF-e without its items. */
export interface Nfe extends Issued {
  readonly key: string;
  readonly recipient: Party;
  /** Payer of the freight (`modFrete`): 0 issuer, 1 recipient, 9 none. */
  readonly freight: '0' | '1' | '9';
  /** The original note of this return (`finNFe` 4). */
  readonly returned?: Nfe | undefined;
  /** `reduced`: machines with reduced ICMS; `freeZone`: ICMS relieved and deducted from the price. */
  readonly rarity?: 'fuel' | 'reduced' | 'freeZone' | 'import';
  /** False for notes cancelled within a day; true for those cancelled weeks later. */
  readonly isShipped: boolean;
  /** Past and future events, in order. */
  readonly events: readonly NoteEvent[];
}

/** Issuer and recipient, with the peculiarities of their trade. */
type Trade = Pick<Nfe, 'issuer' | 'recipient' | 'freight' | 'returned' | 'rarity'>;

/** Imports arrive from March to September, before the sales season. */
function isImportSeason(day: Day): boolean {
  const month = Number(isoDate(startOf(day)).slice(5, 7));
  return month >= 3 && month <= 9;
}

/** The few notes with relieved or single-phase ICMS or import duty. */
function rareTradeOf({ company, direction, index, day }: Slot, usual: Trade, random: Random): Trade {
  const { issuer, recipient } = usual;
  if (company === largeCompany || usual.returned || isOfAccount(issuer) === isOfAccount(recipient))
    return usual;
  if (direction === 'inbound') {
    // A later return may refer to the first note of a day.
    if (index === 0) return usual;
    if (random.chance(20))
      return { ...usual, rarity: 'fuel', issuer: random.pick(fuelSellers), freight: '9' };
    const sellsMachines = issuer.regime === '3' && issuer.sells.includes('tools');
    return sellsMachines && random.chance(50) ? { ...usual, rarity: 'reduced' } : usual;
  }
  const exporter = exporters.find(({ id }) => id === company.row.imports_from);
  if (exporter && random.chance(4) && isImportSeason(day))
    return { ...usual, rarity: 'import', recipient: exporter, freight: '9' };
  const sellsThere = company.regime === '3' && !company.manufacturer;
  return sellsThere && random.chance(4)
    ? { ...usual, rarity: 'freeZone', recipient: freeZoneCustomer, freight: '0' }
    : usual;
}

function recipientOf({ company }: Slot, random: Random): Party {
  const companies = circleOf(company).filter((other) => other !== company);
  if (companies.length > 0 && random.chance(8)) return random.pick(companies);
  const nearby = consumers.filter(({ state }) => state === company.state);
  if (!company.manufacturer && nearby.length > 0 && random.chance(20)) return random.pick(nearby);
  return random.pick(customers);
}

/** A planned event. */
type Planned = readonly [code: string, at: Moment, more?: Pick<NoteEvent, 'text' | 'isLate'>];

/** Most recipients acknowledge a note within days and confirm within weeks; some are late, some revoke. */
function manifestationsOf(note: Issued, later: Random, random: Random): Planned[] {
  if (!note.receivers.every(isOfAccount) || !random.chance(75)) return [];
  const after = (from: Moment, days: number) => from + days * SECONDS_IN_DAY;
  const awareness: Planned = ['210210', after(note.enteredAt, random.integer(2, 6))];
  const confirmed = after(note.enteredAt, random.integer(20, 40));
  if (!random.chance(80)) return [awareness];
  if (later.chance(15)) return [awareness, ['210200', after(note.authorizedAt, later.integer(60, 88))]];
  const usual: Planned[] = [awareness, ['210200', confirmed]];
  if (!later.chance(5)) return usual;
  const text = 'Mercadoria devolvida na conferencia';
  return [...usual, ['210240', after(confirmed, later.integer(3, 25)), { text }]];
}

/** `cOrgao`: the national environment for manifestations, else the issuer's state. */
export const authorityOf = (code: string, { issuer }: Nfe): string =>
  code.startsWith('21') ? '91' : stateCode(issuer);

function eventOf(note: Nfe, [code, at, more]: Planned): NoteEvent {
  const protocol = protocolOf(authorityOf(code, note), at, createRandom(note.key, code));
  return { code, at, sequence: 1, protocol, ...more };
}

const LOOK_BACK_IN_DAYS = { from: 4, to: 18 };

/** Creates a slot's note, possibly a return of an earlier one. */
export function noteMaker(slotsOn: DayPlan): (slot: Slot) => Nfe {
  function returnedBy({ company, day }: Slot, random: Random): Nfe | undefined {
    if (!random.chance(5)) return undefined;
    const flow = { company, kind: 'nfe', direction: 'inbound' } as const;
    for (let back = LOOK_BACK_IN_DAYS.from; back <= LOOK_BACK_IN_DAYS.to; back++) {
      const [first] = slotsOn(flow, day - back);
      const earlier = first && noteOf(first);
      if (earlier?.isShipped) return earlier;
    }
    return undefined;
  }

  function tradeOf(slot: Slot, random: Random): Trade {
    const { company, direction } = slot;
    if (direction === 'inbound') {
      const suppliers = partners.filter(({ sells }) => sells.some((family) => company.buys.includes(family)));
      const issuer = random.pick(suppliers);
      return { issuer, recipient: company, freight: random.chance(55) ? '1' : '0' };
    }
    const returned = returnedBy(slot, random);
    const recipient = recipientOf(slot, random);
    const freight = isPerson(recipient) ? '9' : '0';
    return { issuer: company, recipient: returned?.issuer ?? recipient, freight, returned };
  }

  function noteOf(slot: Slot): Nfe {
    const random = randomOf(slot, 'nfe');
    const trade = rareTradeOf(slot, tradeOf(slot, random), randomOf(slot, 'nfe rare'));
    const issued = issue(slot, trade.issuer, random);
    const key = accessKeyOf(issued, '55', random);
    const after = (hours: number) => issued.authorizedAt + hours * SECONDS_IN_HOUR;
    const planned: Planned[] = [];
    const isCancelled = random.chance(4);
    if (isCancelled) {
      const text = 'Pedido cancelado pelo cliente antes da entrega';
      planned.push(['110111', after(random.integer(1, 20)), { text }]);
    } else if (random.chance(4)) {
      const text = 'Corrigir o bairro de entrega: Vila Industrial.';
      planned.push(['110110', after(24 * random.integer(1, 9)), { text }]);
    }
    const later = randomOf(slot, 'nfe later');
    const lateCancelledAt = after(24 * later.integer(14, 40));
    const isCancelledLate = !isCancelled && later.chance(2);
    if (isCancelledLate) {
      const text = 'Operacao desfeita de comum acordo com o cliente';
      planned.push(['110111', lateCancelledAt, { text, isLate: true }]);
    }
    const isSale = slot.direction === 'outbound' && !trade.returned;
    const isBoughtFromPerson = isSale && isPerson(trade.recipient) && later.chance(20);
    const isEntry = isBoughtFromPerson || trade.rarity === 'import';
    const receivers = [trade.recipient];
    const note = { ...issued, ...trade, key, receivers, isEntry, isShipped: !isCancelled, events: [] };
    // A note confirmed by its recipient can't be cancelled.
    const manifestations = isCancelled ? [] : manifestationsOf(note, later, random);
    planned.unshift(...manifestations.slice(0, isCancelledLate ? 1 : undefined));
    return { ...note, events: planned.map((one) => eventOf(note, one)).sort((a, b) => a.at - b.at) };
  }

  return noteOf;
}
