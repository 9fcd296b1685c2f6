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
}
