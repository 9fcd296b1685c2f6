import { group, leaves } from '../xml.ts';
import { type Cents, formatCents, formatRate, proportion, type Rate, taxOn } from './cents.ts';

/** IBS and CBS of one item or service at the test rates of 2026. Source: docs/fiscal/reform.md. */
export interface IbsCbs {
  readonly cst: string;
  /** Six digits; the first three are the CST. */
  readonly classification: string;
  readonly base: Cents;
  /** How much the rates are reduced. */
  readonly reduction: Rate;
  readonly ibsState: Cents;
  readonly cbs: Cents;
}

const IBS_STATE_RATE: Rate = 10;
const CBS_RATE: Rate = 90;
const FOOD_REDUCTION: Rate = 6_000;

function effective(rate: Rate, reduction: Rate): Rate {
  return proportion(rate, 10_000 - reduction, 10_000);
}

export function ibsCbsOn(base: Cents, reduced: boolean): IbsCbs {
  const reduction = reduced ? FOOD_REDUCTION : 0;
  return {
    cst: reduced ? '200' : '000',
    classification: reduced ? '200034' : '000001',
    base,
    reduction,
    ibsState: taxOn(base, effective(IBS_STATE_RATE, reduction)),
    cbs: taxOn(base, effective(CBS_RATE, reduction)),
  };
}

function reductionGroup(rate: Rate, reduction: Rate): string {
  if (reduction === 0) return '';
  const fields = { pRedAliq: formatRate(reduction, 4), pAliqEfet: formatRate(effective(rate, reduction), 4) };
  return group('gRed', leaves(fields));
}

/** `IBSCBS` of an NF-e item or a CT-e. */
export function ibsCbsElement(tax: IbsCbs): string {
  return group(
    'IBSCBS',
    leaves({ CST: tax.cst, cClassTrib: tax.classification }),
    group(
      'gIBSCBS',
      leaves({ vBC: formatCents(tax.base) }),
      group(
        'gIBSUF',
        leaves({ pIBSUF: formatRate(IBS_STATE_RATE, 4) }),
        reductionGroup(IBS_STATE_RATE, tax.reduction),
        leaves({ vIBSUF: formatCents(tax.ibsState) }),
      ),
      group(
        'gIBSMun',
        leaves({ pIBSMun: '0.0000' }),
        reductionGroup(0, tax.reduction),
        leaves({ vIBSMun: '0.00' }),
      ),
      leaves({ vIBS: formatCents(tax.ibsState) }),
      group(
        'gCBS',
        leaves({ pCBS: formatRate(CBS_RATE, 4) }),
        reductionGroup(CBS_RATE, tax.reduction),
        leaves({ vCBS: formatCents(tax.cbs) }),
      ),
    ),
  );
}
