import { checkAccessKey } from '../identity/keys.ts';

/** A part of the documents of both sides, by the last digits of their numbers: a file too large to be held is compared part by part. */
export interface Part {
  /** From 0. */
  readonly at: number;
  readonly of: number;
}

export const wholeFile: Part = { at: 0, of: 1 };

/** Whether a document is in a part: by the number in its key where that is valid, as it is looked for, else by its own. */
export function isInPart({ at, of }: Part, key: string | undefined, number: string | undefined): boolean {
  if (of === 1) return true;
  const isKnownByKey = key?.length === 44 && checkAccessKey(key).ok;
  const digits = isKnownByKey ? key.slice(31, 34) : (number ?? '').replace(/\D/g, '').slice(-3);
  return Number(digits) % of === at;
}
