import abrasfXml from '../../templates/nfse-abrasf.xml';
import cancellationXml from '../../templates/nfse-cancellation.xml';
import nationalXml from '../../templates/nfse-national.xml';
import { isoDate, isoMoment, isoWallClock, type Moment } from '../calendar.ts';
import { partyValues } from '../parties.ts';
import { createRandom } from '../random.ts';
import { compileTemplate, type Values, variantOf } from '../template.ts';
import type { Nfse } from './book.ts';
import { type NfseContent, nfseContent } from './content.ts';

/** Providers under the Simples state no federal taxes. */
const nationalTemplates = {
  plain: compileTemplate(variantOf(nationalXml, 'plain')),
  simples: compileTemplate(variantOf(nationalXml, 'plain').replace(/<tribFed>.*<\/tribFed>/, '')),
  '2026': compileTemplate(variantOf(nationalXml, '2026')),
  '2027': compileTemplate(variantOf(nationalXml, '2027')),
};
const writeAbrasf = compileTemplate(variantOf(abrasfXml, 'plain'));
const writeCancellation = compileTemplate(variantOf(cancellationXml, 'plain'));

function nationalNfse(note: Nfse, key: string, content: NfseContent, values: Values): string {
  const isSimples = note.issuer.regime === '1';
  const write = nationalTemplates[isSimples ? 'simples' : content.edition];
  return write({
    ...values,
    key,
    sequence: key.slice(40, 49),
    authorized_at: isoMoment(note.authorizedAt),
    issued_at: isoMoment(note.issuedAt),
    number_padded: String(note.number).padStart(15, '0'),
    simples: isSimples ? '3' : '1',
    iss_payer: values.iss_kept === undefined ? '1' : '2',
  });
}

function abrasfNfse(note: Nfse, values: Values, now: Moment): string {
  const { issuer, cancelledAt } = note;
  const all = {
    ...values,
    verification: createRandom('verification', issuer.id, note.number).digits(8),
    registration: createRandom('city registration', issuer.id).digits(9),
    issued_locally: isoWallClock(note.issuedAt),
    month_start: `${isoDate(note.issuedAt).slice(0, 7)}-01`,
    iss_withheld: values.iss_kept === undefined ? '2' : '1',
    under_simples: issuer.regime === '1' ? '1' : '2',
  };
  const isCancelled = cancelledAt !== undefined && cancelledAt <= now;
  const cancellation = isCancelled ? writeCancellation({ ...all, at: isoWallClock(cancelledAt) }) : '';
  return writeAbrasf({ ...all, cancellation });
}

/** The note in its city's layout, without XML declaration, with a cancellation that had happened by `now`. */
export function nfseXml(note: Nfse, now: Moment, seed: string): string {
  const content = nfseContent(note, seed);
  const values: Values = {
    ...partyValues(note.issuer),
    ...partyValues(note.recipient, 'taker'),
    ...content.values,
    number: String(note.number),
    day: isoDate(note.issuedAt),
  };
  return note.key === undefined
    ? abrasfNfse(note, values, now)
    : nationalNfse(note, note.key, content, values);
}
