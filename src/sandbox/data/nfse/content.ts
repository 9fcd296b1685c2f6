import servicesXml from '../../templates/services.xml';
import { isoDate, type Moment } from '../calendar.ts';
import type { Cents } from '../money.ts';
import { editionOf } from '../nfe/content.ts';
import { createRandom } from '../random.ts';
import { type Edition, rowsOf, times, type Values } from '../template.ts';
import type { Nfse } from './book.ts';

/** A service as its provider sells it; amounts are of one time, by the names of the templates. */
const services = new Map(rowsOf(servicesXml, 'service').map((row) => [row.provider, row]));

/** Amounts of the templates are exact to the cent for up to so many times. */
const MOST_TIMES = 4;
const FIGURES = ['gross', 'iss', 'pis', 'cofins', 'iss_kept', 'ir', 'csll', 'withheld', 'net', 'base'];
const OF_THE_REFORM = ['ibs_state', 'ibs_city', 'ibs', 'cbs'];

export interface NfseContent {
  readonly description: string;
  /** The national list's words for the service. */
  readonly listName: string;
  readonly edition: Edition;
  /** What templates ask of the service. */
  readonly values: Values;
}

/** An amount of a note's content, as `gross` or `net`; nothing is zero. */
export function amountOf({ values }: NfseContent, name: string): Cents {
  return Number((values[name] ?? '0.00').replace('.', ''));
}

const inWords = new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function monthInWords(moment: Moment): string {
  return inWords.format(new Date(`${isoDate(moment)}T12:00:00Z`));
}

/** What a note is about and comes to, made anew from the seed each time it is asked for. */
export function nfseContent(note: Nfse, seed: string): NfseContent {
  const { issuer, number, issuedAt } = note;
  const row = services.get(issuer.id);
  if (row === undefined) throw new RangeError(`${issuer.id} provides no service`);
  const factor = createRandom(seed, 'content', issuer.id, number, issuedAt).integer(1, MOST_TIMES);
  const edition = editionOf(issuer.regime, issuedAt);
  const multiplied = (name: string): string | undefined => {
    const amount = row[name];
    return amount === undefined ? undefined : times(amount, factor);
  };
  const prefix = edition === '2027' ? 'y27_' : '';
  const description = (row.text ?? '').replace('{month}', monthInWords(issuedAt));
  const { code = '', list_name: listName = '' } = row;
  return {
    description,
    listName,
    edition,
    values: {
      ...Object.fromEntries(FIGURES.map((name) => [name, multiplied(name)])),
      ...Object.fromEntries(OF_THE_REFORM.map((name) => [name, multiplied(prefix + name)])),
      list_name: listName,
      description,
      service_code: code,
      list_item: `${code.slice(0, 2)}.${code.slice(2, 4)}`,
      nbs: row.nbs,
      iss_rate: row.iss_rate,
    },
  };
}
