import templatesXml from '../templates/cte.xml';
import { type Day, isoMoment, type Moment, SECONDS_IN_HOUR } from './calendar.ts';
import type { Nfe } from './nfe.ts';
import { icmsRate, nfeContent } from './nfe-items.ts';
import { carriers, circleOf, isCarrier, type Party, partyValues, stateCode } from './parties.ts';
import {
  accessKeyOf,
  createRandom,
  type Direction,
  type Issued,
  issue,
  issuedValues,
  protocolOf,
  type Random,
  randomOf,
  type Slot,
} from './plan.ts';
import { casesOf, editionOf, formatCents, partsOf, variantOf } from './templates.ts';

/** A CT-e without its amounts. */
export interface Cte extends Issued {
  readonly key: string;
  /** The note whose goods are carried, from its issuer to its recipient. */
  readonly note: Nfe;
  readonly cancelledAt: Moment | undefined;
}

/** Most days between a note's issue and its CT-e. */
export const LONGEST_TO_CARRIAGE = 12;

/** Creates a slot's CT-e, if a recent note is available to carry. */
export function carriageMaker(
  notesOn: (companies: readonly Party[], directions: readonly Direction[], day: Day) => readonly Nfe[],
): (slot: Slot) => Cte | undefined {
  /** Picks a recent note to carry, also one between two companies of the account. */
  function noteToCarry({ company, direction, day, index }: Slot, random: Random): Nfe | undefined {
    const others = circleOf(company).filter((other) => other !== company && !isCarrier(other));
    const shipper = direction === 'outbound' ? random.pick(others) : company;
    const carried = random.chance(50) ? 'inbound' : 'outbound';
    for (let back = 1; back <= LONGEST_TO_CARRIAGE; back++) {
      const issued = notesOn([shipper], [carried], day - back);
      const shipped = issued.filter(({ freight, isShipped }) => freight !== '9' && isShipped);
      const note = shipped[index % Math.max(shipped.length, 1)];
      if (note) return note;
    }
    return undefined;
  }

  return (slot) => {
    const random = randomOf(slot, 'cte');
    const note = noteToCarry(slot, random);
    if (!note) return undefined;
    const issuer = slot.direction === 'outbound' ? slot.company : random.pick(carriers);
    const issued = issue(slot, issuer, random);
    const { authorizedAt } = issued;
    return {
      ...{ ...issued, key: accessKeyOf(issued, '57', random), note, isEntry: false },
      receivers: [note.recipient, ...(note.freight === '0' ? [note.issuer] : [])],
      cancelledAt: random.chance(3) ? authorizedAt + random.integer(1, 20) * SECONDS_IN_HOUR : undefined,
    };
  };
}

/** Largest multiple of the templates' amounts that stays exact to the cent. */
const MOST_TIMES = 12;

const cases = casesOf(templatesXml);
const part = partsOf(templatesXml);

/** `vPrest` and `imp`, a multiple of the template's freight. */
function freightXml({ issuer, note, issuedAt }: Cte, factor: number): string {
  const rate = icmsRate(note.issuer.state, note.recipient.state);
  const text = cases.get(issuer.regime === '1' ? 'simples' : rate);
  if (text === undefined) throw new RangeError(`no freight at ${rate} %`);
  return variantOf(text, editionOf(issuer.regime, issuedAt), factor);
}

function cancellationOf(cte: Cte, now: Moment): string {
  const { cancelledAt, issuer, key } = cte;
  if (cancelledAt === undefined || cancelledAt > now) return '';
  const own_protocol = protocolOf(stateCode(issuer), cancelledAt, createRandom(key, 'cancellation'));
  return part('cancellation', { ...issuedValues(cte), at: isoMoment(cancelledAt), own_protocol });
}

/** `cteProc` 4.00 with its protocol and, if cancelled by `now`, the event as a sibling. */
export function cteXml(cte: Cte, now: Moment): string {
  const { note } = cte;
  const random = createRandom(cte.slot.seed, 'content', cte.key);
  const isWithinState = note.issuer.state === note.recipient.state;
  const xml = part('cte', {
    ...issuedValues(cte),
    ...partyValues(note.issuer, 'from'),
    ...partyValues(note.recipient, 'to'),
    cfop: isWithinState ? '5353' : '6353',
    // `toma3/toma`: 0 the sender pays, 3 the recipient does.
    payer: note.freight === '0' ? '0' : '3',
    freight: freightXml(cte, random.integer(1, MOST_TIMES)),
    cargo: formatCents(nfeContent(note).total),
    weight: `${random.integer(12, 2_400)}.${random.digits(3)}0`,
    note: note.key,
    cancellation: cancellationOf(cte, now),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>${xml}`;
}
