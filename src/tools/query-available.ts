import { isAvailable } from '../archive/ask/available.ts';
import type { DocumentArea } from '../archive/references.ts';
import { kindName } from '../documents/summary/summary.ts';
import type { Translator } from '../messages/index.ts';

/** What stands in a text for what there can't be. */
export const NOT_AVAILABLE = 'n/a';

/** What was asked for and can't be had: of a kind of document at all, or of its items. */
export interface Unavailable {
  readonly argument: string;
  readonly value: string;
  readonly document: DocumentArea;
  readonly reason: 'not_in_kind' | 'per_document_only';
}

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments whose values are names of what the answer shows. */
const shownArguments: ReadonlySet<string> = new Set(['group_by', 'measures', 'columns', 'text_in']);

/** Arguments some of whose values not every kind has. */
const valuedArguments: ReadonlySet<string> = new Set(['text_in', 'event']);

/** A value as the call gives it, also of somebody who may be named in several ways. */
const written = (value: string | { readonly given: string }): string =>
  typeof value === 'string' ? value : value.given;

/** Names that stand in the answer, and filters by their values. */
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

/** What of a call's measures, groupings and filters a kind of document does not have. */
export function unavailableOf(args: Arguments, areas: readonly DocumentArea[]): Unavailable[] {
  return areas.flatMap((document) =>
    namesIn(args)
      .filter(({ name }) => !isAvailable(name, document))
      .map(({ argument, value }) => ({ argument, value, document, reason: 'not_in_kind' as const })),
  );
}

/** The same in words, kind by kind: what is not shown, and what no document of the kind can meet. */
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
