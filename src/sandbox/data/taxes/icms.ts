import type { Product } from '../catalogue/products.ts';
import type { Nfe } from '../nfe/book.ts';
import { isPerson } from '../parties/party.ts';
import { group, leaves } from '../xml.ts';
import { type Cents, formatCents, formatRate, proportion, type Rate, taxOn } from './cents.ts';
import { type Monophase, monophaseElement, monophaseOf } from './monophase.ts';

/** The ICMS of one item: which group it is written in and what it comes to. */
export interface Icms {
  readonly group:
    | 'ICMS00'
    | 'ICMS10'
    | 'ICMS20'
    | 'ICMS40'
    | 'ICMS60'
    | 'ICMSSN101'
    | 'ICMSSN102'
    | 'ICMSSN500'
    | 'ICMSSN900';
  readonly base: Cents;
  readonly rate: Rate;
  readonly amount: Cents;
  /** ICMS-ST the issuer collects from the recipient. */
  readonly substitution: { readonly base: Cents; readonly rate: Rate; readonly amount: Cents } | undefined;
  readonly relief?: Relief;
  /** In place of the rest. */
  readonly monophase?: Monophase;
}

/** What an item is relieved of. */
interface Relief {
  /** `vICMSDeson`. */
  readonly amount: Cents;
  /** `motDesICMS`: 7 the Zona Franca de Manaus, 9 another. */
  readonly reason: '7' | '9';
  /** Whether it is taken off the price (`indDeduzDeson`, which is left out where it isn't). */
  readonly isDeducted: boolean;
}

/** So much of a product. */
interface Goods {
  readonly product: Product;
  /** In ten-thousandths of the unit. */
  readonly quantity: number;
}

/** `pMVAST`, the margin added to find the base of substitution. */
const MARGIN: Rate = 4_000;
/** `pRedBC` of industrial machines. Source: Convênio ICMS 52/91. */
const MACHINES_REDUCTION: Rate = 5_111;
/** `pCredSN`, the credit a recipient may take from a Simples Nacional issuer. */
const SIMPLES_CREDIT: Rate = 256;

const INTERNAL_RATES: Readonly<Record<string, Rate>> = {
  BA: 2_050,
  ES: 1_700,
  GO: 1_900,
  MG: 1_800,
  PE: 2_050,
  PR: 1_950,
  RJ: 2_000,
  RS: 1_700,
  SC: 1_700,
  SP: 1_800,
};
const SOUTH_AND_SOUTHEAST = ['SP', 'RJ', 'MG', 'PR', 'SC', 'RS'];

function internalRate(state: string): Rate {
  const rate = INTERNAL_RATES[state];
  if (rate === undefined) throw new RangeError(`no ICMS rate for ${state}`);
  return rate;
}

/** 12 % between states, 7 % from the South and Southeast (without ES) to the others. */
export function icmsRate(from: string, to: string): Rate {
  if (from === to) return internalRate(from);
  return SOUTH_AND_SOUTHEAST.includes(from) && !SOUTH_AND_SOUTHEAST.includes(to) ? 700 : 1_200;
}

function untaxed(group: Icms['group']): Icms {
  return { group, base: 0, rate: 0, amount: 0, substitution: undefined };
}

function simplesIcms(note: Nfe, substituted: boolean): Icms {
  if (note.returned || note.isEntry) return untaxed('ICMSSN900');
  if (substituted) return untaxed('ICMSSN500');
  return untaxed(isPerson(note.recipient) ? 'ICMSSN102' : 'ICMSSN101');
}

/** Goods whose price has no more in it than is due of a reduced base. */
function reducedIcms(charged: Cents, rate: Rate): Icms {
  const base = taxOn(charged, 10_000 - MACHINES_REDUCTION);
  const amount = taxOn(base, rate);
  const relief = { amount: taxOn(charged, rate) - amount, reason: '9', isDeducted: false } as const;
  return { group: 'ICMS20', base, rate, amount, substitution: undefined, relief };
}

/** Of an import: its base has the tax itself in it. `before` is what the goods come to without it. */
export function icmsOfImport(note: Nfe, before: Cents): Icms {
  const rate = internalRate(note.issuer.city.state);
  const base = proportion(before, 10_000, 10_000 - rate);
  return { group: 'ICMS00', base, rate, amount: taxOn(base, rate), substitution: undefined };
}

/** `charged` is what the item costs before IPI. */
export function icmsOf(note: Nfe, { product, quantity }: Goods, charged: Cents, ipi: Cents): Icms {
  const substituted = product.cest !== undefined;
  if (product.fuel) return { ...untaxed('ICMS40'), monophase: monophaseOf(product.fuel, quantity) };
  if (note.issuer.regime === '1') return simplesIcms(note, substituted);
  if (note.isEntry) return untaxed('ICMS40');
  if (substituted && note.rarity !== 'freeZone' && (!note.issuer.manufacturer || note.returned))
    return untaxed('ICMS60');
  const to = note.recipient.city.state;
  const rate = icmsRate(note.issuer.city.state, to);
  const amount = taxOn(charged, rate);
  if (note.rarity === 'freeZone') {
    return { ...untaxed('ICMS40'), relief: { amount, reason: '7', isDeducted: true } };
  }
  if (!substituted && note.rarity === 'reduced') return reducedIcms(charged, rate);
  if (!substituted) return { group: 'ICMS00', base: charged, rate, amount, substitution: undefined };
  const base = taxOn(charged + ipi, 10_000 + MARGIN);
  const substitution = { base, rate: internalRate(to), amount: taxOn(base, internalRate(to)) - amount };
  return { group: 'ICMS10', base: charged, rate, amount, substitution };
}

/** What the state of a final consumer is owed besides (DIFAL): the difference of its own rate and that between states. */
export interface Difference {
  readonly base: Cents;
  readonly internalRate: Rate;
  readonly rate: Rate;
  readonly amount: Cents;
}

/** Whether a note is a sale to somebody of another state who is no ICMS taxpayer, and so the goods' final consumer. */
export function isToFinalConsumer({ issuer, recipient, returned, isEntry }: Nfe): boolean {
  const isElsewhere = issuer.city.state !== recipient.city.state;
  return isElsewhere && recipient.stateRegistration === undefined && !returned && !isEntry;
}

/** Due from issuers of the normal regime. Source: EC 87/2015, LC 190/2022; MOC NF-e 7.0, group NA. */
export function differenceOf(note: Nfe, { group: name, base, rate, amount }: Icms): Difference | undefined {
  if (name !== 'ICMS00' || !isToFinalConsumer(note)) return undefined;
  const internal = internalRate(note.recipient.city.state);
  return { base, internalRate: internal, rate, amount: taxOn(base, internal) - amount };
}

/** The element `ICMSUFDest` beside the others of an item. */
export function differenceElement({ base, internalRate: internal, rate, amount }: Difference): string {
  return group(
    'ICMSUFDest',
    leaves({
      vBCUFDest: formatCents(base),
      pICMSUFDest: formatRate(internal, 4),
      pICMSInter: formatRate(rate, 2),
      pICMSInterPart: '100.00',
      vICMSUFDest: formatCents(amount),
      vICMSUFRemet: '0.00',
    }),
  );
}

/** CST or CSOSN. What a person sells is outside of the tax, what goes to the Zona Franca is exempt. */
export function codeOf({ group, relief, monophase }: Icms): string {
  if (monophase) return monophase.fuel.cst;
  if (group === 'ICMS40') return relief ? '40' : '41';
  return group.replace(/^ICMS(SN)?/, '');
}

/** The element inside `imposto/ICMS`. `charged` is the base of the Simples Nacional credit. */
export function icmsElement(icms: Icms, charged: Cents): string {
  if (icms.monophase) return monophaseElement(icms.monophase);
  if (icms.group.startsWith('ICMSSN')) {
    const credit = icms.group === 'ICMSSN101';
    return group(
      icms.group,
      leaves({
        orig: '0',
        CSOSN: codeOf(icms),
        pCredSN: credit ? formatRate(SIMPLES_CREDIT, 4) : undefined,
        vCredICMSSN: credit ? formatCents(taxOn(charged, SIMPLES_CREDIT)) : undefined,
      }),
    );
  }
  const { substitution, relief } = icms;
  const taxed = icms.group !== 'ICMS40' && icms.group !== 'ICMS60';
  return group(
    icms.group,
    leaves({
      orig: '0',
      CST: codeOf(icms),
      modBC: taxed ? '3' : undefined,
      pRedBC: icms.group === 'ICMS20' ? formatRate(MACHINES_REDUCTION, 4) : undefined,
      vBC: taxed ? formatCents(icms.base) : undefined,
      pICMS: taxed ? formatRate(icms.rate, 4) : undefined,
      vICMS: taxed ? formatCents(icms.amount) : undefined,
      modBCST: substitution && '4',
      pMVAST: substitution && formatRate(MARGIN, 4),
      vBCST: substitution && formatCents(substitution.base),
      pICMSST: substitution && formatRate(substitution.rate, 4),
      vICMSST: substitution && formatCents(substitution.amount),
      vICMSDeson: relief && formatCents(relief.amount),
      motDesICMS: relief?.reason,
      indDeduzDeson: relief?.isDeducted ? '1' : undefined,
    }),
  );
}
