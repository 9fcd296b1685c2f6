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
  /** What would be due without the relief, where that is stated beside it (`gTribRegular`). */
  readonly regular: Rates | undefined;
}

/** `freeZone`: sold to a taxpayer in the Zona Franca de Manaus. */
export type Treatment = 'full' | 'food' | 'freeZone';

/** How much less is due, and the classification that says so. Source: docs/fiscal/reform.md. */
const treatments: Readonly<Record<Treatment, { reduction: Rate; classification: string }>> = {
  full: { reduction: 0, classification: '000001' },
  food: { reduction: 6_000, classification: '200034' },
  freeZone: { reduction: 10_000, classification: '200022' },
};

/** The test year's. Source: docs/fiscal/reform.md. */
const RATES_OF_2026: Rates = { state: 10, city: 0, cbs: 90 };
/** IBS as the law has it; no rate of CBS was fixed when this was written, so that this one is only an example. */
const RATES_OF_2027: Rates = { state: 5, city: 5, cbs: 880 };
const NO_RATES: Rates = { state: 0, city: 0, cbs: 0 };

function effective(rate: Rate, reduction: Rate): Rate {
  return proportion(rate, 10_000 - reduction, 10_000);
}

export function ibsCbsOn(base: Cents, treatment: Treatment, day: Day): IbsCbs {
  const { reduction, classification } = treatments[treatment];
  const usual = day >= TAXES_IN_PRICE_FROM ? RATES_OF_2027 : RATES_OF_2026;
  // Where the regular tax stands beside it, the rate itself is none (UB18-10).
  const rates = treatment === 'freeZone' ? NO_RATES : usual;
  return {
    cst: classification.slice(0, 3),
    classification,
    base,
    reduction,
    rates,
    ibsState: taxOn(base, effective(rates.state, reduction)),
    ibsCity: taxOn(base, effective(rates.city, reduction)),
    cbs: taxOn(base, effective(rates.cbs, reduction)),
    regular: treatment === 'freeZone' ? usual : undefined,
  };
}

function reductionGroup(rate: Rate, reduction: Rate): string {
  // Of a rate of zero there is nothing to reduce (UB26-20, UB45-20, UB64-20).
  if (reduction === 0 || rate === 0) return '';
  const fields = { pRedAliq: formatRate(reduction, 4), pAliqEfet: formatRate(effective(rate, reduction), 4) };
  return group('gRed', leaves(fields));
}

function regularGroup(base: Cents, rates: Rates): string {
  return group(
    'gTribRegular',
    leaves({
      CSTReg: '000',
      cClassTribReg: '000001',
      pAliqEfetRegIBSUF: formatRate(rates.state, 4),
      vTribRegIBSUF: formatCents(taxOn(base, rates.state)),
      pAliqEfetRegIBSMun: formatRate(rates.city, 4),
      vTribRegIBSMun: formatCents(taxOn(base, rates.city)),
      pAliqEfetRegCBS: formatRate(rates.cbs, 4),
      vTribRegCBS: formatCents(taxOn(base, rates.cbs)),
    }),
  );
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
      tax.regular ? regularGroup(tax.base, tax.regular) : '',
    ),
  );
}
