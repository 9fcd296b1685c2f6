import cteTemplate from '../../templates/cte.xml';
import cancellationXml from '../../templates/cte-cancellation.xml';
import freightsXml from '../../templates/freights.xml';
import { isoMoment, type Moment, yearDigits } from '../calendar.ts';
import { formatCents } from '../money.ts';
import { editionOf, nfeContent } from '../nfe/content.ts';
import { icmsRate } from '../nfe/items.ts';
import { partyValues, stateCode } from '../parties.ts';
import { createRandom } from '../random.ts';
import { casesOf, compileTemplate, variantOf } from '../template.ts';
import type { Cte } from './book.ts';

const WITHIN_THE_STATE = '5353';
const INTERSTATE = '6353';
/** Amounts of the templates are exact to the cent for up to so many times. */
const MOST_TIMES = 12;

const freights = casesOf(freightsXml, 'freight');
const writeCte = compileTemplate(variantOf(cteTemplate, 'plain'));
const writeCancellation = compileTemplate(variantOf(cancellationXml, 'plain'));

/** `vPrest` and `imp`: freights of a rate, so many times a fixed one. */
function freightXml(cte: Cte, factor: number): string {
  const { issuer, sender, recipient } = cte;
  const rate = icmsRate(sender.city.state, recipient.city.state);
  const text = freights.get(issuer.regime === '1' ? 'simples' : rate);
  if (text === undefined) throw new RangeError(`no freight at ${rate} %`);
  return variantOf(text, editionOf(issuer.regime, cte.issuedAt), factor);
}

function cancellationOf(cte: Cte, now: Moment): string {
  const { cancelledAt, issuer, key } = cte;
  if (cancelledAt === undefined || cancelledAt > now) return '';
  const digits = createRandom(key, 'cancellation').digits(10);
  return writeCancellation({
    ...partyValues(issuer),
    key,
    at: isoMoment(cancelledAt),
    protocol: cte.protocol,
    own_protocol: `1${stateCode(issuer)}${yearDigits(cancelledAt)}${digits}`,
  });
}

/** `cteProc` 4.00 with its protocol and, where it was cancelled by then, the event beside it. */
export function cteXml(cte: Cte, now: Moment, seed: string): string {
  const { issuer, sender, recipient, note, key } = cte;
  const random = createRandom(seed, 'content', key);
  const xml = writeCte({
    ...partyValues(issuer),
    ...partyValues(sender, 'from'),
    ...partyValues(recipient, 'to'),
    key,
    code: cte.code,
    cfop: sender.city.state === recipient.city.state ? WITHIN_THE_STATE : INTERSTATE,
    series: String(cte.series),
    number: String(cte.number),
    issued_at: isoMoment(cte.issuedAt),
    digit: key.slice(43),
    payer: cte.payer,
    freight: freightXml(cte, random.integer(1, MOST_TIMES)),
    cargo: formatCents(nfeContent(note, seed).total),
    weight: `${random.integer(12, 2_400)}.${random.digits(3)}0`,
    note: note.key,
    protocol: cte.protocol,
    authorized_at: isoMoment(cte.authorizedAt),
    digest: Buffer.from(createRandom('digest', key).digits(20)).toString('base64'),
    cancellation: cancellationOf(cte, now),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>${xml}`;
}
