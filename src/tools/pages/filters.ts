import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Asked } from './asked.ts';
import { groupNoun } from './headings.ts';
import type { Voice } from './voice.ts';

/** Arguments that say what is asked about a period, and not which of its documents. */
const noFilters = new Set(
  'document cnpj from to by direction group_by measures share compare columns order_by limit cursor refresh text_in text_counts'.split(
    ' ',
  ),
);

const parties = new Set(['issuer', 'recipient', 'counterparty', 'payer']);

/** Filters that are no grouping, and so have words of their own. */
const ownNames = [
  'min_total',
  'max_total',
  'text',
  'due_from',
  'due_to',
  'di',
  'credit_type',
  'debit_type',
] as const;

function filterName(name: string, direction: string | undefined, voice: Voice): string {
  const own = ownNames.find((one) => one === name);
  return own === undefined ? groupNoun(name, direction, voice) : voice.page(`filter.${own}`);
}

function filterValue(name: string, value: unknown, voice: Voice): string {
  const write = (text: string) => {
    if (name === 'min_total' || name === 'max_total') return voice.money(text);
    if (name === 'status') return voice.tell(`status.${text}` as 'status.authorized', {});
    if (name === 'kind') return kindName(text);
    if (name.startsWith('due_')) return voice.day(text);
    return parties.has(name) ? maskTaxId(text) : voice.name(name, text);
  };
  return (Array.isArray(value) ? value : [value]).map((one) => write(String(one))).join(', ');
}

/** Arguments that are filters. */
export function givenFilters(args: object): [name: string, value: unknown][] {
  return Object.entries(args).filter(([name, value]) => value !== undefined && !noFilters.has(name));
}

/** The filters of a question in words; undefined for none. */
export function filtersOf({ call, resolved, subject, voice }: Asked): string | undefined {
  const words = givenFilters(call.args).map(([name, value]) => {
    const names = resolved.filter(({ argument }) => argument === name).flatMap((one) => one.names);
    const isNamed = names.length > 0 && names.length <= 2;
    const values = isNamed ? names.join(', ') : filterValue(name, value, voice);
    return `${filterName(name, subject.direction, voice)} ${values}`;
  });
  return words.length === 0 ? undefined : words.join('; ');
}
