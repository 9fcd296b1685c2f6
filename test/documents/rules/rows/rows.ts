import type { Finding, KnownNow, RuleCode, RuleContext } from '../../../../src/documents/rules/index.ts';
import type { DocumentSummary } from '../../../../src/documents/summary/summary.ts';

/** Documents that a rule is asked about, with what it knows besides. */
export interface Asked {
  readonly documents: readonly DocumentSummary[];
  readonly context?: RuleContext;
  readonly known?: KnownNow;
}

type Given = Asked | DocumentSummary | readonly DocumentSummary[];

/** What a finding says: `found / expected`, or some of its fields. */
type Told = string | { readonly [K in keyof Finding]?: unknown };

/** Documents and the findings of the rule, in their order; one without any is right. */
export type Row = readonly [given: Given, ...told: Told[]];

/** Of each rule what it tells of, and beside it what looks like it and is right. */
export type Rows = Partial<Record<RuleCode, readonly Row[]>>;

export function asked(given: Given): Asked {
  if ('documents' in given) return given;
  return { documents: 'kind' in given ? [given] : given };
}
