import { inspect } from 'node:util';

const MASK = '***';

/** A value that prints as `***`, or as `shown`, in logs, inspection and JSON. */
export class Secret {
  readonly #value: string;
  readonly #shown: string;

  constructor(value: string, shown: string = MASK) {
    this.#value = value;
    this.#shown = shown;
  }

  /** The value itself, for the wire only. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return this.#shown;
  }

  toJSON(): string {
    return this.#shown;
  }

  [inspect.custom](): string {
    return this.#shown;
  }
}
