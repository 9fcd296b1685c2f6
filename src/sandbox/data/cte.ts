import cteTemplate from '../templates/cte.xml';
import cancellationXml from '../templates/cte-cancellation.xml';
import freightsXml from '../templates/freights.xml';
import { isoMoment, type Moment, SECONDS_IN_HOUR, yearDigits } from './calendar.ts';
import { accessKeyOf, type DayPlan, issue, randomOf, type Slot } from './day-plan.ts';
import { type Book, createBook, type Issued } from './issued.ts';
import type { Nfe, NfeBook } from './nfe/book.ts';
import { nfeContent } from './nfe/content.ts';
import { icmsRate } from './nfe/item-cases.ts';
import { carriers, circleOf, isCarrier, partyValues, stateCode } from './parties.ts';
import { createRandom, type Random } from './random.ts';
import { casesOf, compileTemplate, editionOf, variantOf } from './templates.ts';
import { formatCents } from './text.ts';

/** What is known of a CT-e without reckoning its amounts. */
export interface Cte extends Issued {
  /** 44 positions. */
  readonly key: string;
  readonly code: string;
  /** The note whose goods are carried, from its issuer to its recipient. */
  readonly note: Nfe;
  /** `toma3/toma`: 0 the sender pays, 3 the recipient does. */
  readonly payer: '0' | '3';
  readonly cancelledAt: Moment | undefined;
}

export interface CteBook extends Book<Cte> {
  find(key: string): Cte | undefined;
  /** Whether a CT-e carries the note, now or later. */
  carries(note: Nfe): boolean;
}

const LOOK_BACK_IN_DAYS = 12;

export function createCteBook(plan: DayPlan, nfeBook: NfeBook): CteBook {
  /** A note of the last days for the carrier to take; a note between two companies of the account counts too. */
  function noteToCarry(slot: Slot, random: Random): Nfe | undefined {
    const others = circleOf(slot.company).filter((other) => other !== slot.company && !isCarrier(other));
    const shipper = slot.direction === 'outbound' ? random.pick(others) : slot.company;
    const direction = random.chance(50) ? 'inbound' : 'outbound';
    for (let back = 1; back <= LOOK_BACK_IN_DAYS; back++) {
      const notes = nfeBook.issuedOn([shipper], [direction], slot.day - back);
      const carried = notes.filter(
        ({ freight, cancelledAt, isCancelledLate }) => freight !== '9' && (!cancelledAt || isCancelledLate),
      );
      const note = carried[slot.index % Math.max(carried.length, 1)];
      if (note) return note;
    }
    return undefined;
  }

  function transportOf(slot: Slot): Cte | undefined {
    const random = randomOf(slot, 'cte');
    const note = noteToCarry(slot, random);
    if (!note) return undefined;
    const issuer = slot.direction === 'outbound' ? slot.company : random.pick(carriers);
    const issuance = issue(slot, issuer, random);
    const code = random.digits(8);
    const isPaidBySender = note.freight === '0';
    const { authorizedAt } = issuance;
    return {
      ...issuance,
      key: accessKeyOf(issuance, '57', code),
      code,
      note,
      payer: isPaidBySender ? '0' : '3',
      receivers: [note.recipient, ...(isPaidBySender ? [note.issuer] : [])],
      isEntry: false,
      cancelledAt: random.chance(3) ? authorizedAt + random.integer(1, 20) * SECONDS_IN_HOUR : undefined,
    };
  }

  const book = createBook(plan, 'cte', transportOf);
  return {
    ...book,
    find(key) {
      const slot = plan.slotOfKey('cte', key, carriers);
      const cte = slot && transportOf(slot);
      return cte?.key === key ? cte : undefined;
    },
    carries({ key, slot }) {
      const days = Array.from({ length: LOOK_BACK_IN_DAYS }, (_, i) => slot.day + i + 1);
      return days.some((day) => book.around(slot.company, day).some(({ note }) => note.key === key));
    },
  };
}

const WITHIN_THE_STATE = '5353';
const INTERSTATE = '6353';
/** Amounts of the templates are exact to the cent for up to so many times. */
const MOST_TIMES = 12;

const freights = casesOf(freightsXml, 'freight');
const writeCte = compileTemplate(variantOf(cteTemplate));
const writeCancellation = compileTemplate(variantOf(cancellationXml));

/** `vPrest` and `imp`: freights of a rate, so many times a fixed one. */
function freightXml({ issuer, note, issuedAt }: Cte, factor: number): string {
  const rate = icmsRate(note.issuer.state, note.recipient.state);
  const text = freights.get(issuer.regime === '1' ? 'simples' : rate);
  if (text === undefined) throw new RangeError(`no freight at ${rate} %`);
  return variantOf(text, editionOf(issuer.regime, issuedAt), factor);
}

function cancellationOf({ cancelledAt, issuer, key, protocol }: Cte, now: Moment): string {
  if (cancelledAt === undefined || cancelledAt > now) return '';
  const digits = createRandom(key, 'cancellation').digits(10);
  const own_protocol = `1${stateCode(issuer)}${yearDigits(cancelledAt)}${digits}`;
  return writeCancellation({
    ...partyValues(issuer),
    key,
    at: isoMoment(cancelledAt),
    protocol,
    own_protocol,
  });
}

/** `cteProc` 4.00 with its protocol and, where it was cancelled by then, the event beside it. */
export function cteXml(cte: Cte, now: Moment): string {
  const { issuer, note, key } = cte;
  const random = createRandom(cte.slot.seed, 'content', key);
  const xml = writeCte({
    ...partyValues(issuer),
    ...partyValues(note.issuer, 'from'),
    ...partyValues(note.recipient, 'to'),
    key,
    code: cte.code,
    cfop: note.issuer.state === note.recipient.state ? WITHIN_THE_STATE : INTERSTATE,
    series: String(cte.series),
    number: String(cte.number),
    issued_at: isoMoment(cte.issuedAt),
    digit: key.slice(43),
    payer: cte.payer,
    freight: freightXml(cte, random.integer(1, MOST_TIMES)),
    cargo: formatCents(nfeContent(note).total),
    weight: `${random.integer(12, 2_400)}.${random.digits(3)}0`,
    note: note.key,
    protocol: cte.protocol,
    authorized_at: isoMoment(cte.authorizedAt),
    digest: Buffer.from(createRandom('digest', key).digits(20)).toString('base64'),
    cancellation: cancellationOf(cte, now),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>${xml}`;
}
