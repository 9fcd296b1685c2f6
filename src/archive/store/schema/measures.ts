/** Groupings that belong to a document, and those that belong to each of its items. */
export const documentGroupings = [
  'issuer',
  'recipient',
  'state',
  'month',
  'week',
  'day',
  'kind',
  'status',
] as const;
export const itemGroupings = ['cfop', 'ncm', 'cst', 'class_trib', 'item'] as const;

/** Amounts, in reais. */
export const amountMeasures = [
  'total',
  'products',
  'icms',
  'icms_base',
  'icms_st',
  'ipi',
  'pis',
  'cofins',
  'iss',
  'iss_withheld',
  'ibs',
  'cbs',
  'is',
  'freight',
  'discount',
] as const;

export type AmountMeasure = (typeof amountMeasures)[number];

/** How many of the summed rows gave each amount: a sum of none is absent, not zero. */
export type GivenName = `${AmountMeasure}_given`;

/** The column that counts how many rows gave an amount. */
export function givenName(measure: AmountMeasure): GivenName {
  return `${measure}_given`;
}

export const givenNames: readonly GivenName[] = amountMeasures.map(givenName);
