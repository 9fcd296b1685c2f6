import { modulo11 } from '../../documents/identity/tax-ids.ts';
import abrasfXml from '../templates/nfse-abrasf.xml';
import cancellationXml from '../templates/nfse-cancellation.xml';
import nationalXml from '../templates/nfse-national.xml';
import servicesXml from '../templates/services.xml';
import {
  type Day,
  isoDate,
  isoMoment,
  isoWallClock,
  keyMonth,
  type Moment,
  SECONDS_IN_DAY,
} from './calendar.ts';
import { type DayPlan, type Direction, type Issuance, issue, type Slot } from './day-plan.ts';
import { editionOf } from './nfe/content.ts';
import {
  customers,
  type Party,
  partyValues,
  type SandboxCompany,
  serviceProviders,
  tradingCompanies,
} from './parties.ts';
import { createRandom, type Random } from './random.ts';
import { type Cents, compileTemplate, type Edition, rowsOf, times, type Values, variantOf } from './text.ts';

/** What is known of an NFS-e without reckoning its amounts. The issuer is the provider, the recipient the taker. */
export interface Nfse extends Issuance {
  readonly kind: 'nfse';
  /** 50 positions, for notes in the national layout; the others have no key. */
  readonly key: string | undefined;
  readonly recipient: Party;
  /** Whether the account's own workflow has approved the note. */
  readonly approved: boolean;
  /** Only notes in the ABRASF layout say so themselves. */
  readonly cancelledAt: Moment | undefined;
}

export interface NfseBook {
  issuedOn(company: SandboxCompany, direction: Direction, day: Day): Nfse[];
  find(number: string, day: Day, issuerId: string): Nfse | undefined;
}

/** Source: docs/fiscal/keys.md. */
function nationalKey({ issuer, number, issuedAt }: Issuance, random: Random): string {
  const generatedNationally = '2';
  const holdsCnpj = '2';
  const first49 = [
    issuer.city.code,
    generatedNationally,
    holdsCnpj,
    issuer.id,
    String(number).padStart(13, '0'),
    keyMonth(issuedAt),
    random.digits(9),
  ].join('');
  return first49 + modulo11(first49);
}

export function createNfseBook(plan: DayPlan, held: readonly SandboxCompany[]): NfseBook {
  function partiesOf(slot: Slot, random: Random): { issuer: Party; recipient: Party } {
    const { company, direction } = slot.flow;
    if (direction === 'inbound') return { issuer: random.pick(serviceProviders), recipient: company };
    const companies = tradingCompanies(company);
    const takers = companies.length > 0 && random.chance(12) ? companies : customers;
    return { issuer: company, recipient: random.pick(takers) };
  }

  function noteOf(slot: Slot): Nfse {
    const random = plan.randomOf(slot, 'nfse');
    const { issuer, recipient } = partiesOf(slot, random);
    const issuance = issue(plan, slot, issuer, random);
    const national = issuer.city.nfseLayout === 'national';
    const cancelled = !national && random.chance(6);
    const { authorizedAt } = issuance;
    return {
      ...issuance,
      kind: 'nfse',
      key: national ? nationalKey(issuance, random) : undefined,
      recipient,
      approved: !cancelled && random.chance(75),
      cancelledAt: cancelled ? authorizedAt + random.integer(1, 5) * SECONDS_IN_DAY : undefined,
    };
  }

  function ownNotes(company: SandboxCompany, direction: Direction, day: Day): Nfse[] {
    return plan.slotsOn({ company, kind: 'nfse', direction }, day).map(noteOf);
  }

  return {
    issuedOn(company, direction, day) {
      const notes = ownNotes(company, direction, day);
      if (direction === 'outbound') return notes;
      const fromCompanies = tradingCompanies(company).flatMap((provider) =>
        ownNotes(provider, 'outbound', day),
      );
      return [...notes, ...fromCompanies.filter((note) => note.recipient === company)];
    },

    find(number, day, issuerId) {
      const notes = held.flatMap((company) => [
        ...ownNotes(company, 'outbound', day),
        ...ownNotes(company, 'inbound', day),
      ]);
      return notes.find((note) => note.issuer.id === issuerId && String(note.number) === number);
    },
  };
}

/** A service as its provider sells it; amounts are of one time, by the names of the templates. */
const services = new Map(rowsOf(servicesXml, 'service').map((row) => [row.provider, row]));

/** Amounts of the templates are exact to the cent for up to so many times. */
const MOST_TIMES = 4;
const FIGURES = ['gross', 'iss', 'pis', 'cofins', 'iss_kept', 'ir', 'csll', 'withheld', 'net', 'base'];
const OF_THE_REFORM = ['ibs_state', 'ibs_city', 'ibs', 'cbs'];

interface NfseContent {
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
