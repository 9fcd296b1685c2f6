import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Asked } from './answered.ts';
import { groupNoun } from './headings.ts';
import type { Voice } from './voice.ts';

/** Arguments that say what is asked about a period, and not which of its documents. */
const noFilters = new Set(
  'document cnpj from to by direction group_by measures share compare columns order_by limit cursor refresh text_in text_counts'.split(
    ' ',
  ),
);

const amounts = new Set(['min_total', 'max_total']);
/** Filters whose words are those of a column. */
const asColumn = new Set(['issuer', 'recipient', 'counterparty', 'payer']);

function filterName(name: string, direction: string | undefined, voice: Voice): string {
  const messages = [
    'min_total',
    'max_total',
    'text',
    'due_from',
    'due_to',
    'di',
    'credit_type',
    'debit_type',
  ] as const;
  const own = messages.find((one) => one === name);
  if (own !== undefined) return voice.page(`filter.${own}`);
  return groupNoun(name, direction, voice);
}

function filterValue(name: string, value: unknown, names: readonly string[], voice: Voice): string {
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  if (names.length > 0 && names.length <= 2) return names.join(', ');
  if (amounts.has(name)) return texts.map(voice.money).join(', ');
  if (name === 'status')
    return texts.map((one) => voice.tell(`status.${one}` as 'status.authorized', {})).join(', ');
  if (name === 'kind') return texts.map(kindName).join(', ');
  if (name.startsWith('due_')) return texts.map(voice.day).join(', ');
  return texts.map((one) => (asColumn.has(name) ? maskTaxId(one) : voice.name(name, one))).join(', ');
}

/** The filters of a question in words; undefined for none. */
export function filtersOf({ call, resolved, subject }: Asked): ((voice: Voice) => string) | undefined {
  const given = Object.entries(call.args).filter(([name]) => !noFilters.has(name));
  if (given.length === 0) return undefined;
  return (voice) =>
    given
      .map(([name, value]) => {
        const names = resolved.filter(({ argument }) => argument === name).flatMap((one) => one.names);
        return `${filterName(name, subject.direction, voice)} ${filterValue(name, value, names, voice)}`;
      })
      .join('; ');
}
