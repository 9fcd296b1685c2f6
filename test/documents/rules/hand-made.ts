import { completeAccessKey } from '../../../src/documents/identity/keys.ts';
import {
  createChecker,
  type Finding,
  type Judgement,
  judge,
  type KnownNow,
  ownRules,
  type Rule,
  type RuleContext,
} from '../../../src/documents/rules/index.ts';
import type { DocumentSummary, Item, Taxes } from '../../../src/documents/summary/summary.ts';
import { summaryOf } from '../../support/summaries.ts';

export const company = '11222333000181';
export const supplier = '58716523000119';

/** A key of São Paulo and a month (`YYMM`), by number. */
export function nfeKey(number: number, month = '2611', issuer = supplier): string {
  return completeAccessKey(`35${month}${issuer}55001${String(number).padStart(9, '0')}100000000`);
}

export function cteKey(number: number, month = '2611'): string {
  return completeAccessKey(`35${month}${supplier}57001${String(number).padStart(9, '0')}100000000`);
}

/** A correct note from a supplier of the normal regime to the company, both in São Paulo. */
export function note(parts: Partial<DocumentSummary> = {}): DocumentSummary {
  return summaryOf({
    key: nfeKey(1),
    model: '55',
    series: '1',
    number: '1',
    issued_at: '2026-11-05T10:00:00-03:00',
    flow: '1',
    purpose: '1',
    issuer: {
      id: supplier,
      id_type: 'cnpj',
      name: 'METALURGICA',
      state: 'SP',
      city: 'SAO PAULO',
      state_registration: '111111111111',
      tax_regime: '3',
    },
    recipient: { id: company, id_type: 'cnpj', state: 'SP', city: 'CAMPINAS' },
    totals: { total: '100.00' },
    ...parts,
  });
}

/** A note from the company to the supplier. */
export function own(number: number, parts: Partial<DocumentSummary> = {}): DocumentSummary {
  return note({
    key: nfeKey(number, '2611', company),
    number: String(number),
    issuer: { id: company, id_type: 'cnpj' },
    recipient: { id: supplier, id_type: 'cnpj' },
    ...parts,
  });
}

export function item(parts: Partial<Item> = {}, taxes: Taxes = {}): Item {
  return { number: '1', cfop: '5102', total: '100.00', ...parts, taxes };
}

/** A note of one item. */
export function noteOf(parts: Partial<Item>, taxes: Taxes = {}, more: Partial<DocumentSummary> = {}) {
  return note({ items: [item(parts, taxes)], ...more });
}

export function service(parts: Partial<DocumentSummary> = {}): DocumentSummary {
  const taxation = { ibs_cbs_cst: '000', class_trib: '000001' };
  const ofGoods = { key: undefined, model: undefined, flow: undefined, purpose: undefined };
  return note({ kind: 'nfse', layout: 'nfse national 1.01', taxation, ...ofGoods, ...parts });
}

export function carriage(parts: Partial<DocumentSummary> = {}): DocumentSummary {
  const about = { key: cteKey(1), model: '57', flow: undefined, purpose: '0', cfop: '5352' };
  return note({ kind: 'cte', layout: 'cte 4.00', ...about, ...parts });
}

export function event(
  key: string,
  code: string,
  at: string,
  parts: Partial<DocumentSummary> = {},
): DocumentSummary {
  const issuer = undefined;
  return note({ kind: 'event', layout: 'nfe event 1.00', key, issuer, event: { code, at }, ...parts });
}

/** All documents of these days were checked, for each kind; other days are unknown. */
export function coveredFrom(first: string, last: string, openFrom = '2027-06-01'): RuleContext {
  const days = [{ from: first, to: last }];
  return { company, covered: { days: { nfe: days, cte: days, nfse: days }, openFrom } };
}

/** Codes of the rules with findings. */
export const brokenRules = ({ verdicts }: Judgement) =>
  ownRules.filter((_, at) => (verdicts[at] || []).length > 0).map(({ code }) => code);

/** Findings of one rule in documents, in order, and the number of documents it applies to. */
export function checked(rule: Rule, given: Given): { findings: Finding[]; applied: number } {
  const { documents, context = { company }, known } = asked(given);
  let applied = 0;
  const checker = createChecker(context, [rule], undefined, () => {
    applied += 1;
    return true;
  });
  const findings = documents.flatMap((document) => checker.take(judge(document), known));
  findings.push(...checker.finish());
  return { findings, applied };
}

/** Documents for a rule, with its further context. */
export interface Asked {
  readonly documents: readonly DocumentSummary[];
  readonly context?: RuleContext;
  readonly known?: KnownNow;
}

type Given = Asked | DocumentSummary | readonly DocumentSummary[];

/** A finding: `found / expected`, or some of its fields; a number: how many documents the rule applies to. */
type Expectation = string | number | { readonly [K in keyof Finding]?: unknown };

/** Documents and the rule's findings, in order; a row without findings is right, or outside the rule. */
export type Row = readonly [given: Given, ...expectations: Expectation[]];

/** For each rule, documents with findings, and similar ones without. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

export function asked(given: Given): Asked {
  if ('documents' in given) return given;
  return { documents: 'kind' in given ? [given] : given };
}
