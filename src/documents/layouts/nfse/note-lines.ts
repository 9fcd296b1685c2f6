import { addDecimals } from '../../decimals.ts';
import type { Collected, ListRecords } from '../../summary/collected.ts';
import { withDecimalPoint } from './written-forms.ts';

type Line = ListRecords['parts'];

function given({ lists }: Collected, name: keyof Line): string[] {
  return lists.parts.flatMap((line) => line[name] ?? []);
}

/** The sum of a field over a note's lines, in plain notation; undefined where none has it or one is no number. */
export function sumOfLines(collected: Collected, name: keyof Line): string | undefined {
  return addDecimals(given(collected, name).map(withDecimalPoint));
}

/** What all lines that say it say alike; a rate that only some of them have is not the note's. */
function agreed(collected: Collected, name: keyof Line): string | undefined {
  const [first, ...others] = given(collected, name);
  return others.every((text) => text === first) ? first : undefined;
}

/** What a note is about, from its lines: what they agree on, and the first one's description. */
export function serviceFromLines(collected: Collected): void {
  const { service } = collected.sections;
  const code = agreed(collected, 'code');
  const rate = agreed(collected, 'rate');
  const [description] = given(collected, 'description');
  if (code !== undefined) service.code ??= code;
  if (rate !== undefined) service.rate ??= rate;
  if (description !== undefined) service.description ??= description;
}
