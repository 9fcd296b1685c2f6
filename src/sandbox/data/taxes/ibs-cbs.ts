import { type Day, TAXES_IN_PRICE_FROM } from '../calendar.ts';
import { group, leaves } from '../xml.ts';
import { type Cents, formatCents, formatRate, proportion, type Rate, taxOn } from './cents.ts';

/** What is due of a base in a year. */
interface Rates {
  readonly state: Rate;
  readonly city: Rate;
  readonly cbs: Rate;
}

/** IBS and CBS of one item or service. */
export interface IbsCbs {
  readonly cst: string;
  /** Six digits; the first three are the CST. */
  readonly classification: string;
  readonly base: Cents;
  /** How much the rates are reduced. */
  readonly reduction: Rate;
  readonly rates: Rates;
  readonly ibsState: Cents;
  readonly ibsCity: Cents;
  readonly cbs: Cents;
}

/** The test year's. Source: docs/fiscal/reform.md. */
const RATES_OF_2026: Rates = { state: 10, city: 0, cbs: 90 };
/** IBS as the law has it; no rate of CBS was fixed when this was written, so that this one is only an example. */
const RATES_OF_2027: Rates = { state: 5, city: 5, cbs: 880 };
const FOOD_REDUCTION: Rate = 6_000;

function effective(rate: Rate, reduction: Rate): Rate {
  return proportion(rate, 10_000 - reduction, 10_000);
}

export function ibsCbsOn(base: Cents, reduced: boolean, day: Day): IbsCbs {
  const reduction = reduced ? FOOD_REDUCTION : 0;
  const rates = day >= TAXES_IN_PRICE_FROM ? RATES_OF_2027 : RATES_OF_2026;
  return {
    cst: reduced ? '200' : '000',
    classification: reduced ? '200034' : '000001',
    base,
    reduction,
    rates,
    ibsState: taxOn(base, effective(rates.state, reduction)),
    ibsCity: taxOn(base, effective(rates.city, reduction)),
    cbs: taxOn(base, effective(rates.cbs, reduction)),
  };
}

function reductionGroup(rate: Rate, reduction: Rate): string {
  if (reduction === 0) return '';
  const fields = { pRedAliq: formatRate(reduction, 4), pAliqEfet: formatRate(effective(rate, reduction), 4) };
  return group('gRed', leaves(fields));
}

/** `IBSCBS` of an NF-e item or a CT-e. */
export function ibsCbsElement(tax: IbsCbs): string {
  const { rates } = tax;
  return group(
    'IBSCBS',
    leaves({ CST: tax.cst, cClassTrib: tax.classification }),
    group(
      'gIBSCBS',
      leaves({ vBC: formatCents(tax.base) }),
      group(
        'gIBSUF',
        leaves({ pIBSUF: formatRate(rates.state, 4) }),
        reductionGroup(rates.state, tax.reduction),
        leaves({ vIBSUF: formatCents(tax.ibsState) }),
      ),
      group(
        'gIBSMun',
        leaves({ pIBSMun: formatRate(rates.city, 4) }),
        reductionGroup(rates.city, tax.reduction),
        leaves({ vIBSMun: formatCents(tax.ibsCity) }),
      ),
      leaves({ vIBS: formatCents(tax.ibsState + tax.ibsCity) }),
      group(
        'gCBS',
        leaves({ pCBS: formatRate(rates.cbs, 4) }),
        reductionGroup(rates.cbs, tax.reduction),
        leaves({ vCBS: formatCents(tax.cbs) }),
      ),
    ),
  );
}
