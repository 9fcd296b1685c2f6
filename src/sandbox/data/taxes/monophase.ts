import type { Fuel } from '../catalogue/products.ts';
import { group, leaves } from '../xml.ts';
import { type Cents, formatCents, formatQuantity, proportion } from './cents.ts';

/** Single-phase ICMS: so many reais for a litre or a kilogram, charged once. Source: LC 192/2022, MOC NF-e, NT 2023.001. */
export interface Monophase {
  readonly fuel: Fuel;
  /** `vICMSMono`: the issuer's own, which is in the price. */
  readonly own: Cents;
  /** `vICMSMonoReten`: what the issuer charges on top for biofuel that is yet to be mixed in. */
  readonly retained: Cents;
  /** `vICMSMonoDif`: put off until the fuel is mixed. */
  readonly deferred: Cents;
  /** `vICMSMonoRet`: what was charged before and is repeated. */
  readonly before: Cents;
  /** In ten-thousandths: of the fuel itself, of the biofuel to come, of what was charged before. */
  readonly quantities: { readonly own: number; readonly retained: number; readonly before: number };
}

/** The share of biodiesel in diesel, by volume, to the diesel it is mixed into. */
const BIODIESEL = { part: 15, of: 85 };

/** @param quantity in ten-thousandths of the unit */
export function monophaseOf(fuel: Fuel, quantity: number): Monophase {
  const due = (ofQuantity: number) => proportion(ofQuantity, fuel.adRem, 1_000_000);
  const retained = fuel.cst === '15' ? proportion(quantity, BIODIESEL.part, BIODIESEL.of) : 0;
  const before = fuel.cst === '61' ? quantity : 0;
  const own = fuel.cst === '61' ? 0 : quantity;
  return {
    fuel,
    own: fuel.cst === '53' ? 0 : due(own),
    retained: due(retained),
    deferred: fuel.cst === '53' ? due(own) : 0,
    before: due(before),
    quantities: { own, retained, before },
  };
}

/** The element inside `imposto/ICMS`. */
export function monophaseElement(tax: Monophase): string {
  const { fuel, quantities } = tax;
  const rate = formatQuantity(fuel.adRem);
  const retained = {
    qBCMonoReten: formatQuantity(quantities.retained),
    adRemICMSReten: rate,
    vICMSMonoReten: formatCents(tax.retained),
  };
  const deferred = {
    vICMSMonoOp: formatCents(tax.deferred),
    pDif: '100.0000',
    vICMSMonoDif: formatCents(tax.deferred),
  };
  const own = {
    qBCMono: formatQuantity(quantities.own),
    adRemICMS: rate,
    ...(fuel.cst === '53' && deferred),
    vICMSMono: formatCents(tax.own),
    ...(fuel.cst === '15' && retained),
  };
  const before = {
    qBCMonoRet: formatQuantity(quantities.before),
    adRemICMSRet: rate,
    vICMSMonoRet: formatCents(tax.before),
  };
  return group(
    `ICMS${fuel.cst}`,
    leaves({ orig: '0', CST: fuel.cst, ...(fuel.cst === '61' ? before : own) }),
  );
}
