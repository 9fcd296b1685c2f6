import { closest, distance } from 'fastest-levenshtein';
import type { MessageKey } from '../messages/index.ts';

/** The expected form of a value: the tail of a catalogue key `config.expected.<kind>`, and its values. */
export interface Expected {
  readonly kind: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** A mistake in the configuration, by catalogue key; never holds a secret. */
export interface Problem {
  readonly key: MessageKey & `${'config' | 'tenants'}.${string}`;
  readonly values: Readonly<Record<string, string>>;
  /** The known name nearest to an unknown one. */
  readonly nearest?: string | undefined;
  readonly expected?: Expected;
  /** In the tenants file, from 1. */
  readonly line?: number;
}

/** The process can't serve as it is configured. A tenants file is refused as a whole: any mistake may admit someone. */
export class Misconfigured extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ key }) => key).join(', '));
    this.name = 'Misconfigured';
    this.problems = problems;
  }
}

/** The known name nearest to a mistyped one; undefined without candidates. */
export function nearestName(name: string, among: readonly string[]): string | undefined {
  return among.length === 0 ? undefined : closest(name, [...among]);
}

/** The known name meant by a mistyped one; undefined when none is within two edits, or a third of a long name. */
export function recognisedName(name: string, among: readonly string[]): string | undefined {
  const nearest = nearestName(name, among);
  const most = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  return nearest !== undefined && distance(name, nearest) <= most ? nearest : undefined;
}
