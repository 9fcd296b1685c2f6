import { modulo11 } from '../../documents/identity/tax-ids.ts';
import abrasfXml from '../templates/nfse-abrasf.xml';
import nationalXml from '../templates/nfse-national.xml';
import servicesXml from '../templates/services.xml';
import { isoDate, isoWallClock, keyMonth, type Moment, SECONDS_IN_DAY } from './calendar.ts';
import { circleOf, customers, partyValues, serviceProviders } from './parties.ts';
import { createRandom, issue, issuedValues, type Random, randomOf, type Slot } from './plan.ts';
import { compileTemplate, editionOf, partsOf, rowsOf, times, type Values, variantOf } from './templates.ts';

/** An NFS-e without its amounts. The issuer is the provider, the receiver the service recipient. */
export type Nfse = ReturnType<typeof nfseOf>;

/** Source: docs/fiscal/keys.md. */
function nationalKey({ issuer, number, issuedAt }: ReturnType<typeof issue>, random: Random): string {
  const generatedNationally = '2';
  const holdsCnpj = '2';
  const place = `${issuer.city.code}${generatedNationally}${holdsCnpj}`;
  const padded = String(number).padStart(13, '0');
  const first49 = `${place}${issuer.id}${padded}${keyMonth(issuedAt)}${random.digits(9)}`;
  return first49 + modulo11(first49);
}

export function nfseOf(slot: Slot) {
  const random = randomOf(slot, 'nfse');
  const { company, direction } = slot;
  const others = circleOf(company).filter((other) => other !== company);
  const isInbound = direction === 'inbound';
  const issuer = isInbound ? random.pick(serviceProviders) : company;
  const takers = !isInbound && others.length > 0 && random.chance(12) ? others : customers;
  const taker = isInbound ? company : random.pick(takers);
  const issued = issue(slot, issuer, random);
  const isNational = issuer.city.nfse === 'national';
  const isCancelled = !isNational && random.chance(6);
  return {
    ...{ ...issued, receivers: [taker], isEntry: false },
    key: isNational ? nationalKey(issued, random) : undefined,
    /** True if the account's workflow has approved the note. */
    approved: !isCancelled && random.chance(75),
    /** Recorded only by notes in the ABRASF layout. */
    cancelledAt: isCancelled ? issued.authorizedAt + random.integer(1, 5) * SECONDS_IN_DAY : undefined,
  };
}

/** Services by provider, with amounts of a single service by template name. */
const services = new Map(rowsOf(servicesXml, 'service').map((row) => [row.provider, row]));

/** Largest multiple of the templates' amounts that stays exact to the cent. */
const MOST_TIMES = 4;
const FIGURES = ['gross', 'iss', 'pis', 'cofins', 'iss_kept', 'ir', 'csll', 'withheld', 'net', 'base'];
const OF_THE_REFORM = ['ibs_state', 'ibs_city', 'ibs', 'cbs'];

const inWords = new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Template values of a note, derived from its seed on each call. */
export function nfseContent({ issuer, number, issuedAt, slot }: Nfse): Values {
  const row = services.get(issuer.id) ?? {};
  const factor = createRandom(slot.seed, 'content', issuer.id, number, issuedAt).integer(1, MOST_TIMES);
  const prefix = editionOf(issuer.regime, issuedAt) === '2027' ? 'y27_' : '';
  const multiplied = (name: string, of = name) => [name, row[of] && times(row[of], factor)] as const;
  const month = inWords.format(new Date(`${isoDate(issuedAt)}T12:00:00Z`));
  const { code = '', list_name, nbs, iss_rate } = row;
  return {
    ...Object.fromEntries(FIGURES.map((name) => multiplied(name))),
    ...Object.fromEntries(OF_THE_REFORM.map((name) => multiplied(name, prefix + name))),
    ...{ list_name, nbs, iss_rate },
    description: row.text?.replace('{month}', month),
    service_code: code,
    list_item: `${code.slice(0, 2)}.${code.slice(2, 4)}`,
  };
}

/** Templates by regime: providers under the Simples state no federal taxes. */
const nationalTemplates = {
  plain: compileTemplate(variantOf(nationalXml)),
  simples: compileTemplate(variantOf(nationalXml).replace(/<tribFed>.*<\/tribFed>/, '')),
  '2026': compileTemplate(variantOf(nationalXml, '2026')),
  '2027': compileTemplate(variantOf(nationalXml, '2027')),
};
const abrasf = partsOf(abrasfXml);

/** The note in its city's layout, without XML declaration, with its cancellation if before `now`. */
export function nfseXml(note: Nfse, now: Moment): string {
  const { key, issuer, issuedAt, number, cancelledAt } = note;
  const [taker] = note.receivers;
  const isSimples = issuer.regime === '1';
  const content = nfseContent(note);
  const isIssKept = content.iss_kept !== undefined;
  const values = { ...issuedValues(note), ...(taker && partyValues(taker, 'taker')), ...content };
  if (key !== undefined)
    return nationalTemplates[isSimples ? 'simples' : editionOf(issuer.regime, issuedAt)]({
      ...values,
      sequence: key.slice(40, 49),
      number_padded: String(number).padStart(15, '0'),
      simples: isSimples ? '3' : '1',
      iss_payer: isIssKept ? '2' : '1',
    });
  const all = {
    ...values,
    verification: createRandom('verification', issuer.id, number).digits(8),
    registration: createRandom('city registration', issuer.id).digits(9),
    issued_locally: isoWallClock(issuedAt),
    month_start: `${isoDate(issuedAt).slice(0, 7)}-01`,
    iss_withheld: isIssKept ? '1' : '2',
    under_simples: isSimples ? '1' : '2',
  };
  const isCancelled = cancelledAt !== undefined && cancelledAt <= now;
  const cancellation = isCancelled ? abrasf('cancellation', { ...all, at: isoWallClock(cancelledAt) }) : '';
  return abrasf('note', { ...all, cancellation });
}
