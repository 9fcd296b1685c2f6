import type { Message } from '../messages/message.ts';

/** Refuses a text: `kind` is the tail of a catalogue key `config.expected.<kind>`, with its values. */
export type Refuse = (kind: string, values?: Readonly<Record<string, string | number>>) => never;

/** A kind of setting: what its text means, and what holds where there is none. */
export class Kind<T> {
  readonly read: (text: string, refuse: Refuse) => T;
  /** The value where no text is given. */
  readonly unset: (refuse: Refuse) => T;
  /** The value where no text is given, or the text that is read then. */
  readonly shownDefault: () => unknown;

  constructor(
    read: Kind<T>['read'],
    unset: Kind<T>['unset'] = (refuse) => refuse('text'),
    shownDefault: Kind<T>['shownDefault'] = () => undefined,
  ) {
    this.read = read;
    this.unset = unset;
    this.shownDefault = shownDefault;
  }

  optional(): Kind<T | undefined> {
    return new Kind<T | undefined>(this.read, () => undefined);
  }

  default(value: T | (() => T)): Kind<T> {
    const made = () => (value instanceof Function ? value() : value);
    return new Kind(this.read, made, made);
  }

  /** A text that is read where none is given. */
  defaultText(text: string): Kind<T> {
    return new Kind(
      this.read,
      (refuse) => this.read(text, refuse),
      () => text,
    );
  }
}

/** What is known of a setting besides its kind. */
export interface SettingInfo {
  /** Its environment variable; where it is not a secret, its flag has the same name: `DFE_READ_ONLY`, `--read-only`. */
  readonly variable: `DFE_${string}`;
  readonly secret: boolean;
  readonly help: Message;
  /** How the default reads in help and README, where the value itself would not tell. */
  readonly defaultText?: Message;
  /** The value as text, where it is more than a word, a number or a list of words. */
  show?(value: unknown): string;
}

/** A setting as it is declared: its kind, and what help, README and `doctor` say of it. */
export interface Declared<T> extends SettingInfo {
  readonly kind: Kind<T>;
}

/** Declares a setting. */
export function setting<T>(
  kind: Kind<T>,
  info: Omit<SettingInfo, 'secret' | 'show'> & { secret?: true; show?: (value: T) => string },
): Declared<T> {
  return { secret: false, ...info, kind } as Declared<T>;
}
