import { isAvailable } from '../../archive/ask/question.ts';
import type { DocumentArea } from '../../archive/references.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Translator } from '../../messages/index.ts';

/** Shown for values that can't exist. */
export const NOT_AVAILABLE = 'n/a';

/** Something asked for that a kind, or its items, does not have. */
export interface Unavailable {
  readonly argument: string;
  readonly value: string;
  readonly document: DocumentArea;
  readonly reason: 'not_in_kind' | 'per_document_only';
}

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments that list names shown in the answer. */
const shownArguments: ReadonlySet<string> = new Set(['group_by', 'measures', 'columns', 'text_in']);

/** Arguments whose values differ by kind. */
const valuedArguments: ReadonlySet<string> = new Set(['text_in', 'event']);

/** A value as given in the call. */
const written = (value: string | { readonly given: string }): string =>
  typeof value === 'string' ? value : value.given;

/** Names that the call asks to show or to filter by. */
function namesIn(args: Arguments): (Pick<Unavailable, 'argument' | 'value'> & { readonly name: string })[] {
  return Object.entries(args).flatMap(([argument, given]) => {
    if (given === undefined) return [];
    const values = ([given].flat() as (string | { readonly given: string })[]).map(written);
    if (valuedArguments.has(argument))
      return values.map((value) => ({ argument, value, name: `${argument}.${value}` }));
    return shownArguments.has(argument)
      ? values.map((name) => ({ argument, value: name, name }))
      : [{ argument, value: values.join(', '), name: argument }];
  });
}

/** Measures, groupings and filters of a call that a kind does not have. */
export function unavailableOf(args: Arguments, areas: readonly DocumentArea[]): Unavailable[] {
  return areas.flatMap((document) =>
    namesIn(args)
      .filter(({ name }) => !isAvailable(name, document))
      .map(({ argument, value }) => ({ argument, value, document, reason: 'not_in_kind' as const })),
  );
}

/** Sentences by kind: what is not shown, and which filters match nothing. */
export function unavailableSentences(all: readonly Unavailable[], { say }: Translator): string[] {
  const isShown = ({ argument }: Unavailable) => shownArguments.has(argument);
  return [...new Set(all.map(({ document }) => document))].flatMap((document) => {
    const own = all.filter((one) => one.document === document);
    const shown = own.filter(isShown).map(({ value }) => value);
    const filters = own
      .filter((one) => !isShown(one))
      .map(({ argument, value }) => (valuedArguments.has(argument) ? value : argument));
    const kind = kindName(document);
    return [
      ...(shown.length > 0 ? [`⚠ ${say('analysis.not_in_kind', { kind, names: shown.join(', ') })}`] : []),
      ...(filters.length > 0
        ? [`⚠ ${say('analysis.filter_not_in_kind', { kind, names: filters.join(', ') })}`]
        : []),
    ];
  });
}
