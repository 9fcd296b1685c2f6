import { dayOf, IBS_CBS_FROM, isoDate, type Moment } from '../calendar.ts';
import { createRandom } from '../random.ts';
import { type Cents, type Rate, taxOn } from '../taxes/cents.ts';
import { type IbsCbs, ibsCbsOn } from '../taxes/ibs-cbs.ts';
import type { Nfse } from './book.ts';

export interface NfseContent {
  readonly description: string;
  readonly gross: Cents;
  readonly issRate: Rate;
  readonly iss: Cents;
  /** The provider's own, not withheld; zero within Simples Nacional. */
  readonly pis: Cents;
  readonly cofins: Cents;
  /** Withheld by the taker; all zero where nothing is. */
  readonly withheld: { readonly iss: Cents; readonly incomeTax: Cents; readonly socialContribution: Cents };
  /** Gross − everything withheld. */
  readonly net: Cents;
  readonly ibsCbs: IbsCbs | undefined;
}

export const PIS_RATE: Rate = 65;
export const COFINS_RATE: Rate = 300;
const INCOME_TAX_RATE: Rate = 150;
const SOCIAL_CONTRIBUTION_RATE: Rate = 100;

const MONTHS = [
  'janeiro',
  'fevereiro',
  'março',
  'abril',
  'maio',
  'junho',
  'julho',
  'agosto',
  'setembro',
  'outubro',
  'novembro',
  'dezembro',
];

function monthInWords(moment: Moment): string {
  const [year, month] = isoDate(moment).split('-');
  return `${MONTHS[Number(month) - 1]} de ${year}`;
}

export function nfseContent(note: Nfse, seed: string): NfseContent {
  const { service, issuer } = note;
  const random = createRandom(seed, 'content', issuer.id, note.number, note.issuedAt);
  const gross = random.integer(service.lowest, service.highest);
  const simples = issuer.regime === '1';
  const iss = taxOn(gross, service.iss);
  const pis = simples ? 0 : taxOn(gross, PIS_RATE);
  const cofins = simples ? 0 : taxOn(gross, COFINS_RATE);
  const withholds = service.withheld && note.recipient.id.length === 14 && !simples;
  const withheld = {
    iss: withholds ? iss : 0,
    incomeTax: withholds ? taxOn(gross, INCOME_TAX_RATE) : 0,
    socialContribution: withholds ? taxOn(gross, SOCIAL_CONTRIBUTION_RATE) : 0,
  };
  const carriesIbsCbs = !simples && dayOf(note.issuedAt) >= IBS_CBS_FROM;
  return {
    description: service.text.replace('{month}', monthInWords(note.issuedAt)),
    gross,
    issRate: service.iss,
    iss,
    pis,
    cofins,
    withheld,
    net: gross - withheld.iss - withheld.incomeTax - withheld.socialContribution,
    ibsCbs: carriesIbsCbs ? ibsCbsOn(gross - iss - pis - cofins, 'full', dayOf(note.issuedAt)) : undefined,
  };
}
